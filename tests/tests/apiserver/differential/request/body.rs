//! The bodies of requests: objects, and patches of all kinds but applies.

use operatorkit::serde_json::{Value, json};
use proptest::sample::Index;

use super::Writer;
use crate::differential::{
    kind::Field,
    step::{Edit, Meets, Strange},
};

/// Without it the real server does not know its own object any more: see `differences.md`.
const NAMELESS: &str = "/apiVersion";

impl Writer<'_> {
    /// An object that says no more than its name.
    pub(super) fn bare(&self, sub: &str) -> Value {
        let (api_version, kind) = match sub {
            "scale" => ("autoscaling/v1", "Scale"),
            _ => (&*self.kind.api_version, &*self.kind.kind),
        };
        json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": self.name}})
    }

    pub(super) fn whole(&self) -> Value {
        let mut object = self.bare("");
        for (key, value) in self.kind.minimal.as_object().into_iter().flatten() {
            object[key] = value.clone();
        }
        object
    }

    pub(super) fn fresh(&self, sub: &str) -> Value {
        if sub == "scale" { self.bare(sub) } else { self.whole() }
    }

    fn fields(&self, of: &str) -> &[Field] {
        &self.kind.fields[of]
    }

    /// The field of an edit, and the value that it gets.
    fn chosen(&self, of: &str, edit: &Edit) -> Option<(&Field, Option<Value>)> {
        let field = edit.field.get(self.fields(of));
        let Some(value) = edit.value else {
            return Some((field, None));
        };
        let values = if edit.wrong && !field.wrong.is_empty() {
            &field.wrong
        } else {
            &field.right
        };
        (!values.is_empty()).then(|| (field, Some(value.get(values).clone())))
    }

    pub(super) fn edit(&self, body: &mut Value, of: &str, edits: &[Edit]) {
        for (field, value) in edits.iter().filter_map(|edit| self.chosen(of, edit)) {
            match value {
                Some(value) => field.place.set(body, value),
                None => field.place.remove(body),
            }
        }
    }

    /// The body of an apply.
    pub(super) fn laid(&self, sub: &str, whole: bool, edits: &[Edit], meets: &Meets) -> Value {
        let mut body = if whole && sub.is_empty() {
            self.whole()
        } else {
            self.bare(sub)
        };
        // A `null` in the metadata of a custom object stays in the real server's store.
        let is_null = |edit: &Edit| {
            self.chosen(sub, edit)
                .is_none_or(|(_, value)| value.unwrap_or_default().is_null())
        };
        let given = edits.iter().filter(|edit| edit.value.is_some() && !is_null(edit));
        given.for_each(|edit| self.edit(&mut body, sub, std::slice::from_ref(edit)));
        self.meet(&mut body, meets);
        body
    }

    /// A merge patch: what is to be removed is `null` in it.
    pub(super) fn patch(&self, sub: &str, edits: &[Edit], meets: &Meets) -> Value {
        let mut body = json!({});
        for (field, value) in edits.iter().filter_map(|edit| self.chosen(sub, edit)) {
            if value.is_none() && field.place.pointer(&body) == NAMELESS {
                continue;
            }
            field.place.set(&mut body, value.unwrap_or_default());
        }
        self.meet(&mut body, meets);
        body
    }

    pub(super) fn meet(&self, body: &mut Value, meets: &Meets) {
        // A rehearsed creation by PUT shows what version it was asked for.
        if let Some(version) = self.version(meets.version).filter(|_| !self.step.options.dry_run) {
            body["metadata"]["resourceVersion"] = version.into();
        }
        if let Some(uid) = self.uid(meets.uid) {
            body["metadata"]["uid"] = uid.into();
        }
    }

    pub(super) fn operations(
        &self,
        sub: &str,
        edits: &[Edit],
        test: Option<&Edit>,
        strange: Option<&Strange>,
    ) -> Value {
        let seen = self
            .seen
            .last(&self.kind.kind, self.name, sub)
            .cloned()
            .unwrap_or_else(|| self.fresh(sub));
        let mut operations = Vec::new();
        if let Some((field, value)) = test.and_then(|test| self.chosen(sub, test)) {
            let there = field.place.get(&seen).cloned();
            let value = there.or(value).unwrap_or_default();
            operations.push(json!({"op": "test", "path": field.place.pointer(&seen), "value": value}));
        }
        for edit in edits {
            let Some((field, value)) = self.chosen(sub, edit) else {
                continue;
            };
            let pointer = field.place.pointer(&seen);
            operations.push(match value {
                None if pointer == NAMELESS => continue,
                None => json!({"op": "remove", "path": pointer}),
                Some(value) if edit.wrong => json!({"op": "add", "path": pointer, "value": value}),
                Some(value) if field.place.get(&seen).is_some() => {
                    json!({"op": "replace", "path": pointer, "value": value})
                }
                Some(value) => {
                    let (path, value) = field.place.addition(&seen, value);
                    json!({"op": "add", "path": path, "value": value})
                }
            });
        }
        let pointer = |index: &Index| index.get(self.fields(sub)).place.pointer(&seen);
        match strange {
            None => {}
            Some(Strange::Move(from, to)) => {
                operations.push(json!({"op": "move", "from": pointer(from), "path": pointer(to)}));
            }
            Some(Strange::Copy(from, to)) => {
                operations.push(json!({"op": "copy", "from": pointer(from), "path": pointer(to)}));
            }
            Some(Strange::Nothing) => operations.clear(),
            Some(Strange::BadPath) => operations.push(json!({"op": "add", "path": "nothing", "value": 1})),
        }
        operations.into()
    }
}

pub(super) fn remove_name(body: &mut Value) {
    if let Some(metadata) = body["metadata"].as_object_mut() {
        metadata.remove("name");
    }
}
