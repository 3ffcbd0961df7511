//! What only the embedded server has.

use anyhow::Result;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Api, api::PostParams};

use super::config_map;
use crate::{
    EmbeddedServer,
    apiserver::{
        ApiServer,
        fault::{Effect, Fault, Matching},
    },
};

#[tokio::test]
async fn a_fault_is_met_by_whom_it_is_for_and_is_in_the_log() -> Result<()> {
    let server = EmbeddedServer::shared();
    let (namespace, user) = (server.namespace("fault").await, server.new_admin());
    let mark = server.audit().mark().await;
    let fault = Fault::new(Matching::writes().user(&user), Effect::conflict()).once();
    let faults = server.faults().expect("the embedded server has some");
    let fault = faults.add(fault);

    let maps = Api::<ConfigMap>::namespaced(server.client(&user), &namespace);
    let others = Api::<ConfigMap>::namespaced(server.client("driver"), &namespace);
    others.create(&PostParams::default(), &config_map("a")).await?;
    assert!(maps.create(&PostParams::default(), &config_map("b")).await.is_err());
    maps.create(&PostParams::default(), &config_map("b")).await?;
    assert_eq!(faults.remove(fault), 1);

    let requests = server.audit().since(mark).await.by_user(&user);
    let seen: Vec<_> = requests
        .iter()
        .map(|it| (it.uri.as_str(), it.object.name.as_str(), it.code))
        .collect();
    let uri = format!("/api/v1/namespaces/{namespace}/configmaps?");
    let uri = uri.trim_end_matches('?');
    assert_eq!(seen, [(uri, "b", 409), (uri, "b", 201)]);
    Ok(())
}

#[tokio::test]
async fn one_of_ones_own_is_apart_from_the_others() -> Result<()> {
    let (one, other) = (
        EmbeddedServer::start(ApiServer::builder())?,
        EmbeddedServer::start(ApiServer::builder())?,
    );
    let maps = |server: &EmbeddedServer| Api::<ConfigMap>::namespaced(server.client("driver"), "default");
    maps(&one).create(&PostParams::default(), &config_map("a")).await?;
    assert!(maps(&one).get_opt("a").await?.is_some());
    assert!(maps(&other).get_opt("a").await?.is_none());
    assert_ne!(one.port(), other.port());
    let folder = one.folder().to_owned();
    drop(one);
    assert!(!folder.exists());
    Ok(())
}
