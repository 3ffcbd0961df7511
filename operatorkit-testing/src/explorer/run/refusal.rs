//! Refusals as the faults of the server.

use operatorkit_apiserver::fault::Effect;

use crate::explorer::plan::Refusal;

/// What the server does instead of what it is asked.
pub(super) fn effect(refusal: Refusal) -> Effect {
    match refusal {
        Refusal::Conflict => Effect::conflict(),
        Refusal::TooManyRequests => Effect::too_many_requests(2),
        Refusal::InternalError => Effect::internal_error(),
        Refusal::Unavailable => Effect::unavailable(),
        Refusal::Timeout => Effect::timeout(),
        Refusal::Denied => Effect::webhook_denied("policy.example.com", "it is Friday"),
        Refusal::WebhookGone => Effect::webhook_unreachable("policy.example.com"),
        Refusal::Silence => Effect::Hang,
        Refusal::Broken => Effect::Drop,
    }
}

/// The same where it is done nevertheless.
pub(super) fn effect_though_done(refusal: Refusal) -> Effect {
    match effect(refusal) {
        Effect::Refuse(failure) => Effect::DoneButRefused(failure),
        Effect::Hang => Effect::DoneButHangs,
        _ => Effect::DoneButDropped,
    }
}
