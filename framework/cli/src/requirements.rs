//! The requirements of an MPI program: their names, and the findings of the probe.

use wb_messages::{Lang, doctor as text, judge as judge_text};
use wb_process::sandbox::{Sandbox, SandboxError};

use crate::system_probe::{
    Libclang, MpiInstallation, MpiProbeError, Requirement, SystemProbe, TestHostsProbe,
};

pub(crate) fn requirement_name(requirement: Requirement) -> fn(Lang) -> String {
    match requirement {
        Requirement::Compiler => text::compiler,
        Requirement::PkgConfig => text::pkg_config,
        Requirement::Libclang => text::libclang,
        Requirement::Mpi => text::mpi,
        Requirement::Sandbox => text::sandbox,
        Requirement::TestHosts => text::test_hosts,
    }
}

/// The finding of the probe about a requirement.
pub(crate) fn describe_requirement(requirement: Requirement, probe: &SystemProbe, lang: Lang) -> String {
    let or_missing = |found: &Option<String>| found.clone().unwrap_or_else(|| text::missing(lang));
    match requirement {
        Requirement::Compiler => or_missing(&probe.compiler),
        Requirement::PkgConfig => or_missing(&probe.pkg_config),
        Requirement::Libclang => match &probe.libclang {
            Libclang::Usable(path) => path.display().to_string(),
            Libclang::NoHeaders(path) => text::no_clang_headers(lang, path.display()),
            Libclang::Missing => text::missing(lang),
        },
        Requirement::Mpi => match &probe.mpi {
            Ok(MpiInstallation { instead_of: Some(reason), flavour, version, .. }) => {
                let reason = describe_missing_mpi(reason, lang);
                text::other_mpi_works(lang, reason, flavour.name(), version)
            }
            Ok(mpi) => describe_mpi(mpi, lang),
            Err(error) => describe_missing_mpi(error, lang),
        },
        Requirement::Sandbox => describe_sandbox(&Sandbox::find(), lang),
        Requirement::TestHosts => describe_test_hosts(&TestHostsProbe::new(), lang),
    }
}

/// Whether the sandbox works, or why it does not.
pub(crate) fn describe_sandbox(found: &Result<Sandbox, SandboxError>, lang: Lang) -> String {
    match found {
        Ok(_) => text::sandbox_works(lang),
        Err(error) => text::sandbox_unavailable(lang, error.render(lang)),
    }
}

/// Whether the tests on several hosts can run, or why they cannot.
pub(crate) fn describe_test_hosts(found: &TestHostsProbe, lang: Lang) -> String {
    let reason = match found {
        TestHostsProbe::Works => return text::test_hosts_work(lang),
        TestHostsProbe::NotLinux => text::test_hosts_not_linux(lang),
        TestHostsProbe::Missing { program, package } => {
            judge_text::sandbox_program_missing(lang, program, package)
        }
        TestHostsProbe::NotRoot => text::test_hosts_not_root(lang),
        TestHostsProbe::Refused { reason } => text::test_hosts_refused(lang, reason),
    };
    text::test_hosts_unavailable(lang, reason)
}

/// Describes an MPI that works.
pub(crate) fn describe_mpi(mpi: &MpiInstallation, lang: Lang) -> String {
    text::works(lang, mpi.flavour.name(), &mpi.version, &mpi.wrapper, &mpi.launcher)
}

pub(crate) fn describe_missing_mpi(error: &MpiProbeError, lang: Lang) -> String {
    match error {
        MpiProbeError::NoWrapper { names } => text::no_wrapper(lang, names),
        MpiProbeError::DoesNotCompile { wrapper } => text::does_not_compile(lang, wrapper),
        MpiProbeError::UnknownFlavour { wrapper } => text::unknown_flavour(lang, wrapper),
        MpiProbeError::OtherFlavour { wrapper, flavour } => {
            text::other_flavour(lang, wrapper, flavour.name())
        }
        MpiProbeError::NoLauncher { flavour, version, names } => {
            text::no_launcher(lang, flavour.name(), version, names)
        }
        MpiProbeError::Host(missing) => text::host_lacks(lang, missing),
    }
}
