//! What is kept between runs: the objects, and what kubeconfigs rely on.

use std::{collections::BTreeMap, future::Future, path::Path, time::Duration};

use tokio::time::{MissedTickBehavior, interval};

use super::{Core, Result};
use crate::serve::{Identity, state::State};

/// Changes are written to the file so often, at most.
const PERIOD: Duration = Duration::from_secs(5);

/// What an earlier run has left.
pub(super) fn read(path: &Path) -> Result<Option<State>> {
    State::read(path).map_err(|damage| {
        let path = path.display();
        format!("the state file {path} {damage}; it is left as it is: move it away to start anew").into()
    })
}

/// Waits for `stop`, and writes what changes meanwhile.
pub(super) async fn keep_until<C: Core>(core: &C, keep: Option<&Keep<'_>>, stop: impl Future<Output = ()>) {
    let mut stop = std::pin::pin!(stop);
    let Some(keep) = keep else {
        return stop.await;
    };
    let mut ticks = interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut written = None;
    loop {
        tokio::select! {
            () = &mut stop => return,
            _ = ticks.tick() => {
                let version = core.version();
                if written == Some(version) {
                    continue;
                }
                match keep.write(core).await {
                    Ok(()) => written = Some(version),
                    Err(error) => tracing::warn!(error, "the state was not written"),
                }
            }
        }
    }
}

/// Where the state goes.
pub(super) struct Keep<'a> {
    pub(super) path: &'a Path,
    pub(super) secrets: BTreeMap<String, String>,
}

impl Keep<'_> {
    pub(super) async fn write<C: Core>(&self, core: &C) -> Result<()> {
        let mut state = core.state();
        state.secrets.extend(self.secrets.clone());
        let path = self.path.to_owned();
        let written = tokio::task::spawn_blocking(move || state.write(&path)).await?;
        written.map_err(|error| format!("the state file {} cannot be written: {error}", self.path.display()).into())
    }
}

/// What kubeconfigs of earlier runs rely on.
pub(super) struct Secrets {
    pub(super) identity: Identity,
    pub(super) token: Option<String>,
}

impl Secrets {
    pub(super) fn of(state: Option<&State>) -> Result<Self> {
        let secret = |name: &str| state.and_then(|it| it.secrets.get(name));
        let identity = match (secret("ca"), secret("ca-key")) {
            (Some(certificate), Some(key)) => Identity::from_pem(certificate, key)?,
            _ => Identity::generate()?,
        };
        Ok(Self {
            identity,
            token: secret("admin-token").cloned(),
        })
    }

    pub(super) fn named(&self, token: &str) -> BTreeMap<String, String> {
        [
            ("ca", self.identity.certificate().to_owned()),
            ("ca-key", self.identity.key()),
            ("admin-token", token.to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }
}
