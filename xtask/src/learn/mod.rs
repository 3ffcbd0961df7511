//! Learns what a real server does with values that are not given, and with empty ones: what its OpenAPI does not tell.
//!
//! Objects are made at random from the schemas, valid or not, and put into etcd, since there no validation stands in the way. The
//! API server reads them as it reads everything: into Go's types, with their defaults. What it answers is compared with what was put.

use std::{collections::HashSet, fs::File, io::Write as _, path::Path};

use anyhow::{Context as _, Result, bail};
use operatorkit_apiserver::builtin::{self, BuiltInResource};
use serde_json::{Value, json};

use self::{compare::Findings, reach::Step, storage::Storage};

mod check;
mod compare;
mod reach;
mod sample;
mod storage;
mod write;

/// Kinds that the API server itself acts on, whatever is in them.
const LEFT_OUT: [&str; 2] = ["apiextensions.k8s.io", "apiregistration.k8s.io"];

/// How many objects of each kind are tried, and how many that are about one type, for each type.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Samples {
    /// Objects of each kind.
    #[arg(long, default_value_t = 200)]
    kinds: u32,
    /// Objects about each type.
    #[arg(long, default_value_t = 100)]
    types: u32,
    /// Other objects for another number.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Tries objects, and writes what was learned; and `record`, the objects and answers.
pub(crate) async fn learn(samples: Samples, record: Option<&Path>) -> Result<()> {
    let mut record = record.map(File::create).transpose().context("a file for the record")?;
    let mut findings = Findings::default();
    each(samples, |resource, sent, answer| {
        findings.compare(resource.schema.get(), sent, answer);
        if let Some(file) = &mut record {
            writeln!(file, "{}", json!({ "sent": sent, "answer": answer }))?;
        }
        Ok(())
    })
    .await?;
    write::write(&findings)
}

/// Compares what the crate makes of objects with what the server makes of them.
///
/// # Errors
///
/// If they differ.
pub(crate) async fn check(samples: Samples) -> Result<()> {
    let mut differences = check::Differences::default();
    each(samples, |resource, sent, answer| {
        differences.compare(resource, sent, answer);
        Ok(())
    })
    .await?;
    match differences.report() {
        0 => Ok(()),
        count => bail!("{count} fields differ"),
    }
}

/// Stores objects, and shows them and the answers.
async fn each(samples: Samples, mut show: impl FnMut(&BuiltInResource, &Value, &Value) -> Result<()>) -> Result<()> {
    let storage = Storage::start().await?;
    let mut random = fastrand::Rng::with_seed(samples.seed);
    let mut known = HashSet::new();
    for resource in builtin::kinds().resources() {
        let stored = resource.storage_version_hash.is_some() && resource.has_verb("create");
        if !stored || LEFT_OUT.contains(&&*resource.group) {
            continue;
        }
        let mut paths = vec![(samples.kinds, Vec::new())];
        for (name, path) in reach::types(resource.schema.get()) {
            // A type is the same in every kind; where it is not, the objects of the kinds show it.
            if known.insert(name) {
                paths.push((samples.types, path));
            }
        }
        for (count, path) in paths {
            for _ in 0..count {
                let sent = object(&mut random, resource, &path);
                let answer = storage.read_back(resource, &sent).await;
                let answer = answer.with_context(|| format!("{} {sent}", resource.kind))?;
                show(resource, &sent, &answer)?;
            }
        }
    }
    Ok(())
}

fn object(random: &mut fastrand::Rng, resource: &BuiltInResource, path: &[Step]) -> Value {
    let mut object = sample::sample(random, resource.schema.get(), path);
    object["apiVersion"] = resource.api_version().into();
    object["kind"] = resource.kind.as_ref().into();
    object["metadata"] = json!({ "name": "sample", "uid": "sample", "creationTimestamp": "2020-01-01T00:00:00Z" });
    if resource.namespaced {
        object["metadata"]["namespace"] = "default".into();
    }
    object
}
