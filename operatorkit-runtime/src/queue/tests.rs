//! The queue under a paused clock.

mod promises;

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, advance};

use super::{Queue, Work, work::UNFINISHED};
use crate::context::{Trigger, Triggers};

const SECOND: Duration = Duration::from_secs(1);

fn queue() -> Arc<Queue> {
    Arc::new(Queue::new())
}

/// What can be taken without waiting.
async fn now(queue: &Arc<Queue>) -> Option<Work> {
    tokio::select! { biased; work = queue.next() => work, () = std::future::ready(()) => None }
}

async fn next(queue: &Arc<Queue>) -> Work {
    queue.next().await.expect("open")
}

#[tokio::test(start_paused = true)]
async fn first_come_first_served_and_each_once() {
    let queue = queue();
    for uid in ["b", "a", "c", "a", "b"] {
        queue.add(uid.into(), Trigger::ObjectChanged);
    }
    assert_eq!(queue.len(), 3);
    for uid in ["b", "a", "c"] {
        let work = next(&queue).await;
        assert_eq!(**work.uid(), *uid);
        work.done(None);
    }
    assert!(now(&queue).await.is_none());
    assert_eq!(queue.state().known(), 0, "finished objects take no memory");
}

#[tokio::test(start_paused = true)]
async fn what_comes_while_it_runs_runs_after_it() {
    let queue = queue();
    queue.add("a".into(), Trigger::ObjectChanged);
    let work = next(&queue).await;
    queue.add("a".into(), Trigger::ChildChanged);
    queue.add("b".into(), Trigger::ObjectChanged);
    assert_eq!(queue.running(), 1);
    let other = next(&queue).await;
    assert_eq!(&**other.uid(), "b");
    assert!(now(&queue).await.is_none(), "never twice at once");
    work.done(Some((SECOND, Trigger::Resync)));
    let again = next(&queue).await;
    assert_eq!(
        again.triggers(),
        Triggers::from(Trigger::ChildChanged),
        "the delay of the first run is superseded"
    );
    again.done(None);
    other.done(None);
    assert_eq!((queue.len(), queue.running(), queue.state().known()), (0, 0, 0));
}

