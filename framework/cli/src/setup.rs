//! `cargo wb setup`: installs missing requirements, through the package manager of the system.
//!
//! It prints the packages, the reasons and the commands before it runs them. It runs them on systems with apt-get only,
//! as root or through sudo; elsewhere it prints the command and stops.

use wb_messages::{Lang, doctor as text};

use crate::{
    CommandStatus, arguments,
    error::{CliError, Result},
    package_manager::{InstallPlan, command_for},
    requirements::{describe_mpi, describe_requirement, requirement_name},
    system_probe::{Flavour, MpiInstallation, MpiProbeError, Requirement, SystemProbe},
};

pub(crate) fn run(wanted: &arguments::SetupArgs, lang: Lang) -> Result<CommandStatus> {
    let probe = SystemProbe::new(wanted.mpi);
    let missing = probe.installable(wanted.test_hosts);
    if missing.is_empty() {
        println!("{}", text::nothing_to_install(lang));
        return Ok(CommandStatus::Success);
    }
    let plan = InstallPlan::for_requirements(&missing, wanted.mpi)
        .ok_or_else(|| CliError::Missing(text::no_package_manager(lang)))?;
    plan.announce(lang);
    if wanted.dry_run {
        println!("{}", text::dry_run(lang));
        return Ok(CommandStatus::Success);
    }
    let mpi = install_and_probe(&plan, wanted.mpi, lang)?;
    println!("{}", text::installed(lang, describe_mpi(&mpi, lang)));
    Ok(CommandStatus::Success)
}

/// An MPI to build and run with. Installs what is missing if `may_install`.
pub(crate) fn ensure_mpi(flavour: Option<Flavour>, may_install: bool, lang: Lang) -> Result<MpiInstallation> {
    let probe = SystemProbe::new(flavour);
    let (missing, description) = (probe.missing(), describe_missing(&probe, flavour, lang));
    match probe.mpi {
        Ok(mpi) if missing.is_empty() => return Ok(mpi),
        // Packages do not help.
        Err(MpiProbeError::Host(_)) => return Err(CliError::Missing(text::not_installed(lang, description))),
        _ if may_install => {}
        _ => return Err(CliError::Missing(text::not_installed(lang, description))),
    }
    let plan = InstallPlan::for_requirements(&missing, flavour)
        .ok_or_else(|| CliError::Missing(text::no_package_manager(lang)))?;
    plan.announce(lang);
    install_and_probe(&plan, flavour, lang)
}

/// Installs, and probes the system again.
fn install_and_probe(plan: &InstallPlan, flavour: Option<Flavour>, lang: Lang) -> Result<MpiInstallation> {
    plan.execute(lang)?;
    let probe = SystemProbe::new(flavour);
    let description = describe_missing(&probe, flavour, lang);
    let complete = probe.missing().is_empty();
    probe
        .mpi
        .ok()
        .filter(|_| complete)
        .ok_or_else(|| CliError::Missing(text::still_missing(lang, description)))
}

/// Each missing requirement with the command that installs it.
pub(crate) fn describe_missing(probe: &SystemProbe, flavour: Option<Flavour>, lang: Lang) -> String {
    let line = |&requirement: &Requirement| {
        let command = command_for(&[requirement], flavour).unwrap_or_else(|| text::no_package_manager(lang));
        let found = describe_requirement(requirement, probe, lang);
        text::need_line(lang, requirement_name(requirement)(lang), found, command)
    };
    probe.missing().iter().map(line).collect::<Vec<_>>().join("\n")
}
