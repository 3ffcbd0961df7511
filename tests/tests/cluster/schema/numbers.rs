//! S-26: integers are refused where the Rust type refuses them.

use std::num::NonZeroU16;

use operatorkit::{
    prelude::*,
    serde_json::{Value, json},
};
use operatorkit_testing::Cluster;

use super::{Written, idle};
use crate::servers::on_both;

on_both!(integers_out_of_the_bounds_of_their_type_are_refused);

#[operator(group = "schema.test", version = "v1", kind = "Counted", namespaced, resources(Idle))]
pub(crate) struct CountedSpec {
    a: Option<u8>,
    b: Option<u16>,
    c: Option<u32>,
    d: Option<u64>,
    e: Option<i8>,
    f: Option<i32>,
    g: Option<i64>,
    h: Option<NonZeroU16>,
    i: Option<i128>,
}

idle!(Idle of Counted);

async fn integers_out_of_the_bounds_of_their_type_are_refused(cluster: &'static Cluster) {
    let counted = Written::of::<Counted>(cluster, "counted").await;
    let spec = |field: &str, value: &Value| {
        let mut spec = json!({});
        spec[field] = value.clone();
        spec
    };
    let taken = [
        ("a", json!(255)),
        ("b", json!(65535)),
        ("c", json!(4_294_967_295_u32)),
        ("d", json!(i64::MAX)),
        ("e", json!(-128)),
        ("f", json!(i32::MIN)),
        ("g", json!(i64::MIN)),
        ("h", json!(1)),
        ("i", json!(i64::MIN)),
    ];
    for (field, value) in taken {
        let stored = counted.create(&format!("taken-{field}"), spec(field, &value)).await;
        let stored = stored.expect("the type takes it");
        assert_eq!(stored[field], value);
        operatorkit::serde_json::from_value::<CountedSpec>(stored).expect("and so does the operator");
    }
    let refused = [
        ("a", json!(256)),
        ("a", json!(-1)),
        ("b", json!(65536)),
        ("c", json!(4_294_967_296_u64)),
        ("c", json!(-1)),
        ("d", json!(-1)),
        ("e", json!(128)),
        ("f", json!(2_147_483_648_u32)),
        ("h", json!(0)),
        ("h", json!(65536)),
        ("f", json!(1.5)),
    ];
    for (index, (field, value)) in refused.into_iter().enumerate() {
        let spec = spec(field, &value);
        operatorkit::serde_json::from_value::<CountedSpec>(spec.clone()).expect_err("the type refuses it");
        let refusal = counted.create(&format!("refused-{index}"), spec).await;
        let refusal = refusal.expect_err(&format!("{field} cannot be {value}"));
        assert!(refusal.contains(&format!("spec.{field}")), "{refusal}");
    }
}
