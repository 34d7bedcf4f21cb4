//! A failure in words: what happened, where everybody stood, what to look at next.
use std::fmt::{self, Display, Formatter};

use wb_comm::Code;
use wb_messages::{Lang, functional as text, pages};
use wb_record::Verdict;

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
    /// Which input, when the failure is one of a run.
    pub(super) input: Option<String>,
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
        Self { verdict, code: None, headline, details: vec![], input: None, ranks: vec![], said: None, hint }
    }

    /// What a backend found, with its lines.
    pub(super) fn of(verdict: Verdict, found: &[wb_comm::Finding], headline: String, hint: String) -> Self {
        let details = found.iter().flat_map(|finding| {
            let places = finding.places.iter().map(|place| format!("  {place}"));
            finding.details.iter().cloned().chain(places)
        });
        let details = details.collect();
        Self {
            code: found.first().map(|finding| finding.code),
            details,
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

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lang = Lang::of_environment();
        match self.code {
            Some(code) => writeln!(f, "  {code}: {}", self.headline)?,
            None => writeln!(f, "  {}", self.headline)?,
        }
        for detail in &self.details {
            indented(f, "    ", detail)?;
        }
        if let Some(input) = &self.input {
            writeln!(f, "  {input}")?;
        }
        if !self.ranks.is_empty() {
            writeln!(f, "  {}", text::ranks_stand(lang))?;
            for (rank, stands) in self.ranks.iter().enumerate() {
                indented(f, "    ", &format!("{rank:>3}  {stands}"))?;
            }
        }
        if let Some((heading, lines)) = &self.said {
            writeln!(f, "  {heading}")?;
            indented(f, "    | ", lines)?;
        }
        writeln!(f, "  {}", text::look_at(lang, &self.hint))?;
        match self.code {
            Some(code) => writeln!(f, "  {}", text::look_at(lang, pages::explained_by(lang, code))),
            None => Ok(()),
        }
    }
}

fn indented(f: &mut Formatter<'_>, indent: &str, lines: &str) -> fmt::Result {
    lines.lines().try_for_each(|line| writeln!(f, "{indent}{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_everything_in_its_order() {
        let finding = Finding {
            input: Some("input 1 of 2: 7".into()),
            ranks: vec!["came back".into(), "panicked".into()],
            said: Some(("said:".into(), "one\ntwo".into())),
            code: Some(Code::Tag),
            ..Finding::new(Verdict::Fail, "it broke".into(), "here".into())
        };
        let shown = finding.with(vec!["why\nand how".into()]).to_string();
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
