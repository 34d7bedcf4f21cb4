//! The command line that starts a job of ranks: by the launcher that belongs to the linked library, on this host or on others,
//! or by Slurm's `srun`.
//!
//! The library determines the launcher, not the order in `PATH`: the launcher of another library starts N worlds of one
//! rank and reports success. `srun` starts the ranks of each library through the interface that the library uses.
mod order;
mod slurm_allocation;

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    process::Command,
    sync::OnceLock,
};

use wb_comm::LibraryInfo;
use wb_config::{CourseSettings, HostFile, JobHosts, JobPlacement, RankMap};
use wb_messages::Lang;
use wb_process::preconditions::missing_for_job;

use crate::{
    slurm_job,
    version_number::{is_open_mpi, version_number},
};
use slurm_allocation::SlurmAllocation;

/// The reason why no job can be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// `PATH` contains no program that starts jobs for the library.
    #[error("this program is linked with {flavour}, and no launcher of it is on the PATH")]
    NoLauncher {
        /// The library.
        flavour: String,
    },
    /// The interface by which Slurm would start ranks of the library is not known.
    #[error("srun cannot start ranks of {flavour}: only Open MPI (PMIx) and MPICH (PMI-2) are supported")]
    NoSlurmInterface {
        /// The library.
        flavour: String,
    },
    /// The host lacks something that a job needs.
    #[error("{0}")]
    Host(String),
    /// The variables that say where ranks run are invalid.
    #[error("{0}")]
    Placement(String),
}

/// Variables with these prefixes are passed on to ranks on other hosts.
const EXPORTED_PREFIXES: [&str; 9] =
    ["WB_", "RUST", "CARGO", "LC_", "MPICH_", "MPIR_CVAR_", "UCX_", "OMP_", "MALLOC_"];

/// Variables of these names are passed on, too.
const EXPORTED_NAMES: [&str; 5] = ["PATH", "LD_LIBRARY_PATH", "LANG", "LANGUAGE", "NO_COLOR"];

/// The command that runs `program`, with its arguments and variables, on `ranks` ranks. The caller starts it as a
/// [`wb_process::Job`].
///
/// The variables of an outer launcher are removed, so that a rank may start its own job. The command permits to run as
/// root and to use more ranks than cores, and makes idle ranks yield, as this machine requires. `WB_HOSTS`
/// ([`JobHosts`]) says where the ranks run and what starts them.
///
/// # Errors
/// [`LaunchError`].
pub fn on_ranks(library: &LibraryInfo, ranks: usize, program: &Command) -> Result<Command, LaunchError> {
    let placement = placement()?;
    if !placement.is_on_hosts() {
        let missing = missing_for_job(ranks, is_open_mpi(library));
        missing.map_or(Ok(()), |missing| Err(LaunchError::Host(missing)))?;
    }
    let mut command = launcher_command(library, ranks, program, placement)?;
    // On several hosts no algorithm in shared memory is chosen.
    if !placement.is_on_hosts()
        && std::env::var_os(COLLECTIVES_VARIABLE).is_none()
        && let Some(chosen) = collectives_of_course()?
    {
        command.env(COLLECTIVES_VARIABLE, chosen);
    }
    Ok(command)
}

/// What performs the collective operations of a job's ranks (`wb_algorithms::collectives::selection`).
const COLLECTIVES_VARIABLE: &str = "WB_COLLECTIVE_ALGORITHM";

/// The choice of the course; read once.
fn collectives_of_course() -> Result<Option<&'static String>, LaunchError> {
    static CHOSEN: OnceLock<Result<Option<String>, LaunchError>> = OnceLock::new();
    let read = || {
        let start = std::env::current_dir().unwrap_or_default();
        let chosen = CourseSettings::chosen_collectives(&start);
        chosen.map_err(|error| LaunchError::Placement(error.text().to_string()))
    };
    CHOSEN.get_or_init(read).as_ref().map(Option::as_ref).map_err(Clone::clone)
}

