//! The rank of this process in an MPI job, from the environment that its launcher sets.

/// The rank of this process in the job of its launcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LauncherRank {
    /// This process's rank in the whole job.
    pub rank: usize,
    /// The number of ranks that the launcher announced; `None` when it announced a rank only (bare PMIx).
    pub size: Option<usize>,
    /// The protocol of the variables, which identifies the family of the launcher.
    pub launcher: Launcher,
}

/// A family of launchers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// `mpirun` of Open MPI.
    OpenMpi,
    /// PMI: `mpiexec` of MPICH (Hydra) and its descendants, `srun --mpi=pmi2`.
    Pmi,
    /// PMIx without Open MPI's own variables: `prterun`, `srun --mpi=pmix`.
    Pmix,
}

/// The rank of this process in a launcher's job; `None` if no launcher started it.
pub fn launcher_rank() -> Option<LauncherRank> {
    from_variables(|name| std::env::var(name).ok())
}

/// [`launcher_rank`] of another process.
pub(crate) fn launcher_rank_of(pid: u32) -> Option<LauncherRank> {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let environment = String::from_utf8_lossy(&environment);
    from_variables(|name| {
        let value = |variable: &str| Some(variable.strip_prefix(name)?.strip_prefix('=')?.to_owned());
        environment.split('\0').find_map(value)
    })
}

/// [`launcher_rank`] for the environment `get`.
fn from_variables(get: impl Fn(&str) -> Option<String>) -> Option<LauncherRank> {
    let number = |name: &str| get(name).and_then(|text| text.parse::<usize>().ok());
    let announced = |rank: &str, sizes: &[&str], launcher| {
        let size = sizes.iter().find_map(|name| number(name));
        number(rank).map(|rank| LauncherRank { rank, size, launcher })
    };
    announced("OMPI_COMM_WORLD_RANK", &["OMPI_COMM_WORLD_SIZE"], Launcher::OpenMpi)
        .or_else(|| announced("PMI_RANK", &["PMI_SIZE"], Launcher::Pmi))
        .or_else(|| announced("PMIX_RANK", &["PMIX_SIZE", "SLURM_STEP_NUM_TASKS"], Launcher::Pmix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identify_in(variables: &[(&str, &str)]) -> Option<LauncherRank> {
        from_variables(|name| {
            variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_string())
        })
    }

    #[test]
    fn no_variable_is_no_launcher() {
        assert_eq!(identify_in(&[("PATH", "/bin")]), None);
    }

    #[test]
    fn open_mpi_comes_before_the_pmix_it_speaks() {
        let found =
            identify_in(&[("PMIX_RANK", "1"), ("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "4")]);
        assert_eq!(found, Some(LauncherRank { rank: 1, size: Some(4), launcher: Launcher::OpenMpi }));
    }

    #[test]
    fn mpich_tells_by_pmi() {
        let found = identify_in(&[("PMI_RANK", "0"), ("PMI_SIZE", "2")]);
        assert_eq!(found, Some(LauncherRank { rank: 0, size: Some(2), launcher: Launcher::Pmi }));
    }

    #[test]
    fn bare_pmix_may_leave_the_size_open() {
        let found = identify_in(&[("PMIX_RANK", "3")]);
        assert_eq!(found, Some(LauncherRank { rank: 3, size: None, launcher: Launcher::Pmix }));
    }
}
