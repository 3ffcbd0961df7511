//! A server that runs.

use std::{fmt, net::SocketAddr, sync::PoisonError, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use ring::rand::{SecureRandom, SystemRandom};
use tokio::{task::JoinHandle, time::timeout};

use super::{
    Identity,
    kubeconfig::{Credential, kubeconfig},
    request::Shared,
};
use crate::access::User;

/// Requests that still run when the server stops have so long.
const GRACE: Duration = Duration::from_secs(2);

/// A server that runs. It ends when this is dropped.
pub struct Serving {
    address: SocketAddr,
    identity: Option<Identity>,
    shared: Shared,
    task: JoinHandle<()>,
}

impl Serving {
    pub(super) fn new(address: SocketAddr, identity: Option<Identity>, shared: Shared, task: JoinHandle<()>) -> Self {
        Self {
            address,
            identity,
            shared,
            task,
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `https://127.0.0.1:<port>`, or `http://…` without TLS.
    pub fn url(&self) -> String {
        let scheme = if self.identity.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// The CA; `None` without TLS.
    pub fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }

    /// A new token that proves to be this user, as long as the server runs.
    ///
    /// # Panics
    ///
    /// If the system has no random numbers.
    pub fn token(&self, user: &User) -> String {
        let mut random = [0; 32];
        SystemRandom::new()
            .fill(&mut random)
            .expect("the system gives random numbers");
        let token = BASE64.encode(random);
        self.accept_token(&token, user);
        token
    }

    /// From now on this token proves to be this user.
    pub fn accept_token(&self, token: &str, user: &User) {
        let mut issued = self.shared.issued.write().unwrap_or_else(PoisonError::into_inner);
        *issued = std::mem::take(&mut *issued).token(token, user.clone());
    }

    /// A kubeconfig with a new token for this user.
    pub fn kubeconfig(&self, user: &User) -> String {
        let credential = Credential::Token(self.token(user));
        self.kubeconfig_with(user, &credential)
    }

    /// A kubeconfig with this credential.
    pub fn kubeconfig_with(&self, user: &User, credential: &Credential) -> String {
        let certificate = self.identity.as_ref().map(Identity::certificate);
        kubeconfig(&self.url(), certificate, &user.name, credential)
    }

    /// Takes no more requests, ends watches, and waits for the requests that run: two seconds, then they are cut.
    pub async fn shutdown(mut self) {
        self.shared.stopping.cancel();
        if timeout(GRACE, &mut self.task).await.is_err() {
            tracing::debug!("requests still ran when the server stopped");
            self.task.abort();
            _ = (&mut self.task).await;
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.shared.stopping.cancel();
        self.task.abort();
    }
}

impl fmt::Debug for Serving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serving")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}
