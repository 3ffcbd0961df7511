//! The functions that rules may call, with their types: those of CEL, of cel-go's extensions, and of Kubernetes.

use std::{collections::HashMap, sync::LazyLock};

use super::kind::Kind;

/// A way to call a function. For a member, the receiver is the first parameter.
#[derive(Debug)]
pub(super) struct Overload {
    pub(super) member: bool,
    pub(super) parameters: Vec<Kind>,
    pub(super) result: Kind,
}

/// Functions of authorizers. Rules have none, but the functions are known.
const AUTHORIZERS: [&str; 14] = [
    "path",
    "group",
    "serviceAccount",
    "resource",
    "subresource",
    "namespace",
    "name",
    "check",
    "errored",
    "error",
    "allowed",
    "reason",
    "fieldSelector",
    "labelSelector",
];

/// One function on each line; a name with a dot in front is a member of its first parameter.
const FUNCTIONS: &str = "
@in: A list(A) -> bool; A map(A,B) -> bool
_==_: A A -> bool
_!=_: A A -> bool
!_: bool -> bool
-_: int -> int; double -> double
_+_: int int -> int; uint uint -> uint; double double -> double; string string -> string; bytes bytes -> bytes; list(A) list(A) -> list(A); duration duration -> duration; timestamp duration -> timestamp; duration timestamp -> timestamp
_-_: int int -> int; uint uint -> uint; double double -> double; duration duration -> duration; timestamp duration -> timestamp; timestamp timestamp -> duration
_*_: int int -> int; uint uint -> uint; double double -> double
_/_: int int -> int; uint uint -> uint; double double -> double
_%_: int int -> int; uint uint -> uint
@not_strictly_false: bool -> bool
@indices: list(A) -> list(int); map(A,B) -> list(A)
@entries: list(list(dyn)) -> map(dyn,dyn)
@merge: list(map(A,B)) -> map(A,B)
size: string -> int; bytes -> int; list(A) -> int; map(A,B) -> int
.size: string -> int; bytes -> int; list(A) -> int; map(A,B) -> int
type: A -> type
dyn: A -> dyn
bool: bool -> bool; string -> bool
bytes: string -> bytes; bytes -> bytes
double: double -> double; int -> double; uint -> double; string -> double
duration: string -> duration; duration -> duration
int: int -> int; uint -> int; double -> int; string -> int; timestamp -> int
string: string -> string; bool -> string; int -> string; uint -> string; double -> string; bytes -> string; timestamp -> string; duration -> string; ip -> string; cidr -> string
timestamp: string -> timestamp; timestamp -> timestamp; int -> timestamp
uint: uint -> uint; int -> uint; double -> uint; string -> uint
.contains: string string -> bool
.endsWith: string string -> bool
.startsWith: string string -> bool
.matches: string string -> bool
matches: string string -> bool
.getFullYear: timestamp -> int; timestamp string -> int
.getMonth: timestamp -> int; timestamp string -> int
.getDayOfYear: timestamp -> int; timestamp string -> int
.getDayOfMonth: timestamp -> int; timestamp string -> int
.getDate: timestamp -> int; timestamp string -> int
.getDayOfWeek: timestamp -> int; timestamp string -> int
.getHours: timestamp -> int; timestamp string -> int; duration -> int
.getMinutes: timestamp -> int; timestamp string -> int; duration -> int
.getSeconds: timestamp -> int; timestamp string -> int; duration -> int
.getMilliseconds: timestamp -> int; timestamp string -> int; duration -> int
optional.none: -> optional(free)
optional.of: A -> optional(A)
optional.ofNonZeroValue: A -> optional(A)
.hasValue: optional(A) -> bool
.value: optional(A) -> A
.or: optional(A) optional(A) -> optional(A)
.orValue: optional(A) A -> A
.charAt: string int -> string
.indexOf: string string -> int; string string int -> int; list(A) A -> int
.join: list(string) -> string; list(string) string -> string
.lastIndexOf: string string -> int; string string int -> int; list(A) A -> int
.lowerAscii: string -> string
.upperAscii: string -> string
.trim: string -> string
.replace: string string string -> string; string string string int -> string
.split: string string -> list(string); string string int -> list(string)
.substring: string int -> string; string int int -> string
.format: string list(dyn) -> string
strings.quote: string -> string
.slice: list(A) int int -> list(A)
.flatten: list(list(A)) -> list(A); list(dyn) int -> list(dyn)
.distinct: list(A) -> list(A)
.reverse: list(A) -> list(A)
.sort: list(A) -> list(A)
.@sortByAssociatedKeys: list(A) list(B) -> list(A)
lists.range: int -> list(int)
.first: list(A) -> optional(A)
.last: list(A) -> optional(A)
sets.contains: list(A) list(A) -> bool
sets.equivalent: list(A) list(A) -> bool
sets.intersects: list(A) list(A) -> bool
.isSorted: list(int) -> bool; list(uint) -> bool; list(double) -> bool; list(bool) -> bool; list(duration) -> bool; list(timestamp) -> bool; list(string) -> bool; list(bytes) -> bool
.sum: list(int) -> int; list(uint) -> uint; list(double) -> double; list(duration) -> duration
.max: list(int) -> int; list(uint) -> uint; list(double) -> double; list(bool) -> bool; list(duration) -> duration; list(timestamp) -> timestamp; list(string) -> string; list(bytes) -> bytes
.min: list(int) -> int; list(uint) -> uint; list(double) -> double; list(bool) -> bool; list(duration) -> duration; list(timestamp) -> timestamp; list(string) -> string; list(bytes) -> bytes
.find: string string -> string
.findAll: string string -> list(string); string string int -> list(string)
url: string -> url
isURL: string -> bool
.getScheme: url -> string
.getHost: url -> string
.getHostname: url -> string
.getPort: url -> string
.getEscapedPath: url -> string
.getQuery: url -> map(string,list(string))
ip: string -> ip
isIP: string -> bool
ip.isCanonical: string -> bool
.family: ip -> int
.isUnspecified: ip -> bool
.isLoopback: ip -> bool
.isLinkLocalMulticast: ip -> bool
.isLinkLocalUnicast: ip -> bool
.isGlobalUnicast: ip -> bool
cidr: string -> cidr
isCIDR: string -> bool
.containsIP: cidr string -> bool; cidr ip -> bool
.containsCIDR: cidr string -> bool; cidr cidr -> bool
.ip: cidr -> ip
.prefixLength: cidr -> int
.masked: cidr -> cidr
quantity: string -> quantity
isQuantity: string -> bool
sign: quantity -> int
.isGreaterThan: quantity quantity -> bool; semver semver -> bool
.isLessThan: quantity quantity -> bool; semver semver -> bool
.compareTo: quantity quantity -> int; semver semver -> int
.asApproximateFloat: quantity -> double
.asInteger: quantity -> int
.isInteger: quantity -> bool
.add: quantity quantity -> quantity; quantity int -> quantity
.sub: quantity quantity -> quantity; quantity int -> quantity
semver: string -> semver; string bool -> semver
isSemver: string -> bool; string bool -> bool
.major: semver -> int
.minor: semver -> int
.patch: semver -> int
format.named: string -> optional(format)
.validate: format string -> optional(list(string))
format.dns1123Label: -> format
format.dns1123Subdomain: -> format
format.dns1035Label: -> format
format.qualifiedName: -> format
format.dns1123LabelPrefix: -> format
format.dns1123SubdomainPrefix: -> format
format.dns1035LabelPrefix: -> format
format.labelValue: -> format
format.uri: -> format
format.uuid: -> format
format.byte: -> format
format.date: -> format
format.datetime: -> format
";

