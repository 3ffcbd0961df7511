//! A server, and a client of it by each way.

use operatorkit::kube::{
    Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
};
use operatorkit_apiserver::{
    ApiServer, Builder,
    access::User,
    serve::{Server, Serving},
};

/// A server, and a client that reaches it by one of the ways.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    pub(crate) server: ApiServer,
    pub(crate) client: Client,
    _serving: Option<Serving>,
}

/// A server for each way: in process, and over TLS with the kubeconfig that it writes.
pub(crate) async fn ways(build: impl Fn() -> Builder) -> [Way; 2] {
    let server = build().start();
    let in_process = Way {
        name: "in process",
        client: Client::new(server.service(), "default"),
        server,
        _serving: None,
    };
    let server = build().start();
    let serving = Server::new(server.open_service()).start().await.expect("a port");
    let on_a_port = Way {
        name: "on a port",
        client: client(&serving.kubeconfig(&User::admin())).await,
        server,
        _serving: Some(serving),
    };
    [in_process, on_a_port]
}

/// A client by a kubeconfig.
async fn client(kubeconfig: &str) -> Client {
    let kubeconfig = Kubeconfig::from_yaml(kubeconfig).expect("a kubeconfig");
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    let mut config = config.expect("a configuration");
    // A refusal is what these tests ask for: kube would try again for minutes after a 429.
    config.default_retry = false;
    Client::try_from(config).expect("a client")
}
