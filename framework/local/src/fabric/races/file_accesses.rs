//! Races of file accesses.
//!
//! MPI orders two accesses of different ranks only by *sync - barrier - sync* (MPI 4.0, 14.6.1; atomic mode is not offered): the first rank
//! synchronises or closes the file after its access, something orders that call before a call of the second rank that synchronises or opens
//! the file, and the second access comes after that. Two accesses are a race if they touch a common byte, at least one of them writes, and
//! neither is before the other in this sense. They are found in every run in which both take place, in either order.
use std::{collections::BTreeMap, ops::Range};

use wb_comm::{CallLocation, CallSite, Code, Finding, Rank, text::leaks};

use crate::fabric::races::{happens_before::HappensBefore, vector_clock::VectorClock};

/// When a file has this number of accesses, those that every rank has synchronised with are removed.
const MIN_CAPACITY: usize = 64;

/// How a call accesses bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileAccessKind {
    Read,
    Write,
    /// The bytes are cut off or become zero, by a call of all ranks: for MPI a write.
    SetSize,
}

/// An access to a file.
#[derive(Clone, Debug)]
pub(crate) struct FileAccess {
    /// The communicator of the open file.
    pub(crate) file: usize,
    pub(crate) kind: FileAccessKind,
    /// The bytes, in rising order.
    pub(crate) blocks: Vec<Range<u64>>,
    /// Whether its result depends on where the file ends, or a write has moved the end.
    pub(crate) concerns_end: bool,
    pub(crate) site: CallSite,
}

#[derive(Debug)]
struct RecordedFileAccess {
    rank: Rank,
    /// The step of the rank in which it synchronised or closed the file.
    synced_at: Option<u64>,
    access: FileAccess,
}

/// Detects races of the accesses to all files.
#[derive(Debug, Default)]
pub(crate) struct FileRaces {
    /// The history of each file, by path.
    files: BTreeMap<String, FileHistory>,
    /// For each open file and rank, the clock of the rank when it opened or synchronised the file last.
    acquired: BTreeMap<(usize, Rank), VectorClock>,
    /// For each pair of lines, the first race by ranks and bytes.
    found: BTreeMap<[(String, u32); 2], FileRace>,
}

#[derive(Debug, Default)]
struct FileHistory {
    accesses: Vec<RecordedFileAccess>,
    /// The number of accesses at which it is pruned next.
    capacity: usize,
}

/// Two unordered accesses, the lower rank's first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FileRace {
    locations: [CallLocation; 2],
    path: String,
    /// The common bytes; none if one changes the end of the file on which the other depends.
    bytes: Option<(u64, u64)>,
}

impl FileRaces {
    /// A rank has opened or synchronises a file: later accesses of this rank come after everything that others have synchronised in a past
    /// that the rank knows of.
    pub(crate) fn acquire(&mut self, order: &HappensBefore, file: usize, rank: Rank) {
        self.acquired.insert((file, rank), order.clock(rank).clone());
    }

    /// A rank synchronises or closes a file: its accesses so far are over.
    pub(crate) fn release(&mut self, order: &HappensBefore, (path, file): (&str, usize), rank: Rank) {
        let step = order.step(rank);
        let accesses = self.files.get_mut(path).into_iter().flat_map(|history| &mut history.accesses);
        let own = accesses.filter(|access| (access.rank, access.access.file) == (rank, file));
        own.for_each(|access| access.synced_at = access.synced_at.or(Some(step)));
    }

    /// A rank has closed a file.
    pub(crate) fn close(&mut self, file: usize, rank: Rank) {
        self.acquired.remove(&(file, rank));
    }

