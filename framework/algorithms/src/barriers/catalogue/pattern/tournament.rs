//! Tournament with winners decided beforehand: losers report and wait, the champion knows that every rank is there.
//!
//! Source: Hensgen, Finkel, Manber 1988; Mellor-Crummey and Scott 1991; Open MPI OSHMEM scoll/basic ("tournament").
//!
//! Round k, for 2^k < P: the opponent is r XOR 2^k; without one the round is skipped. The smaller number wins: it waits
//! for the larger one, which signals it and takes part in no further round. Two ways to release the losers: the
//! *champion* (rank 0) signals every rank, P - 1 messages from one port, so it takes ceil(log2 P) + P - 1 rounds and
//! not O(log P); or *down the bracket*, each winner releases its losers, in reverse order: 2 ceil(log2 P) rounds. The
//! bracket's edges are those of the binomial tree.
//!
//! Messages 2 (P - 1) both. Without a release every loser waits for ever (`tournament_without_release` among the wrong
//! ones). Safe back to back.
use wb_comm::{Rank, Result, Text};

use super::tree::depth;
use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation, PlanBuilder, logarithm::ceil_log2,
};

/// The tournament barrier: 2 (P - 1) messages, released by the champion or down the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tournament {
    release: ReleaseScheme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReleaseScheme {
    ByTheChampion,
    DownTheBracket,
}

/// The results of a rank's rounds.
pub(crate) struct TournamentResult {
    /// The ranks that it beat, in the order of the rounds.
    pub(crate) losers: Vec<Rank>,
    /// The rank that beat it; `None` for the champion.
    pub(crate) winner: Option<Rank>,
}

/// Plays the rounds of one rank.
pub(crate) fn run_rounds(plan: &mut PlanBuilder<'_>) -> Result<TournamentResult> {
    let (r, mut losers) = (plan.rank(), vec![]);
    for k in 0..ceil_log2(plan.size()) as u32 {
        let opponent = r ^ 1 << k;
        if opponent >= plan.size() {
            continue;
        }
        if opponent < r {
            plan.signal(opponent, k)?;
            return Ok(TournamentResult { losers, winner: Some(opponent) });
        }
        plan.wait_signal(opponent, k)?;
        losers.push(opponent);
    }
    Ok(TournamentResult { losers, winner: None })
}

impl crate::barriers::Pattern for Tournament {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let result = run_rounds(plan)?;
        let (by, to): (_, Vec<Rank>) = match (self.release, result.winner) {
            (ReleaseScheme::DownTheBracket, winner) => (winner, result.losers.into_iter().rev().collect()),
            (ReleaseScheme::ByTheChampion, Some(_)) => (Some(0), vec![]),
            (ReleaseScheme::ByTheChampion, None) => (None, (1..plan.size()).collect()),
        };
        by.map_or(Ok(()), |by| plan.wait_signal(by, 0))?;
        to.into_iter().try_for_each(|peer| plan.signal(peer, 0))
    }
}

/// The first row; the others differ from it in a few fields.
const ROW: BarrierEntry = BarrierEntry {
    name: "tournament_champion",
    family: Family::OneSided,
    source: "Hensgen, Finkel, Manber 1988; Open MPI OSHMEM scoll/basic (\"tournament\")",
    section: "2.2",
    summary: Text {
        en: "losers report to winners round by round; the champion releases every rank",
        ru: "проигравшие сообщают победителям по раундам; чемпион отпускает всех",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost {
        messages: 2 * (p - 1),
        rounds: Some(ceil_log2(p) + p - 1),
        hops: Some(depth(p) + usize::from(p > 1)),
    }),
    implementation: Implementation::Pattern(|_| {
        Ok(Box::new(Tournament { release: ReleaseScheme::ByTheChampion }))
    }),
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    ROW,
    BarrierEntry {
        name: "tournament_bracket",
        summary: Text {
            en: "losers report to winners round by round; each winner releases whom it beat",
            ru: "проигравшие сообщают победителям по раундам; каждый победитель отпускает побеждённых",
        },
        cost: Some(super::tree::cost),
        implementation: Implementation::Pattern(|_| {
            Ok(Box::new(Tournament { release: ReleaseScheme::DownTheBracket }))
        }),
        ..ROW
    },
];
