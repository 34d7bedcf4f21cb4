//! A failure in words: what happened, where everybody stood, what to look at next.
use std::{
    collections::BTreeSet,
    fmt::{self, Write},
};

use wb_comm::{Code, Place};
use wb_messages::{Lang, WIDTH, functional as text, pages, wrapped};
use wb_record::Verdict;

/// Which of a test's inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// From 1.
    pub(super) number: usize,
    /// Of so many.
    pub(super) of: usize,
    /// In short.
    pub(super) text: String,
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// The kind of failure.
    pub(super) verdict: Verdict,
    /// The mistake's name, where it is one that has a page.
    pub(super) code: Option<Code>,
    /// What happened, in one line.
    pub(super) headline: String,
    /// What belongs to it: a panic's text, the messages left over, the outputs that differ.
    pub(super) details: Vec<String>,
    /// The lines of the program that it is about, as `file:line`.
    pub(super) lines: BTreeSet<String>,
    /// Which input, when the failure is one of a run.
    pub(super) input: Option<Asked>,
    /// Where every rank stood.
    pub(super) ranks: Vec<String>,
    /// What was printed: a heading and lines.
    pub(super) said: Option<(String, String)>,
    /// What to look at next.
    pub(super) hint: String,
}

impl Finding {
    /// A finding without further lines.
    pub(super) fn new(verdict: Verdict, headline: String, hint: String) -> Self {
        let (details, lines, ranks) = (vec![], BTreeSet::new(), vec![]);
        Self { verdict, code: None, headline, details, lines, input: None, ranks, said: None, hint }
    }

    /// What a backend found, with its lines: the first is the headline's, others of another kind begin with their codes.
    pub(super) fn of(verdict: Verdict, found: &[wb_comm::Finding], headline: String, hint: String) -> Self {
        let lang = Lang::of_environment();
        let first = found.first().map(|finding| finding.code);
        let details = found.iter().flat_map(|finding| {
            let code = Some(finding.code).filter(|code| Some(*code) != first);
            let lead = code.map_or_else(String::new, |code| format!("{code}: "));
            let details = finding.details.iter().map(move |detail| detail.render(lang)).enumerate();
            let details = details.map(move |(at, line)| if at == 0 { format!("{lead}{line}") } else { line });
            details.chain(finding.places.iter().map(move |place| format!("  {}", place.text().render(lang))))
        });
        let details = details.collect();
        Self {
            code: found.first().map(|finding| finding.code),
            details,
            lines: found.iter().flat_map(|finding| &finding.places).map(line).collect(),
            ..Self::new(verdict, headline, hint)
        }
    }

    /// The same with these details.
    pub(super) fn with(mut self, details: Vec<String>) -> Self {
        self.details = details;
        self
    }
}

/// The word that a report begins with.
pub(super) fn word(verdict: Verdict) -> String {
    let lang = Lang::of_environment();
    match verdict {
        Verdict::Pass => text::pass(lang),
        Verdict::Fail => text::fail(lang),
        Verdict::Hang => text::hang(lang),
        Verdict::Limit => text::limit(lang),
        Verdict::Crash => text::crash(lang),
        Verdict::Skip => text::skip(lang),
    }
}

/// A line of the program as `file:line`.
pub(super) fn line(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

impl Finding {
    /// What happened, in a line.
    pub(super) fn title(&self, lang: Lang) -> String {
        match self.code {
            Some(code) if self.verdict == Verdict::Hang => {
                format!("{code}: {}", text::hang_because(lang, pages::page(code).title.told(lang)))
            }
            Some(code) => format!("{code}: {}", self.headline),
            None => self.headline.clone(),
        }
    }

    /// What happened, and where everybody stood.
    pub(super) fn told(&self, lang: Lang) -> String {
        let mut told = String::new();
        self.tell(&mut told, lang).expect("a text takes any line");
        told
    }

    /// What happened, and with which input.
    pub(super) fn told_in_short(&self, lang: Lang) -> String {
        let input = self.input.as_ref().map(|Asked { number, of, text }| text::input(lang, number, of, text));
        let lines = std::iter::once(self.title(lang)).chain(input);
        lines.map(|line| wrapped(&line, "  ", "    ", WIDTH) + "\n").collect()
    }

    fn tell(&self, to: &mut String, lang: Lang) -> fmt::Result {
        writeln!(to, "{}", wrapped(&self.title(lang), "  ", "    ", WIDTH))?;
        for detail in &self.details {
            fitted(to, "    ", detail)?;
        }
        if let Some(Asked { number, of, text }) = &self.input {
            writeln!(to, "{}", wrapped(&text::input(lang, number, of, text), "  ", "    ", WIDTH))?;
        }
        if !self.ranks.is_empty() {
            writeln!(to, "  {}", text::ranks_stand(lang))?;
            for (rank, stands) in self.ranks.iter().enumerate() {
                fitted(to, &format!("    {rank:>3}  "), stands)?;
            }
        }
        if let Some((heading, lines)) = &self.said {
            writeln!(to, "  {heading}")?;
            indented(to, "    | ", lines)?;
        }
        Ok(())
    }

    /// What to look at next, a line each.
    pub(super) fn hints(&self, lang: Lang) -> Vec<String> {
        let page = self.code.map(|code| pages::explained_by(lang, code));
        std::iter::once(self.hint.clone()).chain(page).map(|hint| text::look_at(lang, hint)).collect()
    }
}

fn indented(to: &mut String, indent: &str, lines: &str) -> fmt::Result {
    lines.lines().try_for_each(|line| writeln!(to, "{indent}{line}"))
}

/// The same with long lines broken; the first begins with `first`.
fn fitted(to: &mut String, first: &str, lines: &str) -> fmt::Result {
    let indent = " ".repeat(first.len());
    lines.lines().enumerate().try_for_each(|(at, line)| {
        let first = if at == 0 { first } else { &indent };
        if first.len() + line.chars().count() <= WIDTH {
            return writeln!(to, "{first}{line}");
        }
        let deeper = " ".repeat(line.len() - line.trim_start().len());
        writeln!(to, "{}", wrapped(line, &format!("{first}{deeper}"), &format!("{indent}{deeper}  "), WIDTH))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_everything_in_its_order() {
        let finding = Finding {
            input: Some(Asked { number: 1, of: 2, text: "7".into() }),
            ranks: vec!["came back".into(), "panicked".into()],
            said: Some(("said:".into(), "one\ntwo".into())),
            code: Some(Code::Tag),
            ..Finding::new(Verdict::Fail, "it broke".into(), "here".into())
        };
        let finding = finding.with(vec!["why\nand how".into()]);
        let shown = finding.told(Lang::En) + &finding.hints(Lang::En).concat();
        let order = [
            "WB0043: it broke",
            "why",
            "and how",
            "input 1",
            "0  came back",
            "1  panicked",
            "| two",
            "here",
            "cargo wb explain WB0043",
        ];
        let at: Vec<_> = order.iter().map(|part| shown.find(part).expect(part)).collect();
        assert!(at.is_sorted(), "{shown}");
    }
}
