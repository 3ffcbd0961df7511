//! Whom the headers ask to be.

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::percent_decode_str;

use crate::{access::User, failure::Failure};

const USER: &str = "impersonate-user";
const UID: &str = "impersonate-uid";
const GROUP: &str = "impersonate-group";
const EXTRA: &str = "impersonate-extra-";

/// Whom the headers ask to be, exactly as they say it; `None` if nobody. The headers are taken out.
///
/// # Errors
///
/// 400 if there are groups, a UID or extras without a name.
pub fn requested(headers: &mut HeaderMap) -> Result<Option<User>, Failure> {
    if !headers.keys().any(|name| name.as_str().starts_with("impersonate-")) {
        return Ok(None);
    }
    let mut wanted = User {
        name: text(headers.get(USER)),
        uid: text(headers.get(UID)),
        groups: headers.get_all(GROUP).iter().map(|it| text(Some(it))).collect(),
        extra: BTreeMap::new(),
    };
    for (name, value) in headers.iter() {
        if let Some(key) = name.as_str().strip_prefix(EXTRA) {
            wanted.extra.entry(extra_key(key)).or_default().push(text(Some(value)));
        }
    }
    if wanted.name.is_empty() {
        let nothing = wanted.uid.is_empty() && wanted.groups.is_empty() && wanted.extra.is_empty();
        return if nothing { Ok(None) } else { Err(nameless(&wanted)) };
    }
    let used = |name: &HeaderName| [USER, UID, GROUP].contains(&name.as_str()) || name.as_str().starts_with(EXTRA);
    let names: Vec<_> = headers.keys().filter(|name| used(name)).cloned().collect();
    for name in names {
        headers.remove(name);
    }
    Ok(Some(wanted))
}

fn text(value: Option<&HeaderValue>) -> String {
    value.map_or_else(String::new, |it| String::from_utf8_lossy(it.as_bytes()).into_owned())
}

fn extra_key(encoded: &str) -> String {
    percent_decode_str(encoded)
        .decode_utf8()
        .map_or_else(|_| encoded.to_owned(), Into::into)
}

/// The real server prints the Go value.
fn nameless(wanted: &User) -> Failure {
    let strings = |list: &[String]| {
        let quoted: Vec<_> = list.iter().map(|it| format!("{it:?}")).collect();
        format!("[]string{{{}}}", quoted.join(", "))
    };
    let groups = if wanted.groups.is_empty() {
        "[]string(nil)".to_owned()
    } else {
        strings(&wanted.groups)
    };
    let extra = if wanted.extra.is_empty() {
        "map[string][]string(nil)".to_owned()
    } else {
        let entries: Vec<_> = wanted
            .extra
            .iter()
            .map(|(key, it)| format!("{key:?}:{}", strings(it)))
            .collect();
        format!("map[string][]string{{{}}}", entries.join(", "))
    };
    Failure::bad_request(format!(
        "requested &user.DefaultInfo{{Name:\"\", UID:{:?}, Groups:{groups}, Extra:{extra}}} without impersonating a user name",
        wanted.uid
    ))
}
