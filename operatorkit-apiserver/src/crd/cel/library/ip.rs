//! `ip()` and `cidr()`.

use std::net::IpAddr;

use cel::{
    DeclarationError, Env, ExecutionError,
    common::types::{CelBool, CelInt, CelString},
};

use super::wrong;

/// An IP address.
#[derive(Clone, Debug, PartialEq)]
struct Ip(IpAddr);

/// A network: an address, and how many bits of it count.
#[derive(Clone, Debug, PartialEq)]
struct Cidr(IpAddr, u8);

super::opaque!(Ip, "net.IP");
super::opaque!(Cidr, "net.CIDR");

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    cel::add_overload!(env, fn ip: (CelString) -> Result<Ip>)?;
    cel::add_overload!(env, fn is_ip: (CelString) -> CelBool, name = "isIP")?;
    cel::add_overload!(env, fn is_canonical: (CelString) -> Result<CelBool>, name = "ip.isCanonical")?;
    cel::add_member_overload!(env, fn family: (Ip) -> CelInt)?;
    cel::add_member_overload!(env, fn is_unspecified: (Ip) -> CelBool)?;
    cel::add_member_overload!(env, fn is_loopback: (Ip) -> CelBool)?;
    cel::add_member_overload!(env, fn is_link_local_multicast: (Ip) -> CelBool)?;
    cel::add_member_overload!(env, fn is_link_local_unicast: (Ip) -> CelBool)?;
    cel::add_member_overload!(env, fn is_global_unicast: (Ip) -> CelBool)?;
    cel::add_overload!(env, fn ip_text: (Ip) -> CelString, name = "string", id = "ip_to_string")?;
    cel::add_overload!(env, fn cidr: (CelString) -> Result<Cidr>)?;
    cel::add_overload!(env, fn is_cidr: (CelString) -> CelBool, name = "isCIDR")?;
    cel::add_member_overload!(env, fn contains_text: (Cidr, CelString) -> Result<CelBool>, name = "containsIP")?;
    cel::add_member_overload!(env, fn contains_ip: (Cidr, Ip) -> CelBool, name = "containsIP")?;
    cel::add_member_overload!(env, fn contains_net_text: (Cidr, CelString) -> Result<CelBool>, name = "containsCIDR")?;
    cel::add_member_overload!(env, fn contains_net: (Cidr, Cidr) -> CelBool, name = "containsCIDR")?;
    cel::add_member_overload!(env, fn address: (Cidr) -> Ip, name = "ip")?;
    cel::add_member_overload!(env, fn prefix_length: (Cidr) -> CelInt)?;
    cel::add_member_overload!(env, fn masked: (Cidr) -> Cidr)?;
    cel::add_overload!(env, fn cidr_text: (Cidr) -> CelString, name = "string", id = "cidr_to_string")
}

fn parse(text: &str) -> Result<IpAddr, String> {
    let unable = |why: &str| {
        format!("IP Address {text:?} parse error during conversion from string: ParseAddr({text:?}): {why}")
    };
    if let Some((address, zone)) = text.split_once('%')
        && !zone.is_empty()
        && address.parse::<std::net::Ipv6Addr>().is_ok()
    {
        return Err(format!("IP address {text:?} with zone value is not allowed"));
    }
    match text.parse::<IpAddr>() {
        Ok(IpAddr::V6(it)) if it.to_ipv4_mapped().is_some() => {
            Err(format!("IPv4-mapped IPv6 address {text:?} is not allowed"))
        }
        Ok(it) => Ok(it),
        Err(_) => Err(unable("unable to parse IP")),
    }
}

fn ip(text: &CelString<'_>) -> Result<Ip, ExecutionError> {
    parse(text.inner()).map(Ip).map_err(|why| wrong("ip", why))
}

fn is_ip(text: &CelString<'_>) -> CelBool {
    parse(text.inner()).is_ok().into()
}

fn is_canonical(text: &CelString<'_>) -> Result<CelBool, ExecutionError> {
    let address = parse(text.inner()).map_err(|why| wrong("ip.isCanonical", why))?;
    Ok((address.to_string() == text.inner()).into())
}

fn ip_text(ip: &Ip) -> CelString<'static> {
    ip.0.to_string().into()
}

fn family(ip: &Ip) -> CelInt {
    if ip.0.is_ipv4() { 4 } else { 6 }.into()
}

