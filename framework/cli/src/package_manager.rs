//! The package manager of the system, and the commands that install missing packages.

use std::{
    io::IsTerminal as _,
    path::Path,
    process::{Command, Stdio},
};

use wb_messages::{Lang, doctor as text};

use crate::{
    error::{CliError, Result},
    requirements::requirement_name,
    system_probe::{Flavour, Requirement, find},
};

/// A package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PackageManager {
    Apt,
    Dnf,
    Pacman,
    Brew,
}

impl PackageManager {
    /// The package manager of this system.
    fn find() -> Option<Self> {
        let known =
            [("apt-get", Self::Apt), ("dnf", Self::Dnf), ("pacman", Self::Pacman), ("brew", Self::Brew)];
        known.into_iter().find(|(program, _)| find(program).is_some()).map(|(_, manager)| manager)
    }

    /// The packages that satisfy a requirement.
    fn packages(self, requirement: Requirement, flavour: Flavour) -> &'static [&'static str] {
        match (self, requirement, flavour) {
            (Self::Apt, Requirement::Compiler, _) => &["build-essential"],
            (Self::Apt, Requirement::PkgConfig, _) => &["pkg-config"],
            (Self::Apt, Requirement::Libclang, _) => &["libclang-dev"],
            (Self::Apt, Requirement::Mpi, Flavour::OpenMpi) => &["openmpi-bin", "libopenmpi-dev"],
            (Self::Apt, Requirement::Mpi, Flavour::Mpich) => &["mpich", "libmpich-dev"],
            (Self::Apt | Self::Dnf | Self::Pacman, Requirement::Sandbox, _) => &["bubblewrap", "util-linux"],
            (Self::Brew, Requirement::Sandbox, _) => &[],
            (Self::Apt, Requirement::TestHosts, _) => &[
                "iproute2",
                "mount",
                "util-linux",
                "openssh-client",
                "openssh-server",
                "munge",
                "slurmctld",
                "slurmd",
                "slurm-client",
            ],
            (_, Requirement::TestHosts, _) => &[],
            (Self::Dnf, Requirement::Compiler, _) => &["gcc"],
            (Self::Dnf, Requirement::PkgConfig, _) => &["pkgconf-pkg-config"],
            (Self::Dnf, Requirement::Libclang, _) => &["clang-devel"],
            (Self::Dnf, Requirement::Mpi, Flavour::OpenMpi) => &["openmpi-devel"],
            (Self::Dnf, Requirement::Mpi, Flavour::Mpich) => &["mpich-devel"],
            (Self::Pacman, Requirement::Compiler, _) => &["base-devel"],
            (Self::Pacman, Requirement::PkgConfig, _) => &["pkgconf"],
            (Self::Pacman, Requirement::Libclang, _) => &["clang"],
            (Self::Pacman, Requirement::Mpi, Flavour::OpenMpi) => &["openmpi"],
            (Self::Pacman, Requirement::Mpi, Flavour::Mpich) => &["mpich"],
            (Self::Brew, Requirement::Compiler, _) => &["gcc"],
            (Self::Brew, Requirement::PkgConfig, _) => &["pkgconf"],
            (Self::Brew, Requirement::Libclang, _) => &["llvm"],
            (Self::Brew, Requirement::Mpi, Flavour::OpenMpi) => &["open-mpi"],
            (Self::Brew, Requirement::Mpi, Flavour::Mpich) => &["mpich"],
        }
    }

    /// The commands that install `packages`, without `sudo`. Of packages that contain services, no service is started.
    fn commands(self, packages: &[&str], contain_services: bool) -> Vec<Vec<String>> {
        let command = |words: &[&str]| words.iter().chain(packages).map(|word| (*word).to_owned()).collect();
        match self {
            Self::Apt => {
                let mut install: Vec<String> =
                    command(&["apt-get", "install", "--yes", "--no-install-recommends"]);
                if contain_services {
                    install.insert(0, service_script());
                }
                vec![["apt-get", "update"].map(String::from).to_vec(), install]
            }
            Self::Dnf => vec![command(&["dnf", "install"])],
            Self::Pacman => vec![command(&["pacman", "-S", "--needed"])],
            Self::Brew => vec![command(&["brew", "install"])],
        }
    }
}

/// The script that runs the command of an installation and starts no service of its packages.
const SERVICE_SCRIPT: &str = ".ci/without-services";

/// The path of the script from the current folder, which may be any one of the workspace.
fn service_script() -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let is_root = |folder: &&Path| folder.join(SERVICE_SCRIPT).is_file();
    match here.ancestors().find(is_root) {
        Some(root) if root != here => root.join(SERVICE_SCRIPT).display().to_string(),
        _ => SERVICE_SCRIPT.to_owned(),
    }
}

/// The packages to install, and the commands that install them.
pub(crate) struct InstallPlan {
    manager: PackageManager,
    requirements: Vec<(Requirement, &'static [&'static str])>,
    commands: Vec<Vec<String>>,
}

