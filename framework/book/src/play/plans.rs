//! The plans of the algorithms that play: for each number of ranks and each root the rounds of every rank.
//!
//! A plan names elements, not bytes: an element is a block, a segment or all of the data (`Cut`). So one plan serves every length; a message
//! without bytes is not part of it where the algorithm sends none. Plans of other roots are those of root 0 with other rank numbers
//! (`RankMap`), but for a few ranks. The rounds that many ranks have in common are stored once.
use std::collections::HashMap;

use serde_json::{Value, json};
use wb_algorithms::collectives::broadcast::Extent;
use wb_comm::{Rank, Result};

use super::algorithm::{PlanOp, PlayedAlgorithm, PlayedCall, Program, RankPlan};

/// The largest number of ranks.
pub const MAX_RANKS: usize = 64;

/// The largest number of segments, of the data or of each half of it.
pub const MAX_SEGMENTS: usize = 16;

/// The first numbers of ranks, by which the shortest form of the plans is chosen.
const FEW_SIZES: usize = 15;

/// What an element of a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// The operation has no data.
    None,
    /// A block of the call's length.
    Blocks,
    /// All of the data.
    Whole,
    /// A segment.
    Segments,
    /// A segment of a half: the elements of the first half, then those of the second.
    Halves,
    /// The share of a rank.
    Shares,
}

/// How the plan of a root follows from that of root 0: the real number of virtual rank v.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RankMap {
    /// v.
    Same,
    /// (v + root) mod P.
    Rotated,
    /// The root for 0; the others in their order.
    RootFirst,
}

/// How peers are written; the shortest is chosen for each algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PeerForm {
    /// The distance on the ring of ranks, from -P/2 to P/2.
    Wrapped,
    /// The difference.
    Difference,
    /// The peer's number.
    Number,
}

impl PlayedAlgorithm {
    /// What an element is; of a broadcast, by its messages for one element, for many in one segment, and for many segments.
    fn cut(&self) -> Cut {
        let entry = match self.program {
            Program::Barrier(_) => return Cut::None,
            Program::Collective(_) => return Cut::Blocks,
            Program::Broadcast(entry) => entry,
        };
        let messages = |count, segment| (entry.messages)(Extent { size: 5, count, segment });
        let (one, whole, segments) = (messages(1, 1), messages(1000, 1000), messages(1000, 1));
        match (whole > one, segments > whole) {
            (false, false) => Cut::Whole,
            (false, true) => Cut::Segments,
            (true, true) => Cut::Halves,
            (true, false) => Cut::Shares,
        }
    }

    /// The plans of all numbers of ranks as a value that the script reads.
    ///
    /// # Errors
    /// When an operation is not a message to or from a named rank.
    pub fn encoded(&self) -> Result<Value> {
        let cut = self.cut();
        let playable = (2..=MAX_RANKS).filter(|size| self.can_play(*size));
        let base: Vec<_> =
            playable.filter_map(|size| Some((size, self.plan(cut.call(size)).ok()?))).collect();
        let (map, roots) = self.roots(&base, cut)?;
        let ops = base.iter().flat_map(|(_, plan)| plan.iter().flatten().flatten());
        let first_tag = ops.map(|op| op.tag).min().unwrap_or(0);
        let forms = [PeerForm::Wrapped, PeerForm::Difference, PeerForm::Number];
        // A form that is short for a few ranks is short for many.
        let few = &base[..base.len().min(FEW_SIZES)];
        let length = |form: &PeerForm| {
            let mut encoder = PlanEncoder::new(*form, cut, first_tag);
            few.iter().for_each(|(size, plan)| drop(encoder.programs_of(*size, plan)));
            encoder.rounds.text().len() + encoder.programs.text().len()
        };
        let form = forms.into_iter().min_by_key(length).expect("three forms");
        let mut encoder = PlanEncoder::new(form, cut, first_tag);
        let sizes =
            base.iter().map(|(size, plan)| (size.to_string(), json!(encoder.programs_of(*size, plan))));
        let sizes: serde_json::Map<_, _> = sizes.collect();
        let mut by_size = json!({});
        for OtherPlan { size, root, rank, plan } in &roots {
            let programs = &mut by_size[size.to_string()][root.to_string()];
            let before = programs.as_str().map_or(String::new(), |programs| format!("{programs} "));
            let program = encoder.program(*rank, *size, plan);
            *programs = json!(format!("{before}{}={program}", base36(*rank as i64)));
        }
        Ok(json!({
            "operation": self.operation, "name": self.name, "root": self.has_root,
            "cut": format!("{cut:?}"), "map": format!("{map:?}"), "peers": format!("{form:?}"),
            "rounds": encoder.rounds.text(), "programs": encoder.programs.text(), "sizes": sizes, "roots": by_size,
        }))
    }

