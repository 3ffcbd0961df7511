//! IP addresses and networks (`k8s.io/apimachinery/pkg/util/validation/ip.go`, `k8s.io/utils/net`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::at::{At, Errors};

const IP: &str = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const CIDR: &str = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
const LEADING_ZEROS: &str = "must not have leading 0s";
const MAPPED: &str = "must not be an IPv4-mapped IPv6 address";

/// Parses an address; leading zeros in IPv4 are let through, as the real server does.
pub fn parse(text: &str) -> Option<IpAddr> {
    text.parse().ok().or_else(|| sloppy_v4(text).map(IpAddr::V4))
}

fn sloppy_v4(text: &str) -> Option<Ipv4Addr> {
    let mut octets = [0_u8; 4];
    let mut parts = text.split('.');
    for octet in &mut octets {
        let part = parts.next()?;
        let digits = !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
        *octet = digits.then(|| part.parse().ok())??;
    }
    parts.next().is_none().then(|| octets.into())
}

/// Parses `10.0.0.0/24`: the address and the length of the prefix.
pub fn parse_cidr(text: &str) -> Option<(IpAddr, u8)> {
    let (address, prefix) = text.split_once('/')?;
    let (address, prefix) = (parse(address)?, prefix.parse().ok()?);
    let longest = if address.is_ipv4() { 32 } else { 128 };
    (prefix <= longest).then_some((address, prefix))
}

/// The address of the network: the host's bits cleared.
pub fn network(address: IpAddr, prefix: u8) -> IpAddr {
    match address {
        IpAddr::V4(it) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(prefix.min(32))).unwrap_or(0);
            Ipv4Addr::from_bits(it.to_bits() & mask).into()
        }
        IpAddr::V6(it) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(prefix.min(128))).unwrap_or(0);
            Ipv6Addr::from_bits(it.to_bits() & mask).into()
        }
    }
}

fn is_mapped(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(it) if it.to_ipv4_mapped().is_some())
}

/// An address in a field that is older than strict parsing. Those in `known` pass.
pub fn legacy_ip(at: &At<'_>, known: &[&str]) -> Errors {
    let text = at.text();
    if known.contains(&text) {
        return Errors::new();
    }
    match (parse(text), text.parse::<IpAddr>()) {
        (None, _) => at.all_invalid([IP]),
        (_, Err(_)) => at.all_invalid([LEADING_ZEROS]),
        (_, Ok(address)) if is_mapped(address) => at.all_invalid([MAPPED]),
        _ => Errors::new(),
    }
}

/// An address in its canonical form.
pub fn strict_ip(at: &At<'_>) -> Errors {
    let errors = legacy_ip(at, &[]);
    if !errors.is_empty() {
        return errors;
    }
    let canonical = parse(at.text()).map(|it| it.to_string()).unwrap_or_default();
    if canonical == at.text() {
        return Errors::new();
    }
    vec![at.invalid(format!("must be in canonical form ({canonical:?})"))]
}

/// A network in a field that is older than strict parsing. Those in `known` pass.
pub fn legacy_cidr(at: &At<'_>, known: &[&str]) -> Errors {
    let text = at.text();
    if known.contains(&text) {
        return Errors::new();
    }
    let Some((address, prefix)) = parse_cidr(text) else {
        return at.all_invalid([CIDR]);
    };
    let (shown, length) = text.split_once('/').unwrap_or_default();
    let mut errors = Errors::new();
    let zeros = shown.parse::<IpAddr>().is_err() || length.len() > 1 && length.starts_with('0');
    if zeros {
        errors.push(at.invalid("must not have leading 0s in IP or prefix length"));
    } else if is_mapped(address) {
        errors.push(at.invalid("must not have an IPv4-mapped IPv6 address"));
    } else if network(address, prefix) != address {
        errors.push(at.invalid("must not have bits set beyond the prefix length"));
    }
    errors
}

/// An address that an endpoint may have: not unspecified, not loopback, not link-local.
pub fn endpoint_ip(at: &At<'_>) -> Errors {
    let Some(address) = parse(at.text()) else {
        return at.all_invalid(["must be a valid IP address"]);
    };
    let unspecified = format!("may not be unspecified ({})", at.text());
    let (local, multicast) = match address {
        IpAddr::V4(it) => (it.is_link_local(), it.octets()[..3] == [224, 0, 0]),
        IpAddr::V6(it) => (it.is_unicast_link_local(), it.segments()[0] & 0xff0f == 0xff02),
    };
    let rules = [
        (address.is_unspecified(), unspecified.as_str()),
        (
            address.is_loopback(),
            "may not be in the loopback range (127.0.0.0/8, ::1/128)",
        ),
        (local, "may not be in the link-local range (169.254.0.0/16, fe80::/10)"),
        (
            multicast,
            "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
        ),
    ];
    at.all_invalid(rules.into_iter().filter(|(wrong, _)| *wrong).map(|(_, says)| says))
}