#[tokio::test(start_paused = true)]
async fn reasons_come_together_and_time_is_measured() {
    let queue = queue();
    queue.add("a".into(), Trigger::ObjectChanged);
    advance(3 * SECOND).await;
    queue.add("a".into(), Trigger::ChildChanged);
    let work = next(&queue).await;
    assert!(work.triggers().contains(Trigger::ObjectChanged) && work.triggers().contains(Trigger::ChildChanged));
    assert_eq!(work.queued_for(), 3 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn the_earliest_delay_wins() {
    let queue = queue();
    let start = Instant::now();
    queue.add_after("a".into(), 9 * SECOND, Trigger::Resync);
    queue.add_after("a".into(), 2 * SECOND, Trigger::Retry);
    queue.add_after("a".into(), 5 * SECOND, Trigger::Waited);
    let work = next(&queue).await;
    assert!(start.elapsed() >= 2 * SECOND && start.elapsed() < 3 * SECOND);
    assert_eq!(work.triggers(), Triggers::from(Trigger::Retry));
    work.done(None);
    advance(20 * SECOND).await;
    assert!(now(&queue).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn an_immediate_add_supersedes_a_delay() {
    let queue = queue();
    queue.add_after("a".into(), SECOND, Trigger::Retry);
    queue.add("a".into(), Trigger::ObjectChanged);
    queue.add_after("a".into(), SECOND, Trigger::Resync);
    let work = next(&queue).await;
    assert_eq!(work.triggers(), Triggers::from(Trigger::ObjectChanged));
    work.done(None);
    advance(5 * SECOND).await;
    assert!(now(&queue).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_waiting_task_wakes_for_an_add_and_for_an_earlier_delay() {
    let queue = queue();
    queue.add_after("late".into(), 100 * SECOND, Trigger::Resync);
    let taken = tokio::spawn({
        let queue = queue.clone();
        async move { next(&queue).await.uid().clone() }
    });
    tokio::task::yield_now().await;
    let start = Instant::now();
    queue.add_after("early".into(), SECOND, Trigger::Retry);
    assert_eq!(&*taken.await.unwrap(), "early");
    assert!(start.elapsed() < 2 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn several_tasks_share_the_work() {
    let queue = queue();
    let takers: Vec<_> = (0..4)
        .map(|_| {
            let queue = queue.clone();
            tokio::spawn(async move {
                let mut taken = 0;
                while let Some(work) = queue.next().await {
                    tokio::time::sleep(SECOND).await;
                    work.done(None);
                    taken += 1;
                }
                taken
            })
        })
        .collect();
    tokio::task::yield_now().await;
    for index in 0..20_u32 {
        // Half of them at once, half after a delay at which all the takers sleep.
        queue.add_after(format!("{index}").into(), SECOND * (index / 10), Trigger::ObjectChanged);
    }
    let start = Instant::now();
    while queue.state().known() > 0 {
        advance(SECOND / 4).await;
        tokio::task::yield_now().await;
        assert!(
            start.elapsed() < 10 * SECOND,
            "some taker sleeps although there is work: {queue:?}"
        );
    }
    queue.close();
    let mut all = 0;
    for taker in takers {
        let taken = taker.await.unwrap();
        assert!(taken > 0);
        all += taken;
    }
    assert_eq!(all, 20);
}

#[tokio::test(start_paused = true)]
async fn a_forgotten_object_does_not_run_again() {
    let queue = queue();
    queue.add("queued".into(), Trigger::ObjectChanged);
    queue.add_after("delayed".into(), SECOND, Trigger::Resync);
    queue.forget("queued");
    queue.forget("delayed");
    queue.forget("unknown");
    assert_eq!(queue.state().known(), 0);

    queue.add("a".into(), Trigger::ObjectChanged);
    let work = next(&queue).await;
    queue.add("a".into(), Trigger::ChildChanged);
    queue.forget("a");
    work.done(Some((SECOND, Trigger::Resync)));
    assert_eq!(queue.state().known(), 0);

    queue.add("a".into(), Trigger::ObjectChanged);
    let work = next(&queue).await;
    queue.forget("a");
    queue.add("a".into(), Trigger::ChildChanged);
    work.done(None);
    assert_eq!(next(&queue).await.triggers(), Triggers::from(Trigger::ChildChanged));
}

#[tokio::test(start_paused = true)]
async fn nothing_starts_after_close() {
    let queue = queue();
    queue.add("a".into(), Trigger::ObjectChanged);
    let work = next(&queue).await;
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.next().await.is_none() }
    });
    tokio::task::yield_now().await;
    queue.add_after("b".into(), SECOND, Trigger::Resync);
    queue.add("a".into(), Trigger::ChildChanged);
    queue.close();
    assert!(waiting.await.unwrap());
    queue.add("c".into(), Trigger::ObjectChanged);
    assert!(queue.next().await.is_none());
    assert_eq!(queue.running(), 1, "what runs is still known");
    work.done(Some((SECOND, Trigger::Resync)));
    assert_eq!((queue.running(), queue.state().known()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn work_that_is_dropped_is_not_lost() {
    let queue = queue();
    queue.add("a".into(), Trigger::ObjectChanged);
    drop(next(&queue).await);
    let start = Instant::now();
    assert_eq!(next(&queue).await.triggers(), Triggers::from(Trigger::Retry));
    assert!(start.elapsed() >= UNFINISHED);
}

#[tokio::test(start_paused = true)]
async fn a_delay_beyond_the_clock_never_comes() {
    let queue = queue();
    queue.add_after("a".into(), Duration::MAX, Trigger::Resync);
    assert_eq!(queue.state().known(), 0);
}
