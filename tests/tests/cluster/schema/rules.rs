//! Rules in CEL: `validation(..)`.

use operatorkit::{
    Operator,
    kube::CustomResourceExt,
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::Cluster;

use super::{Written, idle};
use crate::servers::on_both;

on_both!(rules_refuse_in_our_words, rules_about_changes_see_what_was);

/// Rules at every place: on the object, the spec, a field, a type below, and its fields.
#[operator(
    group = "schema.test",
    version = "v1",
    kind = "Ruled",
    namespaced,
    doc = "A thing with rules.",
    validation(
        "self.metadata.name.size() < 10",
        object,
        message = "a name has less than 10 characters"
    ),
    validation(
        "self.limits.min <= self.least",
        message_expression = "self.limits.min == 4 ? 'least must be at least 4' : ''",
        message = "least must not be below min",
        reason = "FieldValueForbidden",
        field_path = ".least"
    ),
    resources(Idle)
)]
pub(crate) struct RuledSpec {
    least: i64,
    limits: Limits,
    /// Never changes.
    #[validation("self == oldSelf", message = "the zone never changes")]
    zone: Option<String>,
    /// Grows.
    #[validation(
        "!oldSelf.hasValue() || self >= oldSelf.value()",
        optional_old_self,
        message = "the size never shrinks"
    )]
    #[schemars(range(max = 1000))]
    size: Option<u32>,
}

#[data(validation("self.min <= self.max", message = "min must not be above max"))]
pub(crate) struct Limits {
    #[validation("self % 2 == 0")]
    min: i64,
    max: i64,
}

idle!(Idle of Ruled);

async fn rules_refuse_in_our_words(cluster: &'static Cluster) {
    let ruled = Written::of::<Ruled>(cluster, "ruled").await;
    let spec = |least: i64, min: i64, max: i64| json!({ "least": least, "limits": { "min": min, "max": max } });
    ruled
        .create("good", spec(4, 4, 9))
        .await
        .expect("no rule is against it");
    let refusals = [
        ("a-long-name", spec(4, 4, 9), "a name has less than 10 characters"),
        (
            "forbidden",
            spec(3, 4, 9),
            "spec.least: Forbidden: least must be at least 4",
        ),
        // An expression that says nothing leaves the word to the message.
        (
            "least",
            spec(1, 2, 9),
            "spec.least: Forbidden: least must not be below min",
        ),
        ("above", spec(4, 4, 3), "spec.limits: Invalid value: "),
        ("above", spec(4, 4, 3), "min must not be above max"),
        ("odd", spec(4, 3, 9), "failed rule: self % 2 == 0"),
    ];
    for (name, spec, told) in refusals {
        let refusal = ruled.create(name, spec).await.expect_err(told);
        assert!(refusal.contains(told), "{refusal}");
    }
}

async fn rules_about_changes_see_what_was(cluster: &'static Cluster) {
    let ruled = Written::of::<Ruled>(cluster, "ruled-changes").await;
    let spec = json!({ "least": 4, "limits": { "min": 2, "max": 9 }, "zone": "a", "size": 5 });
    ruled.create("x", spec).await.expect("new, so no rule is against it");
    ruled
        .change("x", json!({ "zone": "a", "size": 6 }))
        .await
        .expect("it grows");
    let refusal = ruled
        .change("x", json!({ "zone": "b" }))
        .await
        .expect_err("it never changes");
    assert!(
        refusal.contains("spec.zone: Invalid value: ") && refusal.contains("the zone never changes"),
        "{refusal}"
    );
    let refusal = ruled
        .change("x", json!({ "size": 5 }))
        .await
        .expect_err("it never shrinks");
    assert!(refusal.contains("the size never shrinks"), "{refusal}");
    let refusal = ruled
        .change("x", json!({ "size": 1001 }))
        .await
        .expect_err("it is bounded");
    assert!(refusal.contains("less than or equal to 1000"), "{refusal}");
}

#[test]
fn both_ways_to_a_definition_give_the_same_and_say_what_the_kind_is() {
    let definition = <Ruled as CustomResourceExt>::crd();
    assert_eq!(<Ruled as Operator>::crd(), Some(definition.clone()));
    let definition = to_value(definition).expect("JSON");
    let schema = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(schema["description"], "A thing with rules.");
    let of_spec = schema["properties"]["spec"]["description"].as_str();
    assert!(
        of_spec.is_some_and(|text| text.starts_with("Rules at every place")),
        "{schema:#}"
    );
}
