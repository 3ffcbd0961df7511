//! `url()`.

use std::collections::HashMap;

use cel::{
    DeclarationError, Env, ExecutionError,
    common::{
        types::{CelBool, CelList, CelMap, CelMapKey, CelString},
        value::Val,
    },
};

use crate::crd::validation::formats;

/// An absolute URI or an absolute path, in its parts.
#[derive(Clone, Debug, PartialEq)]
struct Url {
    scheme: String,
    host: String,
    path: String,
    query: String,
}

super::opaque!(Url, "kubernetes.URL");

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    cel::add_overload!(env, fn url: (CelString) -> Result<Url>)?;
    cel::add_overload!(env, fn is_url: (CelString) -> CelBool, name = "isURL")?;
    cel::add_member_overload!(env, fn get_scheme: (Url) -> CelString)?;
    cel::add_member_overload!(env, fn get_host: (Url) -> CelString)?;
    cel::add_member_overload!(env, fn get_hostname: (Url) -> CelString)?;
    cel::add_member_overload!(env, fn get_port: (Url) -> CelString)?;
    cel::add_member_overload!(env, fn get_escaped_path: (Url) -> CelString)?;
    cel::add_member_overload!(env, fn get_query: (Url) -> CelMap)
}

fn is_url(text: &CelString<'_>) -> CelBool {
    formats::is_valid("uri", text.inner()).into()
}

fn url(text: &CelString<'_>) -> Result<Url, ExecutionError> {
    let text = text.inner();
    if !formats::is_valid("uri", text) {
        let why = format!("URL parse error during conversion from string: parse {text:?}: invalid URI for request");
        return Err(super::wrong("url", why));
    }
    let text = text.split('#').next().unwrap_or_default();
    let (rest, query) = text.split_once('?').unwrap_or((text, ""));
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, after)) if !rest.starts_with('/') => (scheme, after),
        _ => ("", rest),
    };
    let (host, path) = match rest.strip_prefix("//") {
        Some(after) => after.split_at(after.find('/').unwrap_or(after.len())),
        None => ("", rest),
    };
    Ok(Url {
        scheme: scheme.to_lowercase(),
        host: host.rsplit('@').next().unwrap_or_default().to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
    })
}

fn get_scheme(url: &Url) -> CelString<'static> {
    url.scheme.clone().into()
}

fn get_host(url: &Url) -> CelString<'static> {
    url.host.clone().into()
}

/// The host and its port.
fn split(host: &str) -> (&str, &str) {
    let end = host.rfind(']').map_or(0, |it| it + 1);
    match host[end..].rfind(':') {
        Some(colon) => (&host[..end + colon], &host[end + colon + 1..]),
        None => (host, ""),
    }
}

fn get_hostname(url: &Url) -> CelString<'static> {
    let (name, _) = split(&url.host);
    name.trim_start_matches('[').trim_end_matches(']').to_owned().into()
}

fn get_port(url: &Url) -> CelString<'static> {
    split(&url.host).1.to_owned().into()
}

fn get_escaped_path(url: &Url) -> CelString<'static> {
    url.path.clone().into()
}

fn get_query(url: &Url) -> CelMap<'static> {
    let mut values: HashMap<String, Vec<Box<dyn Val>>> = HashMap::new();
    let decode = |it: &str| {
        let spaces = it.replace('+', " ");
        percent_encoding::percent_decode_str(&spaces)
            .decode_utf8_lossy()
            .into_owned()
    };
    for pair in url.query.split('&').filter(|it| !it.is_empty() && !it.contains(';')) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = Box::new(CelString::from(decode(value)));
        values.entry(decode(name)).or_default().push(value);
    }
    let entries = values.into_iter().map(|(name, values)| {
        let list: Box<dyn Val> = Box::new(CelList::from(values));
        (CelMapKey::from(name), list)
    });
    CelMap::from(entries.collect::<HashMap<_, _>>())
}
