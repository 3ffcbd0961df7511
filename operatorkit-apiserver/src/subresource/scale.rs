//! `/scale`: the replicas of an object, in the same form for all kinds (`autoscaling/v1`).

use serde_json::{Value, json};

use super::Asked;
use crate::{
    apply,
    failure::{Failure, FieldError, FieldPath, Target},
    negotiate::PatchType,
    object,
    patch::Patch,
    request::WriteOptions,
    selector::LabelSelector,
    verbs::{
        Call, Outcome, Shown, ingest, ownership, patch,
        strategy::{self, Part},
        update::{self, Changed},
    },
};

const API_VERSION: &str = "autoscaling/v1";

pub(super) fn outcome(asked: Asked<'_>) -> Result<Outcome, Failure> {
    let call = asked.call;
    match asked.verb {
        "get" => {
            let object = strategy::show(&call.served, &*call.stored()?);
            let (scale, has_replicas) = of(call, &object)?;
            match call.served.custom() {
                Some(custom) if !has_replicas => Err(custom.no_replicas()),
                _ => Ok(document(scale)),
            }
        }
        "update" => {
            let options = WriteOptions::parse(&call.query, "UpdateOptions")?;
            let scale = ingest::document(asked.content_type, asked.body, API_VERSION, "Scale")?;
            change(call, &options, |_| Ok(scale.clone()))
        }
        "patch" => patched(asked),
        _ => Err(Failure::method_not_allowed()),
    }
}

fn patched(asked: Asked<'_>) -> Result<Outcome, Failure> {
    let type_ = patch::type_of(asked.call, asked.content_type)?;
    let options = WriteOptions::parse(&asked.call.query, "PatchOptions")?;
    if type_ == PatchType::Apply {
        return applied(asked, &options);
    }
    let patch = Patch::parse(patch::kind_of(type_), asked.body)?;
    change(asked.call, &options, |scale| {
        let decoded = ingest::with_built_in(API_VERSION, "Scale", |kind| {
            patch.apply(scale, kind, options.field_validation)
        })??;
        decoded
            .warnings
            .into_iter()
            .for_each(|warning| asked.call.warn(warning));
        Ok(decoded.object)
    })
}

/// An apply of a `Scale`: the owner of the replicas changes in the object that it stands for.
fn applied(asked: Asked<'_>, options: &WriteOptions) -> Result<Outcome, Failure> {
    let call = asked.call;
    let force = options.force.unwrap_or(false);
    let schema = crate::builtin::kinds().schema("autoscaling", "v1", "Scale");
    let schema = schema.ok_or_else(|| Failure::internal("no schema of Scale"))?;
    let shown = update::change(call, Part::Scale, options, |old| {
        let applied = ingest::applied(asked.body, API_VERSION, "Scale")?;
        let path = replicas_path(call);
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let carried = apply::Scale::new(
            old,
            &call.served.api_version,
            &[(&call.served.api_version, Some(&path))],
        );
        let (mut scale, _) = of(call, old)?;
        carried.to_scale(&mut scale);
        if call.served.custom().is_some() && scale["metadata"]["managedFields"].is_null() {
            // The real server would note who owned the replicas before, and cannot for a kind without a Go type.
            let message = "failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, \
                           Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1";
            return Err(Failure::new(500, "", message));
        }
        let mut laid = ownership::with_request(call, Part::Scale, &options.field_manager, |request| {
            let request = apply::Request {
                api_version: API_VERSION,
                kind: "Scale",
                schema: schema.get(),
                versions: &apply::OneVersion,
                reset: None,
                built_in: true,
                ..*request
            };
            apply::apply(Some(&scale), &applied.object, force, &request)
        })?;
        applied.check(call, options.field_validation)?;
        let mut new = old.clone();
        set(call, &mut new, &laid)?;
        carried.to_parent(&laid, &mut new);
        laid["metadata"]["managedFields"].take();
        Ok(Changed {
            object: new,
            owned: true,
        })
    })?;
    answer(call, &shown)
}

