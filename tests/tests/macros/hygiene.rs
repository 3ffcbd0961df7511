//! Names of a user that could be taken for ours.

use operatorkit::{Cx, Flow, Result, Step};

macro_rules! step {
    ($step:path: $object:path, of $operator:path) => {
        impl Step for $step {
            type Operator = $operator;
            type Output = ();

            async fn ensure_created(&self, _: &$object, _: &Cx<Self>) -> Result<Flow<()>> {
                Ok(().into())
            }
        }
    };
}

#[expect(dead_code, reason = "the names are only there to be taken for ours")]
pub(crate) mod own_kind {
    use operatorkit::{data, operator, resource};

    mod core {}
    mod std {}
    mod alloc {}
    mod serde {}
    mod schemars {}
    mod kube {}
    mod check {}
    struct Option;
    struct Some;
    struct None;
    struct Result;
    struct Ok;
    struct Err;
    struct Box;
    struct Vec;
    struct String;
    trait Send {}
    trait Into {}
    trait From {}
    trait ToString {}
    trait Default {}
    struct Clone;
    struct Debug;
    struct Serialize;
    struct Operator;
    struct Resources;
    struct Meta;
    struct Graph;
    struct Status;
    struct CustomResourceDefinition;
    const NODES: () = ();

    #[operator(
        group = "demo.example.com", version = "v1", kind = "Named", status = Shown, shortname = "n",
        label("a", "b"), printcolumn(name = "Type", type_ = "integer", json_path = ".spec.type"), resources(r#type, Self_),
    )]
    pub(crate) struct NamedSpec {
        pub(crate) r#type: u8,
        pub(crate) shown: Shown,
    }

    #[data]
    #[derive(Default)]
    pub(crate) struct Shown {
        pub(crate) r#match: u8,
    }

    #[resource(order = 1)]
    #[expect(non_camel_case_types, reason = "a raw identifier is what this is about")]
    pub(crate) struct r#type;

    #[resource(after(r#type))]
    pub(crate) struct Self_;
}

step!(own_kind::r#type: own_kind::Named, of own_kind::Named);
step!(own_kind::Self_: own_kind::Named, of own_kind::Named);

#[expect(dead_code, reason = "the names are only there to be taken for ours")]
pub(crate) mod existing_kind {
    use operatorkit::{data, k8s_openapi::api::core::v1::ConfigMap, operator, resource};

    mod core {}
    mod std {}
    struct Option;
    struct Result;
    struct Some;
    struct None;
    trait Default {}
    trait Send {}
    trait Into {}

    #[operator(for = ConfigMap, selector = "a=b", resources(Copy))]
    pub(crate) struct Mirror;

    /// Also the name of a trait in the prelude.
    #[resource(order = -1, delete_order = 1, name = "a-copy")]
    pub(crate) struct Copy;

    #[data]
    pub(crate) struct Nested {
        pub(crate) text: ::std::option::Option<::std::string::String>,
    }

    #[data]
    pub(crate) enum Choice {
        One,
        Two { first: ::std::vec::Vec<Nested> },
    }
}

step!(existing_kind::Copy: operatorkit::k8s_openapi::api::core::v1::ConfigMap, of existing_kind::Mirror);

#[test]
fn raw_identifiers_lose_their_prefix_only_in_names() {
    let _ = own_kind::NamedResources {
        r#type: own_kind::r#type,
        self_: own_kind::Self_,
    };
    let names: Vec<_> = <own_kind::Named as operatorkit::Operator>::NODES
        .iter()
        .map(|node| node.name)
        .collect();
    assert_eq!(names, ["type", "self"]);
}
