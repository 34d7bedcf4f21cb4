//! The verdict on one run, a pure function of what the ranks wrote down.
//!
//! The first thing that went wrong is the one that is told: a rank that was lost or failed before those that waited for
//! it in vain, a missing output before a wrong one, a wrong one before messages left over, and the rules last.
use std::time::Duration;

use wb_messages::{Lang, functional as text};
use wb_record::Verdict;

use super::{
    entry::{Entry, How},
    evidence::RunEvidence,
    finding::Finding,
    outputs,
    question::Question,
};

/// What is wrong with a run; `None` when nothing is.
pub(super) fn run(question: &Question, evidence: &RunEvidence) -> Option<Finding> {
    let ranks = Ranks { question, evidence, lang: Lang::of_environment() };
    let finding = ranks.lost().or_else(|| ranks.refusal()).or_else(|| ranks.answer())?;
    Some(Finding { input: Some(ranks.input()), ..finding })
}

/// The entries of the ranks that take part.
struct Ranks<'a> {
    question: &'a Question,
    evidence: &'a RunEvidence,
    lang: Lang,
}

impl<'a> Ranks<'a> {
    fn all(&self) -> impl Iterator<Item = (usize, Option<&'a Entry>)> {
        let entries = &self.evidence.entries;
        (0..self.question.id.ranks).map(|rank| (rank, entries.get(&rank)))
    }

