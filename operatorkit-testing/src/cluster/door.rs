//! How clients get in: by a port, or in process.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use anyhow::{Context as _, Result};
use kube::{Client, client::ClientBuilder};
use operatorkit_apiserver::{
    ApiServer,
    serve::{Server, Serving},
};
use tokio::runtime::Handle;
use tower::Layer as _;

use super::users::{self, Endpoint};
use crate::recorder::Recorder;

/// How clients get in.
#[derive(Debug)]
pub(crate) enum Door {
    /// By the port of a server that is a program of its own.
    Port(Endpoint),
    /// In process; programs by a port that is opened when it is asked for first.
    Process(Inside),
}

impl Door {
    /// The server, if it is in this process.
    pub(crate) fn server(&self) -> Option<&ApiServer> {
        match self {
            Self::Port(_) => None,
            Self::Process(inside) => Some(&inside.server),
        }
    }

    /// Where programs find the server.
    pub(crate) fn endpoint(&self) -> Result<Endpoint> {
        match self {
            Self::Port(endpoint) => Ok(endpoint.clone()),
            Self::Process(inside) => inside.endpoint(),
        }
    }

    /// Must be called on a tokio runtime, whose end is the client's end.
    pub(crate) fn client(&self, user: &str, recorder: Option<&Recorder>) -> Result<Client> {
        match (self, recorder) {
            (Self::Port(endpoint), None) => endpoint.client(user),
            (Self::Port(endpoint), Some(recorder)) => {
                let builder = ClientBuilder::try_from(endpoint.config(user)?)?;
                Ok(builder.with_layer(&recorder.layer()).build())
            }
            (Self::Process(inside), None) => Ok(inside.client(user)),
            (Self::Process(inside), Some(recorder)) => {
                let service = inside.server.service_as(users::identity(user));
                Ok(Client::new(recorder.layer().layer(service), "default"))
            }
        }
    }
}

/// A server in this process.
pub(crate) struct Inside {
    server: ApiServer,
    runtime: Handle,
    served: Mutex<Option<(Serving, Endpoint)>>,
}

impl Inside {
    /// `runtime` is the one that the server runs on.
    pub(crate) fn new(server: ApiServer, runtime: Handle) -> Self {
        Self {
            server,
            runtime,
            served: Mutex::new(None),
        }
    }

    /// A client that needs no port.
    pub(crate) fn client(&self, user: &str) -> Client {
        Client::new(self.server.service_as(users::identity(user)), "default")
    }

    fn endpoint(&self) -> Result<Endpoint> {
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, endpoint)) = &*served {
            return Ok(endpoint.clone());
        }
        let (send, receive) = std::sync::mpsc::channel();
        let server = Server::new(self.server.open_service());
        self.runtime.spawn(async move { send.send(server.start().await) });
        let serving = receive
            .recv()
            .context("the embedded server's runtime is gone")?
            .context("the embedded server gets no port")?;
        let ca = serving.identity().context("the embedded server has no CA")?;
        let endpoint = Endpoint::new(serving.address().port(), ca.certificate().to_owned());
        *served = Some((serving, endpoint.clone()));
        Ok(endpoint)
    }
}

impl fmt::Debug for Inside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inside")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}
