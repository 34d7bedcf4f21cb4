//! The included machines, by name, and those of the user, by path.
//!
//! Each file in the folder `machines` of this crate is a machine; the list is generated.
//!
//! ```
//! let cluster = wb_local::sim::machine_library::find("cluster-ib")?.machine("cluster-ib", 1024)?;
//! assert_eq!(cluster.node_of(64), 1);
//! # Ok::<(), wb_local::sim::machine_library::MachineError>(())
//! ```
use std::{
    collections::BTreeMap,
    fmt,
    path::Path,
    sync::{Mutex, PoisonError},
};

use wb_comm::{Text, text::simulation};
use wb_config::{ConfigError, CostSegmentSettings, LinkSettings, MachineSettings};

use crate::sim::{CostSegment, Link, Machine, Nics, Storage};

include!(concat!(env!("OUT_DIR"), "/machines.rs"));

/// Why a machine is not available.
#[derive(Debug)]
#[non_exhaustive]
pub enum MachineError {
    /// Neither the name of a machine nor the path of a file.
    Unknown {
        /// The requested name.
        name: String,
    },
    /// A file that cannot be read or is invalid.
    Settings(ConfigError),
    /// More ranks than the machine has cores.
    TooManyRanks {
        /// The machine's name.
        machine: String,
        /// The requested number of ranks.
        ranks: usize,
        /// The number of cores.
        cores: usize,
    },
}

impl MachineError {
    /// The error as a text that is rendered where it is shown.
    pub fn text(&self) -> Text {
        match self {
            Self::Unknown { name } => simulation::unknown_machine(name, names().join(", ")),
            Self::Settings(error) => error.text(),
            Self::TooManyRanks { machine, ranks, cores } => {
                simulation::too_many_ranks(*ranks, machine, *cores)
            }
        }
    }
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for MachineError {}

impl From<ConfigError> for MachineError {
    fn from(error: ConfigError) -> Self {
        Self::Settings(error)
    }
}

/// The description of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineDescription(MachineSettings);

/// The names of the included machines, sorted.
pub fn names() -> Vec<&'static str> {
    FILES.iter().map(|(name, _)| *name).collect()
}

/// The machine of that name; a name that ends in `.yaml` is the path of a file.
///
/// # Errors
/// [`MachineError::Unknown`], or the error of the file.
pub fn find(name: &str) -> Result<MachineDescription, MachineError> {
    let path = Path::new(name);
    if path.extension().is_some_and(|kind| kind == "yaml") {
        return Ok(MachineDescription(MachineSettings::load(path)?));
    }
    let (name, text) = FILES
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| MachineError::Unknown { name: name.to_owned() })?;
    parse_once(name, text)
}

/// The description of an included machine, parsed once: a functional test requests the same one in every run.
fn parse_once(name: &'static str, text: &str) -> Result<MachineDescription, MachineError> {
    static PARSED: Mutex<BTreeMap<&str, MachineDescription>> = Mutex::new(BTreeMap::new());
    let mut read = PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(description) = read.get(name) {
        return Ok(description.clone());
    }
    let description =
        MachineDescription(MachineSettings::parse(&Path::new(name).with_extension("yaml"), text)?);
    read.insert(name, description.clone());
    Ok(description)
}

impl MachineDescription {
    /// The settings in the file.
    pub fn settings(&self) -> &MachineSettings {
        &self.0
    }

    /// The machine called `name`, for a job of `ranks` ranks.
    ///
    /// Without a link `network` (or `node`), no two ranks are that far apart.
    ///
    /// # Errors
    /// [`MachineError::TooManyRanks`] for more ranks than there are cores, on a machine of one node.
    pub fn machine(&self, name: &str, ranks: usize) -> Result<Machine, MachineError> {
        let Self(settings) = self;
        if let Some(cores) = settings.cores().filter(|cores| *cores < ranks) {
            return Err(MachineError::TooManyRanks { machine: name.to_owned(), ranks, cores });
        }
        let core = link(&settings.links.core);
        let node = settings.links.node.as_ref().map_or_else(|| core.clone(), link);
        Ok(Machine {
            name: name.to_owned(),
            cores_per_group: settings.cores_per_group,
            groups_per_node: settings.groups_per_node,
            network: settings.links.network.as_ref().map_or_else(|| node.clone(), link),
            nics: settings.cards.map(|nics| Nics { per_node: nics.per_node, gap: nics.gap_ns }),
            storage: settings.storage.map_or(Storage::DEFAULT, |storage| Storage {
                latency: storage.latency_ns,
                bytes_per_second: storage.bytes_per_second,
            }),
            core,
            node,
            flops_per_second: settings.core.flops_per_second,
            bytes_per_second: settings.core.memory_bytes_per_second,
            poll: settings.core.poll_ns,
        })
    }
}

