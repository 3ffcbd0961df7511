//! The way of one request: who asks, for what, what goes wrong, what is answered.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, Request, Response, header::USER_AGENT, request::Parts};

use super::{
    answer::{self, Answer, Payload},
    body::{self, Body, Dropped},
    dispatch,
    events::{self, Spoiled},
    panic,
};
use crate::{
    access::{self, Attributes, User},
    core::Core,
    failure::Failure,
    fault::{Effect, Interference},
    request::{Path, Place, Query, RequestInfo},
    tap::Entry,
};

/// What is known of a request when it is dispatched.
pub(super) struct Asked {
    pub(super) core: Arc<Core>,
    pub(super) info: Arc<RequestInfo>,
    pub(super) number: u64,
    pub(super) method: http::Method,
    pub(super) path: Path,
    pub(super) query: Query,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) frozen_at: Option<u64>,
}

pub(super) async fn handle<B>(core: Arc<Core>, request: Request<B>) -> Result<Response<Body>, Dropped>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (mut parts, body) = request.into_parts();
    let user = match who(&core, &mut parts) {
        Ok(user) => user,
        Err(failure) => return Ok(answer::failure(&failure, &parts.headers)),
    };
    let body = match body::collect(body).await {
        Ok(body) => body,
        Err(failure) => return Ok(answer::failure(&failure, &parts.headers)),
    };
    let query = Query::parse(parts.uri.query().unwrap_or_default());
    let path = Path::parse(parts.uri.path());
    let mut info = info(&parts, &path, &query, user);
    if let Err(failure) = impersonate(&core, &mut parts, &mut info) {
        return Ok(answer::failure(&failure, &parts.headers));
    }
    let info = Arc::new(info);
    let number = core.tap.request();
    let entry = || Entry::Request {
        info: info.clone(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        body: body.clone(),
    };
    core.tap.record(number, core.clock.now(), entry);
    let headers = parts.headers.clone();
    let asked = Asked {
        core: core.clone(),
        info: info.clone(),
        number,
        method: parts.method,
        path,
        query,
        headers: parts.headers,
        body,
        frozen_at: None,
    };
    let is_head = asked.method == http::Method::HEAD;
    let answered = panic::caught(with_faults(asked)).await;
    let answered = answered.unwrap_or_else(|failure| Ok(Answer::failure(&failure, &headers)));
    let answered = answered.map(|answer| if is_head { answer.without_body() } else { answer });
    core.tap.record(number, core.clock.now(), || match &answered {
        Ok(answer) => Entry::Answer {
            info: info.clone(),
            code: answer.code,
            body: answer.bytes(),
        },
        Err(Dropped) => Entry::Dropped { info: info.clone() },
    });
    answered.map(Answer::into_response)
}

/// Does what is asked, disturbed by the faults that the request meets.
async fn with_faults(mut asked: Asked) -> Result<Answer, Dropped> {
    let effects = asked.core.faults.meet(&asked.info);
    asked.frozen_at = effects.iter().find_map(|effect| match effect {
        Effect::SeeOnly(version) => Some(*version),
        _ => None,
    });
    for effect in &effects {
        match effect {
            Effect::Refuse(failure) => return Ok(Answer::failure(failure, &asked.headers)),
            Effect::Delay(wait) => delay(&asked.core, *wait).await?,
            Effect::Hang => hang(&asked.core).await?,
            Effect::Drop => return Err(Dropped),
            Effect::DoneLate(wait) => {
                tokio::spawn(late(asked, *wait));
                return Err(Dropped);
            }
            _ => {}
        }
    }
    let core = asked.core.clone();
    let (info, number) = (asked.info.clone(), asked.number);
    let headers = asked.headers.clone();
    let mut answer = dispatch::dispatch(&asked);
    let mut interferences: Vec<Interference> = Vec::new();
    for effect in effects {
        match effect {
            Effect::DoneButRefused(failure) => return Ok(Answer::failure(&failure, &headers)),
            Effect::DelayAnswer(wait) => delay(&core, wait).await?,
            Effect::DoneButHangs => hang(&core).await?,
            Effect::DoneButDropped => return Err(Dropped),
            Effect::Watch(interference) => interferences.push(interference),
            _ => {}
        }
    }
    if let Payload::Watch(watching) = answer.payload {
        let spoiled = Spoiled {
            core,
            info,
            number,
            interferences,
        };
        answer.payload = Payload::Stream(Body::stream(events::stream(*watching, spoiled)));
    }
    Ok(answer)
}

/// Does what is asked after a time, for nobody.
async fn late(asked: Asked, wait: Duration) {
    if delay(&asked.core, wait).await.is_ok() {
        drop(dispatch::dispatch(&asked));
    }
}

/// Waits, but not for longer than the server is there.
async fn delay(core: &Core, wait: Duration) -> Result<(), Dropped> {
    tokio::select! {
        () = tokio::time::sleep(wait) => Ok(()),
        () = core.shutdown.cancelled() => Err(Dropped),
    }
}

/// Until the server ends.
async fn hang(core: &Core) -> Result<(), Dropped> {
    core.shutdown.cancelled().await;
    Err(Dropped)
}

fn who(core: &Core, parts: &mut Parts) -> Result<User, Failure> {
    let given = parts.extensions.remove::<User>();
    let token = access::authenticate::take_token(&mut parts.headers);
    match (given, token) {
        (Some(user), _) => Ok(user.authenticated()),
        (None, Some(token)) => core
            .user_of(&token, &[])
            .map(|(user, _)| user)
            .map_err(|_| Failure::unauthorized()),
        (None, None) => Ok(User::anonymous()),
    }
}

/// Asks as somebody else from here on, if that is wanted and allowed.
fn impersonate(core: &Core, parts: &mut Parts, info: &mut RequestInfo) -> Result<(), Failure> {
    let Some(wanted) = access::impersonate::requested(&mut parts.headers)? else {
        return Ok(());
    };
    let authorizer = core.authorizer();
    info.user = access::impersonate::impersonate(&wanted, &info.user, &info.attributes, &authorizer)?;
    Ok(())
}

fn info(parts: &Parts, path: &Path, query: &Query, user: User) -> RequestInfo {
    let user_agent = parts
        .headers
        .get(USER_AGENT)
        .and_then(|agent| agent.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let (attributes, version) = match path {
        Path::Resource(place) => (attributes(place, &parts.method, query), place.version.clone()),
        Path::Other(_) => (
            Attributes::path(&parts.method.as_str().to_lowercase(), parts.uri.path()),
            String::new(),
        ),
    };
    RequestInfo {
        user,
        user_agent,
        attributes,
        version,
    }
}

fn attributes(place: &Place, method: &http::Method, query: &Query) -> Attributes {
    let one = place.name.is_some();
    // One object is watched by the deprecated `watch/` only.
    let watches = place.watch || !one && query.switch("watch");
    let verb = match method.as_str() {
        "GET" | "HEAD" if watches => "watch",
        "GET" | "HEAD" if one => "get",
        "GET" | "HEAD" => "list",
        "POST" => "create",
        "PUT" => "update",
        "PATCH" => "patch",
        "DELETE" if one => "delete",
        "DELETE" => "deletecollection",
        other => other,
    };
    Attributes {
        verb: verb.to_lowercase(),
        group: place.group.clone(),
        resource: place.resource.clone(),
        subresource: place.subresource.clone().unwrap_or_default(),
        namespace: place.namespace.clone().unwrap_or_default(),
        name: place.name.clone().unwrap_or_default(),
        path: None,
    }
}