    /// A rank accesses a file.
    pub(crate) fn record(&mut self, order: &HappensBefore, path: &str, rank: Rank, access: FileAccess) {
        let Some(acquired) = self.acquired.get(&(access.file, rank)) else { return };
        let new = RecordedFileAccess { rank, synced_at: None, access };
        let history = self.files.entry(path.to_owned()).or_default();
        let is_before = |earlier: &RecordedFileAccess| {
            earlier.synced_at.is_some_and(|step| acquired.at(earlier.rank) >= step)
        };
        let others = history.accesses.iter().filter(|earlier| earlier.rank != rank && !is_before(earlier));
        for race in others.filter_map(|earlier| FileRace::find(earlier, &new, path)) {
            let mut lines = race.locations.clone().map(|place| (place.file, place.line));
            lines.sort();
            let known = self.found.entry(lines).or_insert_with(|| race.clone());
            *known = race.min(known.clone());
        }
        history.accesses.retain(|earlier| !new.subsumes(earlier));
        history.accesses.push(new);
        if history.accesses.len() > history.capacity.max(MIN_CAPACITY) {
            let knows_all = |rank: Rank, step: u64| {
                let mut clocks = self.acquired.values().chain((0..order.size()).map(|of| order.clock(of)));
                clocks.all(|clock| clock.at(rank) >= step)
            };
            history
                .accesses
                .retain(|access| !access.synced_at.is_some_and(|step| knows_all(access.rank, step)));
            history.capacity = 2 * history.accesses.len();
        }
    }

    /// All races, one for each pair of lines.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.found.values().map(FileRace::to_finding)
    }
}

impl RecordedFileAccess {
    /// Whether it races with everything that the earlier one of this rank races with.
    fn subsumes(&self, earlier: &Self) -> bool {
        let (new, old) = (&self.access, &earlier.access);
        let same = (self.rank, new.file, new.kind) == (earlier.rank, old.file, old.kind);
        same && earlier.synced_at.is_none()
            && new.blocks == old.blocks
            && new.concerns_end >= old.concerns_end
    }
}

impl FileRace {
    fn find(earlier: &RecordedFileAccess, later: &RecordedFileAccess, path: &str) -> Option<Self> {
        let (one, other) = (&earlier.access, &later.access);
        // Two reads, or two calls that give the file its size, which are one collective call or ordered by it.
        if one.kind == other.kind && one.kind != FileAccessKind::Write {
            return None;
        }
        let common = first_common(&one.blocks, &other.blocks);
        let ends_differ = one.concerns_end && other.concerns_end && one.kind != other.kind;
        if common.is_none() && !ends_differ {
            return None;
        }
        let mut locations = [earlier, later].map(|access| CallLocation::new(access.rank, access.access.site));
        locations.sort();
        Some(Self { locations, path: path.to_owned(), bytes: common })
    }

    fn to_finding(&self) -> Finding {
        let [one, other] = self.locations.each_ref().map(|place| place.rank);
        let detail = match self.bytes {
            Some((start, end)) => leaks::race_of_bytes(one, other, start, end, &self.path),
            None => leaks::race_of_size(one, other, &self.path),
        };
        Finding { code: Code::FileRace, rank: one, locations: self.locations.to_vec(), details: vec![detail] }
    }
}