impl From<MachineSettings> for MachineDescription {
    fn from(settings: MachineSettings) -> Self {
        Self(settings)
    }
}

fn link(settings: &LinkSettings) -> Link {
    Link {
        latency: settings.latency_ns,
        overhead: settings.overhead_ns,
        gap: settings.gap_ns,
        per_byte: settings.byte_ps,
        processor_per_byte: settings.copy_ps,
        eager_limit: settings.eager_bytes,
        segments: settings.pieces.iter().map(segment).collect(),
    }
}

fn segment(settings: &CostSegmentSettings) -> CostSegment {
    CostSegment {
        min_bytes: settings.from_bytes,
        overhead: settings.overhead_ns,
        processor_per_byte: settings.copy_ps,
        serial: settings.serial_ns,
        per_byte: settings.byte_ps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_that_comes_along_is_sound() {
        assert!(names().len() >= 5, "{:?}", names());
        for name in names() {
            let description = find(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            let about = &description.settings().about;
            assert!(about.en.is_some() && about.ru.is_some(), "{name} has no text in both languages");
            let machine = description.machine(name, 2).expect("two cores");
            assert!(machine.core.latency <= machine.node.latency, "{name}: near is not nearer");
            assert!(machine.node.latency <= machine.network.latency, "{name}: far is not farther");
        }
    }

    /// Every number of a file differs from all others and is found in its field.
    #[test]
    fn every_parameter_of_a_file_is_in_its_place() {
        let link = |first: usize| {
            format!(
                "{{ latency_ns: {}, overhead_ns: {}, gap_ns: {}, byte_ps: {}, copy_ps: {}, eager_bytes: {} }}",
                first + 9,
                first + 1,
                first + 2,
                first + 3,
                first + 4,
                first + 5
            )
        };
        let text = format!(
            "about: {{ en: a, ru: b }}\ncores_per_group: 3\ngroups_per_node: 4\nlinks:\n  core: {}\n  node: {}\n  network: {}\n\
             cards: {{ per_node: 2, gap_ns: 61 }}\n\
             core: {{ flops_per_second: 71, memory_bytes_per_second: 72, poll_ns: 73 }}\n\
             storage: {{ latency_ns: 81, bytes_per_second: 82 }}\n",
            link(10),
            link(20),
            link(30)
        );
        let settings = MachineSettings::parse(Path::new("m.yaml"), &text).expect("it is sound");
        let machine = MachineDescription::from(settings).machine("m", 2).expect("two cores");
        for (link, first) in [(&machine.core, 10), (&machine.node, 20), (&machine.network, 30)] {
            let times = [
                link.overhead,
                link.gap,
                link.per_byte,
                link.processor_per_byte,
                link.eager_limit as u64,
                link.latency,
            ];
            assert_eq!(times, [1, 2, 3, 4, 5, 9].map(|number| first + number));
        }
        assert_eq!((machine.cores_per_group, machine.groups_per_node), (3, 4));
        assert_eq!(machine.nics, Some(Nics { per_node: 2, gap: 61 }));
        assert_eq!(machine.storage, Storage { latency: 81, bytes_per_second: 82 });
        assert_eq!((machine.flops_per_second, machine.bytes_per_second, machine.poll), (71, 72, 73));
    }

    #[test]
    fn a_machine_without_a_network_ends() {
        let node = find("node-64").expect("it comes along");
        assert_eq!(node.machine("node-64", 64).expect("it has 64 cores").network.latency, 225);
        let error = node.machine("node-64", 65).expect_err("it has 64 cores").to_string();
        assert_eq!(error, "65 ranks on node-64, which is one node of 64 cores");
        assert!(find("cluster-ib").expect("it comes along").machine("cluster-ib", 1 << 20).is_ok());
    }

    #[test]
    fn unknown_names_and_missing_files_are_told() {
        let message = find("cluster").expect_err("no machine").to_string();
        assert!(
            message.starts_with("there is no machine `cluster`; there are cluster-ethernet, "),
            "{message}"
        );
        let message = find("no/such.yaml").expect_err("no file").to_string();
        assert!(message.starts_with("cannot read no/such.yaml: "), "{message}");
    }
}
