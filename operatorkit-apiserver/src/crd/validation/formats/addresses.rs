//! Names and addresses of the network, as Go's `net`, `net/url` and `net/mail` read them.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::matches;

const HOSTNAME: &str = r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$";

pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= 255 && text.split('.').all(|it| it.len() <= 63) && matches(HOSTNAME, text)
}

/// `net.ParseIP` as it was before Go 1.17: leading zeros are read as decimal.
pub(super) fn parse_ipv4(text: &str) -> Option<Ipv4Addr> {
    let mut bytes = [0; 4];
    let mut parts = text.split('.');
    for byte in &mut bytes {
        let part = parts.next()?;
        if part.is_empty() || !part.bytes().all(|it| it.is_ascii_digit()) {
            return None;
        }
        *byte = part
            .trim_start_matches('0')
            .parse()
            .or_else(|why| {
                if part.bytes().all(|it| it == b'0') {
                    Ok(0)
                } else {
                    Err(why)
                }
            })
            .ok()?;
    }
    parts.next().is_none().then(|| bytes.into())
}

/// `::ffff:1.2.3.4` is an address with dots.
pub(super) fn is_mapped_ipv4(text: &str) -> bool {
    text.contains('.') && text.parse::<Ipv6Addr>().is_ok()
}

pub(super) fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

pub(super) fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else {
        return false;
    };
    let max = if address.contains(':') { 128 } else { 32 };
    let known = if max == 128 {
        is_ipv6(address)
    } else {
        parse_ipv4(address).is_some()
    };
    known
        && !bits.is_empty()
        && bits.bytes().all(|it| it.is_ascii_digit())
        && bits.parse::<u32>().is_ok_and(|it| it <= max)
}

/// Whether a string is a hardware address, as Go's `net.ParseMAC` reads it.
pub fn parse_mac(text: &str) -> bool {
    let lengths = |width: usize, separator: char| {
        let parts: Vec<&str> = text.split(separator).collect();
        let hex = |it: &&str| it.len() == width && it.bytes().all(|it| it.is_ascii_hexdigit());
        parts.iter().all(hex).then_some(parts.len() * width / 2)
    };
    let length = match (text.contains(':'), text.contains('-'), text.contains('.')) {
        (true, false, false) => lengths(2, ':'),
        (false, true, false) => lengths(2, '-'),
        (false, false, true) => lengths(4, '.'),
        _ => None,
    };
    matches!(length, Some(6 | 8 | 20))
}

/// Whether a string is an absolute URI or an absolute path (`url.ParseRequestURI`).
pub(crate) fn is_request_uri(text: &str) -> bool {
    if text.is_empty() || text.bytes().any(|it| it < 0x20 || it == 0x7f) {
        return false;
    }
    let rest = match scheme(text) {
        Some((_, rest)) if !rest.starts_with('/') => return true,
        Some((_, rest)) => rest,
        None if text == "*" => return true,
        None if text.starts_with('/') => text,
        None => return false,
    };
    let path = rest.split('?').next().unwrap_or_default();
    let Some(authority) = path
        .strip_prefix("//")
        .filter(|_| rest.len() != text.len() || !path.starts_with("///"))
    else {
        return escapes(path);
    };
    let (authority, path) = authority.split_at(authority.find('/').unwrap_or(authority.len()));
    is_authority(authority) && escapes(path)
}

fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let mut bytes = scheme.bytes();
    let letter = bytes.next().is_some_and(|it| it.is_ascii_alphabetic());
    (letter && bytes.all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))).then_some((scheme, rest))
}

fn is_authority(authority: &str) -> bool {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let port = |port: &str| port.is_empty() || port.bytes().all(|it| it.is_ascii_digit());
    if let Some(address) = host.strip_prefix('[') {
        return address.split_once(']').is_some_and(|(address, rest)| {
            is_ipv6(address.split('%').next().unwrap_or_default())
                && (rest.is_empty() || rest.strip_prefix(':').is_some_and(port))
        });
    }
    let (name, number) = host.split_once(':').unwrap_or((host, ""));
    port(number) && !name.bytes().any(|it| b" <>\"\\^`{|}".contains(&it)) && escapes(name)
}

/// Whether each `%` is followed by two digits.
fn escapes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |at: usize| {
        bytes
            .get(at + 1..at + 3)
            .is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit))
    };
    (0..bytes.len()).all(|at| bytes[at] != b'%' || digits(at))
}

/// Whether a string is a mail address: `a@b`, `<a@b>` or `Name <a@b>` (`mail.ParseAddress`).
pub(super) fn is_email(text: &str) -> bool {
    let text = text.trim_matches([' ', '\t']);
    let address = match text.strip_suffix('>').and_then(|it| it.rsplit_once('<')) {
        Some((name, address)) => {
            let name = name.trim();
            let quoted = name.len() > 1 && name.starts_with('"') && name.ends_with('"');
            let words = name
                .split_whitespace()
                .all(|it| it.chars().all(|it| is_atom(it) || it == '.'));
            if !quoted && !words {
                return false;
            }
            address
        }
        None => text,
    };
    let Some((local, domain)) = address.rsplit_once('@') else {
        return false;
    };
    let dotted = |it: &str| it.split('.').all(|it| !it.is_empty() && it.chars().all(is_atom));
    let quoted = local.len() > 1 && local.starts_with('"') && local.ends_with('"');
    let literal = domain.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    (dotted(local) || quoted)
        && literal.map_or_else(
            || dotted(domain),
            |it| super::parse_ip(it.trim_start_matches("IPv6:")).is_some(),
        )
}

fn is_atom(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || !letter.is_ascii() || "!#$%&'*+-/=?^_`{|}~".contains(letter)
}
