//! Matches messages with receives: a message matches the first unmatched receive of its sender and tag, as in MPI.
use rustc_hash::FxHashMap;
use wb_comm::{MessageTag, Rank};

use super::recording::{RecordedOpKind, Recording};

/// The number of operations that are searched linearly; most messages match one of the first few receives.
const SCAN_LIMIT: usize = 64;

/// Matches messages with receives. Only ranks with many operations get an index, when a message has no match nearby.
#[derive(Debug, Default)]
pub(super) struct ReceiveMatcher {
    index: FxHashMap<Rank, FxHashMap<(u32, MessageTag), ReceiveQueue>>,
}

/// Receives of one tag from one sender, in order.
#[derive(Debug, Default)]
struct ReceiveQueue {
    ops: Vec<usize>,
    /// All before this one are matched.
    next: usize,
}

impl ReceiveMatcher {
    /// The receive of `to` that matches a message of `tag` from `from`; all below `from_op` are complete. `open`
    /// returns whether a receive is unmatched.
    pub(super) fn find_receive(
        &mut self,
        recording: &Recording,
        to: Rank,
        (from, tag): (Rank, MessageTag),
        from_op: usize,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let program = recording.program(to);
        let end = program.len();
        let near = (from_op + SCAN_LIMIT).min(end);
        let is_for = |(op, class): &(usize, usize)| {
            let class = recording.class_of(*class);
            class.tag == tag && is_receive(class.kind) && open(*op)
        };
        if let Some((found, _)) = program.with(from, from_op..near).find(is_for) {
            return Some(found);
        }
        if near == end {
            return None;
        }
        let queues = self.index.entry(to).or_insert_with(|| build_index(recording, to));
        let queue = queues.get_mut(&(from as u32, tag))?;
        while queue.ops.get(queue.next).is_some_and(|op| !open(*op)) {
            queue.next += 1;
        }
        queue.ops.get(queue.next).copied()
    }
}

fn is_receive(kind: RecordedOpKind) -> bool {
    matches!(kind, RecordedOpKind::Recv { .. })
}

fn build_index(recording: &Recording, rank: Rank) -> FxHashMap<(u32, MessageTag), ReceiveQueue> {
    let mut queues: FxHashMap<(u32, MessageTag), ReceiveQueue> = FxHashMap::default();
    let program = recording.program(rank);
    for op in 0..program.len() {
        let class = recording.class(&program, op);
        if is_receive(class.kind) {
            queues.entry((program.peer(op) as u32, class.tag)).or_default().ops.push(op);
        }
    }
    queues
}
