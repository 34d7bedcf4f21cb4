//! Wrong: the tournament whose champion releases nobody.
//!
//! Every loser waits for RUN for ever. Right: `tournament_slot`.
use crate::{
    barrier::program::tournament_slot::TournamentSlot,
    catalogue::{Entry, Family, Form, Promise, Text},
};

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[Entry {
    name: "tournament_slot_without_release",
    family: Family::Wrong,
    source: "source text on OpenSHMEM, tournament",
    section: "8, row 9",
    summary: Text {
        en: "the champion releases nobody", ru: "чемпион никого не отпускает"
    },
    promise: Promise::RENDEZVOUS,
    cost: None,
    form: Form::Program(|_| Ok(Box::new(TournamentSlot::<false>))),
}];
