//! The expansions, read as a user reads them under `cargo expand`.

use proc_macro2::TokenStream;
use quote::quote;

use super::{data, operator, resource, run};
use crate::validate;

fn pretty(tokens: TokenStream) -> String {
    let text = tokens.to_string();
    syn::parse2(tokens).map_or(text, |file| prettyplease::unparse(&file))
}

#[test]
fn a_resource() {
    let expanded = run(
        quote!(order = 2, delete_order = -1, after(Network), delete_after(Web)),
        quote!(
            pub struct Settings {
                message: String,
            }
        ),
        validate::resource,
        resource,
    );
    insta::assert_snapshot!(pretty(expanded));
}

#[test]
fn an_operator_of_an_own_kind() {
    let expanded = run(
        quote!(
            group = "demo.example.com",
            version = "v1",
            kind = "WebApp",
            namespaced,
            shortname = "wa",
            status = WebAppStatus,
            resources(Settings, web::Web)
        ),
        quote!(
            #[derive(PartialEq, Clone)]
            pub struct WebAppSpec {
                pub image: String,
            }
        ),
        validate::operator,
        operator,
    );
    insta::assert_snapshot!(pretty(expanded));
}

#[test]
fn an_operator_of_an_existing_kind() {
    let expanded = run(
        quote!(for = ConfigMap, name = "mirror", selector = "mirror=yes", resources(Copy), crate = crate::kit),
        quote!(
            pub struct Mirror;
        ),
        validate::operator,
        operator,
    );
    insta::assert_snapshot!(pretty(expanded));
}

#[test]
fn layers_in_their_order() {
    let attribute = quote!(layers(Trace, Retry::new(3)));
    let expanded = run(
        attribute,
        quote!(
            struct Web;
        ),
        validate::resource,
        resource,
    );
    insta::assert_snapshot!(pretty(expanded));
}

#[cfg(feature = "yaml")]
#[test]
fn a_resource_of_files() {
    let expanded = run(
        quote!(order = 1, yaml("web.yaml", "service.yaml")),
        quote!(
            pub struct Web;
        ),
        validate::resource,
        resource,
    );
    insta::assert_snapshot!(pretty(expanded));
}

#[test]
fn data_keeps_what_is_said() {
    let expanded = run(
        TokenStream::new(),
        quote!(
            #[derive(Default, Debug)]
            #[serde(rename_all = "kebab-case")]
            pub struct Size {
                pub width: u32,
            }
        ),
        validate::data,
        data,
    );
    insta::assert_snapshot!(pretty(expanded));
}

#[test]
fn half_written_input_still_gives_the_promised_types() {
    for attribute in [
        quote!(group = , version = "v1", resources(Web)),
        quote!(kind = "WebApp" "x"),
        quote!(),
        quote!(= 3, resources(,)),
    ] {
        let expanded = run(
            attribute,
            quote!(
                pub struct WebAppSpec {
                    pub image: String,
                }
            ),
            validate::operator,
            operator,
        )
        .to_string();
        for promised in [
            "compile_error",
            "struct WebAppSpec",
            "struct WebAppResources",
            "Operator for WebApp",
            "CustomResource",
        ] {
            assert!(expanded.contains(promised), "{promised}: {expanded}");
        }
    }
    let expanded = run(
        quote!(order = , after(, delete_order)),
        quote!(
            struct Web;
        ),
        validate::resource,
        resource,
    )
    .to_string();
    for promised in ["compile_error", "struct Web", "Node for Web"] {
        assert!(expanded.contains(promised), "{promised}: {expanded}");
    }
}

#[test]
fn an_item_that_does_not_parse_comes_out_as_it_was() {
    let expanded = run(
        quote!(order = 1),
        quote!(struct Web { field: }),
        validate::resource,
        resource,
    )
    .to_string();
    assert!(
        expanded.contains("struct Web { field : }") && expanded.contains("compile_error"),
        "{expanded}"
    );
}

#[test]
fn a_renamed_operatorkit_is_all_that_is_named() {
    let spec = quote!(
        pub struct WebAppSpec {
            pub image: String,
        }
    );
    let kind = quote!(
        crate = ::kit,
        group = "a.b",
        version = "v1",
        kind = "WebApp",
        status = Shown,
        resources(Web)
    );
    let expansions = [
        run(kind, spec.clone(), validate::operator, operator),
        run(
            quote!(crate = ::kit, after(Web)),
            spec.clone(),
            validate::resource,
            resource,
        ),
        run(quote!(crate = ::kit), spec, validate::data, data),
    ];
    for expanded in expansions {
        let text = pretty(expanded);
        assert!(
            text.contains("::kit::__private") && !text.contains("operatorkit"),
            "{text}"
        );
    }
}

