//! Calling an operation through its layers, so that a panic in it is an error of its resource.

use std::{
    any::Any,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::anyhow;
use futures::FutureExt as _;

use super::{Layer, Next, Operation};
use crate::{
    error::{ErrorExt as _, Result},
    flow::Flow,
};

/// Runs an operation through the layers. A layer may run it several times; the last output counts.
pub(crate) async fn call<T, F>(
    layers: &[Arc<dyn Layer>],
    operation: &Operation<'_>,
    run: impl Fn() -> F + Send + Sync,
) -> Result<Flow<T>>
where
    T: Send,
    F: Future<Output = Result<Flow<T>>> + Send,
{
    if !layers.iter().any(|layer| layer.is_enabled(operation)) {
        // The usual case costs no allocation.
        let answer = AssertUnwindSafe(async { run().await }).catch_unwind().await;
        return answer.unwrap_or_else(|panic| Err(panicked(&*panic)));
    }
    let output = Mutex::new(None);
    let innermost = || {
        let answer = AssertUnwindSafe(async { run().await }).catch_unwind();
        answer
            .map(|answer| {
                answer
                    .unwrap_or_else(|panic| Err(panicked(&*panic)))
                    .map(|flow| keep(flow, &output))
            })
            .boxed()
    };
    let answer = Next {
        layers,
        operation,
        innermost: &innermost,
    }
    .run()
    .await?;
    Ok(match answer {
        Flow::Ready(()) => match output.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(output) => Flow::Ready(output),
            None => {
                return Err(anyhow!(
                    "a layer answered `Ready` for {} without running it",
                    operation.verb
                ));
            }
        },
        Flow::Wait(wait) => Flow::Wait(wait),
        Flow::Skip(why) => Flow::Skip(why),
        Flow::Cancel(why) => Flow::Cancel(why),
    })
}

fn keep<T>(flow: Flow<T>, output: &Mutex<Option<T>>) -> Flow<()> {
    flow.map(|it| *output.lock().unwrap_or_else(PoisonError::into_inner) = Some(it))
}

/// The error of a panic in user code; its text is what `panic!` was given.
fn panicked(panic: &(dyn Any + Send)) -> anyhow::Error {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no text");
    anyhow!("panicked: {text}").reason("Panicked")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::future::BoxFuture;

    use super::*;
    use crate::layer::{Trace, Verb};

    struct Twice;

    impl Layer for Twice {
        fn call<'a>(&'a self, _: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
            Box::pin(async move {
                let _first = next.run().await;
                next.run().await
            })
        }
    }

    const OPERATION: Operation<'static> = Operation {
        controller: "op",
        resource: "web",
        verb: Verb::Desired,
        namespace: None,
        name: "x",
    };

    #[tokio::test]
    async fn the_output_goes_past_the_layers_and_a_layer_may_run_twice() {
        let runs = AtomicUsize::new(0);
        let layers: [Arc<dyn Layer>; 2] = [Arc::new(Trace), Arc::new(Twice)];
        let answer = call(&layers, &OPERATION, || async {
            Ok(Flow::Ready(runs.fetch_add(1, Ordering::Relaxed)))
        })
        .await;
        assert_eq!(answer.unwrap(), Flow::Ready(1));
    }

    #[tokio::test]
    async fn a_panic_is_an_error_with_its_text() {
        let answer: Result<Flow<()>> = call(&[], &OPERATION, || async { panic!("no {}", "luck") }).await;
        assert_eq!(answer.unwrap_err().to_string(), "panicked: no luck");
    }

    #[tokio::test]
    async fn an_error_and_a_wait_come_through() {
        let answer: Result<Flow<u8>> = call(&[], &OPERATION, || async { Ok(Flow::wait("soon")) }).await;
        assert_eq!(answer.unwrap(), Flow::wait("soon"));
        let answer: Result<Flow<u8>> = call(&[], &OPERATION, || async { Err(anyhow!("no")) }).await;
        assert_eq!(answer.unwrap_err().to_string(), "no");
    }
}
