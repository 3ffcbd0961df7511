//! The one place where requests leave: bounded in time, and every answer judged once.

use std::{fmt, ops::Deref, sync::Arc, time::Duration};

use futures::{Stream, StreamExt as _};
use http::{Request, StatusCode};
use kube::{
    Client,
    client::Body,
    core::{DynamicObject, Status, WatchEvent},
};
use serde::de::DeserializeOwned;

use super::{
    Failure,
    target::{Target, Verb},
};
use crate::metrics::{Meter, Requests};

/// The API server gives up on a request after a minute (`--request-timeout`); kube's client waits for ever.
const ANSWER_WITHIN: Duration = Duration::from_secs(75);

/// The API server, as one operator sees it.
#[derive(Clone)]
pub(crate) struct Cluster {
    client: Client,
    manager: Arc<str>,
    /// Counts the requests, if anybody does.
    requests: Option<Arc<Requests>>,
    /// Measures the watches.
    meter: Option<Arc<Meter>>,
}

impl Cluster {
    /// `manager` is the field manager of all writes, at most 118 bytes: `/status` is added for the status.
    pub(crate) fn new(client: Client, manager: &str) -> Self {
        Self {
            client,
            manager: manager.into(),
            requests: None,
            meter: None,
        }
    }

    /// Its requests and watches are measured.
    pub(crate) fn measured(self, meter: Arc<Meter>) -> Self {
        let counted = self.counted(meter.requests().clone());
        Self {
            meter: Some(meter),
            ..counted
        }
    }

    /// Its requests are counted.
    pub(crate) fn counted(self, requests: Arc<Requests>) -> Self {
        let requests = Some(requests);
        Self { requests, ..self }
    }

    pub(super) fn meter(&self) -> Option<&Arc<Meter>> {
        self.meter.as_ref()
    }

    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    pub(super) fn manager(&self) -> &str {
        &self.manager
    }

    /// Sends a request and decodes what comes back.
    ///
    /// Not with `Client::request`: that logs every body that it cannot decode or understand, those of Secrets too.
    pub(super) async fn send<T: DeserializeOwned>(
        &self,
        target: Target,
        request: Request<Vec<u8>>,
    ) -> Result<T, Failure> {
        let answer = tokio::time::timeout(ANSWER_WITHIN, self.answer(request)).await;
        let answer = answer.unwrap_or(Err(Answer::TooLate));
        let code = match &answer {
            Ok((code, _)) => Some(code.as_u16()),
            Err(Answer::Refused(status)) => Some(status.code),
            Err(Answer::Broken(_) | Answer::TooLate) => None,
        };
        let result = match answer {
            Ok((_, body)) => {
                serde_json::from_slice(body.as_ref()).map_err(|err| Failure::undecoded(target.clone(), &err))
            }
            Err(Answer::Refused(status)) => Err(Failure::answered(target.clone(), &status)),
            Err(Answer::Broken(err)) => Err(Failure::of(target.clone(), &err)),
            Err(Answer::TooLate) => Err(Failure::unreachable(
                target.clone(),
                format!("no answer within {} s", ANSWER_WITHIN.as_secs()),
            )),
        };
        self.sent(target.verb, code, result.as_ref().err());
        result
    }

    /// Opens a watch.
    pub(super) async fn stream(
        &self,
        target: Target,
        request: Request<Vec<u8>>,
    ) -> Result<impl Stream<Item = Result<WatchEvent<DynamicObject>, Failure>> + use<>, Failure> {
        let opened = tokio::time::timeout(ANSWER_WITHIN, self.client.request_events::<DynamicObject>(request)).await;
        let code = match &opened {
            Ok(Ok(_)) => Some(200),
            Ok(Err(kube::Error::Api(status))) => Some(status.code),
            Ok(Err(_)) | Err(_) => None,
        };
        let result = match opened {
            Ok(Ok(stream)) => Ok(stream),
            Ok(Err(err)) => Err(Failure::of(target.clone(), &err)),
            Err(_) => Err(Failure::unreachable(
                target.clone(),
                format!("no answer within {} s", ANSWER_WITHIN.as_secs()),
            )),
        };
        self.sent(target.verb, code, result.as_ref().err());
        Ok(result?.map(move |event| event.map_err(|err| Failure::of(target.clone(), &err))))
    }

    async fn answer(
        &self,
        request: Request<Vec<u8>>,
    ) -> Result<(StatusCode, impl Deref<Target = [u8]> + use<>), Answer> {
        let response = self
            .client
            .send(request.map(Body::from))
            .await
            .map_err(Answer::Broken)?;
        let code = response.status();
        let body = response.into_body().collect_bytes().await.map_err(Answer::Broken)?;
        if code.is_success() {
            Ok((code, body))
        } else {
            Err(Answer::Refused(status(code, &body)))
        }
    }

    /// Every answer passes here, with its verb, its HTTP code and what was wrong with it.
    fn sent(&self, verb: Verb, code: Option<u16>, failure: Option<&Failure>) {
        if let Some(requests) = &self.requests {
            requests.answered(verb.as_str(), code);
        }
        tracing::trace!(
            verb = verb.as_str(),
            outcome = failure.map_or("OK", Failure::reason),
            "request"
        );
    }
}

enum Answer {
    Refused(Box<Status>),
    Broken(kube::Error),
    TooLate,
}

/// What a refusal says. Proxies, and the API server itself for a group that it does not know, answer plain text.
fn status(code: StatusCode, body: &[u8]) -> Box<Status> {
    let said = serde_json::from_slice::<Status>(body).ok();
    let status = said.unwrap_or_else(|| Status::failure(String::from_utf8_lossy(body).trim(), ""));
    let code = if status.code == 0 { code.as_u16() } else { status.code };
    status.with_code(code).boxed()
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster")
            .field("manager", &self.manager)
            .finish_non_exhaustive()
    }
}
