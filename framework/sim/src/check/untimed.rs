//! The pace of a search: there is no time, only what is next, and who decides is a chooser.
//!
//! What makes no difference happens at once: our own collectives' messages, acknowledgements, answers. Users' messages,
//! accesses to other ranks' parts and requests for locks stay under way until nobody can run. Then, in this order: what
//! goes to a receive that names its source; accesses; ranks that look; a choice among all that receives from any source
//! can take; ranks that have looked in vain; at last what nobody takes.
mod contest;
mod keeping;

use std::{
    cell::Cell,
    collections::{BTreeSet, VecDeque},
};

use wb_comm::{Error, Rank, orders::Buffering};
use wb_fabric::{Happening, Letter, Mode, Notice, Pace, Sight, State, Taker};

use super::{
    chooser::Chooser,
    transition::{Transition, What},
};
use crate::turns::{Next, Turns};

/// So often in a row may each rank look in vain, while nothing comes about, before nobody believes any more that looking
/// helps...
const VAIN_LOOKS: u64 = 1_000;

/// ... and a look at memory of one's own, which may well be reading it, is this part of one.
const GLANCES: u64 = 500;

/// How much of what makes no difference is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Choices only where something is open, and as late as possible; independent ones in one order.
    Full,
    /// Nothing: whatever can be next is a choice, running a rank too. Only to hold the other one against it.
    None,
}

/// Something under way with its number, which is that of its leaving.
#[derive(Debug)]
struct Under {
    number: u64,
    what: Happening,
}

/// What a rank that looks later is after.
#[derive(Clone, Copy, Debug)]
struct Look {
    sight: Sight,
    /// Looking at once is that choice's other possibility.
    choice: usize,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Untimed {
    buffering: Buffering,
    /// How many messages the library has kept that should have waited.
    kept: usize,
    reduction: Reduction,
    pub(crate) chooser: Chooser,
    /// Who can run.
    ready: BTreeSet<Rank>,
    /// Who looks, and will see what there is once nobody can run.
    lookers: BTreeSet<Rank>,
    /// Who looks though it has looked in vain since something last came about.
    patient: BTreeSet<Rank>,
    /// By rank: what it looks at, where looking at once might have shown something else.
    looks: Vec<Option<Look>>,
    /// By rank: has it looked in vain since something last came about?
    disappointed: Vec<bool>,
    /// Comes about before anything else is decided.
    due: VecDeque<Happening>,
    /// Users' messages; those of one sender to one receiver in the order of their sending.
    mail: Vec<Under>,
    /// Accesses and requests for locks.
    accesses: Vec<Under>,
    /// How much has left.
    left: u64,
    /// How often in a row ranks have looked in vain, in glances.
    vain: u64,
    /// What clocks show: how often anybody has looked at one.
    ticks: Cell<u64>,
}

impl Untimed {
    /// For `size` ranks, who all can run.
    pub(crate) fn new(size: usize, buffering: Buffering, reduction: Reduction, chooser: Chooser) -> Self {
        Self {
            buffering,
            kept: 0,
            reduction,
            chooser,
            ready: (0..size).collect(),
            lookers: BTreeSet::new(),
            patient: BTreeSet::new(),
            looks: vec![None; size],
            disappointed: vec![false; size],
            due: VecDeque::new(),
            mail: Vec::new(),
            accesses: Vec::new(),
            left: 0,
            vain: 0,
            ticks: Cell::new(0),
        }
    }

    fn under(&mut self, what: Happening) -> Under {
        self.left += 1;
        Under { number: self.left, what }
    }

    /// Something comes about: who has looked in vain may look again.
    fn comes(&mut self, what: Happening) -> Next {
        self.vain = 0;
        self.disappointed.fill(false);
        self.lookers.append(&mut self.patient);
        self.show_to_lookers(&what);
        Next::Happening(what)
    }

    /// Who looks later sees something else than at once, if this is what it looks at.
    fn show_to_lookers(&mut self, what: &Happening) {
        for look in self.looks.iter().flatten().filter(|look| look.sight.is_changed_by(what)) {
            self.chooser.wake(look.choice);
        }
    }

    fn runs(&mut self, rank: Rank) -> Next {
        self.chooser.touch(&[rank]);
        Next::Rank(rank)
    }

    /// Is there anything that somebody who looks later could see?
    fn may_change(&self) -> bool {
        !(self.ready.is_empty()
            && self.lookers.is_empty()
            && self.mail.is_empty()
            && self.accesses.is_empty()
            && self.due.is_empty())
    }
}

impl Pace for Untimed {
    const TIMED: bool = true;

    fn wake(&mut self, rank: Rank) {
        self.ready.insert(rank);
    }

    fn quiet(&self) -> bool {
        self.mail.is_empty() && self.accesses.is_empty() && self.due.is_empty()
    }

    fn clock(&self, _rank: Rank) -> u64 {
        self.ticks.set(self.ticks.get() + 1);
        self.ticks.get()
    }