/// The first bytes that both have; blocks are in rising order, and none is empty.
fn first_common(one: &[Range<u64>], other: &[Range<u64>]) -> Option<(u64, u64)> {
    let mut theirs = other.iter().peekable();
    for block in one {
        while theirs.next_if(|next| next.end <= block.start).is_some() {}
        if let Some(next) = theirs.peek().filter(|next| next.start < block.end) {
            return Some((next.start.max(block.start), next.end.min(block.end)));
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "an access has a list of blocks, also of a single one")]
mod tests {
    use wb_comm::Verb;

    use super::*;

    const FILE: usize = 7;

    /// Three ranks that have opened one file.
    fn three_ranks() -> (HappensBefore, FileRaces) {
        let (mut order, mut races) = (HappensBefore::new(3), FileRaces::default());
        order.synchronize(&[0, 1, 2]);
        (0..3).for_each(|rank| races.acquire(&order, FILE, rank));
        (order, races)
    }

    fn access(is_write: bool, blocks: &[Range<u64>]) -> FileAccess {
        let (verb, kind) = match is_write {
            true => (Verb::WriteAt, FileAccessKind::Write),
            false => (Verb::ReadAt, FileAccessKind::Read),
        };
        let site = CallSite::caller(verb);
        FileAccess { file: FILE, kind, blocks: blocks.to_vec(), concerns_end: false, site }
    }

    fn sync(order: &HappensBefore, races: &mut FileRaces, rank: Rank) {
        races.release(order, ("a", FILE), rank);
        races.acquire(order, FILE, rank);
    }

    /// The races of a write of rank 0 and a read of rank 1 with these steps between them.
    fn races_after(steps: &[&str]) -> usize {
        let (mut order, mut races) = three_ranks();
        races.record(&order, "a", 0, access(true, &[0..4]));
        for step in steps {
            match *step {
                "sync 0" => sync(&order, &mut races, 0),
                "sync 1" => sync(&order, &mut races, 1),
                _ => order.synchronize(&[0, 1, 2]),
            }
        }
        races.record(&order, "a", 1, access(false, &[2..6]));
        races.findings().count()
    }

    #[test]
    fn only_sync_then_barrier_then_sync_orders_two_accesses() {
        assert_eq!(races_after(&["sync 0", "barrier", "sync 1"]), 0);
        for wrong in [
            &[][..],
            &["barrier"],
            &["sync 0", "sync 1"],
            &["sync 0", "barrier"],
            &["barrier", "sync 1"],
            &["barrier", "sync 0", "sync 1"],
            &["sync 0", "sync 1", "barrier"],
        ] {
            assert_eq!(races_after(wrong), 1, "{wrong:?}");
        }
    }

    #[test]
    fn reads_other_bytes_and_own_accesses_are_no_race() {
        let (order, mut races) = three_ranks();
        races.record(&order, "a", 0, access(true, &[0..4, 8..12]));
        races.record(&order, "a", 1, access(true, &[4..8, 12..16]));
        races.record(&order, "a", 0, access(false, &[0..4]));
        races.record(&order, "a", 2, access(false, &[16..20]));
        races.record(&order, "b", 2, access(true, &[0..4]));
        assert_eq!(races.findings().count(), 0);
        races.record(&order, "a", 2, access(false, &[11..12]));
        let [found] = &races.findings().collect::<Vec<_>>()[..] else { panic!("one race") };
        assert_eq!((found.code, found.rank), (Code::FileRace, 0));
        assert!(found.details[0].to_string().contains("bytes 11..12 of the file a"), "{found}");
    }

    #[test]
    fn who_depends_on_the_end_races_with_who_moves_it() {
        let end =
            |is_write, blocks: &[Range<u64>]| FileAccess { concerns_end: true, ..access(is_write, blocks) };
        for (first, second, expected) in [
            (end(true, &[0..4]), end(false, &[]), 1),
            (end(false, &[]), end(true, &[0..4]), 1),
            (end(true, &[0..4]), end(true, &[4..8]), 0),
            (access(true, &[0..4]), end(false, &[]), 0),
        ] {
            let (order, mut races) = three_ranks();
            races.record(&order, "a", 0, first);
            races.record(&order, "a", 1, second);
            assert_eq!(races.findings().count(), expected);
        }
    }

    #[test]
    fn a_new_size_is_a_write_of_what_it_changes_and_no_race_with_itself() {
        let cut = FileAccess { kind: FileAccessKind::SetSize, ..access(true, &[4..8]) };
        for (first, expected) in [
            (cut.clone(), 0),
            (access(false, &[0..5]), 1),
            (access(true, &[7..8]), 1),
            (access(true, &[0..4]), 0),
        ] {
            let (order, mut races) = three_ranks();
            races.record(&order, "a", 0, first);
            races.record(&order, "a", 1, cut.clone());
            assert_eq!(races.findings().count(), expected);
        }
        let (order, mut races) = three_ranks();
        races.record(&order, "a", 0, access(true, &[0..8]));
        races.record(&order, "a", 1, FileAccess { blocks: vec![], ..cut });
        assert_eq!(races.findings().count(), 0, "it changes nothing");
    }

    #[test]
    fn what_all_have_synchronised_with_is_forgotten() {
        let (mut order, mut races) = three_ranks();
        for at in 0..1000 {
            races.record(&order, "a", 1, access(true, &[at..at + 1]));
            (0..3).for_each(|rank| sync(&order, &mut races, rank));
            order.synchronize(&[0, 1, 2]);
            (0..3).for_each(|rank| sync(&order, &mut races, rank));
        }
        assert!(races.files["a"].accesses.len() <= 2 * MIN_CAPACITY);
    }
}