/// The types that can be compared with `<`; numbers also with each other.
const ORDERED: [Kind; 8] = [
    Kind::Bool,
    Kind::Int,
    Kind::Uint,
    Kind::Double,
    Kind::Text,
    Kind::Bytes,
    Kind::Duration,
    Kind::Timestamp,
];

static OVERLOADS: LazyLock<HashMap<&'static str, Vec<Overload>>> = LazyLock::new(|| {
    let mut all: HashMap<_, Vec<Overload>> = HashMap::new();
    for line in FUNCTIONS.lines().filter(|it| !it.is_empty()) {
        let (name, overloads) = line.split_once(": ").expect("a line is a name and its overloads");
        let member = name.starts_with('.');
        let read = overloads.split("; ").map(|it| overload(it, member));
        all.entry(name.trim_start_matches('.')).or_default().extend(read);
    }
    for name in AUTHORIZERS {
        all.entry(name).or_default().push(Overload {
            member: true,
            parameters: vec![Kind::Named("kubernetes.authorization.Authorizer"); 2],
            result: Kind::Dyn,
        });
    }
    for name in ["_<_", "_<=_", "_>_", "_>=_"] {
        all.insert(name, comparisons());
    }
    all
});

/// The ways to call a function; none if there is no such function.
pub(super) fn overloads(name: &str) -> &'static [Overload] {
    OVERLOADS.get(name).map_or(&[], Vec::as_slice)
}

/// The words before the dot of functions with one: `optional`, `format`.
pub(super) fn is_namespace(name: &str) -> bool {
    matches!(name, "optional" | "strings" | "lists" | "sets" | "ip" | "format")
}

fn comparisons() -> Vec<Overload> {
    let numbers = |it: &Kind| matches!(it, Kind::Int | Kind::Uint | Kind::Double);
    let mut found = Vec::new();
    for one in &ORDERED {
        for other in ORDERED.iter().filter(|it| *it == one || numbers(it) && numbers(one)) {
            found.push(Overload {
                member: false,
                parameters: vec![one.clone(), other.clone()],
                result: Kind::Bool,
            });
        }
    }
    found
}

fn overload(text: &str, member: bool) -> Overload {
    let (parameters, result) = text.split_once("-> ").expect("an overload has a result");
    Overload {
        member,
        parameters: parameters.split_whitespace().map(kind).collect(),
        result: kind(result.trim()),
    }
}

fn kind(text: &str) -> Kind {
    let Some((outer, inner)) = text.split_once('(') else {
        return match text {
            "A" => Kind::Open(0),
            "B" => Kind::Open(1),
            "free" => Kind::Free,
            "bool" => Kind::Bool,
            "int" => Kind::Int,
            "uint" => Kind::Uint,
            "double" => Kind::Double,
            "string" => Kind::Text,
            "bytes" => Kind::Bytes,
            "duration" => Kind::Duration,
            "timestamp" => Kind::Timestamp,
            "type" => Kind::Type,
            "url" => Kind::Named("kubernetes.URL"),
            "ip" => Kind::Named("net.IP"),
            "cidr" => Kind::Named("net.CIDR"),
            "quantity" => Kind::Named("kubernetes.Quantity"),
            "semver" => Kind::Named("kubernetes.Semver"),
            "format" => Kind::Named("kubernetes.NamedFormat"),
            _ => Kind::Dyn,
        };
    };
    let inner = inner.strip_suffix(')').expect("a parenthesis is closed");
    match outer {
        "list" => Kind::list(kind(inner)),
        "optional" => Kind::optional(kind(inner)),
        _ => {
            let (key, value) = inner.split_once(',').expect("a map has keys and values");
            Kind::map(kind(key), kind(value))
        }
    }
}
