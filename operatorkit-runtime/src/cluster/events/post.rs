//! The requests that write Events.

use std::env;

use jiff::Timestamp;
use k8s_openapi::{
    api::{
        core::v1::ObjectReference,
        events::v1::{Event, EventSeries},
    },
    apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta},
};
use kube::api::{Patch, PatchParams, PostParams};
use serde_json::{Value, json};

use super::{
    About, Said,
    budget::Budget,
    limits,
    series::{AllSeries, Next},
};
use crate::cluster::{
    Cluster, Failure, Kind,
    requests::built,
    target::{Target, Verb},
};

/// Writes Events one after the other.
pub(super) struct Writer {
    cluster: Cluster,
    kind: Kind,
    controller: String,
    instance: String,
    series: AllSeries,
    budget: Budget,
    /// That rights are missing was said.
    forbidden: bool,
}

impl Writer {
    pub(super) fn new(cluster: Cluster, controller: &str) -> Self {
        // In a pod, the pod's name.
        let instance = env::var("HOSTNAME")
            .ok()
            .filter(|name| !name.is_empty() && name.len() <= 128);
        Self {
            cluster,
            kind: Kind::of::<Event>(),
            controller: controller.to_owned(),
            instance: instance.unwrap_or_else(|| controller.to_owned()),
            series: AllSeries::default(),
            budget: Budget::default(),
            forbidden: false,
        }
    }

    /// Writes what was said, unless it is said too often. What goes wrong is of no consequence for anybody.
    pub(super) async fn write(&mut self, said: Said) {
        let next = self.series.next(&said);
        if next == Next::Nothing {
            return;
        }
        if !self.budget.take(&said.about) {
            tracing::debug!(reason = said.reason, "an Event was left out: too many about one object");
            return;
        }
        if let Next::Repeat(event, count) = next {
            match self.repeat(&said.about, &event, count).await {
                // The API server keeps Events for an hour, and anybody may delete them.
                Err(failure) if failure.is_not_found() => self.series.forget(&said),
                Err(failure) => return self.unwritten(&failure),
                Ok(()) => return,
            }
        }
        let event = limits::name(
            said.about.name.as_deref().unwrap_or_default(),
            Timestamp::now().as_nanosecond(),
        );
        match self.create(&said, &event).await {
            Ok(()) => {
                self.forbidden = false;
                self.series.created(said, event);
            }
            Err(failure) => self.unwritten(&failure),
        }
    }

    /// Writes the counts of repeats that were too soon after the last one. It is the end: there will be no other occasion.
    pub(super) async fn settle(&mut self) {
        for (about, event, count) in self.series.owed() {
            if let Err(failure) = self.repeat(&about, &event, count).await {
                self.unwritten(&failure);
            }
        }
    }

    async fn create(&self, said: &Said, name: &str) -> Result<(), Failure> {
        let namespace = namespace(&said.about);
        let target = Target::of(Verb::Create, &self.kind, Some(namespace), name);
        let event = self.event(said, name);
        let body = serde_json::to_vec(&event).map_err(|err| Failure::unsendable(target.clone(), err.to_string()))?;
        let params = PostParams {
            field_manager: Some(self.cluster.manager().to_owned()),
            ..PostParams::default()
        };
        let request = Cluster::at(&target, &self.kind)?.create(&params, body);
        let request = built(&target, request)?;
        self.cluster.send::<Value>(target, request).await.map(drop)
    }

    async fn repeat(&self, about: &About, event: &str, count: i32) -> Result<(), Failure> {
        let target = Target::of(Verb::Patch, &self.kind, Some(namespace(about)), event);
        let series = EventSeries {
            count,
            last_observed_time: MicroTime(Timestamp::now()),
        };
        let params = PatchParams {
            field_manager: Some(self.cluster.manager().to_owned()),
            ..PatchParams::default()
        };
        let request =
            Cluster::at(&target, &self.kind)?.patch(event, &params, &Patch::Merge(json!({ "series": series })));
        let request = built(&target, request)?;
        self.cluster.send::<Value>(target, request).await.map(drop)
    }

    /// An Event that cannot be written is of no consequence. Missing rights are told, once: a person can mend them.
    fn unwritten(&mut self, failure: &Failure) {
        if failure.is_namespace_terminating() {
            return;
        }
        if failure.is_forbidden() && !std::mem::replace(&mut self.forbidden, true) {
            let remedy = failure.remedy().map(|remedy| format!(": {remedy}")).unwrap_or_default();
            tracing::warn!(
                controller = self.controller,
                "Events are not written: {failure}{remedy}"
            );
        } else {
            tracing::debug!("an Event was not written: {failure}");
        }
    }

    fn event(&self, said: &Said, name: &str) -> Event {
        let About {
            api_version,
            kind,
            namespace: of,
            name: object,
            uid,
        } = said.about.clone();
        Event {
            metadata: ObjectMeta {
                name: Some(name.to_owned()),
                namespace: Some(namespace(&said.about).to_owned()),
                ..ObjectMeta::default()
            },
            event_time: Some(MicroTime(Timestamp::now())),
            type_: Some(if said.warning { "Warning" } else { "Normal" }.to_owned()),
            reason: Some(said.reason.clone()),
            note: Some(said.note.clone()),
            action: Some(said.action.clone()),
            regarding: Some(ObjectReference {
                api_version,
                kind,
                namespace: of,
                name: object,
                uid,
                ..ObjectReference::default()
            }),
            reporting_controller: Some(self.controller.clone()),
            reporting_instance: Some(self.instance.clone()),
            ..Event::default()
        }
    }
}

/// Events about cluster-scoped objects are in `default`: the API server takes them nowhere else.
fn namespace(about: &About) -> &str {
    about
        .namespace
        .as_deref()
        .filter(|namespace| !namespace.is_empty())
        .unwrap_or("default")
}
