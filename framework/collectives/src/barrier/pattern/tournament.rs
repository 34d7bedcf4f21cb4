//! Tournament with winners decided beforehand: losers report and wait, the champion knows that everybody is there.
//!
//! Source: Hensgen, Finkel, Manber 1988; Mellor-Crummey and Scott 1991; Open MPI OSHMEM scoll/basic ("tournament").
//!
//! Round k, for 2^k < P: the opponent is r XOR 2^k; none: next round. The smaller one wins: it hears the larger one,
//! which tells it and stops playing. Two ways to let the losers go: the *champion* (rank 0) tells everybody, P - 1
//! messages out of one port, so it takes ceil(log2 P) + P - 1 rounds and not O(log P); or *down the bracket*, every loser
//! by the one who beat it, in reverse: 2 ceil(log2 P) rounds. The bracket's edges are those of the binomial tree.
//!
//! Messages 2 (P - 1) both. Without a release every loser waits for ever (`tournament_without_release` among the wrong
//! ones). Safe back to back.
use wb_comm::{Rank, Result, Signal};

use super::tree::depth;
use crate::catalogue::{Cost, Entry, Family, Form, Promise, Text, ceil_log2};

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tournament {
    release: Release,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Release {
    ByTheChampion,
    DownTheBracket,
}

/// What came of a rank's games.
pub(crate) struct Games {
    /// Whom it beat, in the order of the rounds.
    pub(crate) beaten: Vec<Rank>,
    /// Who beat it; nobody beats the champion.
    pub(crate) conqueror: Option<Rank>,
}

/// Plays the rounds of one rank.
pub(crate) fn play<S: Signal>(s: &mut S) -> Result<Games> {
    let (r, mut beaten) = (s.rank(), vec![]);
    for k in 0..ceil_log2(s.size()) as u32 {
        let opponent = r ^ 1 << k;
        if opponent >= s.size() {
            continue;
        }
        if opponent < r {
            s.tell(opponent, k)?;
            return Ok(Games { beaten, conqueror: Some(opponent) });
        }
        s.hear(opponent, k)?;
        beaten.push(opponent);
    }
    Ok(Games { beaten, conqueror: None })
}

impl crate::Pattern for Tournament {
    fn episode<S: Signal>(&self, s: &mut S) -> Result<()> {
        let games = play(s)?;
        let (by, to): (_, Vec<Rank>) = match (self.release, games.conqueror) {
            (Release::DownTheBracket, conqueror) => (conqueror, games.beaten.into_iter().rev().collect()),
            (Release::ByTheChampion, Some(_)) => (Some(0), vec![]),
            (Release::ByTheChampion, None) => (None, (1..s.size()).collect()),
        };
        by.map_or(Ok(()), |by| s.hear(by, 0))?;
        to.into_iter().try_for_each(|peer| s.tell(peer, 0))
    }
}

const fn row(name: &'static str, summary: Text, cost: fn(usize) -> Cost, form: Form) -> Entry {
    Entry {
        name,
        family: Family::OneSided,
        source: "Hensgen, Finkel, Manber 1988; Open MPI OSHMEM scoll/basic (\"tournament\")",
        section: "2.2",
        summary,
        promise: Promise::RENDEZVOUS,
        cost: Some(cost),
        form,
    }
}

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[
    row(
        "tournament_champion",
        Text {
            en: "losers report to winners round by round; the champion releases everybody",
            ru: "проигравшие сообщают победителям по раундам; чемпион отпускает всех",
        },
        |p| Cost {
            messages: 2 * (p - 1),
            rounds: Some(ceil_log2(p) + p - 1),
            hops: Some(depth(p) + usize::from(p > 1)),
        },
        Form::Pattern(|_| Ok(Box::new(Tournament { release: Release::ByTheChampion }))),
    ),
    row(
        "tournament_bracket",
        Text {
            en: "losers report to winners round by round; each winner releases whom it beat",
            ru: "проигравшие сообщают победителям по раундам; каждый победитель отпускает побеждённых",
        },
        super::tree::cost,
        Form::Pattern(|_| Ok(Box::new(Tournament { release: Release::DownTheBracket }))),
    ),
];
