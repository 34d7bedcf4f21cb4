//! `report.md`: the course's sections with the numbers filled in; the student writes the analysis.
//!
//! Generated text is between markers ([`crate::blocks`]). The headings and the prompts in italics are outside: they are the
//! student's from the beginning. A terminal shows the generated text alone.

use wb_messages::Lang;
use wb_messages::report::document as text;

use crate::analysis::TaskAnalysis;
use crate::blocks::block;
use crate::document::{Document, List, Medium};
use crate::{labels, task};

/// The whole document.
pub(crate) fn document(analysis: &TaskAnalysis<'_>, lang: Lang) -> String {
    let generated = |name, write: &dyn Fn(&mut Document)| {
        let mut part = Document::new(Medium::Markdown);
        write(&mut part);
        block(name, &part.to_text())
    };
    // A communication operation has no section 7.3, but the block is always there: an update must find it.
    let bottleneck = task::bottleneck_heading(lang, analysis);
    let results = [
        format!("### 7.1 {}\n\n", text::correctness(lang)),
        generated("correctness", &|part| task::correctness(part, lang, analysis)),
        format!("\n### 7.2 {}\n\n", text::performance(lang)),
        generated("performance", &|part| task::performance(part, lang, analysis)),
        "\n".to_owned(),
        bottleneck.as_ref().map(|heading| format!("### 7.3 {heading}\n\n")).unwrap_or_default(),
        generated("why", &|part| {
            if bottleneck.is_some() {
                task::bottleneck(part, lang, analysis);
            }
        }),
        format!("\n{}\n", text::write_analysis(lang)),
    ];
    let written = |body: String| body + "\n";
    let sections = [
        (text::introduction(lang), written(text::write_introduction(lang))),
        (text::problem(lang), written(text::write_problem(lang))),
        (text::baseline(lang), written(text::write_baseline(lang))),
        (text::scheme(lang), written(text::write_scheme(lang))),
        (text::implementation(lang), written(text::write_implementation(lang))),
        (text::setup(lang), generated("setup", &|part| task::setup(part, lang, analysis))),
        (text::results(lang), results.concat()),
        (text::conclusions(lang), written(text::write_conclusions(lang))),
        (text::references(lang), written(text::write_references(lang))),
    ];
    let section = |(number, (title, body))| format!("## {number}. {title}\n\n{body}\n");
    format!(
        "{}\n{}## {}\n\n{}",
        generated("header", &|part| header(part, lang, analysis)),
        (1..).zip(sections).map(section).collect::<String>(),
        text::appendix(lang),
        generated("method", &|part| task::rules(part, lang, analysis)),
    )
}

fn header(document: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    let subject = analysis.subject;
    let student = text::student(lang, &subject.student, &subject.group);
    let assignment = text::assignment(lang, subject.task_number, subject.variant);
    document.heading(1, labels::title(lang, subject));
    document.list(
        List::Bullets(""),
        [
            format!("{}: {student}", text::label_student(lang)),
            format!("{}: {}", text::label_technology(lang), labels::library(lang, analysis)),
            format!("{}: {assignment}", text::label_variant(lang)),
        ],
    );
}

/// The generated text of the sections on conditions and results, in lines of at most `width` columns.
pub(crate) fn terminal(analysis: &TaskAnalysis<'_>, lang: Lang, width: u16) -> String {
    let mut document = Document::new(Medium::Terminal(width));
    document.heading(1, format!("{} ({})", labels::title(lang, analysis.subject), analysis.subject.task));
    task::setup(&mut document, lang, analysis);
    task::correctness(&mut document, lang, analysis);
    task::performance(&mut document, lang, analysis);
    if let Some(heading) = task::bottleneck_heading(lang, analysis) {
        document.heading(2, heading);
        task::bottleneck(&mut document, lang, analysis);
    }
    document.to_text()
}
