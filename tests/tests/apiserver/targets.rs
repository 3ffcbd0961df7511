//! The servers that every test runs against. A new one is an `impl Target`, a function here, and a module in `on_each_target!`.

use std::sync::{Arc, OnceLock};

use futures::future::BoxFuture;
use operatorkit::kube::Client;
use operatorkit_testing::{ControlPlane, Options};

use crate::server::{Server, Target};

/// A control plane of `operatorkit-testing`.
struct Real(&'static ControlPlane);

impl Target for Real {
    fn name(&self) -> &'static str {
        "real"
    }

    fn admin(&self) -> Client {
        self.0.client("driver")
    }

    fn nobody(&self) -> Client {
        let mut config = self.0.config("driver");
        config.auth_info = operatorkit::kube::config::AuthInfo::default();
        Client::try_from(config).expect("a client")
    }

    fn stranger(&self) -> (String, Client) {
        let user = self.0.new_stranger();
        let client = self.0.client(&user);
        (user, client)
    }

    fn namespace<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, String> {
        Box::pin(self.0.namespace(prefix))
    }
}

/// Where a test runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    /// On a server with all controllers and a kubelet.
    Whole,
    /// On one without controllers, where kinds come and go (the real one's garbage collector stands still for up to half a minute then),
    /// and which forgets the past within seconds.
    Apart,
    /// On one without controllers and kubelet, where nothing happens but what a request does.
    Still,
}

/// The real control plane of this process for this place; `None`, after a line that says so, where it cannot be had.
#[track_caller]
pub(crate) fn real(place: Place) -> Option<Server> {
    static APART: OnceLock<ControlPlane> = OnceLock::new();
    static STILL: OnceLock<ControlPlane> = OnceLock::new();
    // Says why there is none.
    let whole = ControlPlane::shared()?;
    let cluster = match place {
        Place::Whole => whole,
        Place::Apart => APART.get_or_init(|| {
            let options = Options::default()
                .without_controllers()
                .without_kubelet()
                .with_api_server_flag("--etcd-compaction-interval=1s");
            ControlPlane::start(&options).expect("a second control plane")
        }),
        Place::Still => STILL.get_or_init(|| {
            let options = Options::default()
                .without_controllers()
                .without_kubelet()
                .without_audit();
            ControlPlane::start(&options).expect("a control plane without controllers")
        }),
    };
    Some(Server::new(Arc::new(Real(cluster))))
}

/// One test for each target out of one function that takes a `&Server`, in one [`Place`].
macro_rules! conformance {
    ($place:ident; $($(#[$meta:meta])* async fn $name:ident($server:ident: &Server) $body:block)*) => {
        $(
            $(#[$meta])*
            async fn $name($server: &$crate::server::Server) $body
        )*
        $crate::targets::on_each_target! { $place: $($name),* }
    };
}

/// Modules `real`, … with a `#[tokio::test]` in each for every function named.
macro_rules! on_each_target {
    ($place:ident: $($name:ident),*) => {
        mod real {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    let Some(server) = $crate::targets::real($crate::targets::Place::$place) else { return };
                    super::$name(&server).await;
                }
            )*
        }

        mod embedded {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    super::$name(&$crate::in_process::embedded($crate::targets::Place::$place)).await;
                }
            )*
        }
    };
}

/// A test on each target for each file of `cases/`, by place.
macro_rules! scripts {
    ($($place:ident { $($name:ident),* $(,)? })*) => {
        #[allow(non_snake_case)]
        mod cases {
            $(
                pub(crate) mod $place {
                    $(
                        async fn $name(server: &$crate::server::Server) {
                            $crate::script::run(server, stringify!($name)).await;
                        }
                    )*
                    $crate::targets::on_each_target! { $place: $($name),* }
                }
            )*
        }

        #[test]
        fn every_file_of_cases_is_run() {
            script::assert_files(&[$($(stringify!($name)),*),*]);
        }
    };
}

pub(crate) use {conformance, on_each_target, scripts};
