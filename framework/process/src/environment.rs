//! The environment of a launcher that we start ourselves.
//!
//! A process that was started by a launcher cannot start another job before the outer job's variables are gone: Open MPI
//! refuses ("mpirun does not support recursive calls"). What the *user* set must stay.

use std::{ffi::OsStr, process::Command};

use wb_messages::{Lang, doctor as text};

/// Prefixes of the variables by which launchers identify ranks.
const LAUNCHER_PREFIXES: [&str; 8] =
    ["OMPI_", "PMIX_", "PMI_", "HYDI_", "HYDRA_", "MPI_LOCAL", "ORTE_", "PRTE_"];

/// Prefixes of the variables with which a user tunes an MPI library: these stay.
const USER_PREFIXES: [&str; 5] = ["OMPI_MCA_", "OMPI_ALLOW_", "PRTE_MCA_", "PMIX_MCA_", "MPIR_CVAR_"];

/// MCA parameters that Open MPI's launcher itself hands to its ranks: they look like parameters of a user.
const LAUNCHER_MCA_PARAMETERS: &str = "OMPI_MCA_orte_precondition_transports OMPI_MCA_orte_local_daemon_uri OMPI_MCA_orte_hnp_uri \
    OMPI_MCA_orte_app_num OMPI_MCA_orte_num_nodes OMPI_MCA_orte_bound_at_launch \
    OMPI_MCA_orte_tmpdir_base OMPI_MCA_orte_top_session_dir OMPI_MCA_orte_jobfam_session_dir \
    OMPI_MCA_orte_launch OMPI_MCA_mpi_oversubscribe OMPI_MCA_shmem_RUNTIME_QUERY_hint \
    OMPI_MCA_initial_wdir OMPI_MCA_pmix OMPI_MCA_ess PMIX_MCA_mca_base_component_show_load_errors";

/// Further families of such parameters.
const LAUNCHER_MCA_PREFIXES: [&str; 3] =
    ["OMPI_MCA_ess_base_", "OMPI_MCA_orte_ess_", "OMPI_MCA_orte_parent_"];

/// Prefixes of the variables with which a shell changes how launchers and libraries start jobs and communicate.
const SETTINGS_PREFIXES: [&str; 7] =
    ["SLURM_", "OMPI_MCA_", "PMIX_MCA_", "PRTE_MCA_", "HYDRA_", "MPIR_CVAR_", "UCX_"];

/// What to try where a job has not begun: the same without the variables of the user's shell that reach its launcher. Slurm's launcher
/// needs those of its allocation.
pub fn without_settings(keeps_allocation: bool, lang: Lang) -> Option<String> {
    let mut command = Command::new("");
    remove_launcher_variables(&mut command);
    launcher_environment(&mut command, 1);
    let is_own = |name: &str| command.get_envs().any(|(own, _)| own == name);
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_setting = |name: &String| SETTINGS_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    let is_needed = |name: &str| keeps_allocation && name.starts_with("SLURM_");
    let mut names: Vec<_> =
        names.filter(|name| is_setting(name) && !is_own(name) && !is_needed(name)).collect();
    names.sort_unstable();
    let lines: Vec<_> = names.chunks(2).map(|pair| format!("-u {}", pair.join(" -u "))).collect();
    (!lines.is_empty()).then(|| text::without_settings(lang, lines.join(" \\\n    ")))
}

/// Removes the variables of an outer launcher from `command`, and keeps those that the user set
/// (`OMPI_MCA_*`, `OMPI_ALLOW_*`, `PRTE_MCA_*`, `MPIR_CVAR_*`).
pub fn remove_launcher_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_launcher_variable) {
            command.env_remove(name);
        }
    }
}

/// Removes the variables of an allocation of Slurm from `command`, so that a launcher starts its ranks on this host.
pub fn remove_allocation_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("SLURM_")) {
            command.env_remove(name);
        }
    }
}

/// Whether `name` is a variable of an outer launcher rather than one of the user.
fn is_launcher_variable(name: &str) -> bool {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if LAUNCHER_MCA_PARAMETERS.split(' ').any(|known| known == name) || starts(&LAUNCHER_MCA_PREFIXES) {
        return true;
    }
    starts(&LAUNCHER_PREFIXES) && !starts(&USER_PREFIXES)
}

