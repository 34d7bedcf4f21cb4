//! One commit of a repository.

use jiff::Timestamp;

/// One commit.
#[derive(Clone, Debug)]
pub(crate) struct Commit {
    pub(crate) id: String,
    /// The first one is the branch into which a merge was made.
    pub(crate) parents: Vec<String>,
    /// The committer's date.
    pub(crate) at: Timestamp,
}

impl Commit {
    /// Makes `git log` print what [`Commit::parse`] reads.
    pub(super) const FORMAT: &str = "--format=%H|%P|%ct";

    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('|');
        let (id, parents, at) = (fields.next()?, fields.next()?, fields.next()?);
        let at = Timestamp::from_second(at.parse().ok()?).ok()?;
        Some(Self { id: id.to_owned(), parents: parents.split_whitespace().map(str::to_owned).collect(), at })
    }
}
