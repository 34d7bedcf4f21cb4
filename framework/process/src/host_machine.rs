//! The host of this process: processor, memory, operating system.
use std::{
    fs,
    path::{Path, PathBuf},
};

use wb_record::{Cache, HostMachine};

/// This host, as recorded.
pub fn host_machine() -> HostMachine {
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
        physical_cores: crate::physical_cores() as u32,
        usable_cores: crate::usable_cores() as u32,
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
        shared_by: crate::parse_cpus(&read("shared_cpu_list")?)?.len() as u32,
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
    #[cfg(target_os = "linux")]
    fn this_machine_says_what_it_is() {
        let machine = host_machine();
        assert!(!machine.cpu.is_empty() && !machine.kernel.is_empty() && !machine.os.is_empty());
        assert!(machine.usable_cores >= 1 && machine.memory_bytes.is_some_and(|bytes| bytes > 1 << 20));
    }
}
