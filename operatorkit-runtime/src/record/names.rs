//! Names: labels, annotations, finalizer, field manager, and names shortened with a hash.

use sha2::{Digest, Sha256};

/// The prefix of every label, annotation and finalizer of ours.
pub(crate) const PREFIX: &str = "operatorkit.dev";
/// The label with the operator's name, which our child watches select.
pub(crate) const OPERATOR_LABEL: &str = "operatorkit.dev/operator";
/// The label with the resource's name.
pub(crate) const RESOURCE_LABEL: &str = "operatorkit.dev/resource";
/// The label with the UID of the object that a child belongs to.
pub(crate) const OWNER_LABEL: &str = "operatorkit.dev/owner-uid";
/// The annotation that proves whose a child is.
pub(crate) const MARK_ANNOTATION: &str = "operatorkit.dev/mark";
/// The annotation with the hash of what was sent.
pub(crate) const HASH_ANNOTATION: &str = "operatorkit.dev/hash";
/// The annotation on a child that was just made with fields which it does not own for good; it goes with the ownership.
pub(crate) const INITIAL_ANNOTATION: &str = "operatorkit.dev/initial";
/// The annotation that pauses an object, with the exact value `true`; Cluster API's is understood, too.
pub(crate) const PAUSE_ANNOTATIONS: [&str; 2] = ["operatorkit.dev/paused", "cluster.x-k8s.io/paused"];
/// The one of Go operatorkit: it pauses as long as an operator declares finalizers of that time.
pub(crate) const LEGACY_PAUSE_ANNOTATION: &str = "operatorkit.giantswarm.io/paused";

/// The part of an annotation key after the slash has at most 63 characters (apimachinery, `IsQualifiedName`),
/// and `inventory.` goes before the operator's name.
const OPERATOR_NAME_MAX: usize = 63 - "inventory.".len();

/// The names that an operator writes under.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// The operator's name, a label value.
    pub(crate) operator: String,
    /// `operatorkit.dev/<operator>`: finalizer and field manager.
    pub(crate) finalizer: String,
    /// The annotation of the inventory.
    pub(crate) inventory: String,
    /// The annotation of the slots of an existing kind's object.
    pub(crate) state: String,
    /// The same under earlier names of the operator.
    pub(crate) former: Vec<Names>,
    /// Finalizers of others that are treated as ours.
    legacy: &'static [&'static str],
}

impl Names {
    pub(crate) fn new(operator: &str) -> Self {
        Self {
            operator: operator.to_owned(),
            finalizer: format!("{PREFIX}/{operator}"),
            inventory: format!("{PREFIX}/inventory.{operator}"),
            state: format!("{PREFIX}/state.{operator}"),
            former: Vec::new(),
            legacy: &[],
        }
    }

    /// With what the operator succeeds to: its own earlier names, and finalizers of others.
    pub(crate) fn succeeding(mut self, formerly: &[&str], legacy: &'static [&'static str]) -> Self {
        let former = formerly.iter().filter(|name| **name != self.operator);
        self.former = former.map(|name| Self::new(name)).collect();
        self.legacy = legacy;
        self
    }

    /// These names, and earlier ones. What stands under an earlier one counts more: it is taken off when it is taken over, so it was written
    /// later, by an older version that ran once more.
    pub(crate) fn latest_first(&self) -> impl Iterator<Item = &Self> {
        self.former.iter().chain([self])
    }

    /// Whether an operator of this name is this one, now or earlier.
    pub(crate) fn is_ours(&self, operator: &str) -> bool {
        self.latest_first().any(|names| names.operator == operator)
    }

    /// Whether this is a field manager of ours, of the object or of its status, under whichever name.
    pub(crate) fn is_manager(&self, manager: &str) -> bool {
        let manager = manager.strip_suffix("/status").unwrap_or(manager);
        self.latest_first().any(|names| names.finalizer == manager)
    }

    /// Whether this is a finalizer of ours: under any name, or one that is treated as ours.
    pub(crate) fn is_finalizer(&self, finalizer: &str) -> bool {
        self.latest_first().any(|names| names.finalizer == finalizer) || self.legacy.contains(&finalizer)
    }
}

/// An operator's name as a label value that also fits into our annotation keys.
pub(crate) fn operator_name(name: &str) -> String {
    shortened(name, OPERATOR_NAME_MAX)
}

/// A stable name `<object>-<suffix>` that is a DNS label's length at most, as most kinds want it.
pub(crate) fn child_name(object: &str, suffix: &str) -> String {
    shortened(&format!("{object}-{suffix}"), 63)
}

/// The first 16 hex digits of the SHA-256 over the parts, with their lengths, so that no two lists of parts collide.
pub(crate) fn hashed(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let mut head = [0; 8];
    head.copy_from_slice(&hash.finalize()[..8]);
    format!("{:016x}", u64::from_be_bytes(head))
}

/// The name itself if it fits, else its beginning and a hash of the whole; never ends in a separator.
fn shortened(name: &str, max: usize) -> String {
    if name.len() <= max {
        return name.to_owned();
    }
    let hash = &hashed(&[name])[..10];
    let head: String = name.chars().take(max - 1 - hash.len()).collect();
    format!("{}-{hash}", head.trim_end_matches(['-', '.', '_']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_fits_stays() {
        assert_eq!(operator_name("webapps.demo.example.com"), "webapps.demo.example.com");
        assert_eq!(child_name("x", "settings"), "x-settings");
    }

    #[test]
    fn a_long_name_is_shortened_with_a_hash_of_the_whole() {
        let long = "a".repeat(253);
        let (one, two) = (child_name(&long, "one"), child_name(&long, "two"));
        assert_eq!((one.len(), two.len()), (63, 63));
        assert_ne!(one, two);
        assert_eq!(one, child_name(&long, "one"));
        assert!(!operator_name(&format!("{}-{}", "a".repeat(41), "b".repeat(30))).contains("--"));
    }

    #[test]
    fn earlier_names_and_finalizers_of_others_are_ours_too() {
        let names = Names::new("new").succeeding(&["old", "new"], &["a.example/b"]);
        assert!(names.is_ours("old") && names.is_ours("new") && !names.is_ours("other"));
        for ours in ["operatorkit.dev/old", "operatorkit.dev/new", "a.example/b"] {
            assert!(names.is_finalizer(ours), "{ours}");
        }
        assert!(!names.is_finalizer("operatorkit.dev/other"));
        for ours in ["operatorkit.dev/old", "operatorkit.dev/new/status"] {
            assert!(names.is_manager(ours), "{ours}");
        }
        assert!(!names.is_manager("a.example/b") && !names.is_manager("operatorkit.dev/new/other"));
        assert_eq!(names.former.len(), 1, "the name as it is now is no earlier one");
    }

    #[test]
    fn annotation_keys_fit() {
        let names = Names::new(&operator_name(&"x".repeat(200)));
        for key in [&names.inventory, &names.state, &names.finalizer] {
            assert!(key.strip_prefix("operatorkit.dev/").unwrap().len() <= 63, "{key}");
        }
    }
}
