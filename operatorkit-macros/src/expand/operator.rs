//! `#[operator]`: the kind, the struct of its resources, and the operator over its graph.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{ItemStruct, spanned::Spanned as _};

use super::{
    custom_resource::custom_resource,
    derives,
    paths::{at, moved, private},
    rules::put_on,
    succession::succession,
};
use crate::{
    model::{Kind, Listed, Operator, Pause, Selector},
    names::plain,
};

/// ```text
/// #[derive(Clone, …)] pub struct WebAppSpec { … }               // the item
/// pub use self::__web_app::WebApp;                              // for an own kind: `custom_resource.rs`
/// pub struct WebAppResources { pub settings: Settings, … }
/// const _: () = {
///     const NODES: [Meta; 3] = [<Settings as Node>::META, …];
///     const _: () = check::resource(&NODES, 0);                  // these two for each resource, on its name
///     const _: () = check::placed(&runs::<WebApp, Settings, _>());
///     const _: () = check::create_cycle(&NODES);                 // on `resources`
///     const _: () = check::status(Fields::<WebAppStatus>::RESERVED);
///     impl Operator for WebApp { … }
///     impl Resources for WebAppResources { type Operator = WebApp; }
/// };
/// ```
pub(crate) fn operator(model: Operator) -> TokenStream {
    let Operator {
        root,
        mut item,
        refused,
        kind,
        name,
        selector,
        succession: said,
        pause,
        field_selector,
        rules,
        resources,
        value,
        graph,
        layers,
    } = model;
    let private = private(&root);
    let operator = match &kind {
        Kind::Own { object, .. } => object.clone(),
        Kind::Existing(_) => item.ident.clone(),
    };
    if let Kind::Own { .. } = &kind {
        derives::put(&root, &mut item.attrs, Some("rename_all"));
        put_on(&root, &mut item.attrs, item.fields.iter_mut(), &rules);
    }
    let custom_resource = custom_resource(&root, &item, &kind);
    let struct_name = format_ident!("{}Resources", plain(&operator), span = operator.span());
    let struct_ = resources_struct(&item, &operator, &struct_name, &resources, value.as_ref());
    let checks = checks(&private, &operator, &resources, graph);
    let paths = resources.iter().map(|listed| &listed.path);
    let nodes = resources.iter().map(|Listed { path, field, span }| {
        let private = moved(&private, *span);
        quote_spanned!(at(*span)=> .node(resources.#field, #private::runs::<Self, #path, _>()))
    });
    let outlined = resources.iter().map(|Listed { path, span, .. }| {
        let private = moved(&private, *span);
        quote_spanned!(at(*span)=> .resource(&#private::runs::<Self, #path, _>()))
    });
    let count = Literal::usize_unsuffixed(resources.len());
    let name = name
        .map(|name| quote!(const NAME: ::core::option::Option<&'static str> = ::core::option::Option::Some(#name);));
    let selector = selector.map(|selector| match selector {
        Selector::All => quote!(const SELECTOR: #private::Selector = #private::Selector::All;),
        Selector::Labels(labels) => quote!(const SELECTOR: #private::Selector = #private::Selector::Labels(#labels);),
    });
    let succession = succession(&private, &said);
    let layers = layers.map(|layers| {
        let layers = super::layers::layers(&private, &layers);
        quote!(fn layers() -> #private::Layers { #layers })
    });
    let pause = pause_items(&private, &pause);
    let field_selector = field_selector.map(|fields| {
        quote!(const FIELD_SELECTOR: ::core::option::Option<&'static str> = ::core::option::Option::Some(#fields);)
    });
    let (value_call, value_impl) = value_of_pass(&private, &operator, value.as_ref());
    let status = status_check(&private, &kind);
    let (types, functions) = kind_items(&private, &kind);
    quote! {
        #refused
        #item
        #custom_resource
        #struct_
        const _: () = {
            const NODES: [#private::Meta; #count] = [#(<#paths as #private::Node>::META),*];
            #checks
            #status
            #[automatically_derived]
            impl #private::Operator for #operator {
                #types
                type Resources = #struct_name;
                #name
                #selector
                #succession
                #pause
                #field_selector
                const NODES: &'static [#private::Meta] = &NODES;
                #functions
                #layers
                fn graph(resources: Self::Resources) -> #private::Graph<Self> {
                    #private::Graph::<Self>::new()#(#nodes)* #value_call
                }
                fn outline() -> #private::Outline<Self> {
                    #private::Outline::<Self>::new()#(#outlined)*
                }
            }
            #value_impl
            #[automatically_derived]
            impl #private::Resources for #struct_name {
                type Operator = #operator;
            }
        };
    }
}

/// The consts of `pause(..)` and `paused_deletion`, where they stand.
fn pause_items(private: &TokenStream, pause: &Pause) -> TokenStream {
    let pairs = pause.pairs.iter().map(|(key, value)| quote!((#key, #value)));
    let pairs = (!pause.pairs.is_empty())
        .then(|| quote!(const PAUSE: &'static [(&'static str, &'static str)] = &[#(#pairs),*];));
    let deletion = pause
        .deletion_proceeds
        .then(|| quote!(const PAUSED_DELETION: #private::PausedDeletion = #private::PausedDeletion::Proceed;));
    quote!(#pairs #deletion)
}

/// What makes the value of a pass: `.value(resources.sessions)` at the end of the graph, and the trait that tells its type.
fn value_of_pass(
    private: &TokenStream,
    operator: &Ident,
    value: Option<&Listed>,
) -> (Option<TokenStream>, Option<TokenStream>) {
    let Some(Listed { path, field, span }) = value else {
        return (None, None);
    };
    let impl_ = quote! {
        #[automatically_derived]
        impl #private::HasValue for #operator {
            type Maker = #path;
        }
    };
    (Some(quote_spanned!(at(*span)=> .value(resources.#field))), Some(impl_))
}

fn resources_struct(
    item: &ItemStruct,
    operator: &Ident,
    name: &Ident,
    resources: &[Listed],
    value: Option<&Listed>,
) -> TokenStream {
    let vis = &item.vis;
    let doc = format!("The resources of [`{operator}`], one field each.");
    let fields = resources.iter().map(|Listed { path, field, .. }| {
        let doc = format!("The resource `{}`.", plain(field));
        quote!(#[doc = #doc] pub #field: #path)
    });
    let value =
        value.map(|Listed { path, field, .. }| quote!(#[doc = "What makes the value of each pass."] pub #field: #path));
    let fields = fields.chain(value);
    // A resource may hold what has no Debug, so the struct has none either; that is not the user's to answer for.
    quote! {
        #[doc = #doc]
        #vis struct #name { #(#fields),* }
        #[automatically_derived]
        impl ::core::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(::core::stringify!(#name))
            }
        }
    }
}

/// The rules of the whole graph, a `const` each, so that several errors are reported at once.
fn checks(private: &TokenStream, operator: &Ident, resources: &[Listed], graph: Span) -> TokenStream {
    let each = resources.iter().enumerate().map(|(index, Listed { path, span, .. })| {
        let private = moved(private, *span);
        quote_spanned! {at(*span)=>
            const _: () = #private::check::resource(&NODES, #index);
            const _: () = #private::check::placed(&#private::runs::<#operator, #path, _>());
        }
    });
    let private = moved(private, graph);
    let whole = quote_spanned! {at(graph)=>
        const _: () = #private::check::create_cycle(&NODES);
        const _: () = #private::check::delete_cycle(&NODES);
    };
    quote!(#(#each)* #whole)
}

/// The rule that a status has no field with one of our names, as far as `#[data]` told.
fn status_check(private: &TokenStream, kind: &Kind) -> Option<TokenStream> {
    let Kind::Own {
        status: Some(status), ..
    } = kind
    else {
        return None;
    };
    let here = moved(private, status.span());
    let check = quote_spanned!(at(status.span())=> #here::check::status(#here::check::Fields::<#status>::RESERVED));
    Some(quote! {
        const _: () = {
            use #private::check::Unreserved as _;
            #check
        };
    })
}

/// The items that depend on whose kind it is: types, and functions.
fn kind_items(private: &TokenStream, kind: &Kind) -> (TokenStream, TokenStream) {
    let types = |object: &dyn ToTokens, status: &dyn ToTokens| {
        quote! {
            type Object = #object;
            type Status = #status;
        }
    };
    let no_status = quote!(#private::NoStatus);
    let (object, status) = match kind {
        Kind::Existing(object) => return (types(object, &no_status), TokenStream::new()),
        Kind::Own { status, object, .. } => (object, status.as_ref().map_or(no_status, ToTokens::to_token_stream)),
    };
    let functions = quote! {
        fn crd() -> ::core::option::Option<#private::CustomResourceDefinition> {
            ::core::option::Option::Some(#private::definition::<Self>())
        }
        fn status(object: &Self::Object) -> ::core::option::Option<&#private::Status<Self::Status>> {
            object.status.as_ref()
        }
    };
    (types(object, &status), functions)
}
