//! What all parts of a running server share.

use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{
    access::{Attributes, Authenticator, Authorize, Decision, Policy, User, token::TokenKey},
    clock::Clock,
    fault::Faults,
    identity::Identities,
    registry::Registry,
    store::{Key, Store, TableId},
    tap::Tap,
    verbs::admission::Allocations,
};

/// Who signs the tokens of ServiceAccounts, and for whom if nothing else is asked for.
pub(crate) const ISSUER: &str = "https://kubernetes.default.svc.cluster.local";

/// What all parts of a running server share.
pub(crate) struct Core {
    pub(crate) clock: Clock,
    pub(crate) identities: Identities,
    pub(crate) store: Arc<Store>,
    pub(crate) registry: Registry,
    pub(crate) tables: Tables,
    pub(crate) faults: Faults,
    pub(crate) tap: Tap,
    pub(crate) access: Access,
    pub(crate) allocations: Allocations,
    /// Ends watches and controllers.
    pub(crate) shutdown: CancellationToken,
}

/// Who is let in, and what they may do.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) authenticator: Authenticator,
    /// Signs the tokens of ServiceAccounts.
    pub(crate) key: TokenKey,
    /// The roles and bindings, if RBAC is enforced; otherwise everybody may do everything.
    policy: Option<RwLock<Arc<Policy>>>,
}

impl Access {
    pub(crate) fn new(authenticator: Authenticator, key: TokenKey, rbac: bool) -> Self {
        Self {
            authenticator,
            key,
            policy: rbac.then(RwLock::default),
        }
    }

    /// Takes a changed role or binding in.
    pub(crate) fn changed(&self, old: Option<&Value>, new: Option<&Value>) {
        let Some(policy) = &self.policy else { return };
        let mut policy = policy.write().unwrap_or_else(PoisonError::into_inner);
        let policy = Arc::make_mut(&mut policy);
        match (old, new) {
            (_, Some(new)) => policy.apply(new),
            (Some(old), None) => policy.remove(old),
            (None, None) => {}
        }
    }
}

/// Decides who may do what: by the roles and bindings as they were when it was made, or not at all.
#[derive(Clone, Debug)]
pub(crate) struct Authorizer(Option<Arc<Policy>>);

impl Authorizer {
    /// The roles and bindings, if they count.
    pub(crate) fn policy(&self) -> Option<&Policy> {
        self.0.as_deref()
    }
}

impl Authorize for Authorizer {
    fn authorize(&self, user: &User, attributes: &Attributes) -> Decision {
        match &self.0 {
            Some(policy) => policy.authorize(user, attributes),
            None => Decision {
                allowed: true,
                reason: String::new(),
            },
        }
    }
}

impl Core {
    /// Whose token this is; of ServiceAccounts only while they are there.
    pub(crate) fn user_of(&self, token: &str, audiences: &[String]) -> Result<(User, Vec<String>), String> {
        const UNKNOWN: &str = "invalid bearer token";
        let own = [ISSUER.to_owned()];
        let wanted = if audiences.is_empty() { &own[..] } else { audiences };
        if let Some(user) = self.access.authenticator.find(token) {
            return Ok((user, wanted.to_vec()));
        }
        let claims = self.access.key.verify(token, ISSUER).ok_or(UNKNOWN)?;
        claims.check_time(self.clock.now())?;
        let common = claims.check_audiences(wanted)?;
        let account = &claims.kubernetes;
        let key = Key::new(&account.namespace, &account.serviceaccount.name);
        let there = self.store.get(&self.tables.service_accounts, &key);
        match there {
            Some(there) if there.uid() == account.serviceaccount.uid => Ok((claims.user(), common)),
            _ => Err(format!("service account {key} has been deleted")),
        }
    }

    /// Who may do what, now.
    pub(crate) fn authorizer(&self) -> Authorizer {
        let policy = self.access.policy.as_ref();
        Authorizer(policy.map(|policy| policy.read().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

/// The tables that the server itself reads.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) namespaces: TableId,
    pub(crate) crds: TableId,
    pub(crate) service_accounts: TableId,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            namespaces: "/namespaces".into(),
            crds: "apiextensions.k8s.io/customresourcedefinitions".into(),
            service_accounts: "/serviceaccounts".into(),
        }
    }
}

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Core")
            .field("version", &self.store.version())
            .finish_non_exhaustive()
    }
}
