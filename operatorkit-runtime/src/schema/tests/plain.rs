//! Types without a choice: numbers, maps, options, what keeps anything.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::{NonZeroI32, NonZeroU16},
};

use k8s_openapi::apimachinery::pkg::{api::resource::Quantity, util::intstr::IntOrString};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::schema;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Integers {
    a: i8,
    b: u8,
    c: i16,
    d: u16,
    e: i32,
    f: u32,
    g: i64,
    h: u64,
    i: isize,
    j: usize,
    k: i128,
    l: u128,
    m: NonZeroU16,
    n: NonZeroI32,
    #[schemars(range(max = 10))]
    o: u32,
    p: Option<u8>,
    q: Vec<u16>,
}

#[test]
fn integers_have_their_real_bounds_and_formats_that_kubernetes_knows() {
    let schema = schema::<Integers>();
    let fields = schema["properties"].as_object().unwrap();
    let known = |field: &Value| {
        let format = field["format"].as_str();
        format.is_some_and(|format| ["int32", "int64"].contains(&format))
    };
    let numbers = || fields.iter().filter(|(name, _)| *name != "q");
    assert!(numbers().all(|(_, field)| known(field)), "{schema:#}");
    assert!(known(&fields["q"]["items"]), "{schema:#}");
    let bounds = |field: &str| (fields[field]["minimum"].as_i64(), fields[field]["maximum"].as_i64());
    assert_eq!(bounds("a"), (Some(-128), Some(127)));
    assert_eq!(bounds("b"), (Some(0), Some(255)));
    assert_eq!(bounds("c"), (Some(-32768), Some(32767)));
    assert_eq!(bounds("d"), (Some(0), Some(65535)));
    assert_eq!(bounds("e"), (None, None));
    assert_eq!(bounds("f"), (Some(0), Some(4_294_967_295)));
    assert_eq!(bounds("g"), (None, None));
    assert_eq!(bounds("h"), (Some(0), None));
    assert_eq!(bounds("i"), (None, None));
    assert_eq!(bounds("j"), (Some(0), None));
    assert_eq!(bounds("k"), (None, None));
    assert_eq!(bounds("l"), (Some(0), None));
    assert_eq!(bounds("m"), (Some(1), Some(65535)));
    assert_eq!(fields["n"]["not"], json!({ "enum": [0] }));
    assert_eq!(bounds("o"), (Some(0), Some(10)));
    assert_eq!(bounds("p"), (Some(0), Some(255)));
    assert_eq!(fields["p"]["nullable"], true);
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct FreeForm {
    value: Value,
    optional: Option<Value>,
    map: Map<String, Value>,
    list: Vec<Value>,
    texts: BTreeMap<String, String>,
    set: BTreeSet<String>,
    quantity: Quantity,
    port: Option<IntOrString>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[test]
fn what_may_be_anything_is_kept() {
    let schema = schema::<FreeForm>();
    let anything = json!({ "x-kubernetes-preserve-unknown-fields": true, "nullable": true });
    let mut fields = schema["properties"].clone();
    for field in ["quantity", "port"] {
        fields[field].as_object_mut().unwrap().remove("description");
    }
    assert_eq!(
        fields,
        json!({
            "value": anything,
            "optional": anything,
            "map": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
            "list": { "type": "array", "items": anything },
            "texts": { "type": "object", "additionalProperties": { "type": "string" } },
            // The API server takes no `uniqueItems`, and serde takes one twice.
            "set": { "type": "array", "items": { "type": "string" } },
            "quantity": { "x-kubernetes-int-or-string": true },
            "port": { "x-kubernetes-int-or-string": true, "nullable": true },
        }),
        "{schema:#}"
    );
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["x-kubernetes-preserve-unknown-fields"], true);
    assert!(schema.get("additionalProperties").is_none(), "{schema:#}");
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Other {
    #[schemars(extend("exclusiveMinimum" = 0))]
    positive: f64,
    letter: char,
    three: [u8; 3],
    #[schemars(extend("format" = "duration"))]
    lasts: String,
    #[schemars(extend("format" = "date-time"))]
    when: String,
    #[schemars(regex(pattern = "^a"), length(max = 3))]
    name: Option<String>,
}

#[test]
fn conditions_are_kept_and_formats_that_mean_something_else_are_not() {
    let schema = schema::<Other>();
    let fields = &schema["properties"];
    assert_eq!(
        fields["positive"],
        json!({ "type": "number", "format": "double", "minimum": 0, "exclusiveMinimum": true })
    );
    assert_eq!(
        fields["letter"],
        json!({ "type": "string", "minLength": 1, "maxLength": 1 })
    );
    assert_eq!(
        (&fields["three"]["minItems"], &fields["three"]["maxItems"]),
        (&json!(3), &json!(3))
    );
    assert_eq!(fields["lasts"], json!({ "type": "string" }));
    assert_eq!(fields["when"], json!({ "type": "string", "format": "date-time" }));
    assert_eq!(
        fields["name"],
        json!({ "type": "string", "nullable": true, "pattern": "^a", "maxLength": 3 })
    );
    assert_eq!(
        schema["required"],
        json!(["positive", "letter", "three", "lasts", "when"])
    );
}

#[derive(JsonSchema, serde::Serialize, Default)]
#[serde(default)]
struct Injector {
    enable: bool,
    image: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Defaulted {
    #[serde(default)]
    injector: Injector,
    #[serde(default)]
    none: Option<String>,
}

#[test]
fn a_default_of_a_parent_is_in_the_schema() {
    let schema = schema::<Defaulted>();
    let injector = &schema["properties"]["injector"];
    assert_eq!(injector["default"], json!({ "enable": false, "image": null }));
    assert_eq!(injector["properties"]["enable"]["default"], json!(false));
    assert!(schema.get("required").is_none(), "{schema:#}");
    // `null` says nothing: the API server would take it for a value of the field.
    assert!(schema["properties"]["none"].get("default").is_none(), "{schema:#}");
}
