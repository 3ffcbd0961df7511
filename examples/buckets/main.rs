//! Something outside Kubernetes: directories on disk stand for buckets of a provider.
//!
//! The delete order is not the mirror of the create order: the bucket is made first, then the policy that protects it; when they go, the
//! public index goes first, then the bucket with what is in it, and the policy, which must outlive the bucket, last.
//!
//! `cargo run --example buckets -- crd | kubectl apply -f -`, then `BUCKETS_DIR=/tmp/buckets cargo run --example buckets -- run`.

mod provider;

use std::{path::PathBuf, sync::Arc};

use operatorkit::{
    anyhow::Context as _,
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{from_value, json},
};
use provider::{Provider, Thing};

/// A bucket for data.
#[operator(
    group = "demo.operatorkit.dev", version = "v1", kind = "Bucket", namespaced,
    status = BucketStatus,
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    printcolumn(name = "Path", type_ = "string", json_path = ".status.path"),
    resources(Store, Policy, Index),
)]
pub struct BucketSpec {
    /// How much may be in it, in bytes.
    pub quota: u32,
}

/// What the provider made.
#[data]
#[derive(Default, PartialEq)]
pub struct BucketStatus {
    /// Where the bucket is.
    pub path: Option<String>,
}

/// What identifies a thing at the provider: all that deletion gets.
#[data]
#[derive(PartialEq)]
pub struct ThingId {
    /// The provider's identifier.
    pub id: String,
}

/// The bucket itself.
#[resource(order = 1, delete_order = 2)]
#[derive(Debug)]
pub struct Store {
    provider: Arc<Provider>,
}

impl External for Store {
    type Operator = Bucket;
    type State = ThingId;

    async fn find(&self, token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<ThingId>> {
        Ok(self.provider.find("bucket", token.as_str())?.map(|id| ThingId { id }))
    }

    async fn observe(&self, bucket: &Bucket, state: &ThingId, cx: &Cx<Self>) -> Result<Flow<Observed<ThingId>>> {
        let Some(thing) = self.provider.read(&state.id)? else {
            return Ok(Observed::Absent.into());
        };
        let path = self.provider.path(&state.id).display().to_string();
        cx.status(|status| status.path = Some(path));
        let state = state.clone();
        Ok(if thing.quota == bucket.spec.quota {
            Observed::Matches(state)
        } else {
            Observed::Differs(state)
        }
        .into())
    }

    async fn create(&self, bucket: &Bucket, token: &Token, cx: &Cx<Self>) -> Result<Flow<ThingId>> {
        let id = self
            .provider
            .create("bucket", &Thing::new(token.as_str(), bucket.spec.quota))?;
        let path = self.provider.path(&id).display().to_string();
        cx.status(|status| status.path = Some(path));
        Ok(ThingId { id }.into())
    }

    async fn update(&self, bucket: &Bucket, state: &ThingId, _cx: &Cx<Self>) -> Result<Flow<ThingId>> {
        self.provider.resize(&state.id, bucket.spec.quota)?;
        Ok(state.clone().into())
    }

    async fn delete(&self, state: &ThingId, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.provider.delete(&state.id)?;
        Ok(().into())
    }
}

/// What protects the bucket; it must exist for as long as the bucket does.
#[resource(order = 2, delete_order = 3, after(Store))]
#[derive(Debug)]
pub struct Policy {
    provider: Arc<Provider>,
}

impl External for Policy {
    type Operator = Bucket;
    type State = ThingId;

    async fn find(&self, token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<ThingId>> {
        Ok(self.provider.find("policy", token.as_str())?.map(|id| ThingId { id }))
    }

    async fn observe(&self, _bucket: &Bucket, state: &ThingId, _cx: &Cx<Self>) -> Result<Flow<Observed<ThingId>>> {
        let there = self.provider.read(&state.id)?.is_some();
        Ok(if there {
            Observed::Matches(state.clone())
        } else {
            Observed::Absent
        }
        .into())
    }

    async fn create(&self, _bucket: &Bucket, token: &Token, cx: &Cx<Self>) -> Result<Flow<ThingId>> {
        let store = cx.after::<Store>().output()?;
        let id = self
            .provider
            .create("policy", &Thing::new(token.as_str(), 0).protects(&store.id))?;
        Ok(ThingId { id }.into())
    }

    async fn update(&self, _bucket: &Bucket, state: &ThingId, _cx: &Cx<Self>) -> Result<Flow<ThingId>> {
        Ok(state.clone().into())
    }

    async fn delete(&self, state: &ThingId, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.provider.delete(&state.id)?;
        Ok(().into())
    }
}

/// Where the cluster's programs look the bucket up.
#[resource(order = 3, delete_order = 1, after(Store))]
#[derive(Debug)]
pub struct Index;

impl Manifest for Index {
    type Operator = Bucket;
    type Object = ConfigMap;

    async fn desired(&self, _bucket: &Bucket, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let store = cx.after::<Store>().output()?;
        let index: ConfigMap = from_value(json!({
            "metadata": { "name": cx.child_name("bucket") },
            "data": { "id": store.id },
        }))?;
        Ok(index.into())
    }
}

fn main() -> std::process::ExitCode {
    app(std::env::var_os("BUCKETS_DIR").map(PathBuf::from)).main()
}

/// The program; its tests run it, too. What stands for the provider is needed for `run` and `dev` only.
pub(crate) fn app(directory: Option<PathBuf>) -> App {
    App::new("bucket-operator")
        .operator(|_env| async {
            let root = directory.context("set BUCKETS_DIR to the directory that stands for the provider")?;
            let provider = Arc::new(Provider::open(root)?);
            Ok(BucketResources {
                store: Store {
                    provider: provider.clone(),
                },
                policy: Policy { provider },
                index: Index,
            })
        })
        .sample(Bucket::new("hello", BucketSpec { quota: 1 }))
}