    fn mode(&self, _from: Rank, _to: Rank, _bytes: usize, synchronous: bool) -> Mode {
        if synchronous || self.buffering != Buffering::Unlimited { Mode::Synchronous } else { Mode::Eager }
    }

    fn send(&mut self, _: Rank, to: Rank, _: usize, _: Mode, what: Happening) -> Option<Happening> {
        let under = self.under(what);
        match &under.what {
            Happening::Arrive { message, .. } if message.is_users() => self.mail.push(under),
            Happening::Notice { notice: Notice::Ask(..), .. } => self.accesses.push(under),
            Happening::Notice { .. } => {
                // It is heard at once.
                self.chooser.touch(&[to]);
                self.show_to_lookers(&under.what);
                return Some(under.what);
            }
            _ => return Some(under.what),
        }
        None
    }

    fn access(&mut self, _: Rank, _: Rank, _: usize, _: bool, what: Happening) -> Option<Happening> {
        let under = self.under(what);
        self.accesses.push(under);
        None
    }

    fn glance(&mut self, _rank: Rank) {
        self.vain += 1;
    }

    fn chooses(&self) -> bool {
        self.reduction == Reduction::Full
    }

    fn recall(&mut self, messages: Vec<Happening>) {
        if messages.is_empty() {
            return;
        }
        self.chooser.touch_all();
        let recalled: Vec<_> = messages.into_iter().map(|what| self.under(what)).collect();
        self.mail.splice(0..0, recalled);
    }
}

impl Turns for Untimed {
    const NAME: &'static str = "check";

    fn turn(state: &mut State<Self>) -> Option<Next> {
        if state.pace.chooser.gives_up() && state.failure().is_none() {
            state.fail(Error::Interrupted { reason: wb_comm::text::setup::broken_off() });
        }
        if state.failure().is_some() {
            let pace = &mut state.pace;
            pace.ready.append(&mut pace.lookers);
            pace.ready.append(&mut pace.patient);
            return pace.ready.pop_first().map(Next::Rank);
        }
        match state.pace.reduction {
            Reduction::Full => late(state),
            Reduction::None => any(state),
        }
    }

    fn hand(&mut self, _rank: Rank) {}

    fn looks(&mut self, rank: Rank, sight: Sight) -> bool {
        if self.reduction == Reduction::None {
            self.ready.insert(rank);
            return true;
        }
        // Whoever glances for ever must come to hear that it is hopeless.
        if self.disappointed[rank] || self.hopeless() {
            self.patient.insert(rank);
            return true;
        }
        let look = |now| Transition::of(What::Look { rank, now }, 0);
        let later = self.may_change() && self.chooser.choose(vec![look(false), look(true)]) == 0;
        if later {
            // Of its own part of a window it sees the same as at once, unless somebody changes that meanwhile.
            if sight != Sight::Mail {
                self.looks[rank] = Some(Look { sight, choice: self.chooser.doze() });
            }
            self.lookers.insert(rank);
        }
        later
    }

    fn idle(&mut self, rank: Rank) {
        self.vain += GLANCES;
        self.disappointed[rank] = true;
        self.ready.insert(rank);
    }

    fn hopeless(&self) -> bool {
        self.vain > VAIN_LOOKS * GLANCES * self.disappointed.len() as u64
    }

