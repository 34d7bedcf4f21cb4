//! The barrier algorithm of Open MPI's OpenSHMEM: chosen by the environment of a job, for all its PEs.
//!
//! By default its component `mpi` forwards `shmem_barrier_all` to MPI's barrier, so a comparison of the two compares
//! wrappers. The component `basic` has algorithms of its own in puts and gets.

/// An algorithm of Open MPI's OpenSHMEM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The library's default: MPI's barrier.
    Default,
    /// `scoll_basic_barrier_alg = 0`.
    CentralCounter,
    /// `scoll_basic_barrier_alg = 1`.
    Tournament,
    /// `scoll_basic_barrier_alg = 2`.
    RecursiveDoubling,
    /// `scoll_basic_barrier_alg = 3`: one slot a PE; it hangs.
    Dissemination,
    /// `scoll_basic_barrier_alg = 4`.
    Basic,
    /// `scoll_basic_barrier_alg = 5`.
    Adaptive,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 7] = {
        use Algorithm::*;
        [Default, CentralCounter, Tournament, RecursiveDoubling, Dissemination, Basic, Adaptive]
    };

    /// The name in messages and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::CentralCounter => "central_counter",
            Self::Tournament => "tournament",
            Self::RecursiveDoubling => "recursive_doubling",
            Self::Dissemination => "dissemination",
            Self::Basic => "basic",
            Self::Adaptive => "adaptive",
        }
    }

    /// The variables of a job that uses it.
    pub fn environment(self) -> Vec<(&'static str, String)> {
        let number = match self {
            Self::Default => return vec![],
            Self::CentralCounter => 0,
            Self::Tournament => 1,
            Self::RecursiveDoubling => 2,
            Self::Dissemination => 3,
            Self::Basic => 4,
            Self::Adaptive => 5,
        };
        vec![
            ("OMPI_MCA_scoll", "basic".to_owned()),
            ("OMPI_MCA_scoll_basic_barrier_alg", format!("{number}")),
        ]
    }
}
