//! Fixes the algorithm of the library's verb, so that equal algorithms are compared.
//!
//! A library chooses among many algorithms by size and number of ranks. For the comparison with a binomial tree,
//! environment variables that it reads at start select its binomial tree.
use std::process::Command;

use wb_comm::LibraryInfo;

/// An algorithm that can be fixed in a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForcedAlgorithm {
    /// Its name in records.
    pub(crate) algorithm: &'static str,
    variables: &'static [(&'static str, &'static str)],
}

/// `coll_tuned` has the algorithms; components with a higher priority are excluded. Algorithm 6 of its broadcast is
/// the binomial tree, and segment size 0 sends every message in one piece.
const OPEN_MPI_BCAST: ForcedAlgorithm = ForcedAlgorithm {
    algorithm: "binomial",
    variables: &[
        ("OMPI_MCA_coll", "basic,libnbc,self,tuned"),
        ("OMPI_MCA_coll_tuned_use_dynamic_rules", "1"),
        ("OMPI_MCA_coll_tuned_bcast_algorithm", "6"),
        ("OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize", "0"),
    ],
};

/// The device's own collectives (shared memory) would have precedence over the general ones.
const MPICH_BCAST: ForcedAlgorithm = ForcedAlgorithm {
    algorithm: "binomial",
    variables: &[("MPIR_CVAR_DEVICE_COLLECTIVES", "none"), ("MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial")],
};

impl ForcedAlgorithm {
    /// The algorithm that can be fixed in `library` for `operation`; `None` if none is known.
    pub(crate) fn for_operation(library: &LibraryInfo, operation: &str) -> Option<Self> {
        match (library.implementation.as_str(), operation) {
            ("Open MPI", "bcast") => Some(OPEN_MPI_BCAST),
            ("MPICH", "bcast") => Some(MPICH_BCAST),
            _ => None,
        }
    }

    /// Sets the variables for the job that `command` starts.
    pub(crate) fn apply(self, command: &mut Command) {
        command.envs(self.variables.iter().copied());
    }

    /// The variables of the job, for its records.
    pub(crate) fn variables(self) -> impl Iterator<Item = (String, String)> {
        self.variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_told_and_what_is_not_is_left_alone() {
        let library =
            |flavour: &str| LibraryInfo { implementation: flavour.into(), ..LibraryInfo::default() };
        let mut command = Command::new("true");
        ForcedAlgorithm::for_operation(&library("Open MPI"), "bcast").expect("known").apply(&mut command);
        let wanted = "OMPI_MCA_coll_tuned_bcast_algorithm";
        assert!(command.get_envs().any(|(name, value)| name == wanted && value.is_some_and(|v| v == "6")));
        assert_eq!(ForcedAlgorithm::for_operation(&library("Open MPI"), "alltoall"), None);
        assert_eq!(ForcedAlgorithm::for_operation(&library("unknown"), "bcast"), None);
    }
}
