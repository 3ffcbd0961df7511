//! Which kinds the API server serves, and in which version.
//!
//! Nothing is remembered here: callers keep what was found, and what was not found may be installed at any moment.

use http::Request;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{APIGroup, APIResourceList};
use serde::de::DeserializeOwned;

use super::{Cluster, Failure, Kind, requests::is_segment, target::Target};

impl Cluster {
    /// The kind that an object names by `apiVersion` and `kind`; `None` if it is not served. One request.
    pub(crate) async fn resolve(&self, api_version: &str, kind: &str) -> Result<Option<Kind>, Failure> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        if !is_segment(version) || !(group.is_empty() || is_segment(group)) {
            return Ok(None);
        }
        let Some(list) = self.discover::<APIResourceList>(&path(group, version)).await? else {
            return Ok(None);
        };
        // A subresource such as `deployments/scale` has a kind too.
        let found = list
            .resources
            .into_iter()
            .find(|resource| resource.kind == kind && !resource.name.contains('/'));
        Ok(found.map(|resource| Kind {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: resource.kind,
            plural: resource.name,
            namespaced: resource.namespaced,
        }))
    }

    /// The kind in whichever version is served now, the server's preferred one first; `None` if in none.
    ///
    /// One request for the core group, mostly two for others.
    pub(crate) async fn serving(&self, group: &str, kind: &str) -> Result<Option<Kind>, Failure> {
        for version in self.versions(group).await? {
            let api_version = if group.is_empty() {
                version
            } else {
                format!("{group}/{version}")
            };
            if let Some(kind) = self.resolve(&api_version, kind).await? {
                return Ok(Some(kind));
            }
        }
        Ok(None)
    }

    async fn versions(&self, group: &str) -> Result<Vec<String>, Failure> {
        if group.is_empty() {
            return Ok(vec!["v1".to_owned()]);
        }
        if !is_segment(group) {
            return Ok(Vec::new());
        }
        let Some(found) = self.discover::<APIGroup>(&format!("/apis/{group}")).await? else {
            return Ok(Vec::new());
        };
        let mut versions: Vec<_> = found
            .preferred_version
            .into_iter()
            .map(|preferred| preferred.version)
            .collect();
        for version in found.versions {
            if !versions.contains(&version.version) {
                versions.push(version.version);
            }
        }
        Ok(versions)
    }

    async fn discover<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, Failure> {
        let target = Target::discovery(path);
        let request = Request::get(path).body(Vec::new());
        let request = request.map_err(|err| Failure::unsendable(target.clone(), err.to_string()))?;
        match self.send(target, request).await {
            Ok(found) => Ok(Some(found)),
            Err(failure) if failure.is_not_served() || failure.is_not_found() => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}

fn path(group: &str, version: &str) -> String {
    if group.is_empty() {
        format!("/api/{version}")
    } else {
        format!("/apis/{group}/{version}")
    }
}
