//! What a rank called, in its order: written down while it runs, and told to the others when it is over.
//!
//! Real MPI knows of a message neither the line that sent it nor its type, and compares no two calls of a collective. But
//! every rank can write down its own calls, and all transcripts together say who sent what to whom, who came to which
//! collective, and where everybody was in the end: [`retelling`](super::retelling) puts them together. Nothing of it is
//! on the wire, and only functional runs write transcripts.
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use wb_comm::{Site, Spot, Verb};

mod act;
mod collectives;
mod pending;
mod transport;
mod window;

pub(super) use act::{Act, Brings, Made, OnWindow, Operation, layout};
pub(super) use transport::Noting;

/// So many calls are written down; who makes more has no transcript.
const LONGEST: usize = 1 << 16;

/// So many are told of a rank that came back: a short transcript costs nothing, a long one is worth it only when
/// something went wrong.
const SHORT: usize = 1 << 10;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Over {
    /// It has not.
    Open,
    /// Well.
    Done,
    /// With an error.
    Refused,
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// Where.
    pub(super) site: Site,
    /// On which communicator or by which window's handle: its number, in the order of this rank's making; 0 is the world.
    pub(super) on: usize,
    pub(super) act: Act,
    pub(super) over: Over,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Transcript {
    pub(super) calls: Vec<Said>,
    /// There were more.
    pub(super) cut: bool,
}

/// A transcript that is being written by a rank and may be read by its watchdog.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Arc<Mutex<Writing>>);

#[derive(Debug, Default)]
struct Writing {
    transcript: Transcript,
    /// How many communicators and windows were made.
    made: usize,
    requests: usize,
}

/// Where a call was written down; nothing when the transcript is full.
pub(super) type Note = Option<usize>;

impl Notes {
    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call begins.
    pub(super) fn begin(&self, site: Site, on: usize, act: Act) -> Note {
        let Transcript { calls, cut } = &mut self.writing().transcript;
        *cut |= calls.len() == LONGEST;
        (!*cut).then(|| {
            calls.push(Said { site, on, act, over: Over::Open });
            calls.len() - 1
        })
    }

    /// It is over; `learnt` adds to it what is known now.
    pub(super) fn end(&self, note: Note, well: bool, learnt: impl FnOnce(&mut Act)) {
        let mut writing = self.writing();
        let Some(said) = note.and_then(|note| writing.transcript.calls.get_mut(note)) else { return };
        said.over = if well { Over::Done } else { Over::Refused };
        learnt(&mut said.act);
    }

    /// It goes on after all.
    pub(super) fn reopen(&self, note: Note) {
        let mut writing = self.writing();
        if let Some(said) = note.and_then(|note| writing.transcript.calls.get_mut(note)) {
            said.over = Over::Open;
        }
    }

    /// Writes a call down around the making of it.
    pub(super) fn around<R, E>(
        &self,
        site: Site,
        on: usize,
        act: Act,
        call: impl FnOnce() -> Result<R, E>,
    ) -> Result<R, E> {
        let note = self.begin(site, on, act);
        let result = call();
        self.end(note, result.is_ok(), |_| {});
        result
    }

    /// A number for a communicator or window.
    pub(super) fn number(&self) -> usize {
        let mut writing = self.writing();
        writing.made += 1;
        writing.made
    }

    /// A number for a request.
    pub(super) fn request(&self) -> usize {
        let mut writing = self.writing();
        writing.requests += 1;
        writing.requests
    }

    /// The transcript as a journal has it; nothing when it is too long to be told, of a rank that came back sooner than
    /// of one that did not.
    pub(super) fn told(&self, failed: bool) -> Option<Arc<str>> {
        let writing = self.writing();
        let Transcript { calls, cut } = &writing.transcript;
        let worth_it = !*cut && (failed || calls.len() <= SHORT);
        worth_it.then(|| writing.transcript.to_text())
    }
}

impl Transcript {
    /// As a journal has it.
    pub(super) fn to_text(&self) -> Arc<str> {
        Told::of(&self.calls).to_text()
    }

    /// The counterpart of [`to_text`](Self::to_text).
    pub(super) fn read(text: &str) -> Option<Self> {
        let Told { files, calls } = serde_json::from_str(text).ok()?;
        let said = |(verb, file, line, on, act, over): Line| {
            let (verb, file) = (*Verb::ALL.get(usize::from(verb))?, files.get(file)?);
            Some(Said { site: Site { verb, at: Spot::told(file, line) }, on, act, over })
        };
        Some(Self { calls: calls.into_iter().map(said).collect::<Option<_>>()?, cut: false })
    }
}

/// Verb, file and line of a call; on what; what; how it ended.
type Line = (u8, usize, u32, usize, Act, Over);

#[derive(Serialize, Deserialize)]
struct Told {
    files: Vec<String>,
    calls: Vec<Line>,
}

impl Told {
    fn of(calls: &[Said]) -> Self {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut files = vec![];
        let line = |said: &Said| {
            let file = *numbers.entry(said.site.at.file()).or_insert_with_key(|file| {
                files.push((*file).to_owned());
                files.len() - 1
            });
            let Said { site, on, act, over } = said;
            (site.verb as u8, file, site.at.line(), *on, act.clone(), *over)
        };
        let calls = calls.iter().map(line).collect();
        Self { files, calls }
    }

    fn to_text(&self) -> Arc<str> {
        serde_json::to_string(self).expect("numbers, texts and lists of them").into()
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{Label, Layout, Match, Rank, Source};

    use super::*;

    fn act() -> Act {
        Act::Round(vec![Operation::send(1, Label::user(3), (Layout::F64, 5), false)])
    }

    #[test]
    fn a_transcript_survives_being_told() {
        let notes = Notes::default();
        let site = Site::here(Verb::Send);
        let note = notes.begin(site, 0, act());
        notes.end(note, true, |_| {});
        let receive = Operation::receive(Source::Any, Match::from(Label::user(3)), (Layout::F64, 5));
        let note = notes.begin(site, 2, Act::Start { request: 1, operation: receive });
        assert_eq!(note, Some(1));
        let told = notes.told(false).expect("it is short");
        let read = Transcript::read(&told).expect("as it was written");
        let what = |said: &Said| (said.on, said.act.clone(), said.over, said.site.at.line(), said.site.verb);
        let here = notes.writing().transcript.calls.iter().map(what).collect::<Vec<_>>();
        assert_eq!(read.calls.iter().map(what).collect::<Vec<_>>(), here);
        assert_eq!(read.calls[0].site.at.file(), site.at.file());
    }

    #[test]
    fn a_long_transcript_is_told_of_ranks_that_failed_only_and_one_without_end_of_nobody() {
        let notes = Notes::default();
        let site = Site::here(Verb::Send);
        assert!((0..=SHORT).all(|_| notes.begin(site, 0, act()).is_some()));
        assert!(notes.told(false).is_none() && notes.told(true).is_some());
        assert!((SHORT..LONGEST).any(|_| notes.begin(site, 0, act()).is_none()), "it is full");
        assert!(notes.told(true).is_none());
    }

    #[test]
    fn whom_a_receive_heard_is_learnt_when_it_is_over() {
        let notes = Notes::default();
        let any: (Rank, i32) = (4, 9);
        let receive = Operation::receive(Source::Any, Label::user(0).into(), (Layout::I32, 1));
        let note = notes.begin(Site::here(Verb::Recv), 0, Act::Round(vec![receive]));
        notes.end(note, true, |act| act.heard(0, any));
        let Act::Round(operations) = &notes.writing().transcript.calls[0].act else { panic!("a round") };
        assert_eq!(operations[0].came, Some(any));
    }
}
