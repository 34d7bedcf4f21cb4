//! What can run ranks in this program.
use wb_comm::{Library, Orders, Processes, Threads, Virtual};

/// The backends that this program is linked with.
#[derive(Clone, Copy)]
pub struct Backends {
    /// Real MPI, when linked.
    pub processes: Option<&'static dyn Processes>,
    /// Ranks as threads, always there.
    pub threads: &'static dyn Threads,
    /// The same, with all accesses of windows held against each other: for runs that are not measured.
    pub watched_threads: &'static dyn Threads,
    /// Ranks as threads that keep a copy of messages of at most so many bytes: for calls that other ranks have made.
    pub retelling: fn(usize) -> Box<dyn Threads>,
    /// Ranks in virtual time, always there.
    pub virtual_time: &'static dyn Virtual,
    /// The same, watched in the same way.
    pub watched_virtual_time: &'static dyn Virtual,
    /// Ranks in every order that MPI allows, always there.
    pub orders: &'static dyn Orders,
}

/// The version number in a library's own text: `4.1.4` of `Open MPI v4.1.4, package: ...`.
pub(crate) fn version_number(library: &Library) -> Option<String> {
    let words = library.version.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
    let number = words
        .map(|word| word.trim_start_matches('v').trim_end_matches('.'))
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'));
    number.map(str::to_owned)
}

/// Ranks that share this process, for unit tests.
#[cfg(test)]
pub(crate) fn in_one_process() -> Backends {
    Backends {
        processes: None,
        threads: &wb_threads::Local::USUAL,
        watched_threads: &wb_threads::Local::WATCHED,
        retelling: |eager_limit| Box::new(wb_threads::Local { eager_limit, races: false }),
        virtual_time: &wb_sim::Machines::USUAL,
        watched_virtual_time: &wb_sim::Machines::WATCHED,
        orders: &wb_sim::Exhaustive::FULL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_librarys_version_is_found_in_its_text() {
        let number = |version: &str| {
            version_number(&Library { flavour: String::new(), version: version.into(), launchers: vec![] })
        };
        assert_eq!(number("Open MPI v4.1.4, package: Debian").as_deref(), Some("4.1.4"));
        assert_eq!(number("MPICH Version:      4.0.2").as_deref(), Some("4.0.2"));
        assert_eq!(number("4.1.4").as_deref(), Some("4.1.4"));
        assert_eq!(number("of unknown origin"), None);
    }
}
