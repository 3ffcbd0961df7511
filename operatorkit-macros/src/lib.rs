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
/// Layers around each operation of every resource, such as `layers(Metrics, Trace, Retry::new(3), Timeout::after(LIMIT))`: expressions that make a
/// layer each, the outermost first. They are evaluated once, when the operator starts, where the attribute stands. Default: `layers(Metrics, Trace)`;
/// an empty list is no layers at all. See `operatorkit::layer`.
///
/// # `pause("key", "value")`
/// One more annotation that pauses an object, with exactly this value; may be repeated. These always pause, with the exact value `true`, unless
/// a pair has the same key and so decides about it alone: `operatorkit.dev/paused`, `cluster.x-k8s.io/paused`, and with `legacy_finalizers` Go operatorkit's
/// `operatorkit.giantswarm.io/paused`.
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
/// # `formerly = ["old-name"]`
/// The operator had other names. What it left under them is taken over, nothing is made anew: on an object the finalizer, the inventory, the
/// stored States and what its field managers own, in one patch; on each child, when its resource runs, labels, mark and what its field manager owns, so
/// that a field that is no longer desired still goes. An object that is being deleted goes by what is stored under the old name, and its old finalizer
/// is taken off at the end. After that a pass sends nothing.
///
/// The names are as they are stored (`kubectl get -o yaml` shows the finalizer `operatorkit.dev/<name>`): a default name is `<plural>.<group>`, a shortened one
/// has its hash. Neither the name as it is now nor, in one program, a name of another operator. Stop the version with the old name first: two at a time
/// would each put their names back, and an older version that comes back finds children that are another operator's (`NameCollision`). Remove the key
/// once no object carries the old finalizer and no child the old label. Default: none.
///
/// # `legacy_finalizers("operatorkit.giantswarm.io/webapp", ..)`
/// Finalizers of another program that this operator succeeds, treated as its own, whoever put them there: on a live object they are replaced by ours in
/// one patch, so that there is no moment without one; an object that is being deleted is handled also if it has only such a one, and all of them are
/// taken off with ours at the end. An object that carries one is handled also if no selector matches it. Each is a qualified name, and in one program
/// belongs to one operator of a kind.
///
/// Stop the other program first. What it made is not known here: children are taken over by `adopt`, and a thing outside Kubernetes by an
/// `External` whose `create` looks for it first; what an object that is already being deleted still has of them, a `Step` undoes. While
/// there is one of these, the annotation `operatorkit.giantswarm.io/paused` with the value `true` pauses, too. Default: other finalizers are never
/// touched.
///
/// # `orphans = "delete"`
/// Children whose object is gone, because somebody took its finalizer off by hand, are deleted: each by its UID, once a live read says that
/// no object with its owner's UID exists; those that are kept (`on_delete`) are left behind instead. There is no delete order, it is
/// lost with the object. Things outside Kubernetes cannot be found any more. Default: such children are reported in the log.
///
/// # `validation("rule", ..)`
/// A rule in [CEL](https://kubernetes.io/docs/reference/using-api/cel/) about the spec, which is `self` in it; may be repeated. The API server refuses
/// a spec for which it is false: `validation("self.min <= self.max", message = "min must not be above max", field_path = ".min")`. As
/// `#[validation("rule", ..)]` it stands on a field, and `self` is the field; on a type below the spec it stands in its [`#[data]`](macro@data).
///
/// - `message = ".."`: what is told, one line. Default: the rule; one of several lines needs a message.
/// - `message_expression = ".."`: the same in CEL. The message is told where it fails.
/// - `reason = ".."`: `FieldValueInvalid` (default), `FieldValueForbidden`, `FieldValueRequired` or `FieldValueDuplicate`.
/// - `field_path = ".."`: the field that it is about, from where the rule stands. Default: where it stands.
/// - `optional_old_self`: a rule with `oldSelf` is evaluated for new objects, too.
/// - `object`: the rule is about the whole object: `self.spec`, `self.status`, `self.metadata.name`, `self.metadata.generateName`.
///
/// A rule with `oldSelf` is evaluated when an object changes: `self == oldSelf` makes a field immutable. A rule on an `Option` is not evaluated where
/// it is `null` or missing. Only the form is checked by the compiler: whether a rule is CEL, fits the fields, and is not too costly is checked by the API
/// server when the CRD is made; the embedded one of `dev` and of tests checks and evaluates them, too, but does not estimate what they cost. What a rule
/// costs grows with what it goes through, so give lists and texts in it a limit, such as `#[schemars(length(max = 64))]`; `string(..)` of a number
/// in a `message_expression` is too costly in itself.
///
/// What schemars can say needs no rule: `#[schemars(range(min = 0))]`, `length(..)`, `regex(pattern = ..)`, `extend("x-kubernetes-list-type" = "set")`.
///
/// # `crate = path`
/// Where operatorkit is, if it is renamed or re-exported. Default: `::operatorkit`.
///
/// # Keys of kube's
/// These go to kube's `CustomResource`, with its meaning and defaults:
/// `plural`, `singular`, `shortname`*, `category`*, `doc`, `printcolumn(..)`*, `scale(..)`, `selectable`*, `annotation("key", "value")`*, `label("key", "value")`*,
/// `served`, `storage`, `deprecated`, `derive`*, `attr`* (* may be repeated). Its `crates`, `schema`, `root`, `no_spec` and `cel` are refused; its
/// `validation` is the key above. Without `doc` the comment on the struct says what the kind is.
///
/// # The schema
/// It is made of the spec and the status, and accepts what their types accept, see `operatorkit::schema`. What no CRD can say, such as a type that
/// contains itself, is a panic with the path of the field when the operator starts or its definition is made.
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
#[proc_macro_attribute]
pub fn operator(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(attribute.into(), item.into(), validate::operator, expand::operator).into()
}

