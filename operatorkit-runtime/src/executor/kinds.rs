//! The kinds of children, as they are found out.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, MutexGuard, PoisonError},
};

use anyhow::anyhow;

use super::Running;
use crate::{
    cluster::{Failure, Kind},
    error::{ErrorExt as _, Result},
    operator::Operator,
};

/// Kinds as they were found out.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    interned: HashSet<Arc<Kind>>,
    resolved: HashMap<(String, String), Arc<Kind>>,
}

impl<O: Operator> Running<O> {
    fn kinds(&self) -> MutexGuard<'_, Kinds> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One shared value per kind.
    pub(crate) fn interned(&self, kind: Kind) -> Arc<Kind> {
        let mut kinds = self.kinds();
        if let Some(known) = kinds.interned.get(&kind) {
            return known.clone();
        }
        let kind = Arc::new(kind);
        kinds.interned.insert(kind.clone());
        kind
    }

    /// The kind that a dynamic object names.
    ///
    /// # Errors
    /// Also if it is not served.
    pub(super) async fn resolve(&self, api_version: &str, kind: &str) -> Result<Arc<Kind>> {
        self.resolve_served(api_version, kind).await?.ok_or_else(|| {
            anyhow!("the API server does not serve {kind} in {api_version}: install its CustomResourceDefinition")
                .reason("KindNotServed")
        })
    }

    /// The kind that a dynamic object names; `None` if it is not served and never was while this process ran.
    pub(super) async fn resolve_served(&self, api_version: &str, kind: &str) -> Result<Option<Arc<Kind>>, Failure> {
        let name = (api_version.to_owned(), kind.to_owned());
        if let Some(known) = self.kinds().resolved.get(&name) {
            return Ok(Some(known.clone()));
        }
        let found = self.cluster.resolve(api_version, kind).await?;
        let found = found.map(|found| self.interned(found));
        if let Some(found) = &found {
            self.kinds().resolved.insert(name, found.clone());
        }
        Ok(found)
    }

    /// A stored kind as it is served now, perhaps in another version; `None` if it is served in none.
    pub(super) async fn serving(&self, stored: &Kind) -> Result<Option<Arc<Kind>>, Failure> {
        let kind = self.interned(stored.clone());
        if !self.watches.is_unserved(&kind) {
            return Ok(Some(kind));
        }
        let served = self.cluster.serving(&stored.group, &stored.kind).await?;
        Ok(served.map(|served| self.interned(served)))
    }
}
