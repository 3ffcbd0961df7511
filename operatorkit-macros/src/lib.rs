//! The attributes of operatorkit: `#[operator]`, `#[resource]` and `#[data]`.
//!
//! Use them through the facade: `use operatorkit::prelude::*;`. Each goes the same way, a file or folder per step:
//! source → `syntax` (never judges) → `validate` (never emits) → `model` → `expand` (never fails). After an error of ours the
//! item and the promised types are still emitted, so that one mistake gives one error.

mod diagnostics;
mod expand;
mod model;
mod names;
mod syntax;
mod validate;

use proc_macro::TokenStream;

/// Makes an operator of a struct.
///
/// On a spec struct with named fields it makes a kind of its own: the type named by `kind` (kube's `CustomResource`), the struct
/// `<Kind>Resources` with one public field for each resource, both as visible as the spec, and the `Operator` impl. On a unit
/// struct with `for = …` it operates a kind that exists, and makes `<Name>Resources`.
///
/// ```ignore
/// #[operator(
///     group = "demo.example.com", version = "v1", kind = "WebApp", namespaced,
///     status = WebAppStatus,
///     resources(Settings, Network, Web),
/// )]
/// pub struct WebAppSpec { pub image: String, pub replicas: i32 }
/// ```
///
/// # `group = ".."`, `version = ".."`, `kind = ".."`
/// The kind's names. All three are needed for an own kind. The group is a domain with a dot; the kind is a type's name, other than
/// the struct's.
///
/// # `namespaced`
/// The kind is namespaced. Default: it is cluster-scoped.
///
/// # `status = Type`
/// The user's own status fields, shown beside ours: a type with `#[data]` and `Default`. Default: none. A field that is called
/// `observedGeneration`, `conditions`, `resources` or `operatorkit` in JSON is ours and refused: by the compiler if the type has `#[data]` and
/// the field is its own, else by a panic when the operator starts or its definition is printed.
///
/// # `resources(A, B, ..)`
/// The resources, at least one. Their order in the list means nothing. Rules of the whole graph are checked here: names are
/// unique, what is named in `after(..)` is in the list, nothing waits for itself, deletion is ordered for all or for none. A field of
/// `<Kind>Resources` is called like its struct, in `snake_case`.
///
/// # `name = ".."`
/// The operator's name, unique per cluster: a label value of at most 53 characters. Default: `<plural>.<group>`, shortened with a hash
/// where it is too long. Finalizer, labels and field manager go by it: do not change it while objects exist. For an existing kind say
/// one, since others may operate that kind, too.
///
/// # `for = Type`
/// Operates an existing kind, such as `ConfigMap`. It needs a `selector`, and has no key of a CRD.
///
/// ```ignore
/// #[operator(for = ConfigMap, name = "mirror.example.com", selector = "example.com/mirror=true", resources(Copy))]
/// pub struct Mirror;
/// ```
///
/// # `selector = ".."`, `selector = all`
/// Which objects are operated, as `kubectl get -l` takes it. Default for an own kind: all. For an existing kind it must be said, if need
/// be in so many words: with `all` every object of the cluster gets our finalizer.
///
/// # `layers(A, B, ..)`
/// Layers around each operation of every resource, such as `layers(Trace, Retry::new(3), Timeout::after(LIMIT))`: expressions that make a
/// layer each, the outermost first. They are evaluated once, when the operator starts, where the attribute stands. Default: `layers(Trace)`;
/// an empty list is no layers at all. See `operatorkit::layer`.
///
/// # `pause("key", "value")`
/// One more annotation that pauses an object, with exactly this value; may be repeated. These always pause, with the exact value `true`, unless
/// a pair has the same key and so decides about it alone: `operatorkit.dev/paused`, `cluster.x-k8s.io/paused`, and
/// `operatorkit.giantswarm.io/paused` while the operator has `legacy_finalizers`.
///
/// Nothing is done for a paused object, its deletion included; its condition `Paused` and an Event say so.
///
/// # `paused_deletion = "proceed"`
/// A paused object is deleted like any other. Default: its deletion waits for the end of the pause.
///
/// # `field_selector = ".."`
/// Limits the objects further, or alone, as `kubectl get --field-selector` takes it: `metadata.name=x,spec.color!=red`. Of an own kind only
/// `metadata.name`, `metadata.namespace` and the fields of its `selectable` keys can be selected by; of an existing kind those that the API server
/// knows (what it does not know, it refuses, and the log says so). Default: none. An object that carries our finalizer is handled even
/// after it left either selector.
///
/// # `value = Type`
/// What makes a value once in each pass, for all resources: a type that implements `PassValue`. It gets a field of `<Kind>Resources`, called like
/// it, in `snake_case`; resources get what it makes with `cx.value().await?`. Default: none.
///
/// # `crate = path`
/// Where operatorkit is, if it is renamed or re-exported. Default: `::operatorkit`.
///
/// # Keys of kube's
/// These go to kube's `CustomResource`, with its meaning and defaults:
/// `plural`, `singular`, `shortname`*, `category`*, `doc`, `printcolumn(..)`*, `scale(..)`, `selectable`*, `annotation("key", "value")`*, `label("key", "value")`*,
/// `served`, `storage`, `deprecated`, `derive`*, `attr`* (* may be repeated). Its `crates`, `schema`, `root`, `no_spec`, `validation` and `cel` are refused.
///
/// # Derives
/// `Clone`, `Debug`, `Serialize`, `Deserialize` and `JsonSchema` are derived, each unless a derive *below* the attribute has it
/// already; one above cannot be seen and gives a conflict (E0119). Fields are `camelCase` in JSON, as the conventions of the
/// Kubernetes API want it, unless the struct says `#[serde(rename_all = "..")]` itself.
///
/// # Limits
/// - It stands in a module, not in a function: kube's derive is called in a module next to the struct (`__web_app`), where no name of the user's
///   can come between. So a path in `derive` or `attr` of more than one segment must be absolute.
/// - `#![forbid(missing_docs)]` and `#![forbid(unused_qualifications)]` are stricter than kube's and serde's derives allow; `deny` works.
/// - An enum in a spec or status has variants that all have data, or none of which has: kube cannot make a schema of a mixture, and panics
///   when the definition is made.
#[proc_macro_attribute]
pub fn operator(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(attribute.into(), item.into(), validate::operator, expand::operator).into()
}

