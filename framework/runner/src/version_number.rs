//! The version number of a message-passing library.
use wb_comm::LibraryInfo;

/// The version number in a library's own text: `4.1.4` of `Open MPI v4.1.4, package: ...`.
pub fn version_number(library: &LibraryInfo) -> Option<String> {
    let words = library.version.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
    let number = words
        .map(|word| word.trim_start_matches('v').trim_end_matches('.'))
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'));
    number.map(str::to_owned)
}

/// Whether the library is Open MPI.
pub(crate) fn is_open_mpi(library: &LibraryInfo) -> bool {
    library.implementation == "Open MPI"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_librarys_version_is_found_in_its_text() {
        let number = |version: &str| {
            version_number(&LibraryInfo { version: version.into(), ..LibraryInfo::default() })
        };
        assert_eq!(number("Open MPI v4.1.4, package: Debian").as_deref(), Some("4.1.4"));
        assert_eq!(number("MPICH Version:      4.0.2").as_deref(), Some("4.0.2"));
        assert_eq!(number("4.1.4").as_deref(), Some("4.1.4"));
        assert_eq!(number("of unknown origin"), None);
    }
}
