//! From verb and resource to what is done.

use http::header::{ACCEPT, CONTENT_TYPE};
use serde_json::Value;

use super::{answer::Answer, document, events::Watched, form::Form, handle::Asked, route};
use crate::{
    access::Authorize as _,
    failure::Failure,
    negotiate::{self, Accepted, Endpoint},
    request::{DeleteOptions, Path, Place, WriteOptions},
    subresource,
    table::IncludeObject,
    verbs::{self, Call, Outcome, ingest, strategy::Part},
};

pub(super) fn dispatch(asked: &Asked) -> Answer {
    let answered = match &asked.path {
        Path::Other(parts) => document::answer(asked, parts),
        Path::Resource(place) => resource(asked, place.clone()),
    };
    answered.unwrap_or_else(|failure| Answer::failure(&failure, &asked.headers))
}

/// What Go's own handler says of a path that it does not know.
const NOWHERE: &str = "404 page not found\n";

fn resource(asked: &Asked, place: Place) -> Result<Answer, Failure> {
    let catalog = asked.core.registry.catalog();
    let attributes = &asked.info.attributes;
    asked.core.authorizer().check(&asked.info.user, attributes)?;
    let Some(served) = catalog.find(&place.group, &place.version, &place.resource) else {
        // Paths of groups that are not built in are the business of a handler that has no `Status`.
        let mut of_group = catalog.iter().filter(|served| *served.group == *place.group).peekable();
        if of_group.peek().is_none() || of_group.all(|served| served.custom().is_some()) {
            return Ok(Answer::text(404, NOWHERE));
        }
        return Err(Failure::no_such_resource());
    };
    match route::check(served, &place, &asked.method, &attributes.verb) {
        Err(failure) if failure.code == 404 && served.custom().is_some() => return Ok(Answer::text(404, NOWHERE)),
        checked => checked?,
    }
    let endpoint = match (served.custom(), attributes.verb.as_str()) {
        (Some(_), _) => Endpoint::Custom,
        (None, "list" | "watch") => Endpoint::BuiltInCollection,
        (None, _) => Endpoint::BuiltIn,
    };
    let accept = asked.headers.get(ACCEPT).and_then(|header| header.to_str().ok());
    let mut accepted = negotiate::accept(accept, endpoint, attributes.verb == "watch")?;
    let agent = asked.info.user_agent.as_str();
    let pretty = asked.query.has("pretty").then(|| asked.query.text("pretty"));
    accepted.pretty |= negotiate::accept::is_pretty(pretty, Some(agent));
    let mut call = Call::new(
        asked.core.clone(),
        served.clone(),
        place,
        asked.query.clone(),
        asked.info.user.clone(),
    );
    call.user_agent.clone_from(&asked.info.user_agent);
    call.frozen_at = asked.frozen_at;
    let answered = outcome(asked, &call).and_then(|outcome| render(asked, &call, outcome, &accepted));
    let answer = answered.unwrap_or_else(|failure| Answer::failure(&failure, &asked.headers));
    Ok(answer.with_warnings(warnings(&call)))
}

/// Does what the verb says.
fn outcome(asked: &Asked, call: &Call) -> Result<Outcome, Failure> {
    let verb = asked.info.attributes.verb.as_str();
    if let Some(subresource) = call.place.subresource.as_deref() {
        return subresource::outcome(asked.request_of(call), subresource);
    }
    if subresource::is_review(&call.served) {
        return subresource::review(asked.request_of(call));
    }
    if !call.served.has_verb(verb) {
        return Err(Failure::method_not_allowed());
    }
    match verb {
        "get" => verbs::read::get(call),
        "list" => Ok(Outcome::List(verbs::list::list(
            call,
            &verbs::read::list_options(call)?,
        )?)),
        "watch" => Ok(Outcome::Watch(verbs::watch::watch(
            call,
            &verbs::read::list_options(call)?,
        )?)),
        "create" => {
            let options = WriteOptions::parse(&call.query, "CreateOptions")?;
            let body = asked.object(call, &options)?;
            verbs::create::create(call, &body, Part::Main, false, &options)
        }
        "update" => {
            let options = WriteOptions::parse(&call.query, "UpdateOptions")?;
            let body = asked.object(call, &options)?;
            verbs::update::update(call, &body, Part::Main, &options)
        }
        "patch" => verbs::patch::patch(call, Part::Main, asked.header(&CONTENT_TYPE), &asked.body),
        "delete" => verbs::delete::delete(call, &asked.delete_options(call)?),
        "deletecollection" => {
            let selection = verbs::read::selected(call)?;
            verbs::delete::delete_collection(call, &asked.delete_options(call)?, &selection)
        }
        _ => Err(Failure::method_not_allowed()),
    }
}

impl Asked {
    pub(super) fn header(&self, name: &http::HeaderName) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// The body as an object of the resource: typed, without unknown fields, with defaults.
    fn object(&self, call: &Call, options: &WriteOptions) -> Result<Value, Failure> {
        ingest::body(call, self.header(&CONTENT_TYPE), &self.body, options)
    }

    fn delete_options(&self, call: &Call) -> Result<DeleteOptions, Failure> {
        ingest::delete_options(call, self.header(&CONTENT_TYPE), &self.body)
    }

    fn request_of<'a>(&'a self, call: &'a Call) -> subresource::Asked<'a> {
        subresource::Asked {
            call,
            verb: &self.info.attributes.verb,
            content_type: self.header(&CONTENT_TYPE),
            body: &self.body,
        }
    }
}

/// Gives the outcome the form that was asked for.
fn render(asked: &Asked, call: &Call, outcome: Outcome, accepted: &Accepted) -> Result<Answer, Failure> {
    let form = Form {
        served: call.served.clone(),
        convert: accepted.convert,
        format: accepted.format,
        has_headers: false,
        include: IncludeObject::parse(call.query.text("includeObject")).map_err(Failure::bad_request)?,
        now: asked.core.clock.now(),
    };
    let (code, json) = match outcome {
        Outcome::Object { code, object } => (code, form.object(&object)?),
        Outcome::List(listed) => (200, form.list(&listed)?),
        Outcome::Document { code, body } => (code, form.document(&body).to_string().into_bytes()),
        Outcome::Watch(watching) => return Ok(Answer::watch(Watched { watching, form }, accepted)),
    };
    Answer::encoded(code, json, accepted, &asked.headers)
}

/// What the answer warns of: also that the version is on its way out.
fn warnings(call: &Call) -> Vec<String> {
    let mut warnings: Vec<String> = call.served.deprecation.iter().map(ToString::to_string).collect();
    let others = call.warnings().into_iter();
    warnings.extend(others.filter(|it| call.served.deprecation.as_deref() != Some(it)));
    warnings
}
