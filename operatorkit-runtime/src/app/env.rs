//! What the set-up of an operator gets.

use std::{fmt, sync::Arc};

use kube::Client;

use crate::progress::Onlooker;

/// What the set-up of an operator may need: the client, and what the command line says.
#[derive(Clone)]
pub struct Env {
    client: Client,
    app_name: Arc<str>,
    namespaces: Arc<[String]>,
    onlooker: Onlooker,
}

impl Env {
    pub(crate) fn new(client: Client, app_name: &str, namespaces: &[String]) -> Self {
        Self {
            client,
            app_name: app_name.into(),
            namespaces: namespaces.into(),
            onlooker: Onlooker::default(),
        }
    }

    /// Somebody looks on.
    #[cfg(feature = "dev")]
    pub(crate) fn watched_by(self, onlooker: Onlooker) -> Self {
        Self { onlooker, ..self }
    }

    pub(crate) fn onlooker(&self) -> &Onlooker {
        &self.onlooker
    }

    /// A client for the API server, cheap to clone, shared with the runtime.
    ///
    /// The API server is not asked before the set-up, so it may be away.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// The name that the app was made with.
    pub fn app_name(&self) -> &str {
        &self.app_name
    }

    /// The namespaces that the operators are limited to; empty means all.
    pub fn namespaces(&self) -> &[String] {
        &self.namespaces
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Env")
            .field("app_name", &self.app_name)
            .field("namespaces", &self.namespaces)
            .finish_non_exhaustive()
    }
}
