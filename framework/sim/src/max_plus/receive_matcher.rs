//! Which receive a message belongs to: the first one of its sender and name that has none yet, as in MPI.
use rustc_hash::FxHashMap;
use wb_comm::{MessageTag, Rank};

use super::recording::{RecordedOpKind, Recording};

/// So many operations are looked through one by one; most messages find their receive among the first few.
const SCAN_LIMIT: usize = 64;

/// See the module. An index is made only of ranks with many operations, when one of their messages is not found nearby.
#[derive(Debug, Default)]
pub(super) struct ReceiveMatcher {
    index: FxHashMap<Rank, FxHashMap<(u32, MessageTag), ReceiveQueue>>,
}

/// Receives of one name from one sender, in their order.
#[derive(Debug, Default)]
struct ReceiveQueue {
    ops: Vec<usize>,
    /// All before this one have their messages.
    next: usize,
}

impl ReceiveMatcher {
    /// The receive of `to` that a message of `label` from `from` belongs to; none below `from_op`, which are all done.
    /// `open` tells whether a receive has no message yet.
    pub(super) fn find_receive(
        &mut self,
        recording: &Recording,
        to: Rank,
        (from, label): (Rank, MessageTag),
        from_op: usize,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let program = recording.program(to);
        let end = program.len();
        let near = (from_op + SCAN_LIMIT).min(end);
        let is_for = |(op, class): &(usize, usize)| {
            let class = recording.class_of(*class);
            class.tag == label && is_receive(class.kind) && open(*op)
        };
        if let Some((found, _)) = program.with(from, from_op..near).find(is_for) {
            return Some(found);
        }
        if near == end {
            return None;
        }
        let queues = self.index.entry(to).or_insert_with(|| build_index(recording, to));
        let queue = queues.get_mut(&(from as u32, label))?;
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
