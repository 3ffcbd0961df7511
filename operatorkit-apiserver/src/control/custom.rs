//! The end of a CRD: its objects are deleted, and then it is let go (`apiextensions-apiserver/pkg/controller/finalizer`).

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use serde_json::{Value, json};

use super::{client::Client, feed::Feed};
use crate::{
    core::Core,
    crd::FINALIZER,
    failure::Failure,
    object,
    registry::{Served, custom},
    store::Key,
};

/// How long the controller waits after a request that failed.
const RETRY: Duration = Duration::from_millis(500);

/// Deletes the objects of CRDs that are going, until it is dropped.
pub(crate) async fn run(core: Arc<Core>, mut feed: Feed) {
    let controller = Controller {
        client: Client::new(core.clone(), "customresourcedefinition-finalizer"),
        core,
    };
    let mut failed = false;
    loop {
        tokio::select! {
            _changes = feed.next() => {}
            () = tokio::time::sleep(RETRY), if failed => {}
        }
        failed = controller.attend_all().await.is_err();
    }
}

struct Controller {
    client: Client,
    core: Arc<Core>,
}

impl Controller {
    async fn attend_all(&self) -> Result<(), Failure> {
        // Most changes are about something else.
        if self.core.store.all(&self.core.tables.crds).is_empty() {
            return Ok(());
        }
        let going = |crd: &Value| object::is_deleting(crd) && object::finalizers(crd).any(|it| it == FINALIZER);
        for crd in custom::crds(&self.core).into_iter().filter(going) {
            self.attend(&crd).await?;
        }
        Ok(())
    }

    async fn attend(&self, crd: &Value) -> Result<(), Failure> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let group = text(&crd["spec"]["group"]);
        let catalog = self.core.registry.catalog();
        let Some(served) = catalog
            .preferred(&group, &text(&crd["spec"]["names"]["plural"]))
            .cloned()
        else {
            return self
                .release(crd, "NeverEstablished", "resource was never established")
                .await;
        };
        let in_progress = "CustomResource deletion is in progress";
        let crd = &self
            .report(crd, "True", "InstanceDeletionInProgress", in_progress)
            .await?;
        let left = self.core.store.all(&served.table);
        if left.is_empty() {
            return self
                .release(crd, "InstanceDeletionCompleted", "removed all instances")
                .await;
        }
        let namespaces: BTreeSet<_> = left.iter().map(|stored| stored.key().namespace.clone()).collect();
        let deleting =
            |stored: &crate::store::Stored| object::is_deleting(&crate::verbs::strategy::show(&served, stored));
        if left.iter().all(|stored| deleting(stored)) {
            return Ok(());
        }
        for namespace in namespaces {
            self.client.delete_all(&served, &namespace).await?;
        }
        Ok(())
    }

    fn crds(&self) -> Option<Arc<Served>> {
        let catalog = self.core.registry.catalog();
        catalog
            .preferred("apiextensions.k8s.io", "customresourcedefinitions")
            .cloned()
    }

    async fn report(&self, crd: &Value, status: &str, reason: &str, message: &str) -> Result<Value, Failure> {
        let Some(served) = self.crds() else {
            return Ok(crd.clone());
        };
        let condition = json!({
            "type": "Terminating", "status": status, "reason": reason, "message": message,
            "lastTransitionTime": self.core.clock.seconds(),
        });
        let mut new = crd.clone();
        object::set_condition(&mut new["status"]["conditions"], condition);
        if new == *crd {
            return Ok(new);
        }
        self.client
            .update(&served, &Key::new("", object::name(crd)), "/status", &new)
            .await
    }

    async fn release(&self, crd: &Value, reason: &str, message: &str) -> Result<(), Failure> {
        let mut crd = self.report(crd, "False", reason, message).await?;
        let left: Vec<String> = object::finalizers(&crd)
            .filter(|it| *it != FINALIZER)
            .map(str::to_owned)
            .collect();
        object::set_finalizers(&mut crd, left);
        let Some(served) = self.crds() else { return Ok(()) };
        match self
            .client
            .update(&served, &Key::new("", object::name(&crd)), "", &crd)
            .await
        {
            Err(failure) if failure.code == 404 => Ok(()),
            done => done.map(|_| ()),
        }
    }
}
