//! The verdict on one run, a pure function of what the ranks wrote down.
//!
//! The first thing that went wrong is the one that is told: a rank that was lost or failed before those that waited for
//! it in vain, a missing output before a wrong one, and the rules last. A wrong output is reported with its cause first, where
//! the run has shown one: a message that no rank received, a request that no rank waited for, a race.
use wb_comm::{Blocked, Code, Verb};
use wb_messages::{Lang, functional as text};
use wb_record::Verdict;

pub(super) use super::shown::{list, seconds};
use super::{
    causes, doing,
    entry::{Entry, How},
    evidence::RunEvidence,
    exhausted,
    finding::{Asked, Finding, line},
    outputs, processes,
    question::Question,
    unended,
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

    fn input(&self) -> Asked {
        let Question { id, inputs, excerpt, .. } = self.question;
        Asked { number: id.input + 1, of: *inputs, text: excerpt.clone() }
    }

    fn limit(&self) -> String {
        self.question.limit.map_or_else(String::new, |limit| seconds(self.lang, limit))
    }

    /// A rank that did not come back, or came back with a failure.
    fn lost(&self) -> Option<Finding> {
        let finding = self
            .exhausted()
            .or_else(|| self.left())
            .or_else(|| self.mismatch())
            .or_else(|| self.first_failure())
            .or_else(|| self.unrecorded())
            .or_else(|| unended::finding(&self.those(How::Unended).collect::<Vec<_>>(), self.lang));
        let finding = finding.or_else(|| self.late())?;
        Some(Finding { ranks: self.table(&finding), ..finding })
    }

    fn exhausted(&self) -> Option<Finding> {
        let entry = self.those(How::Exhausted).next()?;
        Some(exhausted::finding(entry, self.stage(entry), self.lang))
    }

    fn left(&self) -> Option<Finding> {
        let entry = self.those(How::Left).next()?;
        let headline = text::left(self.lang, entry.rank, self.stage(entry));
        Some(self.told_by(entry, Finding::new(Verdict::Crash, headline, text::hint_left(self.lang))))
    }

    /// Calls of different ranks that do not go together: whatever else went wrong may have come of it.
    fn mismatch(&self) -> Option<Finding> {
        let found = causes::of_two_sides(self.evidence);
        let details = found.iter().flat_map(|found| causes::told_once(found, self.lang)).collect();
        let told = || {
            let (headline, hint) = (text::mismatched(self.lang), text::hint_mismatched(self.lang));
            Finding::of(Verdict::Fail, &found, headline, hint).with(details)
        };
        (!found.is_empty()).then(told)
    }

    /// The rank that panicked, met an error or hit the limit first.
    fn first_failure(&self) -> Option<Finding> {
        let failed = |entry: &&Entry| matches!(entry.how, How::Panicked | How::Failed | How::Limit);
        let first = self.present().filter(failed).min_by_key(|entry| entry.after)?;
        // The same mistake of several ranks is told of the lowest, whichever came to it first.
        let look =
            |entry: &Entry| (entry.how, entry.place.clone(), entry.finding.as_ref().map(|found| found.code));
        let first = self.present().filter(failed).find(|entry| look(entry) == look(first)).unwrap_or(first);
        let (lang, stage) = (self.lang, self.stage(first));
        let finding = match first.how {
            How::Panicked => {
                let place = first.place.clone().unwrap_or_default();
                let headline = text::panicked(lang, first.rank, stage);
                let hint = text::hint_panic(lang, &place);
                // Without the column.
                let lines = place.rsplit_once(':').map(|(line, _)| line.to_owned()).into_iter().collect();
                let finding = Finding::new(Verdict::Fail, headline, hint);
                Finding { lines, ..finding }.with(
                    [first.text.clone()].into_iter().chain(exhausted::of_panic(&first.text, lang)).collect(),
                )
            }
            How::Limit => {
                let headline = text::over_limit(lang, first.rank, &first.text, self.limit());
                Finding::new(Verdict::Limit, headline, text::hint_limit(lang))
            }
            _ => {
                let headline = text::failed(lang, first.rank, stage);
                let hint = first
                    .place
                    .as_ref()
                    .map_or_else(|| text::hint_error(lang), |at| text::hint_panic(lang, at));
                let finding = Finding::new(Verdict::Fail, headline, hint);
                let code = first.finding.as_ref().map(|finding| finding.code);
                let lines = first.finding.iter().flat_map(|found| &found.places).map(line).collect();
                Finding { code, lines, ..finding }.with(vec![first.text.clone()])
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
        if let Some(first) = computing.first() {
            let finding = doing::finding(&computing, self.stage(first), self.limit(), self.lang)?;
            return Some(self.told_by(first, finding));
        }
        let first = self.those(How::Late).next()?;
        Some(self.told_by(first, self.hang()))
    }

    /// Why those who wait do: the causes, where they are known.
    fn hang(&self) -> Finding {
        let hint = text::hint_hang(self.lang);
        let headline = text::deadlock(self.lang, self.limit());
        let mut causes = causes::of_waiting(self.evidence);
        let of_user = |call: &&Blocked| call.verb != Verb::Agreement;
        let standing = || self.present().filter_map(|entry| entry.standing.as_ref()).filter(of_user);
        // Where the ranks stand, their table says.
        let stands: Vec<_> = standing().map(Blocked::place).collect();
        let named: Vec<_> = causes.iter().flat_map(|cause| &cause.places).collect();
        let lines = if named.is_empty() { stands.iter().collect() } else { named };
        let lines = lines.into_iter().map(line).collect();
        causes.iter_mut().for_each(|cause| cause.places.retain(|place| !stands.contains(place)));
        Finding { lines, ..Finding::of(Verdict::Hang, &causes, headline, hint) }
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

    /// Where every rank stood; what is told already is not told again of each.
    fn table(&self, told: &Finding) -> Vec<String> {
        let is_told = |error: &str| told.details.iter().any(|detail| error.ends_with(detail.as_str()));
        let row = |(_, entry): (usize, Option<&Entry>)| match entry {
            None => text::rank_without_record(self.lang),
            Some(entry) if entry.how == How::Failed && is_told(&entry.text) => {
                text::rank_failed_so(self.lang, self.stage(entry))
            }
            Some(entry) => self.stands(entry),
        };
        self.all().map(row).collect()
    }

    fn stands(&self, entry: &Entry) -> String {
        let lang = self.lang;
        let stage = self.stage(entry);
        match (entry.how, &entry.standing) {
            (How::Late, Some(call)) if call.verb == Verb::Agreement => text::rank_agrees(lang, stage),
            (How::Late, Some(call)) => text::rank_in_call(
                lang,
                stage,
                call.call().render(lang),
                format!("{}:{}", call.file, call.line),
            ),
            (How::Late, None) if entry.text.is_empty() => doing::row(entry, stage, lang),
            (How::Late, None) => text::rank_in_vain(lang, stage, &entry.text),
            (How::Panicked, _) => text::rank_panicked(lang, stage, entry.place.as_deref().unwrap_or("?")),
            (How::Failed, _) => text::rank_failed(lang, stage, &entry.text),
            (How::Exhausted, _) => text::rank_exhausted(lang, stage, &entry.text),
            (How::Unended, _) => text::rank_unended(lang),
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
        let present: Vec<_> = self.present().collect();
        let incorrect = outputs::incorrect(&present, self.lang);
        let races = || self.swept(Code::WindowRace, text::races, text::hint_races);
        let first = self.swept(Code::CollectiveAlone, text::unjoined, text::hint_unjoined).or_else(races);
        let misplaced =
            if first.is_none() { outputs::misplaced(self.question, &present, self.lang) } else { None };
        if misplaced.is_some() {
            return misplaced;
        }
        let Some(incorrect) = incorrect else {
            return first.or_else(|| self.leftovers()).or_else(|| self.rules());
        };
        match first.or_else(|| self.left_in_communication()) {
            Some(cause) => Some(outputs::as_consequence(cause, &incorrect, self.lang)),
            None => Some(incorrect),
        }
    }

    fn total(&self, count: impl Fn(&Entry) -> u64) -> u64 {
        self.present().map(count).sum()
    }

    /// What the backend has found of this kind.
    fn swept(
        &self,
        code: Code,
        headline: fn(Lang, usize) -> String,
        hint: fn(Lang) -> String,
    ) -> Option<Finding> {
        let found: Vec<_> =
            self.evidence.swept.all().into_iter().filter(|found| found.code == code).collect();
        let told = || Finding::of(Verdict::Fail, &found, headline(self.lang, found.len()), hint(self.lang));
        (!found.is_empty()).then(told)
    }

    fn leftovers(&self) -> Option<Finding> {
        let lang = self.lang;
        let left = processes::left(&self.evidence.swept.processes, lang)
            .or_else(|| self.left_in_communication())
            .or_else(|| self.swept(Code::WindowLeft, text::windows_left, text::hint_windows_left));
        if left.is_some() {
            return left;
        }
        let (sends, receives) = (self.total(|e| e.counts.sends), self.total(|e| e.counts.receives));
        let unaccounted = || text::unaccounted(lang, sends, receives);
        (sends != receives).then(|| Finding::new(Verdict::Fail, unaccounted(), text::hint_leftovers(lang)))
    }

    /// Messages that no rank received and requests that no rank waited for: the data that an output lacks may be in them.
    fn left_in_communication(&self) -> Option<Finding> {
        self.swept(Code::Unread, text::leftovers, text::hint_leftovers)
            .or_else(|| self.swept(Code::RequestLeft, text::requests_left, text::hint_requests_left))
    }

    fn rules(&self) -> Option<Finding> {
        let (lang, expected) = (self.lang, &self.question.expected);
        let fail = |headline| Some(Finding::new(Verdict::Fail, headline, text::hint_rules(lang)));
        let (sends, collectives) = (self.total(|e| e.counts.sends), self.total(|e| e.counts.collectives));
        if expected.point_to_point_only && collectives > 0 {
            let places: Vec<_> = self.present().filter_map(|entry| entry.collective.as_ref()).collect();
            let first = fail(text::collectives(lang, collectives))?;
            let lines = places.iter().copied().map(line).collect();
            let details = places.iter().map(|place| place.text().render(lang)).collect();
            return Some(Finding { lines, ..first }.with(details));
        }
        match expected.messages {
            Some(wanted) if wanted != sends => fail(text::messages(lang, sends, wanted)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
