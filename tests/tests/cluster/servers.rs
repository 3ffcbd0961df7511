//! Which server a test runs on: the embedded one, unless it says otherwise.

use operatorkit_testing::{Cluster, EmbeddedServer, apiserver::ApiServer};

/// The embedded server that all tests share.
pub(crate) fn embedded() -> &'static Cluster {
    EmbeddedServer::shared()
}

/// An embedded server of a test's own, on its runtime and by its clock. In a test with a paused clock nobody waits for a time to come: so
/// backoffs, resyncs and limits are tested in no time.
pub(crate) fn alone() -> &'static Cluster {
    let builder = ApiServer::builder().rbac(true).workloads(true);
    let server = EmbeddedServer::start_here(builder).expect("it starts");
    // It ends with the runtime; what is left is little.
    Box::leak(Box::new(server))
}

/// A test on the embedded server, `embedded::<name>`, and one on the real one, `real::<name>`, out of each function named, which takes a
/// `&'static Cluster`.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        mod embedded {
            $(
                #[tokio::test]
                async fn $name() {
                    super::$name($crate::servers::embedded()).await;
                }
            )+
        }

        mod real {
            $(
                #[tokio::test]
                async fn $name() {
                    let Some(cluster) = operatorkit_testing::ControlPlane::shared() else { return };
                    super::$name(cluster).await;
                }
            )+
        }
    };
}
pub(crate) use on_both;
