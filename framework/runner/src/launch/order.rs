//! The order of ranks on processors in the words of each launcher.

use wb_comm::LibraryInfo;
use wb_config::RankMap;

use crate::version_number::{is_open_mpi, version_number};

/// The options of the library's launcher. Ranks are bound to cores where each has one.
pub(super) fn of_library(map: RankMap, library: &LibraryInfo, has_cores: bool) -> Vec<&'static str> {
    let unit = if has_cores { "core" } else { "none" };
    match (is_open_mpi(library), map) {
        (true, _) => vec!["--map-by", open_mpi_name(map, library), "--bind-to", unit],
        (false, RankMap::Node) => vec!["-ppn", "1", "-bind-to", unit],
        (false, _) if has_cores => vec!["-bind-to", unit, "-map-by", map.name()],
        (false, _) => vec!["-bind-to", unit],
    }
}

/// Open MPI 5 calls a socket a package.
fn open_mpi_name(map: RankMap, library: &LibraryInfo) -> &'static str {
    let is_older = version_number(library)
        .and_then(|number| number.split('.').next()?.parse().ok())
        .is_some_and(|major: u32| major < 5);
    match map {
        RankMap::Socket if !is_older => "package",
        map => map.name(),
    }
}

/// The options of `srun`: the order over nodes, then over the sockets of a node.
pub(super) fn of_srun(map: RankMap, has_cores: bool) -> Vec<&'static str> {
    let order = match map {
        RankMap::Core => "--distribution=block:block",
        RankMap::Socket => "--distribution=block:cyclic",
        RankMap::Node => "--distribution=cyclic:block",
    };
    vec![order, if has_cores { "--cpu-bind=cores" } else { "--cpu-bind=none" }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_mpi(version: &str) -> LibraryInfo {
        let version = format!("Open MPI v{version}, package");
        LibraryInfo { implementation: "Open MPI".into(), version, launchers: vec![] }
    }

    #[test]
    fn a_socket_is_named_as_the_version_names_it() {
        let options = |version| of_library(RankMap::Socket, &open_mpi(version), true);
        assert_eq!(options("4.1.4"), ["--map-by", "socket", "--bind-to", "core"]);
        assert_eq!(options("5.0.3"), ["--map-by", "package", "--bind-to", "core"]);
    }
}
