//! Laws of partial barriers on shared memory: overlapping lists in one seeded order, each listed PE late, and a canary.
use std::{
    sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst},
    thread,
    time::Duration,
};

use wb_algorithms::barriers::{
    BarrierProgram as _, MemorySubset, Subset,
    catalogue::program::{
        partial_dissemination, partial_pairwise,
        partial_slots::{PartialSlots, SLOTS, SlotReuse},
    },
};
use wb_comm::{Cells, Memory, Spacing, SpinPolicy, cells::required_len};
use wb_shmem::partial_barrier::{pair_cells, partial_barrier};

/// The form of the barrier that a test runs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PartialForm {
    AllToAll,
    Dissemination,
    Chosen,
    Slots,
    /// Wrong: signals only the next listed PE, so it detects the arrival of only one neighbour.
    Ring,
}

const CORRECT: [PartialForm; 4] =
    [PartialForm::AllToAll, PartialForm::Dissemination, PartialForm::Chosen, PartialForm::Slots];

struct Caller<M> {
    form: PartialForm,
    m: M,
    calls: i64,
}

impl<M: Memory> Caller<M> {
    fn new(form: PartialForm, m: M) -> Self {
        Self { form, m, calls: 0 }
    }

    /// Called by every PE, listed or not.
    fn call(&mut self, pes: &[usize]) {
        let (me, size) = (self.m.rank(), self.m.size());
        self.calls += 1;
        let listed = Subset::from_list(pes, size).expect("a right list");
        if listed.position(me).is_err() && self.form != PartialForm::Slots {
            return;
        }
        let done = match self.form {
            PartialForm::AllToAll => partial_pairwise::barrier(&mut self.m, &listed),
            PartialForm::Dissemination => partial_dissemination::barrier(&mut self.m, &listed),
            PartialForm::Chosen => partial_barrier(&mut self.m, &listed),
            PartialForm::Slots => {
                let all: Vec<_> = (0..size).collect();
                let mut m = MemorySubset::new(&mut self.m, &all, me, pair_cells(size));
                PartialSlots::new(listed, SLOTS, SlotReuse::Epochs).episode(&mut m, self.calls)
            }
            PartialForm::Ring => {
                let at = pes.iter().position(|&pe| pe == me).expect("listed");
                let to = pes[(at + 1) % pes.len()];
                self.m.add(to, me, 1).and_then(|()| {
                    let from = pes[(at + pes.len() - 1) % pes.len()];
                    self.m.wait(from, wb_comm::Until::AtLeast(self.calls))
                })
            }
        };
        done.expect("nothing interrupts");
    }
}

/// Every PE runs `body`.
fn pes(form: PartialForm, size: usize, body: impl Fn(&mut Caller<Cells<'_>>) + Sync) {
    let cells = pair_cells(size) + SLOTS;
    let all: Vec<_> = (0..required_len(size, cells, Spacing::Packed)).map(|_| AtomicI64::new(0)).collect();
    thread::scope(|scope| {
        for pe in 0..size {
            let (all, body) = (&all, &body);
            scope.spawn(move || {
                let cells = Cells::new(all, pe, size, cells, Spacing::Packed, SpinPolicy::SHARED_CORE);
                body(&mut Caller::new(form, cells));
            });
        }
    });
}

/// The same lists on every PE: random subsets, each in random order.
fn lists(size: usize, count: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut random = oorandom::Rand32::new(seed);
    let mut list = || {
        let mut pes: Vec<usize> = (0..size).filter(|_| random.rand_range(0..3) > 0).collect();
        if pes.is_empty() {
            pes.push(random.rand_range(0..u32::try_from(size).expect("small")) as usize);
        }
        let turn = random.rand_u32() as usize % pes.len();
        pes.rotate_left(turn);
        pes
    };
    (0..count).map(|_| list()).collect()
}

#[test]
fn overlapping_lists_in_one_order_hold_each_its_own() {
    for form in CORRECT {
        for size in [1, 2, 3, 5, 12] {
            let lists = lists(size, 300, 7);
            let entered: Vec<_> = lists.iter().map(|_| AtomicI64::new(0)).collect();
            pes(form, size, |caller| {
                for (list, entered) in lists.iter().zip(&entered) {
                    let listed = list.contains(&caller.m.rank());
                    entered.fetch_add(i64::from(listed), SeqCst);
                    caller.call(list);
                    let all = entered.load(SeqCst) == list.len() as i64;
                    assert!(!listed || all, "{form:?}, {size} PEs, list {list:?}");
                }
            });
        }
    }
}

/// Does a listed PE leave although `late` has not entered?
fn has_early_leaver(form: PartialForm, size: usize, list: &[usize], late: usize) -> bool {
    let (left, early) = (AtomicI64::new(0), AtomicBool::new(false));
    pes(form, size, |caller| {
        caller.call(list);
        if caller.m.rank() == late {
            thread::sleep(Duration::from_millis(3));
            early.store(left.load(SeqCst) > 0, SeqCst);
        }
        caller.call(list);
        left.fetch_add(i64::from(list.contains(&caller.m.rank())), SeqCst);
    });
    early.load(SeqCst)
}

#[test]
fn each_listed_pe_is_waited_for_and_nobody_else() {
    for form in CORRECT {
        for list in [vec![0, 1, 2], vec![1, 4], vec![4, 2, 0, 1, 3], (0..10).collect()] {
            for &late in &list {
                assert!(!has_early_leaver(form, 10, &list, late), "{form:?}, {list:?}, PE {late} late");
            }
        }
    }
    // A PE that is not listed delays no PE: not even by being late in the pairwise form.
    assert!((0..50).any(|_| has_early_leaver(PartialForm::Chosen, 4, &[0, 1], 3)));
}

#[test]
fn canary_a_ring_of_signals_lets_somebody_leave() {
    let leaves = || (0..4).any(|late| has_early_leaver(PartialForm::Ring, 4, &[0, 1, 2, 3], late));
    assert!((0..20).any(|_| leaves()));
}
