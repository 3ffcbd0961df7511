//! The mark on a child, and the proof that a child is ours.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use super::names::{MARK_ANNOTATION, Names};
use crate::cluster::Kind;

/// Which object something is, without its version: kind, namespace, name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// `Deployment.apps`, `ConfigMap`.
    pub(crate) kind: String,
    /// Empty for a cluster-scoped object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl Identity {
    pub(crate) fn new(kind: &Kind, namespace: Option<&str>, name: &str) -> Self {
        Self {
            kind: kind.to_string(),
            namespace: namespace.unwrap_or_default().to_owned(),
            name: name.to_owned(),
        }
    }
}

/// What the mark annotation says: who made this child for whom, and which object the mark was put on.
///
/// The latter makes a copied mark worthless (tried: a Deployment's annotations are copied to its ReplicaSets).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(crate) operator: String,
    pub(crate) resource: String,
    pub(crate) owner: Identity,
    pub(crate) uid: String,
    #[serde(rename = "self")]
    pub(crate) this: Identity,
    /// It is left behind when it would be deleted: decided when it was applied.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) keep: bool,
}

impl Mark {
    /// The mark on an object, if there is one that can be read.
    pub(crate) fn on(meta: &ObjectMeta) -> Option<Self> {
        let text = meta.annotations.as_ref()?.get(MARK_ANNOTATION)?;
        serde_json::from_str(text).ok()
    }

    /// The mark that an operator put on this very object: one that was copied from another object is none.
    pub(crate) fn put_on(meta: &ObjectMeta, kind: &Kind, names: &Names) -> Option<Self> {
        let name = meta.name.as_deref().unwrap_or_default();
        let this = Identity::new(kind, meta.namespace.as_deref(), name);
        Self::on(meta).filter(|mark| names.is_ours(&mark.operator) && mark.this == this)
    }

    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("strings always serialise")
    }
}

/// Whose an object is, as far as its mark proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Ours: made for this very object. Holds the resource's name.
    Ours(Mark),
    /// Made by this operator for an earlier object of the same name; ours only if a live read confirms our UID.
    DeadIncarnation(Mark),
    /// Not provably ours; says why, for a person.
    Foreign(String),
}

/// Judges an object by its mark: its self must be the object it is on, its owner ours, and no foreign controller.
pub(crate) fn prove(meta: &ObjectMeta, this: &Identity, names: &Names, owner: &Identity, uid: &str) -> Proof {
    let Some(mark) = Mark::on(meta) else {
        return Proof::Foreign("it does not carry our mark".into());
    };
    if mark.this != *this {
        return Proof::Foreign("its mark was copied from another object".into());
    }
    if !names.is_ours(&mark.operator) {
        return Proof::Foreign(format!("it belongs to the operator `{}`", mark.operator));
    }
    if mark.owner != *owner {
        let Identity { kind, namespace, name } = &mark.owner;
        let slash = if namespace.is_empty() { "" } else { "/" };
        return Proof::Foreign(format!("it belongs to {kind} {namespace}{slash}{name}"));
    }
    let mut controllers = meta
        .owner_references
        .iter()
        .flatten()
        .filter(|owner| owner.controller == Some(true));
    // That of a dead incarnation is one of ours: the garbage collector has not come by yet.
    if let Some(other) = controllers.find(|owner| owner.uid != uid && owner.uid != mark.uid) {
        return Proof::Foreign(format!("it is controlled by {} {}", other.kind, other.name));
    }
    if mark.uid == uid {
        Proof::Ours(mark)
    } else {
        Proof::DeadIncarnation(mark)
    }
}

