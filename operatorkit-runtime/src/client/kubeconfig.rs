//! Kubeconfigs: where they are, and the part of one that a context chooses.

use std::{
    env,
    path::{Path, PathBuf},
};

use kube::config::{AuthInfo, Cluster, Context, Kubeconfig, NamedAuthInfo, NamedCluster, NamedContext};

use super::{config::ClientConfig, files::Files, told};

/// A kubeconfig that was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) kubeconfig: Kubeconfig,
    /// Where it is from, for people.
    pub(super) origin: String,
    /// The files that it is made of.
    pub(super) files: Files,
}

/// The kubeconfig that is named, or else the one that `kubectl` would use; `None` if there is none.
pub(super) fn find(config: &ClientConfig) -> anyhow::Result<Option<Found>> {
    if let Some(path) = &config.kubeconfig {
        return read(path).map(Some);
    }
    let from_env = Kubeconfig::from_env().map_err(|err| told::kubeconfig(err, "KUBECONFIG"))?;
    if let Some(kubeconfig) = from_env {
        let mut files = Files::default();
        let paths: Vec<PathBuf> = env::var_os("KUBECONFIG").iter().flat_map(env::split_paths).collect();
        paths.iter().for_each(|path| files.add(path));
        let origin = "KUBECONFIG".to_owned();
        return Ok(Some(Found {
            kubeconfig,
            origin,
            files,
        }));
    }
    let home = env::home_dir().map(|home| home.join(".kube").join("config"));
    home.filter(|path| path.exists()).map(|path| read(&path)).transpose()
}

fn read(path: &Path) -> anyhow::Result<Found> {
    let origin = path.display().to_string();
    let kubeconfig = Kubeconfig::read_from(path).map_err(|err| told::kubeconfig(err, &origin))?;
    let mut files = Files::default();
    files.add(path);
    Ok(Found {
        kubeconfig,
        origin,
        files,
    })
}

/// A kubeconfig of one cluster and one user, which is in no file.
pub(super) fn only(cluster: Cluster, user: AuthInfo, namespace: Option<String>, origin: &str) -> Found {
    let name = "given".to_owned();
    let context = Context {
        cluster: name.clone(),
        user: Some(name.clone()),
        namespace,
        ..Context::default()
    };
    let kubeconfig = Kubeconfig {
        clusters: vec![NamedCluster {
            name: name.clone(),
            cluster: Some(cluster),
            ..NamedCluster::default()
        }],
        auth_infos: vec![NamedAuthInfo {
            name: name.clone(),
            auth_info: Some(user),
            ..NamedAuthInfo::default()
        }],
        contexts: vec![NamedContext {
            name: name.clone(),
            context: Some(context),
            ..NamedContext::default()
        }],
        current_context: Some(name),
        ..Kubeconfig::default()
    };
    Found {
        kubeconfig,
        origin: origin.to_owned(),
        files: Files::default(),
    }
}

/// The cluster and the user of a context.
pub(super) fn chosen<'a>(kubeconfig: &'a Kubeconfig, context: &str) -> (Option<&'a Cluster>, Option<&'a AuthInfo>) {
    let context = kubeconfig.contexts.iter().find(|named| named.name == context);
    let Some(context) = context.and_then(|named| named.context.as_ref()) else {
        return (None, None);
    };
    let cluster = kubeconfig.clusters.iter().find(|named| named.name == context.cluster);
    let user = kubeconfig
        .auth_infos
        .iter()
        .find(|named| Some(&named.name) == context.user.as_ref());
    (
        cluster.and_then(|named| named.cluster.as_ref()),
        user.and_then(|named| named.auth_info.as_ref()),
    )
}
