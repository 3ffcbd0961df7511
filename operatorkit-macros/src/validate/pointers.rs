//! The rules of `initial(..)`: JSON pointers to fields that can be left to others.

use syn::LitStr;

use crate::diagnostics::Diagnostics;

/// What identifies an object, what the server sets, and what is ours to keep.
const NEVER: [&str; 5] = [
    "/apiVersion",
    "/kind",
    "/metadata/name",
    "/metadata/namespace",
    "/status",
];

/// The labels and annotations that make a child ours.
const OURS: [&str; 2] = [
    "/metadata/labels/operatorkit.dev~1",
    "/metadata/annotations/operatorkit.dev~1",
];

/// Rules: each is a JSON pointer (RFC 6901) to a field that can be left to others; none is inside of another.
pub(super) fn fields(pointers: Vec<LitStr>, errors: &Diagnostics) -> Vec<LitStr> {
    let mut good: Vec<LitStr> = Vec::new();
    for pointer in pointers {
        let text = pointer.value();
        let inside = |other: &LitStr| is_inside(&text, &other.value()) || is_inside(&other.value(), &text);
        match refusal(&text) {
            Some(why) => errors.error(&pointer, why),
            None if good.iter().any(inside) => {
                let why = "`initial(..)` names this field twice, or a part of it: remove one of them";
                errors.error(&pointer, why);
            }
            None => good.push(pointer),
        }
    }
    good
}

fn refusal(text: &str) -> Option<&'static str> {
    if !is_pointer(text) {
        return Some(
            "`initial(..)` needs JSON pointers (RFC 6901) to fields, such as \"/spec/replicas\": each part begins with `/`; a `/` in a \
             name is `~1`, a `~` is `~0`",
        );
    }
    let in_list = |part: &str| part == "-" || part.bytes().all(|byte| byte.is_ascii_digit());
    if text.split('/').skip(1).any(in_list) {
        return Some(
            "`initial(..)` cannot lead into a list, whose items others may move: name the field that holds the list, or leave it out",
        );
    }
    let whole = ["/metadata", "/metadata/labels", "/metadata/annotations"].contains(&text);
    let never = NEVER.iter().any(|never| is_inside(text, never)) || OURS.iter().any(|ours| text.starts_with(ours));
    (whole || never).then_some(
        "`initial(..)` cannot name this field: it says which object this is, or is written by the API server or by operatorkit",
    )
}

/// Whether a field is the other one, or inside of it.
fn is_inside(field: &str, outer: &str) -> bool {
    field
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_pointer(text: &str) -> bool {
    let escapes = |part: &str| {
        let mut after = part.split('~').skip(1);
        after.all(|rest| rest.starts_with(['0', '1']))
    };
    text.strip_prefix('/')
        .is_some_and(|rest| rest.split('/').all(|part| !part.is_empty() && escapes(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_to_fields() {
        for good in [
            "/spec",
            "/spec/replicas",
            "/metadata/annotations/a.b~1c",
            "/metadata/labels/app",
            "/spec/a~0b",
            "/statuses",
        ] {
            assert_eq!(refusal(good), None, "{good}");
        }
        for bad in [
            "",
            "/",
            "spec",
            "/spec/",
            "/spec//a",
            "/spec/a~b",
            "/spec/a~2",
            "/spec/a~",
            "/spec/list/0",
            "/spec/list/-",
            "/status/x",
            "/kind",
            "/metadata",
            "/metadata/labels",
            "/metadata/annotations/operatorkit.dev~1hash",
        ] {
            assert!(refusal(bad).is_some(), "{bad}");
        }
    }
}
