//! The verdict on one run, a pure function of what the ranks wrote down.
//!
//! The first thing that went wrong is the one that is told: a rank that was lost or failed before those that waited for
//! it in vain, a missing output before a wrong one, a wrong one before messages left over, and the rules last.
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
            .or_else(|| self.unrecorded());
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
        self.swept(Code::CollectiveAlone, text::unjoined, text::hint_unjoined)
            .or_else(|| self.swept(Code::WindowRace, text::races, text::hint_races))
            .or_else(outputs)
            .or_else(|| self.leftovers())
            .or_else(|| self.rules())
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
        let unread = self.swept(Code::Unread, text::leftovers, text::hint_leftovers);
        let left = processes::left(&self.evidence.swept.processes, lang)
            .or(unread)
            .or_else(|| self.swept(Code::RequestLeft, text::requests_left, text::hint_requests_left))
            .or_else(|| self.swept(Code::WindowLeft, text::windows_left, text::hint_windows_left));
        if left.is_some() {
            return left;
        }
        let (sends, receives) = (self.total(|e| e.counts.sends), self.total(|e| e.counts.receives));
        let unaccounted = || text::unaccounted(lang, sends, receives);
        (sends != receives).then(|| Finding::new(Verdict::Fail, unaccounted(), text::hint_leftovers(lang)))
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
mod tests {
    use std::time::Duration;

    use wb_comm::Site;
    use wb_task::Place;
    use wb_world::Counts;

    use super::*;
    use crate::functional::{
        digest::Digest,
        entry::Produced,
        journal::Swept,
        question::{Expected, RunId},
    };

    fn question(ranks: usize, place: Place) -> Question {
        Question {
            id: RunId { case: "t".into(), ranks, input: 0 },
            inputs: 1,
            excerpt: "7".into(),
            home: 0,
            place,
            expected: Expected::default(),
            limit: Some(Duration::from_secs(1)),
        }
    }

    fn returned(rank: usize, value: &str) -> Entry {
        let digest = Digest::of(&value);
        let output = Some(Produced { digest, wrong: None, unlike_reference: None });
        let counts = Counts { sends: 1, receives: 1, ..Counts::default() };
        Entry { output, counts, ..Entry::of(rank, How::Returned) }
    }

    fn verdict(question: &Question, entries: Vec<Entry>) -> Option<(Verdict, String)> {
        let entries = entries.into_iter().map(|entry| (entry.rank, entry)).collect();
        let evidence = RunEvidence { entries, ..RunEvidence::default() };
        run(question, &evidence).map(|finding| (finding.verdict, finding.headline))
    }

    fn recv(rank: usize) -> Blocked {
        Blocked { awaits: vec![1 - rank], ..Blocked::at(rank, Site::here(Verb::Recv)) }
    }

    #[test]
    fn ranks_that_agree_and_are_right_pass() {
        let everywhere = question(2, Place::Everywhere);
        assert_eq!(verdict(&everywhere, vec![returned(0, "7"), returned(1, "7")]), None);
        let home = question(2, Place::Home);
        let without = Entry { output: None, ..returned(1, "") };
        assert_eq!(verdict(&home, vec![returned(0, "7"), without]), None);
    }

    #[test]
    fn nobody_passes_without_a_record() {
        let found = verdict(&question(3, Place::Everywhere), vec![returned(0, "7"), returned(2, "7")]);
        assert_eq!(found.map(|(verdict, _)| verdict), Some(Verdict::Crash));
        assert_eq!(verdict(&question(1, Place::Home), vec![]).map(|found| found.0), Some(Verdict::Crash));
    }

    #[test]
    fn an_output_at_the_wrong_place_is_found() {
        let everywhere = question(2, Place::Everywhere);
        let without = Entry { output: None, ..returned(1, "") };
        assert!(verdict(&everywhere, vec![returned(0, "7"), without]).is_some());
        let home = question(2, Place::Home);
        assert!(verdict(&home, vec![returned(0, "7"), returned(1, "7")]).is_some());
    }

