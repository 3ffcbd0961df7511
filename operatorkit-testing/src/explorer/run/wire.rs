//! Between the operator and the server: every request of the operator crosses here.

use std::{
    convert::Infallible,
    future::pending,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use anyhow::Error;
use bytes::Bytes;
use http::{Request, Response, request::Parts};
use operatorkit_apiserver::{
    ApiService, Body, Dropped,
    fault::{Effect, Fault, Matching},
};
use tokio::time::sleep;
use tower::Service;

use super::{
    act,
    refusal::{effect, effect_though_done},
    request::{Asked, Verb},
    stage::Stage,
};
use crate::explorer::plan::{Act, Event, Point};

/// Whose requests the operator's are.
pub(super) const OPERATOR: &str = "operator";
/// For how long an answer is held up.
const HELD_UP: Duration = Duration::from_secs(1);

/// The service that the client of one incarnation of the operator is made of. When that is dead nothing comes through any more, whatever
/// of it still runs.
#[derive(Clone)]
pub(super) struct Wire {
    pub(super) stage: Arc<Stage>,
    pub(super) incarnation: u32,
    pub(super) server: ApiService,
}

type Answer = Result<Response<Body>, Error>;

impl Service<Request<kube::client::Body>> for Wire {
    type Response = Response<Body>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Answer> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<kube::client::Body>) -> Self::Future {
        let wire = self.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let body = body.collect_bytes().await?;
            wire.cross(parts, body).await
        })
    }
}

impl Wire {
    async fn cross(self, parts: Parts, body: Bytes) -> Answer {
        self.alive().await;
        let asked = Asked::new(&parts);
        if asked.verb == Verb::Watch {
            self.stage.watches(&asked.place.resource);
        }
        let crossing = Crossing {
            wire: self,
            request: (parts, body),
            asked,
        };
        match crossing.asked.sort() {
            Some(sort) => {
                let point = crossing.wire.stage.cross(sort, &crossing.asked.what);
                crossing.at(point).await
            }
            None => crossing.forward(None).await,
        }
    }

    /// For ever if this incarnation is dead, or does not come to rest.
    async fn alive(&self) {
        if !self.stage.lives(self.incarnation) || self.stage.is_restless() {
            pending::<Infallible>().await;
        }
    }
}

/// A request on its way.
struct Crossing {
    wire: Wire,
    request: (Parts, Bytes),
    asked: Asked,
}

impl Crossing {
    async fn at(self, point: Point) -> Answer {
        let stage = self.wire.stage.clone();
        let mut fault = stage.keeps_failing(&point.what).map(effect);
        let mut after = None;
        for event in stage.events_at(&point) {
            match event {
                Event::KilledBefore => return self.wire.dies().await,
                Event::KilledAfter
                | Event::KilledAfterAndRewound
                | Event::DeletedUnseen
                | Event::AnswerLost
                | Event::Meanwhile(_) => after = Some(event),
                Event::Fails(refusal) => fault = Some(effect(refusal)),
                Event::KeepsFailing(refusal, seconds) => {
                    stage.keep_failing(&point.what, refusal, seconds);
                    fault = Some(effect(refusal));
                }
                Event::FailsThoughDone(refusal) => fault = Some(effect_though_done(refusal)),
                Event::Before(act) => act::act(&stage, act).await,
            }
        }
        self.wire.alive().await;
        let wire = self.wire.clone();
        let rewound = stage.server.resource_version();
        let resource = self.asked.place.resource.clone();
        let answer = self.forward(fault).await;
        match after {
            Some(Event::KilledAfter) => wire.dies().await,
            Some(Event::KilledAfterAndRewound) => {
                stage.rewind(&resource, rewound);
                wire.dies().await
            }
            Some(Event::DeletedUnseen) => {
                stage.rewind(&resource, rewound);
                stage.lag(&resource);
                // Apart, since what belongs to the operator is dropped with it.
                tokio::spawn(async move { act::act(&stage, Act::DeleteObjects).await });
                wire.dies().await
            }
            Some(Event::Meanwhile(act)) => {
                act::act(&stage, act).await;
                // The clock goes on when all that the watches show is taken in.
                sleep(HELD_UP).await;
                wire.alive().await;
                answer
            }
            Some(Event::AnswerLost) => {
                stage.say(|| "  the answer is lost".into());
                Err(Dropped.into())
            }
            _ => answer,
        }
    }

    /// Has the server answer, and the judge look.
    async fn forward(self, fault: Option<Effect>) -> Answer {
        let stage = &self.wire.stage;
        stage.look(false);
        let refused = matches!(fault, Some(Effect::Refuse(_) | Effect::Drop | Effect::Hang));
        let fault = fault.map(|effect| {
            let mine = Matching::everything().user(OPERATOR);
            stage.server.faults().add(Fault::new(mine, effect).once())
        });
        let (parts, body) = self.request;
        if refused {
            stage.refused(&self.asked.what, &body);
        }
        let line = stage.says_request(&self.asked);
        let answer = self
            .wire
            .server
            .clone()
            .call(Request::from_parts(parts, kube::client::Body::from(body)));
        // A server that hangs does so after it has done it, if it does.
        let answer = Looking {
            stage: stage.clone(),
            answer,
        }
        .await;
        if let Some(fault) = fault {
            stage.server.faults().remove(fault);
        }
        stage.answered(&self.asked, line, answer.as_ref().ok().map(Response::status));
        self.wire.alive().await;
        answer.map_err(Error::from)
    }
}

impl Wire {
    async fn dies<T>(&self) -> T {
        self.stage.kill(self.incarnation);
        pending().await
    }
}

/// An answer that is waited for; the judge looks each time that something has come of it.
struct Looking {
    stage: Arc<Stage>,
    answer: <ApiService as Service<Request<kube::client::Body>>>::Future,
}

impl Future for Looking {
    type Output = Result<Response<Body>, Dropped>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = self.answer.as_mut().poll(cx);
        // Nobody else has run meanwhile: what has changed, the operator has changed.
        self.stage.look(true);
        answer
    }
}
