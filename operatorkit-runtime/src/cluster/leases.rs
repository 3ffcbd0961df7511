//! The Lease of a leader election.

use k8s_openapi::api::coordination::v1::Lease;
use kube::api::GetParams;

use super::{
    Cluster, Failure, Kind,
    requests::built,
    target::{Target, Verb},
    writes::serialised,
};

impl Cluster {
    /// Reads a Lease; `None` if there is none.
    pub(crate) async fn lease(&self, namespace: &str, name: &str) -> Result<Option<Lease>, Failure> {
        let kind = Kind::of::<Lease>();
        let target = Target::of(Verb::Get, &kind, Some(namespace), name);
        let request = Self::at(&target, &kind)?.get(name, &GetParams::default());
        match self.send(target.clone(), built(&target, request)?).await {
            Ok(lease) => Ok(Some(lease)),
            Err(failure) if failure.is_not_found() => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Creates a Lease; a conflict if there is one.
    pub(crate) async fn create_lease(&self, namespace: &str, name: &str, lease: &Lease) -> Result<Lease, Failure> {
        self.create(&Kind::of::<Lease>(), Some(namespace), name, lease).await
    }

    /// Replaces a Lease whose resourceVersion is as in this one; a conflict if it is not.
    pub(crate) async fn replace_lease(&self, namespace: &str, name: &str, lease: &Lease) -> Result<Lease, Failure> {
        let kind = Kind::of::<Lease>();
        let target = Target::of(Verb::Update, &kind, Some(namespace), name);
        let body = serialised(&target, lease)?;
        let request = Self::at(&target, &kind)?.replace(name, &self.posted(), body);
        self.send(target.clone(), built(&target, request)?).await
    }
}
