//! Pause: which annotations pause an object, and what is held up by it.

use std::collections::BTreeMap;

use crate::{
    flow::Wait,
    operator::{Operator, PausedDeletion},
    record::{LEGACY_PAUSE_ANNOTATION, PAUSE_ANNOTATIONS},
    status::Verdict,
    store::ObjectEntry,
};

/// What a paused object waits for, if it is paused and that holds up what is to be done for it.
pub(crate) fn holding<O: Operator>(entry: &ObjectEntry<O>) -> Option<Wait> {
    let proceeds = O::PAUSED_DELETION == PausedDeletion::Proceed;
    if entry.terminating() && proceeds {
        return None;
    }
    let key = annotation(entry)?;
    let scope = if proceeds {
        "until it is deleted"
    } else {
        "its deletion included"
    };
    let message = format!("the object is paused by its annotation `{key}`: nothing is done for it, {scope}");
    Some(Wait::new(message).with_reason("Paused"))
}

/// What is shown of a pause that does not hold up the deletion of its object.
pub(super) fn let_go<O: Operator>(entry: &ObjectEntry<O>) -> Option<Verdict> {
    if O::PAUSED_DELETION != PausedDeletion::Proceed || !entry.terminating() {
        return None;
    }
    let key = annotation(entry)?;
    let message = format!("the object has the annotation `{key}`, which does not hold up its deletion");
    Some(Verdict::new(false, "DeletionProceeds", message))
}

fn annotation<O: Operator>(entry: &ObjectEntry<O>) -> Option<&str> {
    paused_by(
        entry.meta.annotations.as_ref()?,
        O::PAUSE,
        !O::LEGACY_FINALIZERS.is_empty(),
    )
}

/// The annotation that pauses: of the operator's own pairs, or, where those say nothing of its key, of those that always pause with
/// the exact value `true`.
fn paused_by<'a>(annotations: &BTreeMap<String, String>, own: &[(&'a str, &str)], legacy: bool) -> Option<&'a str> {
    let is = |key: &str, value: &str| annotations.get(key).is_some_and(|found| found == value);
    let is_own = |key: &str| own.iter().any(|(own, _)| *own == key);
    let defaults = PAUSE_ANNOTATIONS
        .into_iter()
        .chain(legacy.then_some(LEGACY_PAUSE_ANNOTATION));
    own.iter()
        .find(|(key, value)| is(key, value))
        .map(|(key, _)| *key)
        .or_else(|| defaults.into_iter().find(|key| !is_own(key) && is(key, "true")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "operatorkit.dev/paused";
    const CAPI: &str = "cluster.x-k8s.io/paused";

    fn paused(key: &str, value: &str, own: &[(&'static str, &str)], legacy: bool) -> bool {
        let annotations = [(key.to_owned(), value.to_owned()), ("other".into(), "true".into())].into();
        let by = paused_by(&annotations, own, legacy);
        assert!(by.is_none_or(|by| by == key), "{by:?}");
        by.is_some()
    }

    #[test]
    fn exact_keys_pause_with_the_exact_value() {
        for key in [OWN, CAPI] {
            assert!(paused(key, "true", &[], false));
            for value in ["false", "", "True", "TRUE", " true", "true ", "1", "yes"] {
                assert!(!paused(key, value, &[], false), "{key}={value:?}");
            }
        }
        for key in [
            "operatorkit.dev/Paused",
            "paused",
            "example.com/paused",
            "cluster.x-k8s.io/paused2",
        ] {
            assert!(!paused(key, "true", &[], true), "{key}");
        }
    }

    #[test]
    fn the_annotation_of_go_operatorkit_pauses_beside_its_finalizers_only() {
        assert!(paused(LEGACY_PAUSE_ANNOTATION, "true", &[], true));
        assert!(!paused(LEGACY_PAUSE_ANNOTATION, "false", &[], true));
        assert!(!paused(LEGACY_PAUSE_ANNOTATION, "true", &[], false));
    }

    #[test]
    fn own_pairs_come_on_top_and_win_over_a_default_of_the_same_key() {
        let own = [("example.com/frozen", "yes"), (CAPI, "hold"), (CAPI, "stop")];
        assert!(paused("example.com/frozen", "yes", &own, false));
        assert!(!paused("example.com/frozen", "true", &own, false));
        assert!(paused(CAPI, "hold", &own, false) && paused(CAPI, "stop", &own, false));
        assert!(
            !paused(CAPI, "true", &own, false),
            "the user's pair decides about its key"
        );
        assert!(paused(OWN, "true", &own, false), "other defaults stay");
    }

    #[test]
    fn without_annotations_nothing_pauses() {
        assert_eq!(paused_by(&BTreeMap::new(), &[("a", "")], true), None);
    }
}