    /// The map of ranks that leaves the fewest plans of other roots to be stored, and these.
    fn roots(&self, base: &[(usize, Vec<RankPlan>)], cut: Cut) -> Result<(RankMap, Vec<OtherPlan>)> {
        match self.program {
            Program::Collective(entry) if entry.has_root() => {}
            // All broadcasts count ranks from the root.
            Program::Broadcast(_) => return Ok((RankMap::Rotated, vec![])),
            _ => return Ok((RankMap::Same, vec![])),
        }
        // A map that fits few ranks fits many.
        let maps = [RankMap::Same, RankMap::Rotated, RankMap::RootFirst];
        let few = maps.map(|map| Ok((map, self.others(map, &base[..FEW_SIZES], cut)?.len())));
        let few = few.into_iter().collect::<Result<Vec<_>>>()?;
        let (map, _) = few.into_iter().min_by_key(|(_, others)| *others).expect("three maps");
        Ok((map, self.others(map, base, cut)?))
    }

    /// The plans of other roots that the map does not give.
    fn others(&self, map: RankMap, base: &[(usize, Vec<RankPlan>)], cut: Cut) -> Result<Vec<OtherPlan>> {
        let mut others = vec![];
        for (size, root, plan) in
            base.iter().flat_map(|(size, plan)| (1..*size).map(move |root| (*size, root, plan)))
        {
            let rooted = self.plan(PlayedCall { root, ..cut.call(size) })?;
            let rooted = rooted.into_iter().zip(map.mapped(plan, root)).enumerate();
            let differ = rooted.filter(|(_, (rooted, mapped))| rooted != mapped);
            others.extend(differ.map(|(rank, (plan, _))| OtherPlan { size, root, rank, plan }));
        }
        Ok(others)
    }
}

/// The plan of a rank for a root that is stored, since no map gives it.
struct OtherPlan {
    size: usize,
    root: Rank,
    rank: Rank,
    plan: RankPlan,
}

impl Cut {
    /// The call whose plan is in elements.
    fn call(self, size: usize) -> PlayedCall {
        let bytes = match self {
            Self::None | Self::Blocks | Self::Whole => 1,
            Self::Segments => MAX_SEGMENTS,
            Self::Halves => 2 * MAX_SEGMENTS,
            Self::Shares => size,
        };
        PlayedCall { size, root: 0, bytes, segment: 1 }
    }
}

impl RankMap {
    fn real(self, rank: Rank, root: Rank, size: usize) -> Rank {
        match self {
            Self::Same => rank,
            Self::Rotated => (rank + root) % size,
            Self::RootFirst if rank == 0 => root,
            Self::RootFirst => rank - usize::from(rank <= root),
        }
    }

    /// The plan of another root, from that of root 0.
    fn mapped(self, plan: &[RankPlan], root: Rank) -> Vec<RankPlan> {
        let mut mapped = vec![vec![]; plan.len()];
        for (rank, rounds) in plan.iter().enumerate() {
            let op = |op: &PlanOp| PlanOp { peer: self.real(op.peer, root, plan.len()), ..op.clone() };
            mapped[self.real(rank, root, plan.len())] =
                rounds.iter().map(|round| round.iter().map(op).collect()).collect();
        }
        mapped
    }
}