fn change(
    call: &Call,
    options: &WriteOptions,
    make: impl Fn(&Value) -> Result<Value, Failure>,
) -> Result<Outcome, Failure> {
    let shown = update::change(call, Part::Scale, options, |old| {
        let (scale, _) = of(call, old)?;
        let new_scale = make(&scale)?;
        if call.served.custom().is_none() {
            check(&new_scale, object::name(old))?;
        }
        let name = object::name(&new_scale);
        if !name.is_empty() && name != object::name(old) {
            let given = object::name(old);
            let message = format!("the name of the object ({name}) does not match the name on the URL ({given})");
            return Err(Failure::bad_request(message));
        }
        let mut new = old.clone();
        set(call, &mut new, &new_scale)?;
        let metadata = object::metadata_mut(&mut new);
        for field in ["resourceVersion", "uid"] {
            let given = &new_scale["metadata"][field];
            if given.is_string() {
                metadata.insert(field.into(), given.clone());
            }
        }
        Ok(Changed {
            object: new,
            owned: false,
        })
    })?;
    answer(call, &shown)
}

/// A scale is judged as such (`autoscaling/validation.ValidateScale`).
fn check(scale: &Value, name: &str) -> Result<(), Failure> {
    let replicas = &scale["spec"]["replicas"];
    if replicas.as_i64().unwrap_or(0) >= 0 {
        return Ok(());
    }
    let error = FieldError::invalid(
        &FieldPath::new("spec.replicas"),
        replicas,
        "must be greater than or equal to 0",
    );
    Err(Failure::invalid(Target::new("autoscaling", "Scale", name), &[error]))
}

fn answer(call: &Call, shown: &Shown) -> Result<Outcome, Failure> {
    let object = match shown {
        Shown::Stored(stored) => strategy::show(&call.served, stored),
        Shown::Value(value) => value.clone(),
    };
    Ok(document(of(call, &object)?.0))
}

fn document(scale: Value) -> Outcome {
    Outcome::Document { code: 200, body: scale }
}

/// The `Scale` of an object, and whether the object has replicas.
fn of(call: &Call, parent: &Value) -> Result<(Value, bool), Failure> {
    if let Some(custom) = call.served.custom() {
        let scale = custom.scale_of(parent).map_err(Failure::internal)?;
        return scale.ok_or_else(Failure::no_such_resource);
    }
    let mut metadata = json!({});
    for field in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let Some(value) = parent["metadata"].get(field) {
            metadata[field] = value.clone();
        }
    }
    let mut scale = json!({
        "kind": "Scale", "apiVersion": API_VERSION, "metadata": metadata,
        "spec": {}, "status": { "replicas": parent["status"]["replicas"].as_i64().unwrap_or(0) },
    });
    if let Some(replicas) = parent["spec"]["replicas"].as_i64().filter(|replicas| *replicas != 0) {
        scale["spec"]["replicas"] = replicas.into();
    }
    let selector = LabelSelector::from_object(&match_labels(&parent["spec"]["selector"])).map_err(Failure::internal)?;
    if !selector.is_empty() {
        scale["status"]["selector"] = selector.to_string().into();
    }
    Ok((scale, true))
}

/// A selector as one of today: that of a ReplicationController is a map of labels.
fn match_labels(selector: &Value) -> Value {
    let modern = ["matchLabels", "matchExpressions"]
        .iter()
        .any(|field| selector.get(field).is_some());
    if modern {
        selector.clone()
    } else {
        json!({ "matchLabels": selector })
    }
}

fn set(call: &Call, parent: &mut Value, scale: &Value) -> Result<(), Failure> {
    match call.served.custom() {
        Some(custom) => custom.apply_scale(parent, scale),
        None => {
            let replicas = scale["spec"]["replicas"].as_i64().unwrap_or(0);
            parent["spec"]["replicas"] = replicas.into();
            Ok(())
        }
    }
}

fn replicas_path(call: &Call) -> Vec<String> {
    let custom = call.served.custom().and_then(|custom| custom.scale.as_ref());
    let path = custom.map_or(".spec.replicas", |scale| &*scale.spec_replicas);
    path.split('.')
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}
