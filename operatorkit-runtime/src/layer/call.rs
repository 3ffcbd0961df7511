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
    metrics::Meter,
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
    // A layer may panic as well as the operation.
    caught(operation, through(layers, operation, run)).await
}

async fn through<T, F>(
    layers: &[Arc<dyn Layer>],
    operation: &Operation<'_>,
    run: impl Fn() -> F + Send + Sync,
) -> Result<Flow<T>>
where
    T: Send,
    F: Future<Output = Result<Flow<T>>> + Send,
{
    let run = || {
        operation.count();
        run()
    };
    if !layers.iter().any(|layer| layer.is_enabled(operation)) {
        // Where no layer has anything to do, it costs no allocation.
        return run().await;
    }
    let output = Mutex::new(None);
    let innermost = || {
        let answer = caught(operation, async { run().await });
        answer.map(|answer| answer.map(|flow| keep(flow, &output))).boxed()
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
                    "a layer answered `Ready` for {}, which gave no output",
                    operation.verb
                ));
            }
        },
        Flow::Wait(wait) => Flow::Wait(wait),
        Flow::Skip(why) => Flow::Skip(why),
        Flow::Cancel(why) => Flow::Cancel(why),
    })
}

/// A panic as an error.
async fn caught<T>(operation: &Operation<'_>, run: impl Future<Output = Result<T>>) -> Result<T> {
    let answer = AssertUnwindSafe(run).catch_unwind().await;
    answer.unwrap_or_else(|panic| {
        operation.meter().into_iter().for_each(Meter::panicked);
        Err(panicked(&*panic))
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
