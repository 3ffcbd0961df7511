//! The embedded server as a target: one for all tests of the process, on threads of its own.

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures::future::BoxFuture;
use operatorkit::kube::Client;
use operatorkit_apiserver::{ApiServer, access::User};

use crate::{
    server::{Ask, Server, Target},
    targets::Place,
};

struct Embedded(ApiServer);

static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).enable_all().build().expect("a runtime")
});

/// With all controllers and a kubelet.
static WHOLE: LazyLock<ApiServer> = LazyLock::new(|| {
    let _in_the_runtime = RUNTIME.enter();
    ApiServer::builder().rbac(true).workloads(true).start()
});

/// Without those; and it forgets, every second, what was a second ago, as etcd does: who reads on misses nothing.
static APART: LazyLock<ApiServer> = LazyLock::new(|| {
    let _in_the_runtime = RUNTIME.enter();
    let server = ApiServer::builder().rbac(true).controllers(false).start();
    let forgetting = server.clone();
    RUNTIME.spawn(async move {
        loop {
            let before = forgetting.resource_version();
            tokio::time::sleep(Duration::from_secs(1)).await;
            forgetting.compact_to(before);
        }
    });
    server
});

/// Where nothing happens but what a request does.
static STILL: LazyLock<ApiServer> = LazyLock::new(|| {
    let _in_the_runtime = RUNTIME.enter();
    ApiServer::builder().rbac(true).controllers(false).start()
});

static NAMES: AtomicU64 = AtomicU64::new(0);

fn fresh(prefix: &str) -> String {
    format!("{prefix}-{}", NAMES.fetch_add(1, Ordering::Relaxed))
}

impl Target for Embedded {
    fn name(&self) -> &'static str {
        "embedded"
    }

    fn admin(&self) -> Client {
        Client::new(self.0.service_as(User::new("driver", ["system:masters"])), "default")
    }

    fn nobody(&self) -> Client {
        Client::new(self.0.open_service(), "default")
    }

    fn stranger(&self) -> (String, Client) {
        let user = fresh("stranger");
        let named = User {
            // Tokens in a file, with which the real server knows its users, have a UID.
            uid: user.clone(),
            ..User::new(user.as_str(), [""; 0])
        };
        let client = Client::new(self.0.service_as(named), "default");
        (user, client)
    }

    fn namespace<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, String> {
        Box::pin(async move {
            let name = fresh(prefix);
            let body = operatorkit::serde_json::json!({
                "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name },
            });
            let ask = Ask::new("POST", "/api/v1/namespaces").json(&body);
            let answer = crate::server::send(&self.admin(), &ask).await;
            assert_eq!(answer.code, 201, "{}", answer.value());
            name
        })
    }
}

/// The server of this process for this place.
pub(crate) fn embedded(place: Place) -> Server {
    let server: &ApiServer = match place {
        Place::Whole => &WHOLE,
        Place::Apart => &APART,
        Place::Still => &STILL,
    };
    Server::new(Arc::new(Embedded(server.clone())))
}
