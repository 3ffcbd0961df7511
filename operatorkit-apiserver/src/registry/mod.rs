//! The resources that are served: the built-in ones from data, those of CRDs at run time.
//!
//! | module | what |
//! |---|---|
//! | [`built_in`] | the built-in resources |
//! | [`custom`] | the resources of CRDs |
//! | [`served`] | one resource in one version, as it is served |
//! | [`catalog`] | all of them, and how to find one |
//! | [`discovery`] | `/api`, `/apis`, and what is below them |

pub mod built_in;
pub mod catalog;
pub(crate) mod custom;
pub mod discovery;
pub mod served;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

pub use catalog::Catalog;
pub use served::{Origin, SelectableField, Served, Subresource};

/// The catalog as it is now. Readers keep the one that they have begun with.
#[derive(Debug)]
pub struct Registry {
    now: RwLock<Arc<Catalog>>,
    /// Held by who works out the next one.
    changing: Mutex<()>,
}

impl Registry {
    /// A registry of these resources.
    pub fn new(catalog: Catalog) -> Self {
        Self {
            now: RwLock::new(Arc::new(catalog)),
            changing: Mutex::default(),
        }
    }

    /// The resources that are served now.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.now.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Serves other resources from now on. They are worked out one after the other: what goes by an older state than another has seen does not
    /// come after it.
    pub fn replace(&self, next: impl FnOnce() -> Catalog) {
        let _one_at_a_time = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let catalog = Arc::new(next());
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = catalog;
    }
}

#[test]
fn what_goes_by_an_older_state_does_not_come_after_what_has_seen_a_newer_one() {
    use std::{sync::mpsc, thread, time::Duration};

    let stored = Mutex::new(Vec::new());
    let registry = Registry::new(Catalog::new(Vec::new()));
    let served = || Catalog::new(stored.lock().expect("not poisoned").clone());
    let (late, newer) = (mpsc::channel(), mpsc::channel());
    thread::scope(|scope| {
        let (registry, stored) = (&registry, &stored);
        scope.spawn(move || {
            // It goes on when the older one has looked at what is stored.
            late.1.recv().expect("the older one looks");
            stored.lock().expect("not poisoned").extend(built_in::resources());
            registry.replace(served);
            // Nobody waits for it any more, if all is well.
            let _waited_for = newer.0.send(());
        });
        registry.replace(|| {
            let older = served();
            late.0.send(()).expect("the newer one waits");
            let overtaken = newer.1.recv_timeout(Duration::from_millis(50)).is_ok();
            assert!(!overtaken, "the newer one has come before the older one is done");
            older
        });
    });
    assert!(
        registry.catalog().preferred("", "pods").is_some(),
        "the newer one counts"
    );
}