/// Texts that are stored once, with their numbers.
#[derive(Default)]
struct Interned {
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Interned {
    fn number(&mut self, text: String) -> String {
        let next = self.texts.len();
        let number = *self.numbers.entry(text.clone()).or_insert(next);
        if number == next {
            self.texts.push(text);
        }
        base36(number as i64)
    }

    fn text(&self) -> String {
        self.texts.join("|")
    }
}

struct PlanEncoder {
    form: PeerForm,
    cut: Cut,
    first_tag: i32,
    rounds: Interned,
    programs: Interned,
}

impl PlanEncoder {
    fn new(form: PeerForm, cut: Cut, first_tag: i32) -> Self {
        Self { form, cut, first_tag, rounds: Interned::default(), programs: Interned::default() }
    }

    /// The numbers of the programs of all ranks.
    fn programs_of(&mut self, size: usize, plan: &[RankPlan]) -> String {
        let program = |(rank, plan)| self.program(rank, size, plan);
        plan.iter().enumerate().map(program).collect::<Vec<_>>().join(" ")
    }

    /// The number of the program of a rank.
    fn program(&mut self, rank: Rank, size: usize, plan: &RankPlan) -> String {
        let number = |round: &Vec<PlanOp>| {
            let round = self.round(rank, size, round);
            self.rounds.number(round)
        };
        let rounds: Vec<_> = plan.iter().map(number).collect();
        self.programs.number(rounds.join(" "))
    }

    /// The operations of a round, each as kind, peer, `:` tag from the smallest one on, `@` first element and `+` number of elements; 0, 0 and 1
    /// are left out. `~` is the number of the operations that follow with the next peer each.
    fn round(&self, rank: Rank, size: usize, round: &[PlanOp]) -> String {
        let (mut text, mut at) = (String::new(), 0);
        while let Some(op) = round.get(at) {
            let peer = self.peer(rank, size, op.peer);
            let is_next = |ahead: &usize| {
                let next = &round[at + ahead];
                self.peer(rank, size, next.peer) == peer + *ahead as i64
                    && (next.kind, next.tag, &next.elements) == (op.kind, op.tag, &op.elements)
            };
            let run = (1..round.len() - at).take_while(is_next).count();
            let start = op.elements.start as i64;
            let start = match self.cut {
                Cut::None => 0,
                Cut::Shares => (start - rank as i64).rem_euclid(size as i64),
                _ => start,
            };
            let count = if self.cut == Cut::None { 1 } else { op.elements.len() as i64 };
            text += &format!("{}{}", op.kind, base36(peer));
            for (sign, value, default) in [
                (':', i64::from(op.tag - self.first_tag), 0),
                ('@', start, 0),
                ('+', count, 1),
                ('~', run as i64, 0),
            ] {
                if value != default {
                    text += &format!("{sign}{}", base36(value));
                }
            }
            at += 1 + run;
        }
        text
    }

    fn peer(&self, rank: Rank, size: usize, peer: Rank) -> i64 {
        let (rank, peer, size) = (rank as i64, peer as i64, size as i64);
        let ahead = (peer - rank).rem_euclid(size);
        match self.form {
            PeerForm::Wrapped if 2 * ahead > size => ahead - size,
            PeerForm::Wrapped => ahead,
            PeerForm::Difference => peer - rank,
            PeerForm::Number => peer,
        }
    }
}

/// A number to base 36, as the script reads it.
fn base36(number: i64) -> String {
    let mut rest = number.unsigned_abs();
    let mut digits = String::new();
    while rest > 0 || digits.is_empty() {
        digits.insert(0, char::from_digit((rest % 36) as u32, 36).expect("a digit"));
        rest /= 36;
    }
    if number < 0 { format!("-{digits}") } else { digits }
}
