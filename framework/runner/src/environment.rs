//! The environment of every record: the machine, the build and the user's variables.
use std::{collections::BTreeMap, path::Path, process::Command};

use wb_record::{Backend, BuildInfo, ClockInfo, Environment, MessagePassing};

use wb_process::OWNER_VARIABLE;

use crate::{Backends, clock, version_number::version_number};

/// Prefixes and names of variables that can change a result.
const RELEVANT_VARIABLES: [&str; 11] = [
    "WB_",
    "OMPI_MCA_",
    "PRTE_MCA_",
    "PMIX_MCA_",
    "MPICH_",
    "MPIR_CVAR_",
    "UCX_",
    "OMP_",
    "MALLOC_",
    "RUSTFLAGS",
    "GLIBC_TUNABLES",
];

/// Variables that select the transports a library may use.
const TRANSPORT_VARIABLES: [&str; 5] =
    ["OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "UCX_TLS", "MPIR_CVAR_CH4_NETMOD"];

/// The environment of this process and of the sources in `folder`, as recorded.
pub fn environment(folder: &Path, backends: Backends, seed: u64) -> Environment {
    let resolution_ns = clock::resolution() as f64;
    Environment {
        machine: wb_process::host_machine(),
        message_passing: message_passing(backends),
        build: build(folder),
        clock: ClockInfo::shared(clock::NAME, resolution_ns, None),
        placement: vec![],
        variables: variables(std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.to_string_lossy().into_owned()))
        })),
        seed,
    }
}

/// The library that carries the messages of the parallel version.
fn message_passing(backends: Backends) -> MessagePassing {
    let Some(processes) = backends.processes else {
        return MessagePassing {
            backend: Backend::Threads,
            library: None,
            version: None,
            thread_level: None,
            transport: None,
        };
    };
    let library = processes.library();
    let settings =
        TRANSPORT_VARIABLES.iter().filter_map(|name| Some(format!("{name}={}", std::env::var(name).ok()?)));
    let settings: Vec<String> = settings.collect();
    MessagePassing {
        backend: Backend::Mpi,
        version: Some(version_number(&library).unwrap_or(library.version)),
        library: Some(library.implementation),
        thread_level: None,
        transport: (!settings.is_empty()).then(|| settings.join(" ")),
    }
}

fn variables(all: impl Iterator<Item = (String, String)>) -> BTreeMap<String, String> {
    let is_relevant = |name: &str| RELEVANT_VARIABLES.iter().any(|prefix| name.starts_with(prefix));
    all.filter(|(name, _)| is_relevant(name) && name != OWNER_VARIABLE).collect()
}

fn build(folder: &Path) -> BuildInfo {
    let target_cpu = env!("WB_TARGET_CPU");
    // Reports are output: the reports of earlier tasks do not count as changes of the sources.
    let sources = ["--", ":/", ":(top,exclude)reports"];
    let changes = git(folder, &[&["status", "--porcelain", "--untracked-files=no"][..], &sources].concat());
    BuildInfo {
        rustc: env!("WB_RUSTC").to_owned(),
        profile: env!("WB_PROFILE").to_owned(),
        opt_level: env!("WB_OPT_LEVEL").to_owned(),
        target: env!("WB_TARGET").to_owned(),
        target_cpu: (!target_cpu.is_empty()).then(|| target_cpu.to_owned()),
        commit: git(folder, &["rev-parse", "HEAD"]),
        dirty: changes.map(|changes| !changes.is_empty()),
    }
}

/// The output of git for `folder`; `None` without git or outside a repository.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_telling_variables_are_recorded() {
        let all = [("WB_LANG", "ru"), ("HOME", "/x"), ("OMPI_MCA_btl", "self,vader"), ("WB_OWNER", "1:2")];
        let kept = variables(all.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["OMPI_MCA_btl", "WB_LANG"]);
    }
}
