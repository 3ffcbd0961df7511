//! `format` of strings (`k8s.io/kube-openapi/pkg/validation/strfmt`).

use std::net::{Ipv4Addr, Ipv6Addr};

use super::pattern;
use crate::schema::Type;

mod addresses;
mod numbers;
mod times;

pub use addresses::parse_mac;
pub use times::{parse_duration, parse_go_duration};

/// The formats of strings that are checked, without dashes.
const STRINGS: [&str; 26] = [
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "duration",
    "datetime",
    "k8sshortname",
    "k8slongname",
];

/// The format, if one is checked for values of this type. Others are ignored.
pub fn effective(type_: Type, format: Option<&str>) -> Option<&str> {
    format.filter(|format| match type_ {
        Type::Any | Type::String | Type::IntOrString => is_known(format),
        Type::Integer => matches!(*format, "int32" | "int64"),
        Type::Number => matches!(*format, "float" | "double"),
        Type::Object | Type::Array | Type::Boolean => false,
    })
}

/// Whether a format of strings is checked.
pub fn is_known(format: &str) -> bool {
    STRINGS.contains(&&*normalized(format))
}

fn normalized(format: &str) -> String {
    format.replace('-', "")
}

/// Whether a string is of a format. Unknown formats have no strings.
pub fn is_valid(format: &str, text: &str) -> bool {
    match &*normalized(format) {
        "bsonobjectid" => text.len() == 24 && text.bytes().all(|it| it.is_ascii_hexdigit()),
        "uri" => addresses::is_request_uri(text),
        "email" => addresses::is_email(text),
        "hostname" => addresses::is_hostname(text),
        "ipv4" => addresses::parse_ipv4(text).is_some() || addresses::is_mapped_ipv4(text),
        "ipv6" => addresses::is_ipv6(text),
        "cidr" => addresses::is_cidr(text),
        "mac" => parse_mac(text),
        "uuid" => is_uuid(text, None),
        "uuid3" => is_uuid(text, Some(b'3')),
        "uuid4" => is_uuid(text, Some(b'4')),
        "uuid5" => is_uuid(text, Some(b'5')),
        "isbn" => numbers::is_isbn10(text) || numbers::is_isbn13(text),
        "isbn10" => numbers::is_isbn10(text),
        "isbn13" => numbers::is_isbn13(text),
        "creditcard" => numbers::is_credit_card(text),
        "ssn" => text.len() == 11 && matches(r"^\d{3}[- ]?\d{2}[- ]?\d{4}$", text),
        "hexcolor" => matches("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$", text),
        "rgbcolor" => numbers::is_rgb(text),
        "byte" => matches(
            "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$",
            text,
        ),
        "password" => true,
        "date" => times::is_date(text),
        "duration" => parse_duration(text).is_some(),
        "datetime" => times::is_date_time(text),
        "k8sshortname" => text.len() <= 63 && matches("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", text),
        "k8slongname" => {
            text.len() <= 253
                && matches(
                    r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
                    text,
                )
        }
        _ => false,
    }
}

/// Whether a string is an IP address, as Go's `net.ParseIP` reads it.
pub fn parse_ip(text: &str) -> Option<std::net::IpAddr> {
    if text.contains(':') {
        return text.parse::<Ipv6Addr>().ok().map(Into::into);
    }
    text.parse::<Ipv4Addr>().ok().map(Into::into)
}

fn is_uuid(text: &str, version: Option<u8>) -> bool {
    let parts: Option<Vec<u8>> = (|| {
        let mut digits = Vec::with_capacity(32);
        let mut rest = text.as_bytes();
        for length in [8, 4, 4, 4, 12] {
            if !digits.is_empty() && rest.first() == Some(&b'-') {
                rest = &rest[1..];
            }
            let part = rest.get(..length)?;
            digits.extend_from_slice(part);
            rest = &rest[length..];
        }
        (rest.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)).then_some(digits)
    })();
    let variant = |digits: &[u8]| version == Some(b'3') || b"89abAB".contains(&digits[16]);
    parts.is_some_and(|digits| version.is_none_or(|version| digits[12] == version && variant(&digits)))
}

fn matches(expression: &str, text: &str) -> bool {
    pattern::compile(expression).is_ok_and(|it| it.is_match(text))
}