/// Lines below the reason why a job has not begun: the variables of the shell that may be the cause.
pub fn without_settings(lang: Lang) -> Option<String> {
    let is_srun = placement().is_ok_and(|placement| placement.hosts == JobHosts::Slurm);
    wb_process::without_settings(is_srun, lang)
}

/// The command that runs `program` on the host of a job's first rank, without making it a rank: a sequential version is measured
/// where the parallel one runs.
///
/// # Errors
/// [`LaunchError`].
pub fn on_first_host(library: &LibraryInfo, program: Command) -> Result<Command, LaunchError> {
    match places_ranks() {
        true => launcher_command(library, 1, &program, &placement()?.first_host()),
        false => Ok(program),
    }
}

/// Where the jobs of this process run; read once.
///
/// # Errors
/// [`LaunchError::Placement`].
pub fn placement() -> Result<&'static JobPlacement, LaunchError> {
    static PLACEMENT: OnceLock<Result<JobPlacement, LaunchError>> = OnceLock::new();
    let read = || {
        JobPlacement::from_process_environment()
            .map_err(|error| LaunchError::Placement(error.text().to_string()))
    };
    PLACEMENT.get_or_init(read).as_ref().map_err(Clone::clone)
}

/// The number of ranks of this process's jobs that do not share cores: the slots of the hosts of a file, the processors of Slurm's
/// allocation, or the usable cores of this host.
pub fn cores_of_jobs() -> usize {
    match placement() {
        Ok(placement) => cores_of(placement, &SlurmAllocation::from_environment()),
        Err(_) => wb_process::usable_cores(),
    }
}

fn cores_of(placement: &JobPlacement, allocation: &SlurmAllocation) -> usize {
    let placed = match &placement.hosts {
        JobHosts::Listed(file) => Some(file.slots()),
        JobHosts::Slurm => allocation.cores,
        JobHosts::ThisHost => None,
    };
    placed.unwrap_or_else(wb_process::usable_cores)
}

/// Whether the ranks of this process's jobs are placed on hosts of a file, or by Slurm.
pub fn places_ranks() -> bool {
    placement().is_ok_and(JobPlacement::is_on_hosts)
}

/// The number of ranks that fill the first two hosts of this process's jobs; `None` where ranks are not placed, or where Slurm does not
/// say how many ranks a node gets.
pub fn ranks_of_two_hosts() -> Option<usize> {
    match &placement().ok()?.hosts {
        JobHosts::Listed(file) => Some(file.hosts.iter().take(2).map(|host| host.slots as usize).sum()),
        JobHosts::Slurm => {
            let allocation = SlurmAllocation::from_environment();
            Some(allocation.ranks_per_node? * allocation.nodes?.min(2))
        }
        JobHosts::ThisHost => None,
    }
}

/// The hosts of this process's jobs, or this one where Slurm does not name them; empty where ranks are not placed.
pub(crate) fn host_names() -> Vec<String> {
    let names: Vec<_> = slots_by_host().into_iter().map(|(name, _)| name).collect();
    if names.is_empty() && places_ranks() { vec![wb_process::identity::host_name()] } else { names }
}

/// The hosts of this process's jobs, each with the number of ranks that it takes before ranks share processors. Empty where ranks are
/// not placed, or where Slurm does not answer.
pub(crate) fn slots_by_host() -> Vec<(String, usize)> {
    let Ok(placement) = placement() else { return vec![] };
    match &placement.hosts {
        JobHosts::Listed(file) => {
            file.hosts.iter().map(|host| (host.name.clone(), host.slots as usize)).collect()
        }
        JobHosts::Slurm => {
            let slots = SlurmAllocation::from_environment().ranks_per_node.unwrap_or(1);
            slurm_job::node_names().into_iter().map(|name| (name, slots)).collect()
        }
        JobHosts::ThisHost => vec![],
    }
}

