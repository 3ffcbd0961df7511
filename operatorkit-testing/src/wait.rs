//! Waiting for a condition instead of sleeping.

use std::{fmt::Debug, future::Future, panic::Location, time::Duration};

use anyhow::{Context as _, Result, ensure};
use kube::Api;
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::Instant;

/// How long to wait for what should happen within a second or two: long enough for a machine that is busy.
pub const PATIENCE: Duration = Duration::from_mins(1);

const EVERY: Duration = Duration::from_millis(25);

/// Asks `probe` every 25 ms until it gives a value, and answers that. An error means "not yet", and should show what was seen.
///
/// # Panics
/// After `limit`, with `what`, the caller's line and the last error.
#[track_caller]
pub fn wait_for<T, P>(what: &str, limit: Duration, probe: P) -> impl Future<Output = T>
where
    P: AsyncFnMut() -> Result<T>,
{
    poll(Location::caller(), what.to_owned(), limit, probe)
}

/// Gets the object `name` until `is` says yes to it, and answers it. Its absence is waited for too.
///
/// # Panics
/// After `limit`, with `what`, the caller's line and the object as last seen.
#[track_caller]
pub fn eventually<K>(
    api: &Api<K>,
    name: &str,
    what: &str,
    limit: Duration,
    is: impl Fn(&K) -> bool,
) -> impl Future<Output = K>
where
    K: Clone + Debug + DeserializeOwned + Serialize,
{
    let text = format!("{name} {what}");
    let (api, name) = (api.clone(), name.to_owned());
    poll(Location::caller(), text, limit, async move || {
        let object = api.get_opt(&name).await?.context("it does not exist")?;
        ensure!(is(&object), "{}", serde_json::to_string_pretty(&object)?);
        Ok(object)
    })
}

/// Gets the object `name` until it does not exist.
///
/// # Panics
/// After `limit`, with the caller's line and the object as last seen.
#[track_caller]
pub fn eventually_gone<K>(api: &Api<K>, name: &str, limit: Duration) -> impl Future<Output = ()>
where
    K: Clone + Debug + DeserializeOwned + Serialize,
{
    let text = format!("{name} is gone");
    let (api, name) = (api.clone(), name.to_owned());
    poll(Location::caller(), text, limit, async move || {
        let found = api.get_opt(&name).await?;
        ensure!(found.is_none(), "{}", serde_json::to_string_pretty(&found)?);
        Ok(())
    })
}

async fn poll<T>(caller: &Location<'_>, what: String, limit: Duration, mut probe: impl AsyncFnMut() -> Result<T>) -> T {
    let start = Instant::now();
    loop {
        match probe().await {
            Ok(value) => return value,
            Err(error) => {
                let in_time = start.elapsed() < limit;
                assert!(
                    in_time,
                    "{caller}: not within {} s: {what}\nlast seen: {error:#}",
                    limit.as_secs_f32()
                );
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}
