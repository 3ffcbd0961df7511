//! Stacks of layers over an operation that answers as a test says.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::anyhow;
use futures::future::BoxFuture;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{
    context::NotThere,
    error::{Error, ErrorExt as _},
};

fn web(verb: Verb) -> Operation<'static> {
    Operation::new("web", verb)
}

/// An operation that gives these answers, one after another.
struct Answers(Mutex<VecDeque<Result<Flow<usize>>>>);

impl Answers {
    fn new(answers: impl IntoIterator<Item = Result<Flow<usize>>>) -> Self {
        Self(Mutex::new(answers.into_iter().collect()))
    }

    async fn through(&self, layers: &Layers) -> Result<Flow<usize>> {
        self.of(layers, &web(Verb::Desired)).await
    }

    async fn of(&self, layers: &Layers, operation: &Operation<'_>) -> Result<Flow<usize>> {
        layers
            .call(operation, || async {
                self.0.lock().unwrap().pop_front().expect("another answer")
            })
            .await
    }

    fn left(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

fn no() -> Error {
    anyhow!("no")
}

/// Does something around an operation.
struct With<F>(F);

fn with<F>(around: F) -> With<F>
where
    F: for<'a> Fn(Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> + Send + Sync + 'static,
{
    With(around)
}

impl<F> Layer for With<F>
where
    F: for<'a> Fn(Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> + Send + Sync + 'static,
{
    fn call<'a>(&'a self, _: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        (self.0)(next)
    }
}

#[tokio::test]
async fn the_output_goes_past_the_layers_and_a_layer_may_run_twice() {
    let twice = with(|next| {
        Box::pin(async move {
            let _first = next.run().await;
            next.run().await
        })
    });
    let answers = Answers::new([Ok(Flow::Ready(1)), Ok(Flow::Ready(2))]);
    let operation = web(Verb::Desired);
    let answer = answers.of(&Layers::default().with(twice), &operation).await;
    assert_eq!(answer.unwrap(), Flow::Ready(2));
    assert_eq!(operation.runs(), 2);
}

#[tokio::test]
async fn the_first_layer_is_the_outermost() {
    let order = Arc::new(Mutex::new(Vec::new()));
    let named = |name: &'static str| {
        let order = order.clone();
        with(move |next| {
            order.lock().unwrap().push(name);
            next.run()
        })
    };
    let inner = Layers::new().with(named("second")).with(named("third"));
    let layers = Layers::new().with(named("first")).around(&inner);
    assert_eq!(
        Answers::new([Ok(Flow::Ready(1))]).through(&layers).await.unwrap(),
        Flow::Ready(1)
    );
    assert_eq!(*order.lock().unwrap(), ["first", "second", "third"]);
}

#[tokio::test]
async fn a_panic_is_an_error_with_its_text() {
    let answer: Result<Flow<()>> = Layers::new()
        .call(&web(Verb::Desired), || async { panic!("no {}", "luck") })
        .await;
    assert_eq!(answer.unwrap_err().to_string(), "panicked: no luck");
    // In a layer as well, before and after the operation.
    let layers = Layers::new().with(with(|_| panic!("no layer")));
    assert_eq!(
        Answers::new([]).through(&layers).await.unwrap_err().to_string(),
        "panicked: no layer"
    );
    let after = with(|next| {
        Box::pin(async move {
            let _answer = next.run().await;
            panic!("too late")
        })
    });
    let answer = Answers::new([Ok(Flow::Ready(1))])
        .through(&Layers::new().with(after))
        .await;
    assert_eq!(answer.unwrap_err().to_string(), "panicked: too late");
}

#[tokio::test]
async fn a_layer_sees_a_panic_as_an_error() {
    let runs = AtomicUsize::new(0);
    let layers = Layers::new().with(Retry::new(2).wait(Duration::ZERO));
    let answer = layers
        .call(&web(Verb::Desired), || async {
            assert!(runs.fetch_add(1, Ordering::Relaxed) > 0, "the first time");
            Ok(Flow::Ready(()))
        })
        .await;
    assert_eq!(answer.unwrap(), Flow::Ready(()));
}

#[tokio::test]
async fn an_error_and_a_wait_come_through() {
    let answers = Answers::new([Ok(Flow::wait("soon")), Err(no())]);
    assert_eq!(answers.through(&Layers::new()).await.unwrap(), Flow::wait("soon"));
    assert_eq!(answers.through(&Layers::default()).await.unwrap_err().to_string(), "no");
}

#[tokio::test]
async fn a_layer_can_answer_itself_but_not_make_up_an_output() {
    let cancel = with(|_| Box::pin(async { Ok(Flow::cancel("closed")) }));
    assert_eq!(
        Answers::new([]).through(&Layers::new().with(cancel)).await.unwrap(),
        Flow::cancel("closed")
    );
    let ready = with(|_| Box::pin(async { Ok(Flow::Ready(())) }));
    let err = Answers::new([]).through(&Layers::new().with(ready)).await.unwrap_err();
    assert!(err.to_string().contains("no output"), "{err}");
}

