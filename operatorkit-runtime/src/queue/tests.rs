//! The queue under a paused clock, and its promises under random use.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use proptest::prelude::*;
use tokio::time::{Instant, advance};

use super::{Queue, Uid, Work, state::State, work::UNFINISHED};
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

#[derive(Clone, Debug)]
enum Use {
    Add(usize),
    AddAfter(usize, u64),
    Start,
    Done(usize, Option<u64>),
    Forget(usize),
    Pass(u64),
}

fn uses() -> impl Strategy<Value = Vec<Use>> {
    let uid = 0..5_usize;
    let one = prop_oneof![
        3 => uid.clone().prop_map(Use::Add),
        2 => (uid.clone(), 0..6_u64).prop_map(|(uid, after)| Use::AddAfter(uid, after)),
        4 => Just(Use::Start),
        4 => (0..8_usize, proptest::option::of(0..6_u64)).prop_map(|(place, after)| Use::Done(place, after)),
        1 => uid.prop_map(Use::Forget),
        2 => (0..4_u64).prop_map(Use::Pass),
    ];
    proptest::collection::vec(one, 0..80)
}

/// The promises, told a second time in the simplest way: a line of UIDs and a table of what each one has coming.
#[derive(Debug, Default)]
struct Model {
    line: VecDeque<usize>,
    running: Vec<usize>,
    again: Vec<usize>,
    forgotten: Vec<usize>,
    /// UID to when, and the order in which the delays were made.
    delays: BTreeMap<usize, (u64, usize)>,
    made: usize,
}

impl Model {
    fn add(&mut self, uid: usize) {
        self.delays.remove(&uid);
        self.forgotten.retain(|other| *other != uid);
        if self.line.contains(&uid) || self.again.contains(&uid) {
            return;
        }
        if self.running.contains(&uid) {
            self.again.push(uid);
        } else {
            self.line.push_back(uid);
        }
    }

    fn add_after(&mut self, uid: usize, now: u64, after: u64) {
        if after == 0 {
            return self.add(uid);
        }
        self.forgotten.retain(|other| *other != uid);
        if self.line.contains(&uid)
            || self.again.contains(&uid)
            || self.delays.get(&uid).is_some_and(|(due, _)| *due <= now + after)
        {
            return;
        }
        self.made += 1;
        self.delays.insert(uid, (now + after, self.made));
    }

    fn start(&mut self, now: u64) -> Option<usize> {
        let mut due: Vec<_> = self
            .delays
            .iter()
            .filter(|(_, (due, _))| *due <= now)
            .map(|(uid, order)| (*order, *uid))
            .collect();
        due.sort_unstable();
        for (_, uid) in due {
            self.add(uid);
        }
        let uid = self.line.pop_front()?;
        self.running.push(uid);
        Some(uid)
    }

    fn done(&mut self, uid: usize, now: u64, after: Option<u64>) {
        self.running.retain(|other| *other != uid);
        let forgotten = self.forgotten.contains(&uid);
        self.forgotten.retain(|other| *other != uid);
        if self.again.contains(&uid) {
            self.again.retain(|other| *other != uid);
            self.line.push_back(uid);
        } else if let Some(after) = after.filter(|_| !forgotten) {
            self.add_after(uid, now, after);
        }
    }

    fn forget(&mut self, uid: usize) {
        self.line.retain(|other| *other != uid);
        self.again.retain(|other| *other != uid);
        self.delays.remove(&uid);
        if self.running.contains(&uid) {
            self.forgotten.push(uid);
        }
    }

    fn known(&self) -> usize {
        let mut all: Vec<_> = self
            .line
            .iter()
            .chain(&self.running)
            .chain(self.delays.keys())
            .collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }
}

fn uid(index: usize) -> Uid {
    index.to_string().into()
}

proptest! {
    #[test]
    fn whatever_is_done_to_it_keeps_its_promises(uses in uses()) {
        let (mut state, mut model) = (State::default(), Model::default());
        let zero = Instant::now();
        let mut now = 0;
        for step in uses {
            let at = zero + Duration::from_secs(now);
            match step {
                Use::Add(index) => { state.add(uid(index), Trigger::ObjectChanged, at); model.add(index); }
                Use::AddAfter(index, after) => {
                    state.add_after(uid(index), Duration::from_secs(after), Trigger::Waited, at);
                    model.add_after(index, now, after);
                }
                Use::Start => {
                    let start = state.start(at).map(|start| start.uid);
                    prop_assert_eq!(start, model.start(now).map(uid), "the first in the line, and never twice at once");
                }
                Use::Done(place, after) => {
                    if let Some(index) = model.running.get(place).copied() {
                        state.done(&uid(index), after.map(|after| (Duration::from_secs(after), Trigger::Resync)), at);
                        model.done(index, now, after);
                    }
                }
                Use::Forget(index) => { state.forget(&uid(index)); model.forget(index); }
                Use::Pass(seconds) => now += seconds,
            }
            prop_assert_eq!(state.running(), model.running.len());
            prop_assert_eq!(state.known(), model.known(), "what is not in use takes no memory");
        }
    }

    #[test]
    fn nothing_that_was_added_is_lost(adds in proptest::collection::vec((0..6_usize, 0..5_u64, any::<bool>()), 1..60)) {
        let mut state = State::default();
        let zero = Instant::now();
        let mut last_add = HashMap::new();
        let mut last_start = HashMap::new();
        let mut running: VecDeque<Uid> = VecDeque::new();
        let mut step = 0;
        for (index, after, start) in adds {
            step += 1;
            state.add_after(uid(index), Duration::from_secs(after), Trigger::ObjectChanged, zero);
            last_add.insert(uid(index), step);
            if let Some(begun) = start.then(|| state.start(zero)).flatten() {
                prop_assert!(!running.contains(&begun.uid), "twice at once");
                last_start.insert(begun.uid.clone(), step);
                running.push_back(begun.uid);
            } else if let Some(ended) = running.pop_front() {
                state.done(&ended, None, zero);
            }
        }
        for ended in running {
            state.done(&ended, None, zero);
        }
        while let Some(begun) = state.start(zero + Duration::from_mins(1)) {
            step += 1;
            last_start.insert(begun.uid.clone(), step);
            state.done(&begun.uid, None, zero);
        }
        for (uid, added) in last_add {
            prop_assert!(last_start.get(&uid).is_some_and(|started| *started >= added), "{} was added and did not run", uid);
        }
        prop_assert_eq!(state.known(), 0);
    }
}
