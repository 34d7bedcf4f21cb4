//! The order in which ranks are placed on the processors of hosts.

use serde::Deserialize;

/// Consecutive ranks are placed on consecutive units of this kind. Each rank is bound to a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankMap {
    /// Cores: a host is filled before the next one is used.
    Core,
    /// Sockets: a host is filled, its sockets in turn.
    Socket,
    /// Hosts in turn.
    Node,
}

impl RankMap {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Core, Self::Socket, Self::Node];

    /// `core`, `socket` or `node`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Socket => "socket",
            Self::Node => "node",
        }
    }

    /// The map of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|map| map.name() == name)
    }
}