fn launcher_command(
    library: &LibraryInfo,
    ranks: usize,
    program: &Command,
    placement: &JobPlacement,
) -> Result<Command, LaunchError> {
    let allocation = SlurmAllocation::from_environment();
    let mut command = match &placement.hosts {
        JobHosts::ThisHost | JobHosts::Listed(_) => {
            library_launcher(library, program, placement.hosts.file())?
        }
        JobHosts::Slurm => srun(library, (ranks, placement.map), &allocation)?,
    };
    if let Some(map) = placement.map {
        // Without a binding ranks inherit the affinity mask of this process, which no launcher sees.
        let is_restricted = !placement.is_on_hosts() && wb_process::restricted_cpus().is_some();
        let has_cores = ranks <= cores_of(placement, &allocation) && !is_restricted;
        command.args(match placement.hosts {
            JobHosts::ThisHost | JobHosts::Listed(_) => order::of_library(map, library, has_cores),
            JobHosts::Slurm => order::of_srun(map, has_cores),
        });
    }
    wb_process::remove_launcher_variables(&mut command);
    match placement.hosts {
        JobHosts::ThisHost => wb_process::launcher_environment(&mut command, ranks),
        JobHosts::Listed(_) | JobHosts::Slurm => {
            wb_process::remote_launcher_environment(&mut command);
            allow_windows_between_hosts(&mut command, library);
            notice_lost_daemons(&mut command, library);
        }
    }
    command.args(["-n", &ranks.to_string()]).arg(program.get_program()).args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(folder) = program.get_current_dir() {
        command.current_dir(folder);
    }
    Ok(command)
}

/// Lets windows of Open MPI 4 span hosts that have no InfiniBand: its component `rdma` fails there (`MPI_ERR_WIN`), `pt2pt` refuses
/// the thread level that is needed, and `ucx` takes a TCP network only when it is allowed to. What the user has set stays.
fn allow_windows_between_hosts(command: &mut Command, library: &LibraryInfo) {
    let is_version_4 = version_number(library).is_some_and(|number| number.starts_with("4."));
    if !is_open_mpi(library) || !is_version_4 {
        return;
    }
    let parameters = [("osc", "^rdma"), ("osc_ucx_tls", "any"), ("osc_ucx_devices", "any")];
    let named = parameters.map(|(name, value)| (format!("OMPI_MCA_{name}"), value));
    if named.iter().all(|(name, _)| std::env::var_os(name).is_none()) {
        command.envs(named);
    }
}

/// Lets the daemons of Open MPI notice within 20 s that the connection to their launcher is silently lost; by default it takes 8 minutes,
/// in which they and what they keep stay on a host that was cut off. What the user has set stays.
fn notice_lost_daemons(command: &mut Command, library: &LibraryInfo) {
    if !is_open_mpi(library) {
        return;
    }
    for (name, value) in [("time", "10"), ("intvl", "2"), ("probes", "5")] {
        let name = format!("OMPI_MCA_oob_tcp_keepalive_{name}");
        if std::env::var_os(&name).is_none() {
            command.env(name, value);
        }
    }
}

/// The launcher of the library, with the hosts.
fn library_launcher(
    library: &LibraryInfo,
    program: &Command,
    hosts: Option<&HostFile>,
) -> Result<Command, LaunchError> {
    let no_launcher = || LaunchError::NoLauncher { flavour: library.implementation.clone() };
    let mut command = Command::new(library.launchers.first().ok_or_else(no_launcher)?);
    let Some(hosts) = hosts else { return Ok(command) };
    if is_open_mpi(library) {
        command.args(["--host", &hosts.list()]);
        // Open MPI passes its own parameters on. MPICH passes all variables on.
        exported(program).iter().for_each(|name| {
            command.arg("-x").arg(name);
        });
    } else {
        command.args(["-hosts", &hosts.list()]);
    }
    Ok(command)
}

