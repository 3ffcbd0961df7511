//! The namespaces whose objects an operator watches, and which of them it knows.

use std::{collections::BTreeMap, fmt, sync::Arc};

use tokio::sync::watch;

use crate::cluster::{Failure, Kind};

/// The namespaces that are watched; `None` is all of them at once.
#[derive(Clone)]
pub(crate) struct Namespaces(Arc<watch::Sender<BTreeMap<Option<String>, Seen>>>);

/// How far the watch of a namespace has come.
#[derive(Clone, Debug)]
enum Seen {
    NotYet,
    /// It has never been filled, and this is why.
    Failing(Failure),
    Filled,
}

impl Namespaces {
    /// `limited` are the namespaces that the operator is limited to; empty: all.
    pub(crate) fn new(kind: &Kind, limited: &[String]) -> Self {
        let watched: Vec<_> = if kind.namespaced && !limited.is_empty() {
            limited.iter().cloned().map(Some).collect()
        } else {
            vec![None]
        };
        let seen = watched.into_iter().map(|namespace| (namespace, Seen::NotYet)).collect();
        Self(Arc::new(watch::Sender::new(seen)))
    }

    pub(crate) fn all(&self) -> Vec<Option<String>> {
        self.0.borrow().keys().cloned().collect()
    }

    /// All objects of a namespace have been seen; for good, since the watch loses none from now on.
    pub(crate) fn filled(&self, namespace: Option<&str>) {
        self.set(namespace, Seen::Filled);
    }

    /// A namespace cannot be watched.
    pub(crate) fn failing(&self, namespace: Option<&str>, failure: &Failure) {
        self.set(namespace, Seen::Failing(failure.clone()));
    }

    fn set(&self, namespace: Option<&str>, seen: Seen) {
        self.0.send_modify(|all| {
            let known = all.get_mut(&namespace.map(str::to_owned));
            if let Some(known) = known.filter(|known| !matches!(known, Seen::Filled)) {
                *known = seen;
            }
        });
    }

    /// Whether all objects of a namespace have been seen. What is not watched at all only a live read tells.
    pub(crate) fn knows(&self, namespace: Option<&str>) -> bool {
        let all = self.0.borrow();
        let covers = |watched: &Option<String>| watched.is_none() || watched.as_deref() == namespace;
        all.iter()
            .all(|(watched, seen)| !covers(watched) || matches!(seen, Seen::Filled))
    }

    /// Until there is something to do: a namespace is filled, and each other one is, or has said why it is not. One without rights does
    /// not hold up the others.
    pub(crate) async fn ready(&self) {
        self.until(|all| {
            let told = all.values().all(|seen| !matches!(seen, Seen::NotYet));
            told && all.values().any(|seen| matches!(seen, Seen::Filled))
        })
        .await;
    }

    /// Until all objects of a namespace have been seen.
    pub(crate) async fn known(&self, namespace: Option<&str>) {
        let namespace = namespace.map(str::to_owned);
        self.until(|all| matches!(all.get(&namespace), None | Some(Seen::Filled)))
            .await;
    }

    async fn until(&self, reached: impl Fn(&BTreeMap<Option<String>, Seen>) -> bool) {
        let mut changes = self.0.subscribe();
        // The sender lives as long as `self`, so this ends with the condition only.
        let _reached = changes.wait_for(reached).await;
    }

    /// The namespaces whose objects are not known, and why not.
    pub(crate) fn unknown(&self) -> Vec<(Option<String>, Option<Failure>)> {
        let all = self.0.borrow();
        let unknown = all.iter().filter_map(|(namespace, seen)| match seen {
            Seen::Filled => None,
            Seen::NotYet => Some((namespace.clone(), None)),
            Seen::Failing(failure) => Some((namespace.clone(), Some(failure.clone()))),
        });
        unknown.collect()
    }
}

impl fmt::Debug for Namespaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Namespaces").field(&*self.0.borrow()).finish()
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
    use kube::core::Status;
    use tokio::time::{Duration, timeout};

    use super::*;

    fn namespaces(limited: &[&str]) -> Namespaces {
        let limited: Vec<_> = limited.iter().map(|&name| name.to_owned()).collect();
        Namespaces::new(&Kind::of::<ConfigMap>(), &limited)
    }

    fn refused() -> Failure {
        let status = Status::failure("it cannot list", "Forbidden").with_code(403);
        Failure::for_tests(&Kind::of::<ConfigMap>(), &status)
    }

    async fn is_ready(namespaces: &Namespaces) -> bool {
        timeout(Duration::from_millis(1), namespaces.ready()).await.is_ok()
    }

    #[test]
    fn a_cluster_scoped_kind_is_watched_once() {
        let all = Namespaces::new(&Kind::of::<Namespace>(), &["a".to_owned()]);
        assert_eq!(all.all(), [None]);
    }

    #[tokio::test(start_paused = true)]
    async fn one_without_rights_does_not_hold_up_the_others() {
        let namespaces = namespaces(&["a", "b"]);
        namespaces.filled(Some("a"));
        assert!(!is_ready(&namespaces).await, "`b` has said nothing yet");
        namespaces.failing(Some("b"), &refused());
        assert!(is_ready(&namespaces).await);
        assert!(namespaces.knows(Some("a")) && !namespaces.knows(Some("b")) && namespaces.knows(Some("c")));
        assert_eq!(namespaces.unknown().len(), 1);
        namespaces.filled(Some("b"));
        namespaces.failing(Some("b"), &refused());
        assert!(namespaces.knows(Some("b")), "it was filled once");
    }

    #[tokio::test(start_paused = true)]
    async fn without_any_rights_there_is_nothing_to_do() {
        let namespaces = namespaces(&[]);
        namespaces.failing(None, &refused());
        assert!(!is_ready(&namespaces).await && !namespaces.knows(Some("a")));
        namespaces.filled(None);
        assert!(is_ready(&namespaces).await && namespaces.knows(Some("a")));
    }
}