#[tokio::test(start_paused = true)]
async fn retry_waits_a_second_then_two_and_gives_up_after_the_last_attempt() {
    let start = Instant::now();
    let answers = Answers::new([Err(no()), Err(no()), Err(no()), Ok(Flow::Ready(1))]);
    let err = answers
        .through(&Layers::new().with(Retry::default()))
        .await
        .unwrap_err();
    assert_eq!((err.to_string().as_str(), answers.left()), ("no", 1));
    assert_eq!(start.elapsed().as_secs(), 3);
    let answers = Answers::new([Err(no()), Err(no()), Ok(Flow::Ready(7))]);
    assert_eq!(
        answers.through(&Layers::new().with(Retry::new(3))).await.unwrap(),
        Flow::Ready(7)
    );
}

#[tokio::test(start_paused = true)]
async fn retry_leaves_alone_what_is_permanent_takes_long_or_is_an_answer() {
    let late = Duration::from_secs(31);
    let unread = Error::new(NotThere("net"));
    for answer in [
        Err(no().permanent()),
        Err(no().retry_after(late)),
        Err(unread),
        Ok(Flow::wait("soon")),
        Ok(Flow::skip("x")),
        Ok(Flow::cancel("x")),
    ] {
        let answers = Answers::new([answer, Ok(Flow::Ready(1))]);
        let start = Instant::now();
        let answer = answers.through(&Layers::new().with(Retry::new(5))).await;
        assert!(!matches!(answer, Ok(Flow::Ready(_))), "{answer:?}");
        assert_eq!((answers.left(), start.elapsed()), (1, Duration::ZERO));
    }
}

#[tokio::test(start_paused = true)]
async fn retry_keeps_the_time_that_an_error_names() {
    let start = Instant::now();
    let answers = Answers::new([Err(no().retry_after(Duration::from_secs(20))), Ok(Flow::Ready(1))]);
    assert_eq!(
        answers.through(&Layers::new().with(Retry::new(2))).await.unwrap(),
        Flow::Ready(1)
    );
    assert_eq!(start.elapsed().as_secs(), 20);
}

#[tokio::test(start_paused = true)]
async fn retry_ends_at_the_shutdown_and_begins_no_further_attempt() {
    let stopping = CancellationToken::new();
    let operation = web(Verb::Desired).in_surroundings(Surroundings {
        stopping: Some(&stopping),
        ..Surroundings::default()
    });
    let answers = Answers::new([Err(no()), Ok(Flow::Ready(1))]);
    let layers = Layers::new().with(Retry::new(2).wait(Duration::from_secs(20)));
    let start = Instant::now();
    let stop = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stopping.cancel();
    };
    let (answer, ()) = tokio::join!(answers.of(&layers, &operation), stop);
    assert_eq!(answer.unwrap_err().to_string(), "no");
    assert_eq!((answers.left(), start.elapsed().as_secs()), (1, 1));
    // Also where the wait is over at once.
    let layers = Layers::new().with(Retry::new(2).wait(Duration::ZERO));
    let answers = Answers::new([Err(no()), Ok(Flow::Ready(1))]);
    assert_eq!(answers.of(&layers, &operation).await.unwrap_err().to_string(), "no");
}

#[tokio::test(start_paused = true)]
async fn a_timeout_names_the_operation_and_the_limit_and_drops_what_is_inside() {
    let dropped = Arc::new(());
    let held = dropped.clone();
    let layers = Layers::new().with(Timeout::after(Duration::from_secs(10)));
    let answer: Result<Flow<()>> = layers
        .call(&web(Verb::Observe), || {
            let held = held.clone();
            async move {
                std::future::pending::<()>().await;
                drop(held);
                Ok(Flow::Ready(()))
            }
        })
        .await;
    let err = answer.unwrap_err();
    assert_eq!(err.to_string(), "`observe` did not end within 10s");
    assert_eq!(crate::judgement::Judgement::of(&err).reason, "TimedOut");
    assert_eq!(Arc::strong_count(&dropped), 2);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_inside_a_retry_limits_each_attempt_and_outside_all() {
    let second = Duration::from_secs(1);
    let slow = || async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        Ok(Flow::Ready(()))
    };
    let operation = web(Verb::Apply);
    let inside = Layers::new()
        .with(Retry::new(3).wait(second))
        .with(Timeout::after(second));
    assert!(inside.call(&operation, slow).await.is_err());
    assert_eq!(operation.runs(), 3);
    let operation = web(Verb::Apply);
    let outside = Layers::new()
        .with(Timeout::after(second))
        .with(Retry::new(3).wait(second));
    assert!(outside.call(&operation, slow).await.is_err());
    assert_eq!(operation.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_recorder_tells_what_ran_and_how_it_ended() {
    let (outer, inner) = (Recorder::new(), Recorder::new());
    let layers = Layers::new()
        .with(outer.clone())
        .with(Retry::new(2))
        .with(inner.clone());
    let answers = Answers::new([Err(no()), Ok(Flow::wait("soon"))]);
    let _answer = answers.through(&layers).await;
    assert_eq!(inner.lines(), ["web desired: failed", "web desired: wait"]);
    assert_eq!(outer.lines(), ["web desired: wait"]);
    assert_eq!(inner.records()[0].outcome, Some(Outcome::Failed("no".into())));
    outer.clear();
    let timed = Layers::new()
        .with(Timeout::after(Duration::from_secs(1)))
        .with(outer.clone());
    let _late = timed
        .call(&web(Verb::Find), std::future::pending::<Result<Flow<()>>>)
        .await;
    assert_eq!(outer.lines(), ["web find: not ended"]);
}