#[test]
fn what_no_operator_can_be_made_of_still_gives_the_promised_types() {
    let attribute = quote!(group = "a.example", version = "v1", kind = "WebApp", resources(Web));
    for item in [
        quote!(
            pub enum WebAppSpec {
                A,
            }
        ),
        quote!(
            pub struct WebAppSpec<T>(T);
        ),
    ] {
        let expanded = run(attribute.clone(), item.clone(), validate::operator, operator).to_string();
        for promised in [
            &item.to_string(),
            "compile_error",
            "use self :: __web_app :: WebApp",
            "struct WebAppResources",
        ] {
            assert!(expanded.contains(promised), "{promised}: {expanded}");
        }
    }
}

#[test]
fn the_kind_is_as_visible_as_its_spec() {
    let vis = |vis: TokenStream| {
        let attribute = quote!(group = "a.example", version = "v1", kind = "WebApp", resources(Web));
        let expanded = run(
            attribute,
            quote!(#vis struct WebAppSpec {}),
            validate::operator,
            operator,
        )
        .to_string();
        let inside = expanded.split("WebAppSpec ;)] ").nth(1).unwrap();
        inside.split(" struct").next().unwrap().to_owned()
    };
    assert_eq!(vis(quote!(pub)), "pub");
    assert_eq!(vis(quote!()), "pub (super)");
    assert_eq!(vis(quote!(pub(self))), "pub (super)");
    assert_eq!(vis(quote!(pub(crate))), "pub (crate)");
    assert_eq!(vis(quote!(pub(super))), "pub (in super :: super)");
    assert_eq!(vis(quote!(pub(in super::super))), "pub (in super :: super :: super)");
    assert_eq!(vis(quote!(pub(in crate::demo))), "pub (in crate :: demo)");
}

#[test]
fn derives_of_the_kind_are_found_from_the_module_inside() {
    let attribute = quote!(
        group = "a.example",
        version = "v1",
        kind = "WebApp",
        derive = "PartialEq",
        derive = "Mine",
        derive = "super::Theirs",
        derive = "other::Ones",
        resources(Web),
    );
    let expanded = run(
        attribute,
        quote!(
            struct WebAppSpec {}
        ),
        validate::operator,
        operator,
    )
    .to_string();
    for derive in [
        "\"PartialEq\"",
        "\"super::Mine\"",
        "\"super::super::Theirs\"",
        "\"other::Ones\"",
    ] {
        assert!(expanded.contains(&format!("derive = {derive}")), "{derive}: {expanded}");
    }
}

#[test]
fn a_mistyped_place_in_the_deletion_is_one_error() {
    let expanded = run(
        quote!(order = 1, delete_odrer = 1),
        quote!(
            struct Web;
        ),
        validate::resource,
        resource,
    )
    .to_string();
    assert!(expanded.contains("did you mean `delete_order`?"), "{expanded}");
    // It has a place, so the graph does not report it again.
    assert!(expanded.contains(". delete_order ("), "{expanded}");
}

#[test]
fn each_policy_of_a_resource_is_one_call() {
    let expanded = run(
        quote!(
            on_delete = "keep",
            retired,
            optional,
            adopt,
            replace = "recreate",
            ready_within = "1h 30m",
            delete_propagation = "Orphan",
            owner_reference,
            initial("/spec/replicas", "/spec/paused"),
        ),
        quote!(
            struct Web;
        ),
        validate::resource,
        resource,
    );
    let text: String = pretty(expanded).split_whitespace().collect();
    for call in [
        ".keep()",
        ".retired()",
        ".optional()",
        ".adopt()",
        ".recreate()",
        ".ready_within(::core::time::Duration::from_secs(5400))",
        ".delete_propagation(::operatorkit::__private::Propagation::Orphan)",
        ".owner_reference()",
        ".initial(&[\"/spec/replicas\",\"/spec/paused\"])",
    ] {
        assert!(text.contains(call), "{call}: {text}");
    }
}

#[test]
fn what_an_operator_succeeds_to_is_constants() {
    let expanded = run(
        quote!(
            group = "a.example",
            version = "v1",
            kind = "WebApp",
            formerly = ["old", "older"],
            legacy_finalizers("a.example/b"),
            orphans = "delete",
            resources(Web)
        ),
        quote!(
            struct WebAppSpec {}
        ),
        validate::operator,
        operator,
    );
    let text: String = pretty(expanded).split_whitespace().collect();
    for constant in [
        "constFORMERLY:&'static[&'staticstr]=&[\"old\",\"older\"];",
        "constLEGACY_FINALIZERS:&'static[&'staticstr]=&[\"a.example/b\"];",
        "constORPHANS:::operatorkit::__private::Orphans=::operatorkit::__private::Orphans::Delete;",
    ] {
        assert!(text.contains(constant), "{constant}: {text}");
    }
}

#[test]
fn rules_on_a_type_and_its_fields() {
    let expanded = run(
        quote!(validation("self.min <= self.max", message = "m", field_path = ".min")),
        quote!(
            pub struct Limits {
                #[validation("self >= oldSelf", optional_old_self, reason = "FieldValueForbidden")]
                #[validation("self > 0", message_expression = "'> 0'")]
                pub min: u32,
                pub max: u32,
            }
        ),
        validate::data,
        data,
    );
    insta::assert_snapshot!(pretty(expanded));
}