    fn present(&self) -> impl Iterator<Item = &'a Entry> {
        self.all().filter_map(|(_, entry)| entry)
    }

    fn those(&self, how: How) -> impl Iterator<Item = &'a Entry> {
        self.present().filter(move |entry| entry.how == how)
    }

    fn input(&self) -> String {
        let Question { id, inputs, excerpt, .. } = self.question;
        text::input(self.lang, id.input + 1, inputs, excerpt)
    }

    fn limit(&self) -> String {
        self.question.limit.map_or_else(String::new, seconds)
    }

    /// A rank that did not come back, or came back with a failure.
    fn lost(&self) -> Option<Finding> {
        let finding = self.left().or_else(|| self.first_failure()).or_else(|| self.unrecorded());
        let finding = finding.or_else(|| self.late())?;
        Some(Finding { ranks: self.table(), ..finding })
    }

    fn left(&self) -> Option<Finding> {
        let entry = self.those(How::Left).next()?;
        let headline = text::left(self.lang, entry.rank, self.stage(entry));
        Some(self.told_by(entry, Finding::new(Verdict::Crash, headline, text::hint_left(self.lang))))
    }

    /// The rank that panicked, met an error or hit the limit first.
    fn first_failure(&self) -> Option<Finding> {
        let failed = |entry: &&Entry| matches!(entry.how, How::Panicked | How::Failed | How::Limit);
        let first = self.present().filter(failed).min_by_key(|entry| entry.after)?;
        let (lang, stage) = (self.lang, self.stage(first));
        let finding = match first.how {
            How::Panicked => {
                let place = first.place.clone().unwrap_or_default();
                let headline = text::panicked(lang, first.rank, stage);
                let hint = text::hint_panic(lang, &place);
                Finding::new(Verdict::Fail, headline, hint).with(vec![first.text.clone(), place])
            }
            How::Limit => {
                let headline = text::over_limit(lang, first.rank, &first.text, self.limit());
                Finding::new(Verdict::Limit, headline, text::hint_limit(lang))
            }
            _ => {
                let headline = text::failed(lang, first.rank, stage);
                Finding::new(Verdict::Fail, headline, text::hint_error(lang)).with(vec![first.text.clone()])
            }
        };
        Some(self.told_by(first, finding))
    }

    fn unrecorded(&self) -> Option<Finding> {
        let missing = list(self.all().filter(|(_, entry)| entry.is_none()).map(|(rank, _)| rank))?;
        let headline = text::no_record(self.lang, missing);
        Some(Finding::new(Verdict::Crash, headline, text::hint_no_record(self.lang)))
    }

    /// Ranks that had not come back: still computing, or all of them waiting.
    fn late(&self) -> Option<Finding> {
        let waits = |entry: &Entry| entry.standing.is_some() || !entry.text.is_empty();
        let computing: Vec<_> = self.those(How::Late).filter(|entry| !waits(entry)).collect();
        if let (Some(first), Some(ranks)) = (computing.first(), list(computing.iter().map(|e| e.rank))) {
            let headline = text::still_computing(self.lang, ranks, self.stage(first), self.limit());
            return Some(
                self.told_by(first, Finding::new(Verdict::Limit, headline, text::hint_limit(self.lang))),
            );
        }
        let first = self.those(How::Late).next()?;
        let headline = text::deadlock(self.lang, self.limit());
        Some(self.told_by(first, Finding::new(Verdict::Hang, headline, text::hint_hang(self.lang))))
    }

    fn told_by(&self, entry: &Entry, finding: Finding) -> Finding {
        let said = (!entry.said.is_empty()).then(|| (text::said(self.lang, entry.rank), entry.said.clone()));
        Finding { said, ..finding }
    }

    fn stage(&self, entry: &Entry) -> String {
        let elsewhere = || match entry.how {
            How::Panicked => text::checking(self.lang),
            How::Failed => text::setting_up(self.lang),
            _ => text::between_stages(self.lang),
        };
        entry.stage.map_or_else(elsewhere, |stage| stage.name().to_owned())
    }

    /// Where every rank stood.
    fn table(&self) -> Vec<String> {
        let row = |(_, entry): (usize, Option<&Entry>)| {
            entry.map_or_else(|| text::rank_without_record(self.lang), |entry| self.stands(entry))
        };
        self.all().map(row).collect()
    }

    fn stands(&self, entry: &Entry) -> String {
        let lang = self.lang;
        let stage = self.stage(entry);
        match (entry.how, &entry.standing) {
            (How::Late, Some(call)) => text::rank_in_call(lang, stage, call),
            (How::Late, None) if entry.text.is_empty() => text::rank_computing(lang, stage),
            (How::Late, None) => text::rank_in_vain(lang, stage, &entry.text),
            (How::Panicked, _) => text::rank_panicked(lang, stage, entry.place.as_deref().unwrap_or("?")),
            (How::Failed, _) => text::rank_failed(lang, stage, &entry.text),
            (How::Left, _) => text::rank_left(lang, stage),
            (How::Refused, _) => text::rank_refused(lang),
            (How::Limit, _) => text::rank_over_limit(lang),
            (How::Returned | How::Apart, _) => text::rank_returned(lang),
        }
    }

    /// Validation, and whether it was right.
    fn refusal(&self) -> Option<Finding> {
        let refused = self.those(How::Refused).next();
        let lang = self.lang;
        match (&self.question.expected.refusal, refused) {
            (None, None) => None,
            (None, Some(entry)) => {
                let headline = text::refused(lang, &entry.text);
                Some(Finding::new(Verdict::Fail, headline, text::hint_refused(lang)))
            }
            (Some(wanted), _) => {
                let right = |entry: &Entry| entry.how == How::Refused && entry.text.contains(wanted.as_str());
                let reasons = refused.map(|entry| text::refused(lang, &entry.text));
                let headline = text::not_refused(lang, wanted);
                let finding = Finding::new(Verdict::Fail, headline, text::hint_refused(lang));
                (!self.present().all(right)).then(|| finding.with(reasons.into_iter().collect()))
            }
        }
    }

    /// What is wrong with a run that all ranks came back from.
    fn answer(&self) -> Option<Finding> {
        let outputs = || outputs::finding(self.question, &self.present().collect::<Vec<_>>(), self.lang);
        outputs().or_else(|| self.leftovers()).or_else(|| self.rules())
    }

    fn total(&self, count: impl Fn(&Entry) -> u64) -> u64 {
        self.present().map(count).sum()
    }

    fn leftovers(&self) -> Option<Finding> {
        let (lang, swept) = (self.lang, &self.evidence.swept);
        let fail = |headline, hint| Some(Finding::new(Verdict::Fail, headline, hint));
        let (sends, receives) = (self.total(|e| e.counts.sends), self.total(|e| e.counts.receives));
        if !swept.leftovers.is_empty() {
            let headline = text::leftovers(lang, swept.leftovers.len());
            let finding = fail(headline, text::hint_leftovers(lang))?;
            return Some(finding.with(swept.leftovers.clone()));
        }
        if swept.abandoned_requests > 0 {
            return fail(text::abandoned(lang, swept.abandoned_requests), text::hint_abandoned(lang));
        }
        if sends != receives {
            return fail(text::unaccounted(lang, sends, receives), text::hint_leftovers(lang));
        }
        None
    }

    fn rules(&self) -> Option<Finding> {
        let (lang, expected) = (self.lang, &self.question.expected);
        let fail = |headline| Some(Finding::new(Verdict::Fail, headline, text::hint_rules(lang)));
        let (sends, collectives) = (self.total(|e| e.counts.sends), self.total(|e| e.counts.collectives));
        if expected.point_to_point_only && collectives > 0 {
            return fail(text::collectives(lang, collectives));
        }
        match expected.messages {
            Some(wanted) if wanted != sends => fail(text::messages(lang, sends, wanted)),
            _ => None,
        }
    }
}

/// Numbers of ranks as people write them; `None` when there is none.
pub(super) fn list(ranks: impl Iterator<Item = usize>) -> Option<String> {
    let ranks: Vec<_> = ranks.map(|rank| rank.to_string()).collect();
    (!ranks.is_empty()).then(|| ranks.join(", "))
}

/// A duration for people.
pub(super) fn seconds(duration: Duration) -> String {
    format!("{:.1}", duration.as_secs_f64())
}
