//! Carries out what a controller wants.

use std::{collections::HashMap, sync::Arc};

use http::Method;
use serde_json::{Value, json};

use super::{
    Item, NODE,
    cache::{Cache, DAEMON_SETS, DEPLOYMENTS, JOBS, PODS, REPLICA_SETS, SERVICES, STATEFUL_SETS},
};
use crate::{
    control::{
        client::{self, Client, is_stale},
        teller::{Teller, named},
        workloads::{Action, Reference, Verb},
    },
    core::Core,
    failure::Failure,
    object,
    registry::Served,
    store::{Key, TableId},
};

/// Sends the requests of the controllers, each as its own user.
pub(super) struct Actor {
    core: Arc<Core>,
    teller: Teller,
    clients: HashMap<&'static str, Client>,
    numbers: HashMap<String, u32>,
}

impl Actor {
    pub(super) fn new(core: Arc<Core>) -> Self {
        let controllers = [
            (DEPLOYMENTS, "deployment-controller"),
            (REPLICA_SETS, "replicaset-controller"),
            (STATEFUL_SETS, "statefulset-controller"),
            (DAEMON_SETS, "daemon-set-controller"),
            (JOBS, "job-controller"),
            (SERVICES, "endpointslice-controller"),
        ];
        let clients = controllers
            .into_iter()
            .map(|(table, name)| (table, Client::new(core.clone(), name)));
        let mut clients: HashMap<_, _> = clients.collect();
        clients.insert(PODS, Client::kubelet(core.clone(), NODE));
        Self {
            teller: Teller::new(core.clone()),
            core,
            clients,
            numbers: HashMap::new(),
        }
    }

    /// A number that no other Pod has: its address is made of it.
    pub(super) fn number(&mut self, item: &Item, cache: &Cache) -> u32 {
        if &*item.0 != PODS {
            return 0;
        }
        let Some(pod) = cache.get(item) else { return 0 };
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX).saturating_add(1);
        *self.numbers.entry(object::uid(pod).to_owned()).or_insert(next)
    }

    /// Carries an action out. That somebody else was faster is no failure: the change that they made brings the object back.
    pub(super) async fn carry_out(&self, table: &TableId, action: &Action) -> Result<(), Failure> {
        let Some(client) = self.clients.get(&**table) else {
            return Ok(());
        };
        let done = self.verb(client, &action.verb).await;
        match done {
            Err(failure) if is_stale(&failure) => Ok(()),
            Err(failure) => Err(failure),
            Ok(answer) => {
                if let Some(event) = &action.event {
                    let _only_an_event = self.teller.tell(client, &named(event, &answer)).await;
                }
                Ok(())
            }
        }
    }

    async fn verb(&self, client: &Client, verb: &Verb) -> Result<Value, Failure> {
        match verb {
            Verb::Create(object) => {
                let (served, key) = self.place(&Reference::to(object))?;
                client.create(&served, &key.namespace, object).await
            }
            Verb::Update(object) => {
                let (served, key) = self.place(&Reference::to(object))?;
                client.update(&served, &key, "", object).await
            }
            Verb::UpdateStatus(object) => {
                let (served, key) = self.place(&Reference::to(object))?;
                client.update(&served, &key, "/status", object).await
            }
            Verb::Patch {
                object,
                subresource,
                patch,
            } => {
                let (served, key) = self.place(object)?;
                let part = if subresource.is_empty() {
                    String::new()
                } else {
                    format!("/{subresource}")
                };
                client.patch(&served, &key, &part, patch).await
            }
            Verb::Bind { pod, node } => self.bind(client, pod, node).await,
            Verb::Delete {
                object,
                grace_period,
                propagation,
            } => self.delete(client, object, *grace_period, propagation).await,
            Verb::Tell => Ok(Value::Null),
        }
    }

    async fn bind(&self, client: &Client, pod: &Reference, node: &str) -> Result<Value, Failure> {
        let (served, key) = self.place(pod)?;
        let binding = json!({
            "apiVersion": "v1", "kind": "Binding", "metadata": { "name": pod.name, "namespace": pod.namespace },
            "target": { "apiVersion": "v1", "kind": "Node", "name": node },
        });
        let path = format!("{}/binding", client::path(&served, &key));
        client
            .send(Method::POST, &path, "application/json", Some(&binding))
            .await
    }

    async fn delete(
        &self,
        client: &Client,
        object: &Reference,
        grace_period: Option<i64>,
        propagation: &str,
    ) -> Result<Value, Failure> {
        let (served, key) = self.place(object)?;
        let mut options = json!({
            "kind": "DeleteOptions", "apiVersion": "v1", "preconditions": { "uid": object.uid },
        });
        if let Some(seconds) = grace_period {
            options["gracePeriodSeconds"] = seconds.into();
        }
        if !propagation.is_empty() {
            options["propagationPolicy"] = propagation.into();
        }
        client
            .send(
                Method::DELETE,
                &client::path(&served, &key),
                "application/json",
                Some(&options),
            )
            .await
    }

    fn place(&self, object: &Reference) -> Result<(Arc<Served>, Key), Failure> {
        let catalog = self.core.registry.catalog();
        let served = catalog.by_kind(&object.api_version, &object.kind).cloned();
        let served = served.ok_or_else(Failure::no_such_resource)?;
        Ok((served, Key::new(&object.namespace, &object.name)))
    }
}
