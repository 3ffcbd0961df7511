//! What the real server answered, asked again. `record.py` writes the cases.

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    apply::{FieldSet, OneVersion, Request, SameShape, Scale, Versions, apply, keep_times, update},
    schema::{Schema, Types},
};

use super::{
    same::{drop_server_set, entries, pretty, sorted, within, without_entries},
    schemas,
};

struct Kinds {
    built_in: Types,
    thing: (Types, crate::schema::NodeId),
}

/// One request of a case, and what the real server made of it.
struct Step<'a> {
    case: &'a str,
    kind: &'a str,
    asked: &'a Value,
    /// What the last step left.
    last: &'a Value,
}

impl Step<'_> {
    fn text(&self, name: &str) -> &str {
        self.asked[name].as_str().unwrap_or_default()
    }

    fn label(&self) -> String {
        format!(
            "{}: {} by {}: {}",
            self.case,
            self.text("verb"),
            self.text("manager"),
            self.asked["body"]
        )
    }

    fn live(&self) -> Option<&Value> {
        let live = if self.asked["live"] == "last" {
            self.last
        } else {
            &self.asked["live"]
        };
        Some(live).filter(|it| !it.is_null())
    }

    /// The newest time that the answer has.
    fn now(&self) -> Timestamp {
        let entries = self.asked["answer"]["metadata"]["managedFields"].as_array();
        let times = entries.into_iter().flatten().filter_map(|it| it["time"].as_str());
        times.max().unwrap_or("2026-01-01T00:00:00Z").parse().unwrap()
    }

    fn reset(&self) -> FieldSet {
        match (self.kind, self.text("subresource")) {
            ("ConfigMap", _) => FieldSet::new(),
            (_, "") => FieldSet::of_fields([["status"]]),
            ("Deployment", _) => FieldSet::of_fields([vec!["spec"], vec!["metadata", "labels"]]),
            _ => FieldSet::of_fields([vec!["spec"], vec!["metadata"]]),
        }
    }

    fn replay(&self, kinds: &Kinds) {
        let thing = kinds.thing.0.schema(kinds.thing.1);
        let versions = ["v1", "v2"].map(|it| (format!("apply.operatorkit.test/{it}").into(), thing));
        let versions = SameShape(versions.into());
        let (schema, versions, built_in): (Schema<'_>, &dyn Versions, _) = match self.kind {
            "Thing" => (thing, &versions, false),
            kind => (schemas::kind(&kinds.built_in, kind), &OneVersion, true),
        };
        let reset = self.reset();
        let request = Request {
            manager: self.text("manager"),
            api_version: self.text("apiVersion"),
            kind: self.kind,
            subresource: self.text("subresource"),
            now: self.now(),
            schema,
            versions,
            reset: Some(&reset),
            built_in,
        };
        if self.text("verb") == "scale" {
            let scale = Request {
                api_version: "autoscaling/v1",
                kind: "Scale",
                schema: kinds.built_in.named("io.k8s.api.autoscaling.v1.Scale").unwrap(),
                versions: &OneVersion,
                reset: None,
                built_in: true,
                ..request
            };
            self.scaled(&scale, request.api_version);
        } else if self.text("verb") == "apply" {
            self.applied(&request);
        } else if self.asked["code"].as_u64() < Some(300) {
            self.updated(&request);
        }
    }

    fn scaled(&self, request: &Request<'_>, parent: &str) {
        let replicas: &[&str] = &["spec", "replicas"];
        let replicas = [(parent, Some(replicas))];
        let [before, after] = ["before", "after"].map(|it| &self.asked["entries"][it]);
        let mut live = without_entries(before);
        let scale = Scale::new(self.live().unwrap(), parent, &replicas);
        scale.to_scale(&mut live);
        let mut new = without_entries(&self.asked["answer"]);
        update(Some(&live), &mut new, request);
        let mut object = without_entries(after);
        scale.to_parent(&new, &mut object);
        keep_times(self.live().unwrap(), &mut object);
        assert_eq!(pretty(&entries(&object)), pretty(&entries(after)), "{}", self.label());
    }

    fn updated(&self, request: &Request<'_>) {
        let answer = &self.asked["answer"];
        let mut new = answer.clone();
        match &self.asked["entries"] {
            Value::Null => drop(new["metadata"].as_object_mut().unwrap().remove("managedFields")),
            given => new["metadata"]["managedFields"] = given.clone(),
        }
        update(self.live(), &mut new, request);
        if let Some(live) = self.live() {
            keep_times(live, &mut new);
        }
        self.same_entries(&new);
    }

    fn applied(&self, request: &Request<'_>) {
        let answer = &self.asked["answer"];
        let force = self.asked["force"] == true;
        let result = apply(self.live(), &self.asked["body"], force, request);
        let ours = answer["message"].as_str().is_some_and(|it| {
            it.contains("typed patch object")
                || it.contains("managedFields must")
                || it.starts_with("Apply failed")
                || it.starts_with("failed to")
        });
        if self.asked["code"].as_u64() >= Some(300) {
            match result {
                Err(failure) => assert_eq!(sorted(&failure.status()), sorted(answer), "{}", self.label()),
                Ok(object) => {
                    assert!(!ours, "{}\n{answer}", self.label());
                    self.same_nulls(&object);
                }
            }
            return;
        }
        let mut object = result.unwrap_or_else(|failure| panic!("{}\n{failure}", self.label()));
        let ours = object.clone();
        if let Some(live) = self.live() {
            // What the strategy does to the object is not ours; here nothing but the times may be set back.
            let mut whole = answer.clone();
            whole["metadata"]["managedFields"] = object["metadata"]["managedFields"].take();
            for name in ["resourceVersion", "generation"] {
                if live["metadata"]["resourceVersion"] == answer["metadata"]["resourceVersion"] {
                    whole["metadata"][name] = live["metadata"][name].clone();
                }
            }
            keep_times(live, &mut whole);
            object["metadata"]["managedFields"] = whole["metadata"]["managedFields"].take();
        }
        self.same_entries(&object);
        self.same_object(&ours);
    }

    /// What the real server refuses as null is null here, too.
    fn same_nulls(&self, object: &Value) {
        let causes = self.asked.pointer("/answer/details/causes").and_then(Value::as_array);
        for cause in causes.into_iter().flatten() {
            if cause["message"].as_str().is_some_and(|it| it.contains(": \"null\"")) {
                let path = format!("/{}", cause["field"].as_str().unwrap().replace('.', "/"));
                assert_eq!(object.pointer(&path), Some(&Value::Null), "{}\n{path}", self.label());
            }
        }
    }

    fn same_entries(&self, object: &Value) {
        let (ours, theirs) = (entries(object), entries(&self.asked["answer"]));
        assert_eq!(pretty(&ours), pretty(&theirs), "{}", self.label());
    }

    fn same_object(&self, object: &Value) {
        let answer = &self.asked["answer"];
        let exact = self.kind == "Thing";
        let parts: &[&str] = match self.text("subresource") {
            "" => &["spec", "data", "metadata"],
            _ => &["status"],
        };
        for part in parts {
            let (mut ours, mut theirs) = (object[*part].clone(), answer[*part].clone());
            for it in [&mut ours, &mut theirs] {
                drop_server_set(it, *part == "metadata");
            }
            let fits = if exact && *part != "status" {
                ours == theirs
            } else {
                within(&ours, &theirs)
            };
            assert!(fits, "{}\n{part}\nours:   {ours}\ntheirs: {theirs}", self.label());
        }
    }
}

#[test]
fn answers_as_the_real_server() {
    let kinds = Kinds {
        built_in: schemas::built_in(),
        thing: schemas::thing(),
    };
    let cases: Vec<Value> = serde_json::from_str(include_str!("cases.json")).unwrap();
    let mut failed = Vec::new();
    let mut count = 0;
    for case in &cases {
        let mut last = &Value::Null;
        for step in case["steps"].as_array().unwrap() {
            let step = Step {
                case: case["name"].as_str().unwrap(),
                kind: case["kind"].as_str().unwrap(),
                asked: step,
                last,
            };
            count += 1;
            if step.asked["code"].as_u64() < Some(300) && step.text("verb") != "scale" {
                last = &step.asked["answer"];
            }
            let replayed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| step.replay(&kinds)));
            if replayed.is_err() {
                failed.push(step.label());
            }
        }
    }
    assert!(count > 200, "{count} steps");
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
}