    fn work(&mut self, _rank: Rank, _flops: u64, _bytes: u64) -> u64 {
        0
    }
}

/// What is next where everything waits as long as it can.
fn late(state: &mut State<Untimed>) -> Option<Next> {
    loop {
        if let Some(what) = state.pace.due.pop_front() {
            return Some(state.pace.comes(what));
        }
        if let Some(rank) = state.pace.ready.pop_first() {
            return Some(state.pace.runs(rank));
        }
        let takers = takers(state);
        if let Some((at, letter, taker)) = takers.iter().find(|(.., taker)| taker.named) {
            state.pace.chooser.touch(&[letter.from, letter.to]);
            deliver(state, *at, *taker);
        } else if !state.pace.accesses.is_empty() {
            let class = contest::contested(state);
            let options = class.iter().map(|at| contest::access(state, &state.pace.accesses[*at])).collect();
            let pace = &mut state.pace;
            let taken = pace.chooser.choose(options);
            let what = pace.accesses.remove(class[taken]).what;
            pace.due.push_back(what);
        } else if let Some(rank) = state.pace.lookers.pop_first() {
            show(state, rank);
        } else if !takers.is_empty() {
            let buffered = state.pace.buffering == Buffering::Unlimited;
            let waiting = keeping::waiting(state);
            let options = takers.iter().map(|(at, letter, taker)| {
                let Letter { from, to, site, .. } = *letter;
                let what = What::Take { to, receive: taker.site, from, sent: site };
                let touched = if buffered { [to, to] } else { [from, to] };
                Transition::between(what, state.pace.mail[*at].number, touched)
            });
            let keep = |(at, letter): &(usize, Letter)| {
                let what = What::Keep { from: letter.from, sent: letter.site };
                Transition::between(what, state.pace.mail[*at].number, [letter.from; 2])
            };
            let options = options.chain(waiting.iter().map(keep)).collect();
            let taken = state.pace.chooser.choose(options);
            match takers.get(taken) {
                Some((at, _, taker)) => deliver(state, *at, *taker),
                None => keeping::keep(state, waiting[taken - takers.len()].0),
            }
        } else if let Some(rank) = state.pace.patient.pop_first() {
            show(state, rank);
        } else {
            let pace = &mut state.pace;
            pace.due.extend(pace.mail.drain(..).map(|under| under.what));
            if pace.due.is_empty() {
                return None;
            }
        }
        if state.pace.chooser.gives_up() {
            return Untimed::turn(state);
        }
    }
}

/// The messages that somebody takes, with their places in the mail; of those that one receive admits from one sender the
/// first.
fn takers(state: &State<Untimed>) -> Vec<(usize, Letter, Taker)> {
    let mail = &state.pace.mail;
    let is_first = |at: usize, letter: &Letter, taker: &Taker| {
        !mail[..at]
            .iter()
            .any(|earlier| way(state, earlier) == Some(letter.way()) && taker.admits(&earlier.what))
    };
    let taken = mail.iter().enumerate().filter_map(|(at, under)| {
        let (letter, taker) = (state.letter(&under.what)?, state.taker(&under.what)?);
        is_first(at, &letter, &taker).then_some((at, letter, taker))
    });
    taken.collect()
}

/// Between whom a message goes, and where.
fn way(state: &State<Untimed>, under: &Under) -> Option<[usize; 3]> {
    state.letter(&under.what).map(|letter| letter.way())
}

/// The message at that place of the mail arrives. A probe leaves it there, so what the same sender has sent before arrives
/// first: later receives must not find them in another order.
fn deliver(state: &mut State<Untimed>, at: usize, taker: Taker) {
    let mail = &state.pace.mail;
    let earlier = |before: &usize| taker.probes && way(state, &mail[*before]) == way(state, &mail[at]);
    let mut all: Vec<usize> = (0..at).filter(earlier).chain([at]).collect();
    let pace = &mut state.pace;
    let mut taken: Vec<Happening> = Vec::new();
    while let Some(at) = all.pop() {
        taken.push(pace.mail.remove(at).what);
    }
    pace.due.extend(taken.into_iter().rev());
}

/// A rank that looks sees what is there; of its mail that of one sender, who is chosen, before that of all others.
fn show(state: &mut State<Untimed>, rank: Rank) {
    if state.pace.looks[rank].take().is_some() {
        state.pace.ready.insert(rank);
        return;
    }
    let mine = |state: &State<Untimed>, at: usize| {
        state.letter(&state.pace.mail[at].what).filter(|letter| letter.to == rank)
    };
    let letters: Vec<(usize, Letter)> =
        (0..state.pace.mail.len()).filter_map(|at| Some((at, mine(state, at)?))).collect();
    let senders: BTreeSet<Rank> = letters.iter().map(|(_, letter)| letter.from).collect();
    let senders: Vec<Rank> = senders.into_iter().collect();
    let options = senders.iter().map(|from| Transition::of(What::Show { rank, from: *from }, 0)).collect();
    let pace = &mut state.pace;
    if !senders.is_empty() {
        let first = senders[pace.chooser.choose(options)];
        pace.chooser.touch_all();
        let (before, after): (Vec<_>, Vec<_>) =
            letters.into_iter().partition(|(_, letter)| letter.from == first);
        let order: Vec<usize> = before.iter().chain(&after).map(|(at, _)| *at).collect();
        let mut slots: Vec<Option<Under>> = pace.mail.drain(..).map(Some).collect();
        pace.due.extend(order.into_iter().filter_map(|at| slots[at].take()).map(|under| under.what));
        pace.mail = slots.into_iter().flatten().collect();
    }
    pace.ready.insert(rank);
}

/// What is next where everything that can be is a possibility.
fn any(state: &mut State<Untimed>) -> Option<Next> {
    let mut ways = Vec::new();
    let mut firsts = Vec::new();
    for (at, under) in state.pace.mail.iter().enumerate() {
        let way = way(state, under);
        if !ways.contains(&way) {
            ways.push(way);
            firsts.push(at);
        }
    }
    let pace = &mut state.pace;
    let ranks: Vec<Rank> = pace.ready.iter().copied().collect();
    let all = ranks.len() + firsts.len() + pace.accesses.len();
    if all == 0 {
        return None;
    }
    let step = |number| Transition::of(What::Step, number as u64);
    let taken = pace.chooser.choose((0..all).map(step).collect());
    if let Some(rank) = ranks.get(taken) {
        pace.ready.remove(rank);
        return Some(Next::Rank(*rank));
    }
    let taken = taken - ranks.len();
    let what = match firsts.get(taken) {
        Some(at) => pace.mail.remove(*at).what,
        None => pace.accesses.remove(taken - firsts.len()).what,
    };
    Some(pace.comes(what))
}
