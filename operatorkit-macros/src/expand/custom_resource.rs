//! The kind of an operator of its own: kube's derive, in a module of its own.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    ItemStruct, LitStr, Path, Token, VisRestricted, Visibility, parse_quote, parse_quote_spanned, spanned::Spanned as _,
};

use super::{
    paths::{at, is_absolute, literal, private, text},
    rules::each,
};
use crate::{
    model::Kind,
    names::{field, plain},
};

/// ```text
/// type __WebAppStatus = ::operatorkit::__private::Status<WebAppStatus>;
/// mod __web_app {
///     #[derive(::operatorkit::__private::kube::CustomResource)]
///     #[kube(group = "..", ..)]
///     #[::operatorkit::__private::replaced_by(use super::WebAppSpec;)]
///     pub struct WebAppSpec;
/// }
/// pub use self::__web_app::WebApp;
/// impl JsonSchema for __web_app::WebApp { .. schema::object::<WebAppSpec, __WebAppStatus>(..) .. }
/// ```
///
/// kube's derive says `Option`, `Some`, `Default` and `std` without a path. Names of the user's cannot come between in a module of its own. What it
/// makes speaks of the struct that it stands on, so that struct has the spec's name, and gives it up to the spec once the derive
/// has run. The schema is ours: kube's has rules only where schemars is a dependency of the user's, and is none that every type fits.
///
/// `self::`, since a module within, the next version of an operator say, may import all of the one around it, and its `__web_app` with it: then the name
/// alone is ambiguous (E0659).
pub(super) fn custom_resource(root: &Path, item: &ItemStruct, kind: &Kind) -> Option<TokenStream> {
    let Kind::Own {
        object, status, kube, ..
    } = kind
    else {
        return None;
    };
    let outside = private(root);
    let module = format_ident!("__{}", plain(&field(&object.to_string(), Span::call_site())));
    // A path that begins with a name may mean an import of the user's, which only his own module has.
    let (import, root) = if is_absolute(root) {
        (None, root.clone())
    } else {
        let name = format_ident!("{module}_operatorkit");
        (Some(quote!(use #root as #name;)), parse_quote!(super::#name))
    };
    let inside = private(&root);
    let alias = format_ident!("__{object}Status", span = Span::call_site());
    let (status, here, shown) = match status {
        // An error about the user's type is to stand on it.
        Some(status) => (
            Some(quote_spanned!(at(status.span())=> type #alias = #outside::Status<#status>;)),
            quote!(#alias),
            quote!(super::#alias),
        ),
        None => (
            None,
            quote!(#outside::Status<#outside::NoStatus>),
            quote!(#inside::Status<#inside::NoStatus>),
        ),
    };
    let shown = LitStr::new(&text(shown), Span::call_site());
    let crates = ["kube", "k8s_openapi", "schemars", "serde", "serde_json"].map(|name| {
        let (name, path) = (format_ident!("{name}"), literal(&root, name));
        quote!(#name = #path)
    });
    let core = literal(&root, "kube::core");
    let (vis, inner_vis) = (&item.vis, inner(&item.vis));
    let spec = Ident::new(&item.ident.to_string(), at(item.ident.span()));
    let schema = schema(&outside, &module, &spec, &here, kind);
    Some(quote! {
        #import
        #status
        mod #module {
            #[derive(#inside::kube::CustomResource)]
            #[kube(#(#kube),*)]
            #[kube(status = #shown, schema = "manual")]
            #[kube(crates(kube_core = #core, #(#crates),*))]
            #[#inside::replaced_by(use super::#spec;)]
            #inner_vis struct #spec;
        }
        #vis use self::#module::#object;
        #schema
    })
}

/// What the kind's definition has for a schema. The type by its module, so that one that cannot be imported is one error the less.
fn schema(
    private: &TokenStream,
    module: &Ident,
    spec: &Ident,
    status: &TokenStream,
    kind: &Kind,
) -> Option<TokenStream> {
    let Kind::Own { object, doc, about, .. } = kind else {
        return None;
    };
    let name = object.to_string();
    let doc = match doc {
        Some(doc) => quote!(::core::option::Option::Some(#doc)),
        None => quote!(::core::option::Option::None),
    };
    let about = each(private, about);
    Some(quote! {
        #[automatically_derived]
        impl #private::schemars::JsonSchema for #module::#object {
            fn schema_name() -> #private::Cow<'static, str> {
                #private::Cow::Borrowed(#name)
            }
            fn json_schema(generator: &mut #private::schemars::SchemaGenerator) -> #private::schemars::Schema {
                #private::schema::object::<#spec, #status>(generator, #name, #doc, [#(#about),*])
            }
        }
    })
}

/// A visibility as it is said one module further in.
fn inner(vis: &Visibility) -> Visibility {
    let place = vis.span();
    match vis {
        Visibility::Inherited => parse_quote!(pub(super)),
        Visibility::Restricted(VisRestricted { path, .. }) if path.is_ident("self") => parse_quote!(pub(super)),
        Visibility::Restricted(VisRestricted { path, .. })
            if path.segments.first().is_some_and(|first| first.ident == "super") =>
        {
            let dots: Token![::] = parse_quote!(::);
            parse_quote_spanned!(place=> pub(in super #dots #path))
        }
        Visibility::Public(_) | Visibility::Restricted(_) => vis.clone(),
    }
}