/// Makes a resource of a struct: a node of an operator's graph. The struct implements one of `Manifest`, `External`, `Step`.
///
/// ```ignore
/// #[resource(order = 2, delete_order = 1, after(Network))]
/// pub struct Web;
/// ```
///
/// # `order = n`
/// Waits for every resource with a lower number; equal numbers run at the same time. Any 64-bit integer, negative ones included.
/// Default: none; a resource with neither `order` nor `after` is in the first wave.
///
/// # `after(A, ..)`
/// Waits for these, and may read their outputs with `cx.after::<A>().output()?`. What has an `order`, too, must have a lower one. Default: none.
///
/// # `delete_order = n`, `delete_after(A, ..)`
/// The same for deletion, which waits until the others are *gone*. Default: where no resource of the operator has either, deletion is the
/// reverse of creation; where one has, each must have one or be named in another's `delete_after`. One that is only named is in the
/// first wave.
///
/// # `name = ".."`
/// The resource's name, a DNS label, unique in the operator. Default: the struct's name in kebab-case. What is stored goes by it, so a
/// struct can be renamed while its name stays.
///
/// # `namespaces = any`
/// The children may be in any namespace, or cluster-scoped. Default: in the object's namespace only, so that who may write an
/// object does not act with the operator's rights elsewhere.
///
/// # `reads(Type)`, `reads(Type, any_namespace)`
/// The resource reads objects of this kind that are no children: with `cx.read`, `cx.read_required` and `cx.list` in the object's namespace; with
/// `any_namespace` also with `cx.read_in` and `cx.list_in` in others, and cluster-scoped kinds, which need it. The object runs again when what was
/// read changes. May be repeated, once for each kind; what is not named here cannot be read, so that `rbac` knows all rights. Default: it reads
/// nothing. Not for the kinds of children as such: these are watched anyway.
///
/// # `recover = "manual"`
/// For an `External` whose provider cannot find a thing by a tag: an interrupted creation then waits for a person's decision. Default:
/// the provider is asked with `find`.
///
/// # `layers(A, B, ..)`
/// Layers around each operation of this resource, *in place of* the operator's: `layers(Trace, Timeout::after(LIMIT))`. Expressions that make
/// a layer each, the outermost first, evaluated once, when the operator starts. Default: the operator's; an empty list is no layers at all.
/// See `operatorkit::layer`.
///
/// # `crate = path`
/// Where operatorkit is, if it is renamed or re-exported. Default: `::operatorkit`.
///
/// # Limits
/// On a struct that also derives kube's `Resource`, whose helper attribute has the same name, write `#[operatorkit::resource(..)]`.
#[proc_macro_attribute]
pub fn resource(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(attribute.into(), item.into(), validate::resource, expand::resource).into()
}

/// Puts the usual derives on a type that is used in a spec, a status or a State.
///
/// `Clone`, `Debug`, `Serialize`, `Deserialize` and `JsonSchema` with the right `crate` keys, each unless it is derived below. Fields are
/// `camelCase` in JSON unless the type says `#[serde(rename_all = "..")]` (an enum: `rename_all_fields`) itself; variants of an enum
/// stay as they are.
///
/// ```ignore
/// #[data]
/// #[derive(Default, PartialEq)]
/// pub struct WebAppStatus { pub url: Option<String> }
/// ```
///
/// # `crate = path`
/// Where operatorkit is, if it is renamed or re-exported. Default: `::operatorkit`.
#[proc_macro_attribute]
pub fn data(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(attribute.into(), item.into(), validate::data, expand::data).into()
}

/// Puts what stands in the attribute in the place of the item.
///
/// Not for users: `#[operator]` writes it below kube's derive, see `expand/custom_resource.rs`.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn replaced_by(attribute: TokenStream, _item: TokenStream) -> TokenStream {
    attribute
}
