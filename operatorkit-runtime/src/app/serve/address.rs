//! An address to listen on, as the command line says it.

use std::net::{Ipv6Addr, SocketAddr};

/// Where to listen; `None`: nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) struct Address(pub(in crate::app) Option<SocketAddr>);

/// Reads `:8080`, `127.0.0.1:8080`, `[::1]:8080` or `0`, as controller-runtime writes them.
pub(in crate::app) fn address(text: &str) -> Result<Address, String> {
    if text == "0" {
        return Ok(Address(None));
    }
    let every = text.strip_prefix(':').map(|port| {
        let port = port.parse().map_err(|_| ())?;
        Ok((Ipv6Addr::UNSPECIFIED, port).into())
    });
    let address = every.unwrap_or_else(|| text.parse().map_err(|_| ()));
    let address = address.map_err(|()| {
        "an address is written like `:8080`, `127.0.0.1:8080` or `[::1]:8080`; `0` turns it off".to_owned()
    })?;
    Ok(Address(Some(address)))
}
