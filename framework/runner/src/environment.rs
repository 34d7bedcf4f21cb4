//! The environment of every record: the machine, the build and the user's variables.
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use wb_record::{Backend, BuildInfo, Cache, ClockInfo, Environment, HostMachine, MessagePassing};

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
        machine: machine(),
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

fn machine() -> HostMachine {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let kernel = rustix::system::uname();
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    HostMachine {
        cpu: field(&cpuinfo, "model name", ':')
            .or_else(|| field(&cpuinfo, "Hardware", ':'))
            .unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        caches: caches(Path::new("/sys/devices/system/cpu/cpu0/cache")),
        memory_bytes: memory(),
        os: field(&release, "PRETTY_NAME", '=')
            .map_or_else(|| std::env::consts::OS.to_owned(), |name| name.trim_matches('"').to_owned()),
        kernel: kernel.release().to_string_lossy().into_owned(),
        virtualisation: virtualisation(&cpuinfo),
        physical_cores: wb_process::physical_cores() as u32,
        usable_cores: wb_process::usable_cores() as u32,
        load_before: line("/proc/loadavg").and_then(|load| load.split(' ').next()?.parse().ok()),
        governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        mhz: field(&cpuinfo, "cpu MHz", ':').and_then(|mhz| mhz.parse().ok()),
    }
}

/// The value of the first line `name : value`.
fn field(text: &str, name: &str, separator: char) -> Option<String> {
    let values = text.lines().filter_map(|line| line.split_once(separator));
    values.into_iter().find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

fn line(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn memory() -> Option<u64> {
    let total = field(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal", ':')?;
    let kibibytes: u64 = total.split(' ').next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Data and unified caches in `folder`, smallest level first.
fn caches(folder: &Path) -> Vec<Cache> {
    let entries = fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()));
    let mut caches: Vec<Cache> = entries.into_iter().flatten().filter_map(cache).collect();
    caches.sort_by_key(|cache| cache.level);
    caches
}

fn cache(folder: PathBuf) -> Option<Cache> {
    let read = |name: &str| line(folder.join(name));
    if read("type")? == "Instruction" {
        return None;
    }
    Some(Cache {
        level: read("level")?.parse().ok()?,
        bytes: size(&read("size")?)?,
        shared_by: wb_process::parse_cpus(&read("shared_cpu_list")?)?.len() as u32,
    })
}

/// Bytes of a size like `32K`.
fn size(text: &str) -> Option<u64> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let unit = match unit {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    Some(digits.parse::<u64>().ok()? * unit)
}

/// A container or a virtual machine, if it can be detected.
fn virtualisation(cpuinfo: &str) -> Option<String> {
    let has_hypervisor =
        field(cpuinfo, "flags", ':').is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let machine = line("/sys/class/dmi/id/product_name")
        .map_or_else(|| "virtual machine".to_owned(), |product| format!("virtual machine ({product})"));
    let container = if Path::new("/.dockerenv").exists() {
        Some("docker".to_owned())
    } else if Path::new("/run/.containerenv").exists() {
        Some("podman".to_owned())
    } else {
        std::env::var("container").ok().or_else(|| line("/run/systemd/container"))
    };
    let found: Vec<String> = container.into_iter().chain(has_hypervisor.then_some(machine)).collect();
    (!found.is_empty()).then(|| found.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_ways_to_write_are_read() {
        assert_eq!(size("32K"), Some(32 << 10));
        assert_eq!(size("12M"), Some(12 << 20));
        assert_eq!(size("many"), None);
        assert_eq!(field("a : 1\nmodel name\t: X Y", "model name", ':').as_deref(), Some("X Y"));
    }

    #[test]
    fn only_telling_variables_are_recorded() {
        let all = [("WB_LANG", "ru"), ("HOME", "/x"), ("OMPI_MCA_btl", "self,vader"), ("WB_OWNER", "1:2")];
        let kept = variables(all.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["OMPI_MCA_btl", "WB_LANG"]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_says_what_it_is() {
        let machine = machine();
        assert!(!machine.cpu.is_empty() && !machine.kernel.is_empty() && !machine.os.is_empty());
        assert!(machine.usable_cores >= 1 && machine.memory_bytes.is_some_and(|bytes| bytes > 1 << 20));
    }
}
