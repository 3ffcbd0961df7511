//! Operators that leave something of the spec before: the states that show it are found, and made small.

use std::collections::BTreeMap;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{
        Api, CustomResourceExt as _, ResourceExt as _,
        api::{Patch, PatchParams, PostParams},
    },
    prelude::*,
    serde_json::{Value, from_value, json},
};
use operatorkit_testing::{
    explorer::{Scenario, Subject},
    states::{Difference, States, specs},
};

/// What a ConfigMap should hold, and which others there should be.
#[operator(
    group = "states.test",
    version = "v1",
    kind = "Notebook",
    namespaced,
    resources(Page, Shelf)
)]
pub(crate) struct NotebookSpec {
    lines: BTreeMap<String, String>,
    volumes: Vec<String>,
}

/// A ConfigMap that lines are only added to.
#[resource]
pub(crate) struct Page;

impl Step for Page {
    type Operator = Notebook;
    type Output = ();

    async fn ensure_created(&self, notebook: &Notebook, cx: &Cx<Self>) -> Result<Flow<()>> {
        let maps: Api<ConfigMap> = Api::default_namespaced(cx.client().clone());
        let name = format!("{}-page", notebook.name_any());
        let Some(map) = maps.get_opt(&name).await? else {
            let map = json!({ "metadata": { "name": name }, "data": notebook.spec.lines });
            maps.create(&PostParams::default(), &from_value(map)?).await?;
            return Ok(Flow::Ready(()));
        };
        let written = map.data.unwrap_or_default();
        if notebook
            .spec
            .lines
            .iter()
            .any(|(key, line)| written.get(key) != Some(line))
        {
            let patch = Patch::Merge(json!({ "data": notebook.spec.lines }));
            maps.patch(&name, &PatchParams::default(), &patch).await?;
        }
        Ok(Flow::Ready(()))
    }
}

/// A ConfigMap for each volume, of which none ever goes.
#[resource]
pub(crate) struct Shelf;

impl Step for Shelf {
    type Operator = Notebook;
    type Output = ();

    async fn ensure_created(&self, notebook: &Notebook, cx: &Cx<Self>) -> Result<Flow<()>> {
        let maps: Api<ConfigMap> = Api::default_namespaced(cx.client().clone());
        for volume in &notebook.spec.volumes {
            let name = format!("{}-volume-{volume}", notebook.name_any());
            if maps.get_opt(&name).await?.is_none() {
                let map = json!({ "metadata": { "name": name } });
                maps.create(&PostParams::default(), &from_value(map)?).await?;
            }
        }
        Ok(Flow::Ready(()))
    }
}

/// The states that differ, with `fixed` as it is.
fn difference(fixed: &str, value: Value) -> Difference {
    let app = || {
        App::new("notebooks").operator(|_env| async {
            Ok(NotebookResources {
                page: Page,
                shelf: Shelf,
            })
        })
    };
    let nothing = NotebookSpec {
        lines: BTreeMap::new(),
        volumes: Vec::new(),
    };
    let scenario = Scenario::new("notebooks", move || Subject::app(app)).crd(Notebook::crd());
    let drawn = specs(&Notebook::crd()).fix(fixed, value);
    let findings = States::new(scenario, &Notebook::new("x", nothing)).run(drawn);
    findings.difference.expect("they differ")
}

/// That the smallest states were found, and what is left. Which of them is A does not matter: where it is the one with less, what B has made
/// is left when it is A again.
fn assert_left(Difference { a, b, lines }: &Difference, more: &Value, less: &Value, left: &str) {
    assert!([(a, b), (b, a)].contains(&(more, less)), "{a} {b}");
    assert!(lines.iter().any(|line| line.contains(left)), "{lines:?}");
}

#[test]
fn a_key_of_the_old_spec_is_found() {
    let difference = difference("/spec/volumes", json!([]));
    let more = json!({ "lines": { "a": "a" }, "volumes": [] });
    let less = json!({ "lines": {}, "volumes": [] });
    assert_left(&difference, &more, &less, "configmaps default/x-page.data");
}

#[test]
fn a_child_that_is_no_longer_wanted_is_found() {
    let difference = difference("/spec/lines", json!({}));
    let more = json!({ "lines": {}, "volumes": ["a"] });
    let less = json!({ "lines": {}, "volumes": [] });
    let left = "configmaps default/x-volume-a should not be there";
    assert_left(&difference, &more, &less, left);
}
