//! `buckets`: things outside of Kubernetes, on disk.

#[expect(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../../examples/buckets/main.rs"]
pub(crate) mod program;

use std::{fs, path::PathBuf, sync::Arc};

use operatorkit::{
    kube::CustomResourceExt as _,
    serde_json::{Value, from_slice, json},
};
use operatorkit_testing::explorer::{Explorer, Outside, Report, Scenario, Subject, Thing};
use tempfile::TempDir;

use self::program::{Bucket, BucketSpec, app};

/// The directory that stands for the provider.
struct Directory(TempDir);

impl Outside for Directory {
    fn things(&self) -> Vec<Thing> {
        let entries = fs::read_dir(self.0.path()).expect("it is there");
        let ids = entries.map(|entry| entry.expect("it is there").file_name().into_string().expect("UTF-8"));
        let mut things: Vec<Thing> = ids.filter(|id| id != "journal").map(|id| self.thing(id)).collect();
        things.sort_by(|a, b| a.id.cmp(&b.id));
        things
    }

    fn varying(&self) -> Vec<String> {
        vec![self.path().display().to_string()]
    }
}

impl Directory {
    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    fn thing(&self, id: String) -> Thing {
        let text = fs::read(self.0.path().join(&id).join("thing.json")).expect("each is whole");
        let thing: Value = from_slice(&text).expect("JSON");
        Thing {
            id,
            tag: thing["tag"].as_str().expect("a tag").to_owned(),
            content: json!({ "quota": thing["quota"] }),
        }
    }
}

pub(crate) fn subject() -> Subject {
    let directory = Arc::new(Directory(TempDir::new().expect("a directory")));
    let path = directory.path();
    Subject::app(move || app(Some(path.clone()))).outside(directory)
}

fn life() -> Scenario {
    Scenario::new("buckets", subject)
        .crd(Bucket::crd())
        .create(&Bucket::new("x", BucketSpec { quota: 1 }))
        .change::<Bucket>("x", json!({ "spec": { "quota": 2 } }))
        .delete::<Bucket>("x")
}

pub(crate) fn explore() -> Report {
    Explorer::new(life()).at_most(200).pairs(25).run()
}
