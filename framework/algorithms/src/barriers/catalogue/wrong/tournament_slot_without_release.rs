//! Wrong: the tournament whose champion releases no rank.
//!
//! Every loser waits for RUN for ever. Right: `tournament_slot`.
use wb_comm::Text;

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, catalogue::program::tournament_slot::TournamentSlot,
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "tournament_slot_without_release",
    family: Family::Wrong,
    source: "source text on OpenSHMEM, tournament",
    section: "8, row 9",
    summary: Text {
        en: "the champion releases no rank", ru: "чемпион никого не отпускает"
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(TournamentSlot::<false>))),
}];
