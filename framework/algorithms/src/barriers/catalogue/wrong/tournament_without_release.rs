//! Tournament without the champion's release.
//!
//! The champion leaves, and every loser waits for ever: with 2 ranks, rank 1.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, PlanBuilder, catalogue::pattern::tournament::run_rounds,
};

/// A wrong tournament: no loser is released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TournamentWithoutRelease;

impl crate::barriers::Pattern for TournamentWithoutRelease {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        match run_rounds(plan)?.winner {
            Some(_) => plan.wait_signal(0, 0),
            None => Ok(()),
        }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "tournament_without_release",
    family: Family::Wrong,
    source: "an analysis of OpenSHMEM's barriers, tournament",
    section: "8, row 9",
    summary: Text {
        en: "tournament whose champion releases no rank",
        ru: "турнир, чемпион которого никого не отпускает",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|_| Ok(Box::new(TournamentWithoutRelease))),
}];
