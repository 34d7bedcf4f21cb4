//! What performs a collective operation: the library, our algorithms over messages where there is none, or an algorithm in shared memory.
//!
//! The choice is a pure function of values that all ranks share: the requested names, the verb, the number of ranks, whether they share cores, the bytes of
//! a block, and a table of measurements. A rank that read a value of its own could choose otherwise than the others, and hang.
//!
//! ```
//! use wb_algorithms::collectives::selection::{CollectiveChoice, RankCores, SelectionTable};
//! use wb_comm::Verb;
//!
//! let table: SelectionTable = "allreduce 2 own 1024 allreduce_one_hop".parse()?;
//! let choice: CollectiveChoice = "auto".parse()?;
//! let rules = table.for_group(2, RankCores::Own);
//! let chosen = |bytes| choice.choose(&rules, Verb::Allreduce, bytes).map(|algorithm| algorithm.name);
//! assert_eq!((chosen(8), chosen(4096)), (Some("allreduce_one_hop"), None));
//! # Ok::<(), wb_comm::Error>(())
//! ```
use std::{env, fs, path::PathBuf, str::FromStr};

use wb_comm::{CollectiveKind, Error, Result, Verb, text::collective};

use super::shared_memory::{self, SharedAlgorithm};
use crate::barriers::select::AUTO;

mod selected;
mod several_nodes;
mod table;

pub use selected::{NodeCollectives, SelectedCollectives, TableText};
pub use table::{GroupRules, MeasuredRatio, RankCores, SelectionTable};

/// The variable that requests algorithms for a whole job.
pub const ALGORITHM_VARIABLE: &str = "WB_COLLECTIVE_ALGORITHM";

/// The variable that names the file of a [`SelectionTable`], in place of [that of the host](host_table).
pub const TABLE_VARIABLE: &str = "WB_COLLECTIVE_TABLE";

/// The file with the table of this host, which `cargo wb calibrate` writes: in the user's cache folder, which hosts may share.
pub fn host_table() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    Some(cache.join("workbench").join(format!("collectives-{}.table", host.trim())))
}

/// The text of the table that the environment names, or of that of this host if it has one.
///
/// # Errors
/// The file, and why it cannot be read.
pub fn read_table() -> TableText {
    let named = env::var_os(TABLE_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let Some(path) = named.or_else(|| host_table().filter(|path| path.exists())) else { return Ok(None) };
    fs::read_to_string(&path).map(Some).map_err(|error| format!("{}: {error}", path.display()))
}

/// The library's own, or our algorithms over messages where there is none.
pub const LIBRARY: &str = "library";

/// What a caller, or the environment, has asked for: `library`, `auto`, names of algorithms in shared memory, or several of these with commas. A named
/// algorithm performs its own verbs; `auto` leaves the other ones to the table.
#[derive(Clone, Debug, Default)]
pub struct CollectiveChoice {
    is_auto: bool,
    named: Vec<&'static SharedAlgorithm>,
}

impl FromStr for CollectiveChoice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut choice = Self::default();
        for word in text.split(',').map(str::trim) {
            match word {
                LIBRARY => {}
                AUTO => choice.is_auto = true,
                name => choice.named.push(shared_memory::find(name)?),
            }
        }
        Ok(choice)
    }
}

impl CollectiveChoice {
    /// The choice of the environment; `None` if the variable is not set, or empty.
    ///
    /// # Errors
    /// [`Error::Setup`] for a name that is not in the catalogue.
    pub fn from_environment(lookup: impl Fn(&str) -> Option<String>) -> Result<Option<Self>> {
        let value = lookup(ALGORITHM_VARIABLE).filter(|value| !value.trim().is_empty());
        value.map(|value| value.parse()).transpose()
    }

    /// Whether every operation is the library's.
    pub fn is_library(&self) -> bool {
        !self.is_auto && self.named.is_empty()
    }

    /// Whether algorithms are named, so that ranks without shared memory have made a mistake.
    pub fn names_algorithms(&self) -> bool {
        !self.named.is_empty()
    }

    /// The algorithm for a verb and a block of `bytes`; `None`: the library's.
    #[inline]
    pub fn choose(&self, rules: &GroupRules, verb: Verb, bytes: usize) -> Option<&'static SharedAlgorithm> {
        let of_verb = |algorithm: &&&SharedAlgorithm| algorithm.verbs.contains(&verb);
        let named = self.named.iter().rev().find(of_verb).copied();
        named.or_else(|| if self.is_auto { rules.choose(verb, bytes) } else { None })
    }
}

/// The elements of a rank's block in a call with these numbers of elements, sent and received; all ranks of a correct call have the same number. Of
/// blocks of several lengths that all ranks know it is the mean, and of other ones 0.
pub fn block_elements(kind: CollectiveKind<'_>, (send, recv): (usize, usize), size: usize) -> usize {
    use CollectiveKind::{
        Allgather, Allreduce, Alltoall, Bcast, Exscan, Gather, Reduce, ReduceScatter, ReduceScatterBlock,
        Scan, Scatter,
    };
    match kind {
        Bcast { .. } | Scatter { .. } | ReduceScatterBlock { .. } => recv,
        Alltoall | ReduceScatter { .. } => send / size,
        Gather { .. } | Allgather | Reduce { .. } | Allreduce { .. } | Scan { .. } | Exscan { .. } => send,
        _ => 0,
    }
}

/// The choice of that name, whose algorithms must perform `verb`.
///
/// # Errors
/// [`Error::Setup`] with the names that are allowed.
pub fn find(verb: Verb, name: &str) -> Result<CollectiveChoice> {
    let choice: CollectiveChoice = name.parse()?;
    match choice.named.iter().find(|algorithm| !algorithm.verbs.contains(&verb)) {
        None => Ok(choice),
        Some(algorithm) => {
            let of_verb = shared_memory::of_verb(verb).map(|other| other.name);
            let names: Vec<_> = [AUTO, LIBRARY].into_iter().chain(of_verb).collect();
            Err(Error::Setup(collective::of_another_verb(algorithm.name, verb.name(), names.join(", "))))
        }
    }
}
