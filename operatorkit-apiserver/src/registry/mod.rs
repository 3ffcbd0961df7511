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

use std::sync::{Arc, PoisonError, RwLock};

pub use catalog::Catalog;
pub use served::{Origin, SelectableField, Served, Subresource};

/// The catalog as it is now. Readers keep the one that they have begun with.
#[derive(Debug)]
pub struct Registry(RwLock<Arc<Catalog>>);

impl Registry {
    /// A registry of these resources.
    pub fn new(catalog: Catalog) -> Self {
        Self(RwLock::new(Arc::new(catalog)))
    }

    /// The resources that are served now.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Serves other resources from now on.
    pub fn replace(&self, catalog: Catalog) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(catalog);
    }
}