/// Slurm's launcher with the interface of the library: by default a site's `srun` may use another one, which starts worlds of
/// one rank. A rank that fails ends the job. More ranks than allocated processors are permitted, as with `mpirun`.
fn srun(
    library: &LibraryInfo,
    (ranks, map): (usize, Option<RankMap>),
    allocation: &SlurmAllocation,
) -> Result<Command, LaunchError> {
    let interface = match library.implementation.as_str() {
        "Open MPI" => "pmix",
        "MPICH" => "pmi2",
        other => return Err(LaunchError::NoSlurmInterface { flavour: other.to_owned() }),
    };
    let mut command = Command::new("srun");
    command.arg(format!("--mpi={interface}")).args(["--kill-on-bad-exit=1", "--overcommit"]);
    command.args(allocation.nodes_for(ranks, map).map(|nodes| format!("--nodes={nodes}")));
    Ok(command)
}

/// The names of the variables that `program` needs on other hosts, from this process's environment and its own.
fn exported(program: &Command) -> BTreeSet<OsString> {
    let own = program.get_envs().filter(|(_, value)| value.is_some()).map(|(name, _)| name.to_owned());
    let removed: BTreeSet<&OsStr> =
        program.get_envs().filter(|(_, value)| value.is_none()).map(|(name, _)| name).collect();
    let inherited = std::env::vars_os().map(|(name, _)| name).filter(|name| is_exported(name));
    inherited.chain(own.filter(|name| is_exported(name))).filter(|name| !removed.contains(&**name)).collect()
}