/// Makes a resource of a struct: a node of an operator's graph. The struct implements one of `Manifest`, `External`, `Step`, unless it says `yaml`.
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
/// For a `Manifest`. The children may be in any namespace, or cluster-scoped. Default: in the object's namespace only, so that who may write an
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
/// # `adopt`
/// For a `Manifest`. An object that exists under a child's name without an owner is taken over. Without an owner: it carries no mark of any
/// operator of operatorkit, no other object controls it (`ownerReferences` with `controller: true`; plain references do not count), and it is not
/// being deleted. It is read live and then written, in the version that was read: of two operators that try, one wins. From then on it is a
/// child like any other: the fields of `desired` are ours, whoever owned them before; all others stay as they are; and it is **deleted** with
/// its object, or when `desired` leaves it out. The Event `Adopted` says so. A child whose mark somebody takes off is adopted again.
/// What the API server refuses to change is not adopted, and never deleted to be made again.
/// Default: an object that is not ours is left alone, and `Ready` is `False` for `NameCollision`.
///
/// # `replace = "recreate"`
/// For a `Manifest`. A child whose change is refused for nothing but fields that cannot be changed (a Job's template, a Deployment's selector, a
/// Service's `clusterIP`, an immutable ConfigMap, a rule `self == oldSelf` or one whose message says `immutable` in a
/// CustomResourceDefinition) is deleted, as `delete_propagation` says, and made again once it is gone. What comes after it waits; what is
/// deleted before it, in the order of deletion, stays. The Event `Recreated` says so. Whatever only the cluster knew of the child is lost, a
/// claim's data or the value of an `initial` field. Where anything else is wrong, too, nothing is deleted; nor is a child that was made of
/// exactly what is refused now. A child that is to be made again and again is deleted after 1 s, 2 s, … 5 min at the earliest.
/// Default: the resource fails for `Immutable`, and nothing is deleted.
///
/// # `ready_within = ".."`
/// A time such as `"10m"`, `"90s"` or `"1h 30m"`, of whole seconds. If the resource waits for longer, by a `Flow::Wait` of its own or since a
/// child does not become ready, its line in the status says `Failed`, it and `Ready` have the reason `NotReadyInTime`, and a
/// Warning Event says it once. Nothing is given up: the wait goes on, and is over when it is over. What holds the resource up before it
/// starts does not count, nor does a deletion. The time counts from `since` in the resource's line, so a restart of the operator does not begin
/// anew; for an existing kind (`for = ..`), which has no such line, it does. Default: a wait lasts until it is over.
///
/// # `delete_propagation = "Foreground" | "Background" | "Orphan"`
/// For a `Manifest`. What its DELETEs say of a child's dependents, such as a Deployment's ReplicaSets and Pods. With `Foreground` a
/// child is gone, for those that are deleted after it and for the finalizer, when its dependents are; with `Background` and `Orphan` when it is
/// gone itself: its dependents may be there for a while, or for good. It is stored with the object, so that another version of the
/// operator deletes as the one did that made the child. Default: `Background` for ConfigMaps, Secrets, Services, ServiceAccounts and RBAC,
/// `Foreground` for all other kinds.
///
/// # `owner_reference`
/// For a `Manifest`. Its children carry a controller reference to the object, for tools that show a tree and for the garbage collector,
/// which **ignores the order of deletion**: it deletes the children at once when somebody deletes the object with `--cascade=foreground`, and
/// those that are left when the object is gone. So with a `delete_order` it must be in the first wave, and it cannot have `delete_after`; where
/// the operator says no order, the reverse of creation holds for all other ways to delete the object. Existing children get the
/// reference with the next pass, and lose it when the key goes. A child must be in the object's namespace, or the object
/// cluster-scoped; else the resource fails for `InvalidDesired`. Default: none; marks hold the ownership.
///
/// # `initial("/spec/replicas", ..)`
/// For a `Manifest`. Fields of a child, as JSON pointers (RFC 6901), that are sent when it is made and never again: they belong to
/// whoever sets them afterwards, an autoscaler or a person, and later values in `desired` mean nothing. A child that exists when the key comes, or
/// is adopted, keeps the values that it has. If the key goes, the fields of `desired` count again. A pointer cannot lead into a list, nor to
/// what identifies the child or is the server's or ours; a field inside of one that the API server replaces as a whole, such as a selector, is
/// refused when the child is made. It costs one more request per child, and the right to `patch`, which an apply needs anyway. Default: none.
///
/// # `on_delete = "keep"`
/// What the resource made is left behind when it would be deleted: at the object's deletion, and when it is no longer wanted or its
/// resource left the code. It then counts as gone.
///
/// - A child keeps its content; our labels and annotations, an owner reference to the object and our field manager's claims are taken off in one
///   patch. It is nobody's then: if the object wants a child of that name again, it is a `NameCollision`; where nobody else has applied it,
///   the API server calls the owner of its fields `before-first-apply`, and an apply that changes one has to be forced.
/// - The State of an `External` is forgotten, its `delete` is not called. An Event `Kept` tells of either.
/// - The `ensure_deleted` of a `Step` is not called.
///
/// The decision is stored with what was made, and can be made for each object: see `keep_on_delete` of `Manifest` and `External`. If
/// code and store differ since an upgrade, what is stored counts for an object that is being deleted; on a live one the thing is kept
/// if either says so. Default: it is deleted.
///
/// # `retired`
/// The resource stays in the code only to be deleted: it is never applied, and what it made is deleted in delete order, on the next pass of a live
/// object that resolves without an error as well as at the object's deletion. Nothing may be `after` it, other than what is
/// retired, too. It may be removed from the code once no object has anything of it: no child with its label `operatorkit.dev/resource`, no slot in
/// `status.operatorkit.state`. A `Manifest` needs no `retired`: where it leaves the code its children are pruned. An `External` and a
/// `Step` need it, since only their own code can undo what they did.
///
/// # `optional`
/// For a `Manifest` whose kind may not be installed: while it is not served, the resource counts as resolved with no children (`desired` is
/// not called, readers get none, prune goes on). It is picked up without a restart when the kind comes, within ten seconds, and let go of
/// when it goes. Nothing tells that a kind has come, so it is looked for while it is not served: where the type names the kind, by one request
/// of the operator every five to ten seconds (in each namespace, if it is limited to some); where only the object names it (`DynamicObject`),
/// by one pass of each object every ten seconds, with one request. Default: a kind that is not served holds up what depends on the
/// resource, and is shown.
///
/// # `yaml = ".."`, `yaml("..", ..)`
/// The resource is the objects of YAML files, filled from the object, and nothing else: a unit struct without an impl, which belongs to whichever
/// operator lists it. Needs the feature `yaml` of operatorkit. A path is relative to the source file, as that of `include_str!`; a file may have
/// several documents, of different kinds, and is compiled in.
///
/// ```ignore
/// #[resource(order = 2, yaml = "web.yaml")]
/// pub struct Web;
/// ```
///
/// ```yaml
/// apiVersion: apps/v1
/// kind: Deployment
/// metadata:
///   name: "{{ child_name('web') }}"
/// spec:
///   replicas: "{{ spec.replicas }}"
/// ```
///
/// Checked at compile time: that the file is there, the syntax of YAML and of placeholders, that no placeholder stands in a key, `apiVersion`, `kind` and
/// `metadata.name`. What placeholders are, and what cannot be known at compile time: see `operatorkit::Yaml`. To give a file more than the object, implement
/// `Manifest`, and fill a `yaml!("web.yaml")` in `desired`. Default: the resource implements one of the three traits.
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
/// # `validation("rule", ..)`
/// A rule in CEL about values of the type, as with [`#[operator]`](macro@operator), without `object`; on a field `#[validation("rule", ..)]`:
///
/// ```ignore
/// #[data(validation("self.min <= self.max", message = "min must not be above max"))]
/// pub struct Limits {
///     #[validation("self >= oldSelf", message = "min never shrinks")]
///     pub min: u32,
///     pub max: u32,
/// }
/// ```
///
/// A type with rules cannot be one of several forms of a value, such as a variant of an untagged enum: that is refused when the definition is made.
///
/// # `crate = path`
/// Where operatorkit is, if it is renamed or re-exported. Default: `::operatorkit`.
#[proc_macro_attribute]
pub fn data(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(attribute.into(), item.into(), validate::data, expand::data).into()
}

/// Objects in YAML files, as a constant expression of the type `Yaml`: for a `Manifest` that fills them with more than its object.
///
/// ```ignore
/// static WEB: Yaml = yaml!("web.yaml");
/// ```
///
/// The files, by paths that are relative to the source file, are compiled in, and checked as those of [`#[resource(yaml = "..")]`](macro@resource#yaml---yaml-) are.
/// `yaml!("web.yaml", crate = path)` says where operatorkit is, if it is renamed or re-exported. Needs the feature `yaml`.
#[cfg(feature = "yaml")]
#[proc_macro]
pub fn yaml(arguments: TokenStream) -> TokenStream {
    expand::included(arguments.into()).into()
}

/// Puts what stands in the attribute in the place of the item.
///
/// Not for users: `#[operator]` writes it below kube's derive, see `expand/custom_resource.rs`.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn replaced_by(attribute: TokenStream, _item: TokenStream) -> TokenStream {
    attribute
}
