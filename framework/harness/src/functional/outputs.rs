//! The outputs of one run: there where they were declared, right, and the same on all ranks.
use wb_messages::{Lang, functional as text};
use wb_record::Verdict;
use wb_task::Place;

use super::{
    entry::{Entry, How, Produced},
    finding::Finding,
    judge::list,
    question::Question,
};

/// What is wrong with the outputs; `None` when nothing is. A run that was refused has none.
pub(super) fn finding(question: &Question, entries: &[&Entry], lang: Lang) -> Option<Finding> {
    let returned: Vec<_> = entries.iter().copied().filter(|entry| entry.how == How::Returned).collect();
    misplaced(question, &returned, lang)
        .or_else(|| disagreement(&returned, lang))
        .or_else(|| wrong(&returned, lang))
}

fn misplaced(question: &Question, entries: &[&Entry], lang: Lang) -> Option<Finding> {
    let belongs = |entry: &Entry| question.place == Place::Everywhere || entry.rank == question.home;
    let ranks = |has: bool| {
        let odd = entries.iter().filter(|entry| entry.output.is_some() == has && belongs(entry) != has);
        list(odd.map(|entry| entry.rank))
    };
    let headline = match (ranks(false), ranks(true)) {
        (Some(missing), _) => text::output_missing(lang, missing),
        (None, Some(too_much)) => text::output_too_much(lang, too_much),
        (None, None) => return None,
    };
    Some(Finding::new(Verdict::Fail, headline, text::hint_place(lang)))
}

fn produced<'a>(entries: &[&'a Entry]) -> Vec<(usize, &'a Produced)> {
    entries.iter().filter_map(|entry| entry.output.as_ref().map(|output| (entry.rank, output))).collect()
}

fn disagreement(entries: &[&Entry], lang: Lang) -> Option<Finding> {
    let outputs = produced(entries);
    let (_, first) = outputs.first()?;
    if outputs.iter().all(|(_, output)| output.digest.hash == first.digest.hash) {
        return None;
    }
    let line = |(rank, output): &(usize, &Produced)| {
        let shown = text::output_of(lang, rank, &output.digest.excerpt);
        let objection = output.wrong.as_ref().map(|why| text::objection(lang, why));
        let lines = objection.iter().flat_map(|why| why.lines());
        lines.fold(shown, |told, line| told + "\n  " + line)
    };
    let lines = outputs.iter().map(line).collect();
    Some(Finding::new(Verdict::Fail, text::disagree(lang), text::hint_disagree(lang)).with(lines))
}

fn wrong(entries: &[&Entry], lang: Lang) -> Option<Finding> {
    let outputs = produced(entries);
    let objected = |&&(_, output): &&(usize, &Produced)| output.wrong.is_some();
    let differs = |&&(_, output): &&(usize, &Produced)| output.unlike_reference.is_some();
    let &(rank, output) = outputs.iter().find(objected).or_else(|| outputs.iter().find(differs))?;
    let (headline, why) = match (&output.wrong, &output.unlike_reference) {
        (Some(why), _) => (text::wrong(lang, rank), text::objection(lang, why)),
        (None, why) => {
            let why = why.as_deref().unwrap_or_default();
            (text::unlike_reference(lang, rank), text::against_reference(lang, why))
        }
    };
    let shown = text::output_of(lang, rank, &output.digest.excerpt);
    Some(Finding::new(Verdict::Fail, headline, text::hint_wrong(lang)).with(vec![shown, why]))
}