    #[test]
    fn what_the_backend_found_fails_though_the_answer_is_right_and_is_told_before_a_wrong_one() {
        let wrong = Produced { digest: Digest::of(&1), wrong: Some("1".into()), unlike_reference: None };
        for (code, verb) in [(Code::WindowRace, Verb::Put), (Code::CollectiveAlone, Verb::Reduce)] {
            let place = wb_comm::Place::of(1, Site::here(verb));
            let lines = [line(&place)].into();
            let found = wb_comm::Finding { code, rank: 1, places: vec![place], details: vec![] };
            for output in [returned(0, "7").output, Some(wrong.clone())] {
                let entry = |rank| (rank, Entry { output: output.clone(), ..returned(rank, "7") });
                let swept = Swept { findings: vec![found.clone()], ..Swept::default() };
                let evidence =
                    RunEvidence { entries: [0, 1].map(entry).into(), swept, ..RunEvidence::default() };
                let told = run(&question(2, Place::Everywhere), &evidence).expect("a mistake");
                assert_eq!((told.verdict, told.code, &told.lines), (Verdict::Fail, Some(code), &lines));
            }
        }
    }

    #[test]
    fn the_first_failure_is_told_and_not_who_waited() {
        let panicked = |rank, ms| Entry {
            after: Duration::from_millis(ms),
            stage: Some(wb_task::Stage::Run),
            text: format!("panic of {rank}"),
            ..Entry::of(rank, How::Panicked)
        };
        let waits = Entry { standing: Some(recv(0)), ..Entry::of(0, How::Late) };
        let found = verdict(&question(3, Place::Home), vec![waits, panicked(1, 5), panicked(2, 9)]);
        let (verdict, headline) = found.expect("a failure");
        assert_eq!(verdict, Verdict::Fail);
        assert!(headline.contains('1') && !headline.contains('2'), "{headline}");
    }

    #[test]
    fn waiting_ranks_hang_and_a_computing_one_is_over_the_limit() {
        let waits = |rank| Entry { standing: Some(recv(rank)), ..Entry::of(rank, How::Late) };
        let hang = verdict(&question(2, Place::Home), vec![waits(0), waits(1)]);
        assert_eq!(hang.map(|found| found.0), Some(Verdict::Hang));
        let computes = verdict(&question(2, Place::Home), vec![waits(0), Entry::of(1, How::Late)]);
        assert_eq!(computes.map(|found| found.0), Some(Verdict::Limit));
    }

    #[test]
    fn who_could_go_on_but_had_no_turn_is_told_so() {
        let lang = Lang::of_environment();
        let idle = Entry { text: text::waited(lang, 0), ..Entry::of(1, How::Late) };
        let entries = [(0, Entry::of(0, How::Late)), (1, idle)].into();
        let evidence = RunEvidence { entries, ..RunEvidence::default() };
        let found = run(&question(2, Place::Home), &evidence).expect("it is over the limit");
        assert_eq!(found.verdict, Verdict::Limit);
        assert!(found.ranks[1].ends_with(&text::waited(lang, 0)), "{:?}", found.ranks);
    }

    #[test]
    fn messages_must_balance_and_keep_the_rules() {
        let counts =
            |sends, receives, collectives| Counts { sends, receives, collectives, ..Counts::default() };
        let with = |counts| vec![Entry { counts, ..returned(0, "7") }];
        let plain = question(1, Place::Home);
        assert_eq!(verdict(&plain, with(counts(2, 2, 1))), None);
        assert!(verdict(&plain, with(counts(2, 1, 0))).is_some());
        let expected = Expected { point_to_point_only: true, messages: Some(2), refusal: None };
        let ruled = Question { expected, ..plain };
        assert_eq!(verdict(&ruled, with(counts(2, 2, 0))), None);
        assert!(verdict(&ruled, with(counts(2, 2, 1))).is_some());
        assert!(verdict(&ruled, with(counts(3, 3, 0))).is_some());
    }

    #[test]
    fn a_refusal_must_come_and_for_the_right_reason() {
        let expected = Expected { refusal: Some("root".into()), ..Expected::default() };
        let question = Question { expected, ..question(1, Place::Home) };
        let refused = |text: &str| vec![Entry { text: text.into(), ..Entry::of(0, How::Refused) }];
        assert_eq!(verdict(&question, refused("no such root")), None);
        assert!(verdict(&question, refused("too long")).is_some());
        assert!(verdict(&question, vec![returned(0, "7")]).is_some());
    }
}
