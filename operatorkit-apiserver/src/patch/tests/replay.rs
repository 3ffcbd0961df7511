//! Patches that were sent to a real server, with what it answered. `cases.json` holds the objects that were patched, without
//! what a server adds, and for each patch the code, the warnings, and the object or the `Status` that came back. Patched
//! documents in messages stand as `_`: there, the real server keeps the order of its own structs.

use serde_json::{Value, json};

use crate::{
    decode::{Content, Decoded, FieldValidation, Kind, tests::openapi},
    failure::Failure,
    patch::{Patch, PatchKind},
};

#[test]
fn patches_are_applied_as_by_the_real_server() {
    let fixture: Value = serde_json::from_str(include_str!("cases.json")).unwrap();
    let cases = fixture["cases"].as_array().unwrap();
    assert!(cases.len() > 250);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| check(&fixture["objects"], case))
        .collect();
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is wrong with our answer.
fn check(objects: &Value, case: &Value) -> Option<String> {
    let name = case["object"].as_str().unwrap();
    let object = &objects[name];
    let patch = case["patch"].as_str().unwrap();
    let strategic = case["type"] == "strategic";
    let expected = json!({"code": case["code"], "answer": case["answer"], "warnings": case["warnings"]});
    let actual = match apply(object, name, &case["type"], patch, &case["validation"]) {
        Ok(decoded) => {
            let warnings: Vec<String> = decoded.warnings.iter().map(|it| crate::decode::warning(it)).collect();
            let same = decoded.object == *object;
            let answer = if same { json!("same") } else { decoded.object };
            json!({"code": 200, "answer": answer, "warnings": warnings})
        }
        Err(failure) => {
            let mut status = failure.status();
            for key in ["kind", "apiVersion", "metadata", "status"] {
                status.as_object_mut().unwrap().remove(key);
            }
            if !strategic {
                blank(&mut status["message"]);
                if let Some(causes) = status.pointer_mut("/details/causes") {
                    causes
                        .as_array_mut()
                        .unwrap()
                        .iter_mut()
                        .for_each(|cause| blank(&mut cause["message"]));
                }
            }
            json!({"code": failure.code, "answer": status, "warnings": []})
        }
    };
    (actual != expected).then(|| format!("{}: {patch}\n  expected {expected}\n  actual   {actual}", case["type"]))
}

fn apply(object: &Value, name: &str, type_: &Value, patch: &str, validation: &Value) -> Result<Decoded, Failure> {
    let (group, schema) = match name {
        "configmap" => ("", "core.v1.ConfigMap"),
        _ => ("apps", "apps.v1.Deployment"),
    };
    let kind = Kind {
        group,
        version: "v1",
        kind: schema.rsplit('.').next().unwrap(),
        content: Content::Typed {
            schema: openapi::api(schema),
            registered: &openapi::registered,
        },
    };
    let type_ = match type_.as_str().unwrap() {
        "json" => PatchKind::Json,
        "merge" => PatchKind::Merge,
        _ => PatchKind::Strategic,
    };
    let validation = FieldValidation::parse(validation.as_str().unwrap()).unwrap();
    Patch::parse(type_, patch.as_bytes())?.apply(object, &kind, validation)
}

/// The value in a message is left out.
fn blank(message: &mut Value) {
    let text = message.as_str().unwrap_or_default();
    let value = regex::Regex::new(r#"Invalid value: "(?:\\.|[^"\\])*""#).unwrap();
    *message = value.replace_all(text, "Invalid value: _").into_owned().into();
}
