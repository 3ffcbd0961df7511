//! The addresses and node ports that are taken.

use std::{
    collections::BTreeSet,
    net::{IpAddr, Ipv4Addr},
};

use serde_json::Value;

use super::node_ports;
use crate::{
    kinds::edit,
    validation::{At, address},
};

const PORTS: std::ops::RangeInclusive<i64> = 30000..=32767;

/// The addresses and node ports that are taken. One family: IPv4.
#[derive(Clone, Debug)]
pub struct Allocator {
    network: Ipv4Addr,
    prefix: u8,
    ips: BTreeSet<u32>,
    ports: BTreeSet<i64>,
    /// What was given last: what was just given back is not given again at once (the real server draws by lot).
    last: (u32, i64),
    /// For a dry run: nothing new is looked for.
    rehearsal: bool,
}

impl Default for Allocator {
    /// `10.0.0.0/16`, whose first address is that of the Service `kubernetes`.
    fn default() -> Self {
        Self::new(Ipv4Addr::new(10, 0, 0, 0), 16)
    }
}

impl Allocator {
    /// An allocator of a network.
    pub fn new(network: Ipv4Addr, prefix: u8) -> Self {
        Self {
            network,
            prefix: prefix.min(30),
            ips: BTreeSet::new(),
            ports: BTreeSet::new(),
            last: (0, 0),
            rehearsal: false,
        }
    }

    /// A copy for a dry run, which as in the real server gives everybody the network's own address and takes any port.
    #[must_use]
    pub fn rehearse(&self) -> Self {
        Self {
            rehearsal: true,
            ..self.clone()
        }
    }

    fn bounds(&self) -> (u32, u32) {
        let first = self.network.to_bits();
        (first + 1, first + (1 << (32 - u32::from(self.prefix))) - 2)
    }

    pub(super) fn next_ip(&mut self) -> Result<Ipv4Addr, String> {
        if self.rehearsal {
            return Ok(self.network);
        }
        let (first, last) = self.bounds();
        // The first sixteenth (16 to 256 addresses) is for those who choose, as in the real server.
        let own = ((last - first) / 16).clamp(16, 256).min(last - first);
        let start = (self.last.0 + 1).clamp(first + own, last);
        let free = (start..=last)
            .chain(first + own..start)
            .chain(first..first + own)
            .find(|it| !self.ips.contains(it));
        let ip = free.ok_or("range is full")?;
        self.ips.insert(ip);
        self.last.0 = ip;
        Ok(Ipv4Addr::from_bits(ip))
    }

    pub(super) fn take_ip(&mut self, ip: IpAddr) -> Result<(), String> {
        let (first, last) = self.bounds();
        let bits = match ip {
            IpAddr::V4(it) if (first..=last).contains(&it.to_bits()) => it.to_bits(),
            _ => {
                let (network, prefix) = (self.network, self.prefix);
                let range = format!("The range of valid IPs is {network}/{prefix}");
                return Err(format!("the provided IP ({ip}) is not in the valid range. {range}"));
            }
        };
        let free = self.ips.insert(bits);
        if free {
            Ok(())
        } else {
            Err("provided IP is already allocated".into())
        }
    }

    pub(super) fn next_port(&mut self) -> Result<i64, String> {
        if self.rehearsal {
            // The real server names a port outside of the range, and the next ones after it.
            self.last.1 = if self.last.1 > *PORTS.end() {
                self.last.1 + 1
            } else {
                32_769
            };
            return Ok(self.last.1);
        }
        // The first 86 ports are for those who choose, as in the real server.
        let (first, last) = (*PORTS.start(), *PORTS.end());
        let start = (self.last.1 + 1).clamp(first + 86, last);
        let free = (start..=last)
            .chain(first + 86..start)
            .chain(first..first + 86)
            .find(|it| !self.ports.contains(it));
        let port = free.ok_or("range is full")?;
        self.ports.insert(port);
        self.last.1 = port;
        Ok(port)
    }

    pub(super) fn take_port(&mut self, port: i64) -> Result<(), String> {
        if !self.rehearsal && !PORTS.contains(&port) {
            let range = "The range of valid ports is 30000-32767";
            return Err(format!("provided port is not in the valid range. {range}"));
        }
        let free = self.ports.insert(port);
        if free {
            Ok(())
        } else {
            Err("provided port is already allocated".into())
        }
    }

    /// Takes what a stored Service has, without asking: when a store is filled.
    pub fn adopt(&mut self, service: &Value) {
        let claim = Claim::of(service);
        self.ips.extend(claim.ips);
        self.ports.extend(claim.ports);
    }

    /// Gives back what a Service that is gone had.
    pub fn release(&mut self, service: &Value) {
        Claim::of(service).revert(self);
    }
}

/// What a request took, and what it gives back if it succeeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    pub(super) ips: BTreeSet<u32>,
    pub(super) ports: BTreeSet<i64>,
    pub(super) old_ips: BTreeSet<u32>,
    pub(super) old_ports: BTreeSet<i64>,
}

impl Claim {
    pub(super) fn of(service: &Value) -> Self {
        let ips = At::root(service).get("spec").get("clusterIPs");
        let mut ports: BTreeSet<_> = node_ports(service).into_iter().collect();
        let health = edit::number(service, &["spec", "healthCheckNodePort"]);
        ports.extend((health != 0).then_some(health));
        Self {
            ips: ips.items().filter_map(|it| v4(it.text())).collect(),
            ports,
            ..Self::default()
        }
    }

    /// The object is stored: what it no longer has is free.
    pub fn commit(&self, allocator: &mut Allocator) {
        allocator.ips.retain(|it| !self.old_ips.contains(it));
        allocator.ports.retain(|it| !self.old_ports.contains(it));
    }

    /// The object is not stored: what was taken for it is free.
    pub fn revert(&self, allocator: &mut Allocator) {
        allocator.ips.retain(|it| !self.ips.contains(it));
        allocator.ports.retain(|it| !self.ports.contains(it));
    }
}

pub(super) fn v4(text: &str) -> Option<u32> {
    match address::parse(text)? {
        IpAddr::V4(it) => Some(it.to_bits()),
        IpAddr::V6(_) => None,
    }
}