fn is_unspecified(ip: &Ip) -> CelBool {
    ip.0.is_unspecified().into()
}

fn is_loopback(ip: &Ip) -> CelBool {
    ip.0.is_loopback().into()
}

fn is_link_local_multicast(ip: &Ip) -> CelBool {
    match ip.0 {
        IpAddr::V4(it) => it.octets()[..3] == [224, 0, 0],
        IpAddr::V6(it) => it.segments()[0] & 0xff0f == 0xff02,
    }
    .into()
}

fn link_local(ip: &Ip) -> bool {
    match ip.0 {
        IpAddr::V4(it) => it.is_link_local(),
        IpAddr::V6(it) => it.is_unicast_link_local(),
    }
}

fn is_link_local_unicast(ip: &Ip) -> CelBool {
    link_local(ip).into()
}

fn is_global_unicast(ip: &Ip) -> CelBool {
    let broadcast = matches!(ip.0, IpAddr::V4(it) if it.is_broadcast());
    (!broadcast && !ip.0.is_unspecified() && !ip.0.is_loopback() && !ip.0.is_multicast() && !link_local(ip)).into()
}

fn parse_net(text: &str) -> Result<Cidr, String> {
    let twice = "network address parse error during conversion from string: ";
    let unable = |why: &str| format!("{twice}{twice}netip.ParsePrefix({text:?}): {why}");
    let (address, bits) = text.rsplit_once('/').ok_or_else(|| unable("no '/'"))?;
    let address: IpAddr = address
        .parse()
        .map_err(|_| unable(&format!("ParseAddr({address:?}): unable to parse IP")))?;
    let digits = bits.bytes().all(|it| it.is_ascii_digit()) && !(bits.len() > 1 && bits.starts_with('0'));
    let length = bits.parse::<u8>().ok().filter(|_| digits);
    let length = length.ok_or_else(|| unable(&format!("bad bits after slash: {bits:?}")))?;
    if length > width(address) {
        return Err(unable("prefix length out of range"));
    }
    if matches!(address, IpAddr::V6(it) if it.to_ipv4_mapped().is_some()) {
        return Err(format!("{twice}IPv4-mapped IPv6 address {text:?} is not allowed"));
    }
    Ok(Cidr(address, length))
}

fn width(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// The first bits of an address, the others cleared.
fn network(address: IpAddr, length: u8) -> IpAddr {
    match address {
        IpAddr::V4(it) => IpAddr::V4((it.to_bits() & u32::MAX.checked_shl(u32::from(32 - length)).unwrap_or(0)).into()),
        IpAddr::V6(it) => {
            IpAddr::V6((it.to_bits() & u128::MAX.checked_shl(u32::from(128 - length)).unwrap_or(0)).into())
        }
    }
}

fn cidr(text: &CelString<'_>) -> Result<Cidr, ExecutionError> {
    parse_net(text.inner()).map_err(|why| wrong("cidr", why))
}

fn is_cidr(text: &CelString<'_>) -> CelBool {
    parse_net(text.inner()).is_ok().into()
}

fn cidr_text(net: &Cidr) -> CelString<'static> {
    format!("{}/{}", net.0, net.1).into()
}

fn holds(net: &Cidr, address: IpAddr) -> bool {
    address.is_ipv4() == net.0.is_ipv4() && network(address, net.1) == network(net.0, net.1)
}

fn contains_ip(net: &Cidr, ip: &Ip) -> CelBool {
    holds(net, ip.0).into()
}

fn contains_text(net: &Cidr, text: &CelString<'_>) -> Result<CelBool, ExecutionError> {
    Ok(contains_ip(net, &ip(text)?))
}

fn contains_net(net: &Cidr, other: &Cidr) -> CelBool {
    (net.1 <= other.1 && holds(net, other.0)).into()
}

fn contains_net_text(net: &Cidr, text: &CelString<'_>) -> Result<CelBool, ExecutionError> {
    Ok(contains_net(net, &cidr(text)?))
}

fn address(net: &Cidr) -> Ip {
    Ip(net.0)
}

fn prefix_length(net: &Cidr) -> CelInt {
    i64::from(net.1).into()
}

fn masked(net: &Cidr) -> Cidr {
    Cidr(network(net.0, net.1), net.1)
}