/// Sets what a job of `ranks` ranks needs from the launcher `command` on this machine: permission to run as root when we are
/// root, permission to start more ranks than cores, ranks that yield when idle exactly when there are more than cores, ranks inside of
/// this process's affinity mask, and the only transport of Open MPI that a host without a fast network has.
///
/// Yielding is the difference between milliseconds and seconds when ranks share cores, and costs latency when they do
/// not; it is therefore set in both cases, so that nothing inherited decides it. For ranks on other hosts, whose cores this
/// process does not see, [`remote_launcher_environment`] keeps what was inherited.
pub fn launcher_environment(command: &mut Command, ranks: usize) {
    remote_launcher_environment(command);
    let yields = if ranks > crate::usable_cores() { "1" } else { "0" };
    command.env("OMPI_MCA_mpi_yield_when_idle", yields);
    if !has_fast_network() {
        // It is selected in any case, but asking the components for fast networks takes 0.2 s of each job.
        set_default(command, "OMPI_MCA_pml", "ob1");
    }
    if crate::restricted_cpus().is_some() {
        // The launcher would bind ranks to cores outside of the mask. Without a binding they inherit the mask.
        command.env("OMPI_MCA_hwloc_base_binding_policy", "none");
        command.env("PRTE_MCA_hwloc_default_binding_policy", "none");
    }
}

/// Whether this host has a device of InfiniBand, Omni-Path, RoCE or EFA (`infiniband`), or of Slingshot (`cxi`).
fn has_fast_network() -> bool {
    let has_device = |class: &str| std::fs::read_dir(class).is_ok_and(|mut devices| devices.next().is_some());
    ["/sys/class/infiniband", "/sys/class/cxi"].into_iter().any(has_device)
}

/// Sets what a job needs from the launcher `command` on any host: permission to run as root when we are root, and permission to
/// start more ranks than a host has cores.
pub fn remote_launcher_environment(command: &mut Command) {
    if is_root() {
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    set_default(command, "PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
}

/// Whether this process runs as root: Open MPI then needs an explicit permission.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Sets `name` to `value` unless this process's environment has it already.
fn set_default(command: &mut Command, name: impl AsRef<OsStr>, value: &str) {
    if std::env::var_os(&name).is_none() {
        command.env(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outer_launchers_variables_go_and_the_users_stay() {
        let removed = "OMPI_COMM_WORLD_RANK OMPI_UNIVERSE_SIZE OMPI_MCA_orte_hnp_uri OMPI_MCA_ess OMPI_MCA_ess_base_jobid \
                       OMPI_MCA_orte_ess_num_procs PMIX_RANK PMI_FD HYDI_CONTROL_FD MPI_LOCALRANKID PRTE_LAUNCHED";
        let kept = "OMPI_MCA_btl OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_orte_abort_on_non_zero_status OMPI_ALLOW_RUN_AS_ROOT \
                    MPIR_CVAR_POLLS_BEFORE_YIELD PRTE_MCA_rmaps_default_mapping_policy PATH MPICC";
        for (names, is_removed) in [(removed, true), (kept, false)] {
            names.split(' ').for_each(|name| assert_eq!(is_launcher_variable(name), is_removed, "{name}"));
        }
    }

    #[test]
    fn ranks_yield_exactly_when_there_are_more_of_them_than_cores() {
        let yields = |ranks| {
            let mut command = Command::new("true");
            launcher_environment(&mut command, ranks);
            let set = command.get_envs().find(|(name, _)| *name == "OMPI_MCA_mpi_yield_when_idle");
            set.and_then(|(_, value)| value.map(|value| value.to_string_lossy().into_owned()))
        };
        assert_eq!(yields(crate::usable_cores()).as_deref(), Some("0"));
        assert_eq!(yields(crate::usable_cores() + 1).as_deref(), Some("1"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn ranks_of_a_process_with_a_smaller_affinity_mask_are_not_bound_outside_of_it() {
        let is_unbound = || {
            let mut command = Command::new("true");
            launcher_environment(&mut command, 1);
            let none = Some(OsStr::new("none"));
            command.get_envs().any(|set| set == (OsStr::new("OMPI_MCA_hwloc_base_binding_policy"), none))
        };
        let bound = std::thread::spawn(move || {
            let mut one = rustix::thread::CpuSet::new();
            one.set(crate::usable_cpus()[0]);
            rustix::thread::sched_setaffinity(None, &one).expect("binding this thread");
            (is_unbound(), crate::restricted_cpus().is_some())
        });
        let (unbound, restricted) = bound.join().expect("the bound thread");
        assert!(
            unbound == restricted && (restricted || crate::node_cpus().len() == 1),
            "{unbound} {restricted}"
        );
    }
}
