//! A window as the hub keeps it: the parts of all ranks, their epochs and locks, what is under way between them, and who
//! can go on when something changes.
use std::sync::{Arc, atomic::AtomicI64};

use wb_comm::{Layout, Rank, Roll, Site, Until, WindowKind};

use crate::{
    Pace,
    access::Flight,
    agreement::{Agreement, Decision, Membership, Proposal, groups},
    epochs::Epochs,
    locks::{Locks, Scope},
    part::{Part, parts},
    state::State,
    underway::Underway,
};

/// See the module.
#[derive(Debug)]
pub(crate) struct Shared {
    /// For people: `"window 1 of world (window at src/a.rs:7)"`.
    pub(crate) name: String,
    pub(crate) kind: WindowKind,
    pub(crate) layout: Layout,
    /// Elements of each rank.
    pub(crate) counts: Arc<[usize]>,
    /// One per rank; none once the window is freed.
    pub(crate) parts: Vec<Part>,
    /// All parts, where these are made of atomics.
    pub(crate) atoms: Option<Arc<[AtomicI64]>>,
    pub(crate) epochs: Epochs,
    pub(crate) locks: Locks,
    pub(crate) underway: Underway,
    /// By target: members that stand until an element of its part has some value.
    pub(crate) watchers: Vec<Vec<Rank>>,
    /// By target: accesses that have come and take place once an element of its part has some value.
    pub(crate) waiting: Vec<Vec<Flight>>,
    /// The fence or the end that is being agreed on.
    pub(crate) agreement: Agreement,
    /// Who has come to which fence or end.
    pub(crate) roll: Roll,
    /// The members' ranks in the job.
    pub(crate) members: Arc<[Rank]>,
}

/// What a member of a window needs to go on.
#[derive(Clone, Debug)]
pub(crate) enum Opening {
    /// All have called the fence or the end.
    Agreement,
    /// All of these have posted to it.
    Posts(Vec<Rank>),
    /// All to whom it has posted have completed.
    Completes,
    /// This lock.
    Lock(Scope),
    /// Its accesses to this member have been answered; `None`: to all.
    Landed(Option<Rank>),
    /// An element of a rank with such a value.
    Value { target: Rank, at: usize, until: Until },
}

impl Shared {
    /// Can member `rank` go on?
    pub(crate) fn meets(&self, rank: Rank, need: &Opening) -> bool {
        match need {
            Opening::Agreement => self.agreement.decided(rank),
            Opening::Value { target, at, until } => until.admits(self.parts[*target].value(*at)),
            Opening::Lock(scope) => self.locks.holds(rank, *scope),
            Opening::Landed(target) => self.underway.is_over(rank, *target),
            Opening::Posts(_) | Opening::Completes => self.waits_for(rank, need).is_none(),
        }
    }

    /// The ranks of the job whose doing is missing, as far as they are known.
    pub(crate) fn missing(&self, rank: Rank, need: &Opening) -> Vec<Rank> {
        let of_job = |member: Rank| self.members[member];
        match need {
            Opening::Agreement => self.agreement.missing().map(of_job).collect(),
            Opening::Value { .. } | Opening::Landed(_) => Vec::new(),
            Opening::Posts(_) | Opening::Completes | Opening::Lock(_) => {
                self.waits_for(rank, need).map(of_job).into_iter().collect()
            }
        }
    }

    /// The member whose doing is missing first, where there is a single one.
    pub(crate) fn waits_for(&self, rank: Rank, need: &Opening) -> Option<Rank> {
        match need {
            Opening::Agreement => None,
            Opening::Posts(targets) => self.epochs.missing_post(rank, targets),
            Opening::Completes => self.epochs.missing_complete(rank),
            Opening::Lock(scope) => self.locks.holder(rank, *scope),
            Opening::Landed(target) => *target,
            Opening::Value { target, .. } => Some(*target),
        }
    }
}

impl<P: Pace> State<P> {
    /// Makes a window of what all members proposed.
    pub(crate) fn open_window(
        &mut self,
        communicator: usize,
        (kind, layout): (WindowKind, Layout),
        proposals: &[Proposal],
        site: Site,
    ) -> Vec<Decision> {
        let count = |proposal: &Proposal| match proposal {
            Proposal::Window { count, .. } => *count,
            _ => 0,
        };
        let counts: Arc<[usize]> = proposals.iter().map(count).collect();
        // In virtual time nobody may look at memory behind the clocks' back.
        let (parts, atoms) = parts(kind, layout, &counts, !P::TIMED);
        let (made, size) = (self.windows.len(), counts.len());
        let name = format!("{} ({site})", self.communicators[communicator].child_name(proposals[0]));
        self.windows.push(Shared {
            name,
            kind,
            layout,
            parts,
            atoms,
            epochs: Epochs::of(size),
            locks: Locks::of(size),
            underway: Underway::of(size),
            watchers: vec![Vec::new(); size],
            waiting: (0..size).map(|_| Vec::new()).collect(),
            agreement: Agreement::of(size),
            roll: Roll::of(size),
            members: Arc::clone(&self.communicators[communicator].members),
            counts,
        });
        if let Some(races) = &mut self.races {
            races.open(Arc::clone(&self.windows[made].members));
        }
        (0..proposals.len()).map(|rank| Ok(Some(Membership { made, rank }))).collect()
    }

    /// Hands in one member's fence or end of a window; the last one decides for all.
    pub(crate) fn propose_on_window(&mut self, window: usize, rank: Rank, proposal: Proposal) {
        let shared = &mut self.windows[window];
        let Some(all) = shared.agreement.propose(rank, proposal) else { return };
        let decision = groups(&all).map(|_| None);
        if proposal == Proposal::Free && decision.is_ok() {
            shared.parts.clear();
            self.races.iter_mut().for_each(|races| races.close(window));
        }
        shared.agreement.decide(vec![decision; all.len()]);
        let members = Arc::clone(&shared.members);
        self.agree(&members);
        for member in members.iter() {
            self.settle(*member);
        }
    }
}