/// Whether an object is nobody's: it carries no mark, not even one that cannot be read, no other object controls it, and it stays.
pub(crate) fn is_unowned(meta: &ObjectMeta, uid: &str) -> bool {
    let marked = meta.annotations.iter().any(|all| all.contains_key(MARK_ANNOTATION));
    let mut owners = meta.owner_references.iter().flatten();
    !marked
        && meta.deletion_timestamp.is_none()
        && !owners.any(|owner| owner.controller == Some(true) && owner.uid != uid)
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

    use super::*;

    fn identity(kind: &str, name: &str) -> Identity {
        Identity {
            kind: kind.into(),
            namespace: "ns".into(),
            name: name.into(),
        }
    }

    fn mark() -> Mark {
        Mark {
            operator: "op".into(),
            resource: "web".into(),
            owner: identity("WebApp.demo", "x"),
            uid: "1".into(),
            this: identity("Deployment.apps", "x"),
            keep: false,
        }
    }

    fn marked(mark: &Mark) -> ObjectMeta {
        ObjectMeta {
            annotations: Some([(MARK_ANNOTATION.to_owned(), mark.to_text())].into()),
            ..ObjectMeta::default()
        }
    }

    fn judge(meta: &ObjectMeta) -> Proof {
        prove(
            meta,
            &identity("Deployment.apps", "x"),
            &Names::new("op"),
            &identity("WebApp.demo", "x"),
            "1",
        )
    }

    #[test]
    fn a_whole_mark_proves() {
        assert_eq!(judge(&marked(&mark())), Proof::Ours(mark()));
    }

    #[test]
    fn another_uid_of_the_same_owner_is_a_dead_incarnation() {
        let old = Mark {
            uid: "0".into(),
            ..mark()
        };
        assert_eq!(judge(&marked(&old)), Proof::DeadIncarnation(old));
    }

    #[test]
    fn everything_else_is_foreign() {
        let foreign = [
            ObjectMeta::default(),
            ObjectMeta {
                annotations: Some([(MARK_ANNOTATION.to_owned(), "no json".to_owned())].into()),
                ..ObjectMeta::default()
            },
            marked(&Mark {
                this: identity("ReplicaSet.apps", "x"),
                ..mark()
            }),
            marked(&Mark {
                operator: "other".into(),
                ..mark()
            }),
            marked(&Mark {
                owner: identity("WebApp.demo", "y"),
                ..mark()
            }),
            ObjectMeta {
                owner_references: Some(vec![OwnerReference {
                    controller: Some(true),
                    uid: "9".into(),
                    ..OwnerReference::default()
                }]),
                ..marked(&mark())
            },
        ];
        for meta in foreign {
            assert!(matches!(judge(&meta), Proof::Foreign(_)), "{meta:?}");
        }
    }

    fn controlled_by(uid: &str, meta: ObjectMeta) -> ObjectMeta {
        ObjectMeta {
            owner_references: Some(vec![OwnerReference {
                controller: Some(true),
                uid: uid.into(),
                ..OwnerReference::default()
            }]),
            ..meta
        }
    }

    #[test]
    fn our_own_controller_reference_is_no_obstacle() {
        assert_eq!(judge(&controlled_by("1", marked(&mark()))), Proof::Ours(mark()));
        let old = Mark {
            uid: "0".into(),
            ..mark()
        };
        let dead = controlled_by("0", marked(&old));
        assert_eq!(judge(&dead), Proof::DeadIncarnation(old));
    }

    #[test]
    fn what_nobody_marks_and_nobody_else_controls_is_unowned() {
        let unowned = |meta: &ObjectMeta| is_unowned(meta, "1");
        assert!(unowned(&ObjectMeta::default()));
        assert!(unowned(&controlled_by("1", ObjectMeta::default())));
        assert!(!unowned(&controlled_by("9", ObjectMeta::default())));
        assert!(!unowned(&marked(&mark())));
        let unreadable = ObjectMeta {
            annotations: Some([(MARK_ANNOTATION.to_owned(), "no json".to_owned())].into()),
            ..ObjectMeta::default()
        };
        assert!(!unowned(&unreadable));
        let going = ObjectMeta {
            deletion_timestamp: Some(serde_json::from_str("\"2026-01-01T00:00:00Z\"").unwrap()),
            ..ObjectMeta::default()
        };
        assert!(!unowned(&going));
    }
}
