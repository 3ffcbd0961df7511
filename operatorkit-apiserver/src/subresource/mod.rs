//! What is below an object, and what is only asked and never stored.
//!
//! | module | what |
//! |---|---|
//! | [`scale`] | `/scale` |
//! | [`pod`] | `/binding`, `/eviction`, and what only a kubelet can answer |
//! | [`review`] | access reviews, token reviews, and tokens of ServiceAccounts |

mod pod;
mod review;
mod scale;

pub(crate) use review::{is_review, review};

use crate::{
    failure::Failure,
    request::WriteOptions,
    verbs::{self, Call, Outcome, ingest, strategy::Part},
};

/// A request about a subresource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) call: &'a Call,
    pub(crate) verb: &'a str,
    pub(crate) content_type: &'a str,
    pub(crate) body: &'a [u8],
}

/// Does what is asked.
pub(crate) fn outcome(asked: Asked<'_>, name: &str) -> Result<Outcome, Failure> {
    let served = &asked.call.served;
    let known = served.subresource(name).ok_or_else(|| missing(asked, name))?;
    if !known.verbs.iter().any(|verb| **verb == *asked.verb) {
        return Err(not_allowed(asked));
    }
    match name {
        "status" => part(asked, Part::Status),
        "finalize" => part(asked, Part::Finalize),
        "approval" => part(asked, Part::Approval),
        "ephemeralcontainers" => part(asked, Part::EphemeralContainers),
        "resize" => part(asked, Part::Resize),
        "scale" => scale::outcome(asked),
        "token" => review::token(asked),
        "binding" => pod::bind(asked),
        "eviction" => pod::evict(asked),
        _ => pod::needs_kubelet(asked, name),
    }
}

/// What a resource does not have. A CRD's kind without a status or scale has no objects there.
fn missing(asked: Asked<'_>, name: &str) -> Failure {
    let served = &asked.call.served;
    if served.custom().is_some() && matches!(name, "status" | "scale") {
        return Failure::not_found(served.target(asked.call.place.name.as_deref().unwrap_or_default()));
    }
    Failure::no_such_resource()
}

fn not_allowed(asked: Asked<'_>) -> Failure {
    let served = &asked.call.served;
    if served.custom().is_none() {
        return Failure::method_not_allowed();
    }
    let verb = asked.verb;
    let message = format!(
        "{verb} is not supported on resources of kind \"{}.{}\"",
        served.plural, served.group
    );
    Failure::new(405, "MethodNotAllowed", message).about(served.target(""))
}

/// A part of the object itself.
fn part(asked: Asked<'_>, part: Part) -> Result<Outcome, Failure> {
    let Asked {
        call,
        verb,
        content_type,
        body,
    } = asked;
    match verb {
        "get" => verbs::read::get(call),
        "update" => {
            let options = WriteOptions::parse(&call.query, "UpdateOptions")?;
            let body = ingest::body(call, content_type, body, &options)?;
            verbs::update::update(call, &body, part, &options)
        }
        "patch" => verbs::patch::patch(call, part, content_type, body),
        _ => Err(Failure::method_not_allowed()),
    }
}
