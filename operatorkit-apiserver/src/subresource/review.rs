//! What is only asked and never stored: access reviews, token reviews, and tokens of ServiceAccounts.

use serde_json::json;

use super::Asked;
use crate::{
    access::{self, token::request::Issuer},
    failure::{Failure, Target},
    registry::Served,
    store::Key,
    verbs::{Outcome, ingest, strategy},
};

/// Whether a resource is only asked.
pub(crate) fn is_review(served: &Served) -> bool {
    matches!(&*served.group, "authorization.k8s.io" | "authentication.k8s.io")
}

/// Answers a review.
pub(crate) fn review(asked: Asked<'_>) -> Result<Outcome, Failure> {
    let call = asked.call;
    let served = &call.served;
    if asked.verb != "create" {
        return Err(Failure::method_not_allowed());
    }
    let mut body = ingest::document(asked.content_type, asked.body, &served.api_version, &served.kind)?;
    if !body["metadata"].is_object() {
        body["metadata"] = json!({});
    }
    let authorizer = call.core.authorizer();
    let user = &call.user;
    let answered = match &*served.plural {
        "selfsubjectaccessreviews" => access::review::self_subject_access(body, user, &authorizer)?,
        "subjectaccessreviews" => access::review::subject_access(body, &authorizer)?,
        "localsubjectaccessreviews" => {
            let namespace = call.place.namespace.as_deref().unwrap_or_default();
            access::review::local_subject_access(body, namespace, &authorizer)?
        }
        "selfsubjectrulesreviews" => access::review::self_subject_rules(&body, user, authorizer.policy())?,
        "selfsubjectreviews" => access::review::self_subject(user, &call.core.clock.seconds()),
        "tokenreviews" => access::review::token(body, |token, audiences| call.core.user_of(token, audiences))?,
        _ => return Err(Failure::no_such_resource()),
    };
    Ok(Outcome::Document {
        code: 201,
        body: answered,
    })
}

/// `/token` of a ServiceAccount.
pub(super) fn token(asked: Asked<'_>) -> Result<Outcome, Failure> {
    let call = asked.call;
    let account = strategy::show(&call.served, &*call.stored()?);
    let request = ingest::document(
        asked.content_type,
        asked.body,
        "authentication.k8s.io/v1",
        "TokenRequest",
    )?;
    let id = call.core.identities.uid();
    let issuer = Issuer {
        key: &call.core.access.key,
        issuer: crate::core::ISSUER,
        audiences: &[crate::core::ISSUER.to_owned()],
        now: call.core.clock.now(),
        id: &id,
    };
    let namespace = call.place.namespace.as_deref().unwrap_or_default();
    let answered = issuer.answer(request, &account, |kind, name| {
        let plural = match kind {
            "Pod" => "pods",
            "Secret" => "secrets",
            _ => "nodes",
        };
        let missing = || Failure::not_found(Target::new("", plural, name));
        let catalog = call.core.registry.catalog();
        let served = catalog.preferred("", plural).ok_or_else(missing)?;
        let key = Key::new(if served.namespaced { namespace } else { "" }, name);
        let stored = call.core.store.get(&served.table, &key).ok_or_else(missing)?;
        Ok(strategy::show(served, &stored))
    })?;
    Ok(Outcome::Document {
        code: 201,
        body: answered,
    })
}