impl InstallPlan {
    /// The plan for these requirements; `None` without a known package manager, or where it has no packages for one of them.
    pub(crate) fn for_requirements(requirements: &[Requirement], flavour: Option<Flavour>) -> Option<Self> {
        let manager = PackageManager::find()?;
        let flavour = flavour.unwrap_or(Flavour::OpenMpi);
        let requirements: Vec<_> = requirements
            .iter()
            .map(|&requirement| (requirement, manager.packages(requirement, flavour)))
            .collect();
        if requirements.iter().any(|(_, packages)| packages.is_empty()) {
            return None;
        }
        let contain_services = requirements.iter().any(|(need, _)| *need == Requirement::TestHosts);
        let mut commands = manager.commands(&package_names(&requirements), contain_services);
        if !wb_process::is_root() && manager != PackageManager::Brew {
            commands.iter_mut().for_each(|command| command.insert(0, "sudo".into()));
        }
        Some(Self { manager, requirements, commands })
    }

    /// The commands in one line, for the user to run.
    fn line(&self) -> String {
        self.commands.iter().map(|command| command.join(" ")).collect::<Vec<_>>().join(" && ")
    }

    /// Prints the packages, their requirements and the commands.
    pub(crate) fn announce(&self, lang: Lang) {
        println!("{}", text::will_install(lang, package_names(&self.requirements).join(" ")));
        for (requirement, packages) in &self.requirements {
            for package in *packages {
                println!("{}", text::required_by(lang, requirement_name(*requirement)(lang), package));
            }
        }
        for command in &self.commands {
            println!("{}", text::will_run(lang, command.join(" ")));
        }
    }

    /// Runs the commands: with apt-get only, as root or through sudo.
    pub(crate) fn execute(&self, lang: Lang) -> Result<()> {
        if self.manager != PackageManager::Apt {
            return Err(CliError::Missing(text::only_apt(lang, self.line())));
        }
        if !wb_process::is_root() && find("sudo").is_none() {
            return Err(CliError::Missing(text::no_rights(lang, self.line())));
        }
        let (install, refreshes) = self.commands.split_last().expect("every manager has a command");
        for words in refreshes {
            // Another package source may fail.
            if let Err(error) = run_install_command(words, lang)? {
                eprintln!("{}", text::refresh_failed(lang, words.join(" "), error));
            }
        }
        run_install_command(install, lang)?
            .map_err(|error| CliError::Missing(text::install_failed(lang, install.join(" "), error)))
    }
}

/// Runs one command in the foreground, where sudo may ask for a password. The inner error is the reason of a failure.
fn run_install_command(words: &[String], lang: Lang) -> Result<std::result::Result<(), String>> {
    const NONINTERACTIVE: (&str, &str) = ("DEBIAN_FRONTEND", "noninteractive");
    let mut command = Command::new(&words[0]);
    if words[0] == "sudo" {
        if !std::io::stdin().is_terminal() {
            command.arg("--non-interactive"); // There is no terminal to answer on: fail immediately.
        }
        command.arg(format!("{}={}", NONINTERACTIVE.0, NONINTERACTIVE.1)); // sudo passes no variable on by itself.
    }
    command.args(&words[1..]).env(NONINTERACTIVE.0, NONINTERACTIVE.1);
    if !std::io::stdin().is_terminal() {
        command.stdin(Stdio::null());
    }
    let status = command.status().map_err(CliError::system("run", &words[0]))?;
    Ok(if status.success() { Ok(()) } else { Err(wb_process::describe_status(status, lang)) })
}

/// The command that satisfies `requirements`; `None` without a known package manager.
pub(crate) fn command_for(requirements: &[Requirement], flavour: Option<Flavour>) -> Option<String> {
    InstallPlan::for_requirements(requirements, flavour).map(|plan| plan.line())
}

fn package_names(requirements: &[(Requirement, &'static [&'static str])]) -> Vec<&'static str> {
    requirements.iter().flat_map(|(_, packages)| packages.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_container_has_what_set_up_installs() {
        use Requirement::{Compiler, Libclang, Mpi, PkgConfig, Sandbox};
        let list = include_str!("../../../.devcontainer/packages");
        for requirement in [Compiler, Libclang, Mpi, PkgConfig, Sandbox] {
            for package in PackageManager::Apt.packages(requirement, Flavour::OpenMpi) {
                assert!(list.lines().any(|line| line == *package), "{package}");
            }
        }
    }

    #[test]
    fn the_packages_of_test_hosts_are_installed_without_services() {
        let packages = PackageManager::Apt.packages(Requirement::TestHosts, Flavour::OpenMpi);
        let commands = PackageManager::Apt.commands(packages, true);
        let install = commands.last().expect("a command");
        assert!(install[0].ends_with(SERVICE_SCRIPT) && Path::new(&install[0]).is_file(), "{install:?}");
        assert_eq!(install[1..5], ["apt-get", "install", "--yes", "--no-install-recommends"]);
        assert_eq!(install[5..], *packages);
        for other in [PackageManager::Dnf, PackageManager::Pacman, PackageManager::Brew] {
            assert_eq!(other.packages(Requirement::TestHosts, Flavour::OpenMpi), [""; 0], "{other:?}");
        }
    }
}
