//! States in a compact form: repeated parts get a number, and all states are in one list.
use std::{
    collections::HashMap,
    hash::{BuildHasher, Hash},
};

use hashbrown::{HashTable, hash_table::Entry};
use rustc_hash::FxBuildHasher;

use super::automaton::{Node, SearchAbort};

/// Numbers for values.
pub(super) struct Interner<T> {
    numbers: HashMap<T, u16, FxBuildHasher>,
    values: Vec<T>,
}

impl<T: Copy + Eq + Hash> Interner<T> {
    pub(super) fn new() -> Self {
        Self { numbers: HashMap::default(), values: vec![] }
    }

    pub(super) fn intern(&mut self, value: T) -> Result<u16, SearchAbort> {
        if let Some(&number) = self.numbers.get(&value) {
            return Ok(number);
        }
        let number = u16::try_from(self.values.len()).map_err(|_| SearchAbort::CapacityExceeded)?;
        self.numbers.insert(value, number);
        self.values.push(value);
        Ok(number)
    }

    pub(super) fn value(&self, number: u16) -> T {
        self.values[number as usize]
    }
}

/// A message under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InFlightPut {
    /// The number of the message.
    pub(super) message: u16,
    /// The number of relevant fences that its sender has passed since: of two messages between the same PEs the older
    /// arrives first.
    /// arrives first.
    pub(super) age: u16,
}

/// A state; equal states have equal parts.
#[derive(Clone, Debug, Default)]
pub(super) struct SystemState {
    /// The position of each PE.
    pub(super) nodes: Vec<Node>,
    /// The numbers of the values in all cells, PE by PE.
    pub(super) cells: Vec<u16>,
    /// Sorted, because messages in flight have no order.
    pub(super) in_flight: Vec<InFlightPut>,
}

impl SystemState {
    fn write(&self, out: &mut Vec<u16>) {
        out.clear();
        out.extend_from_slice(&self.nodes);
        out.extend_from_slice(&self.cells);
        out.extend(self.in_flight.iter().flat_map(|under_way| [under_way.message, under_way.age]));
    }

    fn read(&mut self, from: &[u16], pes: usize, cells: usize) {
        let (nodes, rest) = from.split_at(pes);
        let (cells, net) = rest.split_at(cells);
        self.nodes.clear();
        self.nodes.extend_from_slice(nodes);
        self.cells.clear();
        self.cells.extend_from_slice(cells);
        self.in_flight.clear();
        let (pairs, _) = net.as_chunks::<2>();
        self.in_flight.extend(pairs.iter().map(|&[message, age]| InFlightPut { message, age }));
    }
}

/// All states seen, in the order in which they were seen, each with the one it was first reached from.
pub(super) struct VisitedStates {
    pes: usize,
    cells: usize,
    data: Vec<u16>,
    ends: Vec<usize>,
    parents: Vec<u32>,
    table: HashTable<u32>,
    written: Vec<u16>,
}

impl VisitedStates {
    pub(super) fn new(pes: usize, cells: usize) -> Self {
        Self {
            pes,
            cells,
            data: vec![],
            ends: vec![0],
            parents: vec![],
            table: HashTable::new(),
            written: vec![],
        }
    }

    pub(super) fn pes(&self) -> usize {
        self.pes
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Adds the state if it is new.
    pub(super) fn insert(&mut self, state: &SystemState, parent: usize) {
        let Self { data: words, ends, table, written, .. } = self;
        state.write(written);
        let words_of = |at: u32| &words[ends[at as usize]..ends[at as usize + 1]];
        let hash = |words: &[u16]| FxBuildHasher.hash_one(words);
        let entry = table.entry(hash(written), |&at| words_of(at) == *written, |&at| hash(words_of(at)));
        if let Entry::Vacant(vacant) = entry {
            vacant.insert(u32::try_from(self.parents.len()).expect("fewer states than fit in memory"));
            self.data.extend_from_slice(&self.written);
            self.ends.push(self.data.len());
            self.parents.push(parent as u32);
        }
    }

    /// The state of that number, into `state`.
    pub(super) fn read(&self, at: usize, state: &mut SystemState) {
        state.read(&self.data[self.ends[at]..self.ends[at + 1]], self.pes, self.cells);
    }

    /// Whether `state` has that number.
    pub(super) fn is_state(&mut self, at: usize, state: &SystemState) -> bool {
        state.write(&mut self.written);
        self.written == self.data[self.ends[at]..self.ends[at + 1]]
    }

    /// The numbers of the states from the first to this one.
    pub(super) fn path(&self, to: usize) -> Vec<usize> {
        let before = |&at: &usize| (at > 0).then(|| self.parents[at] as usize);
        let mut path: Vec<_> = std::iter::successors(Some(to), before).collect();
        path.reverse();
        path
    }
}
