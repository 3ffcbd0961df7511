//! The forms that a schema allows: `oneOf`, `anyOf` and `allOf` taken apart.

use serde_json::{Map, Value};

/// The schemas of which a value has to meet one; each without `oneOf`, `anyOf` and `allOf`.
pub(super) fn forms(schema: &Value) -> Vec<Value> {
    let Some(plain) = schema.as_object() else {
        return vec![schema.clone()];
    };
    let mut plain = plain.clone();
    let [all, any, one] = ["allOf", "anyOf", "oneOf"].map(|key| plain.remove(key));
    let mut forms = vec![Value::Object(plain)];
    // Beside this its `anyOf` says nothing.
    if schema["x-kubernetes-int-or-string"] == true {
        return forms;
    }
    for part in parts(all.as_ref()) {
        forms = forms
            .iter()
            .flat_map(|form| choices(form, std::slice::from_ref(part)))
            .collect();
    }
    for choice in [any, one] {
        let parts = parts(choice.as_ref());
        if !parts.is_empty() {
            forms = forms.iter().flat_map(|form| choices(form, parts)).collect();
        }
    }
    forms
}

fn parts(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The form with each of the parts, and without the fields that only another part asks for.
fn choices(form: &Value, parts: &[Value]) -> Vec<Value> {
    let asked = |schema: &Value| strings(&schema["required"]);
    let choice = |part: &Value| {
        let own: Vec<_> = asked(part).into_iter().chain(asked(form)).collect();
        let foreign = parts.iter().flat_map(asked).filter(|key| !own.contains(key));
        let mut merged = merge(form, part);
        for key in foreign {
            if let Some(properties) = merged["properties"].as_object_mut() {
                properties.remove(&key);
            }
        }
        forms(&merged)
    };
    parts.iter().flat_map(choice).collect()
}

fn strings(list: &Value) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Both schemas at once.
fn merge(a: &Value, b: &Value) -> Value {
    let (Value::Object(a), Value::Object(b)) = (a, b) else {
        return b.clone();
    };
    let mut both = a.clone();
    for (key, value) in b {
        let merged = match (&**key, a.get(key)) {
            (_, None) => value.clone(),
            ("required", Some(before)) => [strings(before), strings(value)].concat().into(),
            ("enum", Some(before)) => common(before, value),
            ("properties", Some(Value::Object(before))) => Value::Object(merge_properties(before, value)),
            (_, Some(before)) => merge(before, value),
        };
        both.insert(key.clone(), merged);
    }
    Value::Object(both)
}

fn merge_properties(before: &Map<String, Value>, more: &Value) -> Map<String, Value> {
    let mut all = before.clone();
    for (key, value) in more.as_object().into_iter().flatten() {
        let merged = before
            .get(key)
            .map_or_else(|| value.clone(), |before| merge(before, value));
        all.insert(key.clone(), merged);
    }
    all
}

fn common(a: &Value, b: &Value) -> Value {
    let [a, b] = [a, b].map(|list| list.as_array().cloned().unwrap_or_default());
    a.into_iter().filter(|value| b.contains(value)).collect()
}