fn is_exported(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        EXPORTED_NAMES.contains(&name) || EXPORTED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(implementation: &str, launchers: &[&str]) -> LibraryInfo {
        let version = format!("{implementation} v4.1.4");
        let launchers = launchers.iter().map(|&name| name.to_owned()).collect();
        LibraryInfo { implementation: implementation.into(), version, launchers }
    }

    /// A program without the variable `PATH`, which this process has.
    fn program() -> Command {
        let mut program = Command::new("/t/tests");
        program.arg("--exact").env("WB_LANG", "/t/run").env("OTHER", "1").env_remove("PATH");
        program
    }

    fn placed(hosts: JobHosts) -> JobPlacement {
        JobPlacement { hosts, map: None }
    }

    fn listed(text: &str) -> JobHosts {
        JobHosts::Listed(HostFile::parse("hosts".as_ref(), text).expect("valid"))
    }

    fn words(command: &Command) -> Vec<String> {
        let words = [command.get_program()].into_iter().chain(command.get_args());
        words.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    fn has_variable(command: &Command, name: &str, value: &str) -> bool {
        command.get_envs().any(|(key, set)| key == name && set == Some(OsStr::new(value)))
    }

    #[test]
    fn the_best_launcher_starts_the_program_on_so_many_ranks() {
        let library = library("Open MPI", &["mpirun.openmpi", "mpirun"]);
        let command = launcher_command(&library, 3, &program(), &JobPlacement::default());
        let command = command.expect("a launcher");
        assert_eq!(words(&command), ["mpirun.openmpi", "-n", "3", "/t/tests", "--exact"]);
        assert!(has_variable(&command, "WB_LANG", "/t/run") && has_variable(&command, "OTHER", "1"));
        assert!(command.get_envs().any(|(name, value)| name == "PATH" && value.is_none()));
    }

    #[test]
    fn each_library_gets_the_hosts_in_its_own_words_and_open_mpi_the_names_of_variables() {
        let placement = placed(listed("a slots=2\nb slots=1\n"));
        let open_mpi = library("Open MPI", &["mpirun"]);
        let words_of = |library| words(&launcher_command(library, 3, &program(), &placement).expect("valid"));
        let found = words_of(&open_mpi);
        assert_eq!(found[..3], ["mpirun", "--host", "a:2,b:1"]);
        assert_eq!(found[found.len() - 4..], ["-n", "3", "/t/tests", "--exact"]);
        let exported: Vec<&[String]> = found[3..found.len() - 4].chunks(2).collect();
        assert!(exported.iter().all(|pair| pair[0] == "-x"), "{exported:?}");
        assert!(exported.iter().any(|pair| pair[1] == "WB_LANG"), "{exported:?}");
        let hidden = exported.iter().find(|pair| ["OTHER", "PATH", "HOME"].contains(&&*pair[1]));
        assert_eq!(hidden, None, "foreign and removed variables stay here: {exported:?}");
        let of_this_process = super::exported(&Command::new("/t/tests"));
        assert!(of_this_process.contains(OsStr::new("PATH")), "the canary: {of_this_process:?}");
        let command = launcher_command(&open_mpi, 3, &program(), &placement).expect("valid");
        assert!(has_variable(&command, "OMPI_MCA_osc", "^rdma"), "windows between hosts");
        assert!(has_variable(&command, "OMPI_MCA_oob_tcp_keepalive_time", "10"), "lost connections");
        let here = launcher_command(&open_mpi, 3, &program(), &JobPlacement::default()).expect("valid");
        assert!(!here.get_envs().any(|(name, _)| name == "OMPI_MCA_osc"), "on one host as before");
        let mpich = words_of(&library("MPICH", &["mpiexec"]));
        assert_eq!(mpich, ["mpiexec", "-hosts", "a:2,b:1", "-n", "3", "/t/tests", "--exact"]);
    }

    #[test]
    fn srun_starts_each_library_by_its_own_interface() {
        let srun = placed(JobHosts::Slurm);
        let words_of = |name| launcher_command(&library(name, &[]), 4, &program(), &srun);
        for (name, interface) in [("Open MPI", "--mpi=pmix"), ("MPICH", "--mpi=pmi2")] {
            let found = words(&words_of(name).expect("supported"));
            let rest = ["--kill-on-bad-exit=1", "--overcommit", "-n", "4", "/t/tests", "--exact"];
            assert_eq!(found[..2], ["srun", interface]);
            assert_eq!(found[2..], rest);
        }
        let other = words_of("MVAPICH").expect_err("not supported");
        assert_eq!(other, LaunchError::NoSlurmInterface { flavour: "MVAPICH".into() });
    }

    #[test]
    fn a_wanted_order_is_said_in_the_words_of_each_launcher() {
        let words_of = |name: &str, hosts: &JobHosts, ranks| {
            let placement = JobPlacement { map: Some(RankMap::Node), hosts: hosts.clone() };
            let command = launcher_command(&library(name, &["mpirun"]), ranks, &program(), &placement);
            words(&command.expect("valid")).join(" ")
        };
        let hosts = listed("a slots=2\nb slots=1\n");
        let open_mpi = words_of("Open MPI", &hosts, 3);
        assert!(open_mpi.contains("--map-by node --bind-to core -n 3 "), "{open_mpi}");
        let oversubscribed = words_of("Open MPI", &hosts, 4);
        assert!(oversubscribed.contains("--map-by node --bind-to none -n 4 "), "{oversubscribed}");
        let mpich = words_of("MPICH", &hosts, 3);
        assert!(mpich.contains("-ppn 1 -bind-to core -n 3 "), "{mpich}");
        let srun = words_of("MPICH", &JobHosts::Slurm, 1);
        assert!(srun.contains("--distribution=cyclic:block --cpu-bind=cores -n 1 "), "{srun}");
    }

    #[test]
    fn the_cores_of_a_job_are_those_of_its_hosts_or_of_its_allocation() {
        let allocation = SlurmAllocation { cores: Some(20), ..SlurmAllocation::default() };
        let cores = |hosts| cores_of(&placed(hosts), &allocation);
        assert_eq!(cores(listed("a slots=2\nb slots=1\n")), 3);
        assert_eq!(cores(JobHosts::Slurm), 20);
        assert_eq!(cores(JobHosts::ThisHost), wb_process::usable_cores());
    }

    #[test]
    fn without_a_launcher_the_library_is_named() {
        let library = library("Open MPI", &[]);
        let error = launcher_command(&library, 2, &program(), &JobPlacement::default()).expect_err("none");
        assert_eq!(
            error.to_string(),
            "this program is linked with Open MPI, and no launcher of it is on the PATH"
        );
    }
}
