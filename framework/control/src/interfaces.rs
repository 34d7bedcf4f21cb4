//! The addresses of this host, and whether two processes share its loopback interface.
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    net::Ipv4Addr,
};

/// A number that is equal in two processes exactly when they share a loopback interface: those of one network namespace of one running
/// kernel.
pub(crate) fn loopback_key() -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in ["/proc/sys/kernel/random/boot_id", "/proc/sys/kernel/hostname"] {
        fs::read_to_string(file).unwrap_or_default().hash(&mut hasher);
    }
    fs::read_link("/proc/self/ns/net").unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

/// The IPv4 addresses of this host's interfaces, except loopback ones; empty where the system does not list them.
pub(crate) fn addresses() -> Vec<Ipv4Addr> {
    parse_local(&fs::read_to_string("/proc/net/fib_trie").unwrap_or_default())
}

/// The local addresses of the kernel's table of routes: each is a line `|-- 10.0.0.1` before a line `/32 host LOCAL`.
fn parse_local(table: &str) -> Vec<Ipv4Addr> {
    let mut found = vec![];
    let mut last = None;
    for line in table.lines().map(str::trim) {
        if let Some(address) = line.strip_prefix("|-- ") {
            last = address.parse::<Ipv4Addr>().ok();
        } else if line == "/32 host LOCAL"
            && let Some(address) = last
            && !address.is_loopback()
            && !found.contains(&address)
        {
            found.push(address);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_addresses_are_those_of_interfaces_and_each_is_listed_once() {
        let table = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 10.77.0.0\n        /24 link UNICAST\n     |-- 10.77.0.11\n        \
                     /32 host LOCAL\n     |-- 10.77.0.255\n        /32 link BROADCAST\n     |-- 127.0.0.1\n        \
                     /32 host LOCAL\nLocal:\n     |-- 10.77.0.11\n        /32 host LOCAL\n     |-- 192.0.2.7\n        \
                     /32 host LOCAL\n";
        assert_eq!(parse_local(table), [Ipv4Addr::new(10, 77, 0, 11), Ipv4Addr::new(192, 0, 2, 7)]);
        assert_eq!(parse_local("|-- nonsense\n/32 host LOCAL\n"), [] as [Ipv4Addr; 0]);
    }

    #[test]
    fn two_readings_of_one_process_are_equal() {
        assert_eq!(loopback_key(), loopback_key());
    }
}
