//! The points of a task, or why there are none.

use wb_course::{PerformanceEvidence, reasons_for_no_points};
use wb_messages::Lang;
use wb_messages::report::{screen as text, verdict};

use crate::{
    analysis::{Headline, TaskAnalysis, TrustItem, TrustLevel},
    evidence, format, labels,
};

/// What is said about points.
pub(crate) struct PointsText {
    pub(crate) sentence: String,
    /// The points as a number, where there are some to state.
    pub(crate) number: Option<String>,
    /// Whether it names all doubts as its reasons.
    names_doubts: bool,
    /// The item of the trust box that it names.
    named: Option<TrustItem>,
}

impl PointsText {
    /// Whether the sentence has said this already.
    pub(super) fn names(&self, level: TrustLevel, item: &TrustItem) -> bool {
        let is_quick = matches!(item, TrustItem::Sampling { quick: true, .. });
        let is_doubt = is_quick || (level == TrustLevel::Bad && evidence::doubt(item).is_some());
        self.names_doubts && is_doubt || self.named.as_ref() == Some(item)
    }
}

pub(crate) fn points(analysis: &TaskAnalysis<'_>, lang: Lang) -> PointsText {
    let evidence = evidence::performance_of(analysis);
    let reasons: Vec<String> =
        reasons_for_no_points(&evidence).iter().map(|reason| reason.render(lang)).collect();
    let graded = match &analysis.verdict.headline {
        Headline::Scaling(graded) => Some(graded),
        _ => None,
    };
    let plain_text = |sentence| PointsText { sentence, number: None, names_doubts: false, named: None };
    if graded.is_some_and(|graded| graded.points == Some(0.0)) {
        return plain_text(text::no_points(lang, text::ungraded(lang)));
    }
    let formula = graded.and_then(|graded| labels::points_formula(lang, analysis, graded));
    if !reasons.is_empty() {
        let reasons = reasons.join("; ");
        let formula = formula.filter(|_| graded.is_some_and(|graded| !graded.is_lowered));
        let sentence = match formula {
            Some(formula) => text::no_points_yet(lang, reasons, formula),
            None => text::no_points(lang, reasons),
        };
        // A gap has one reason, which is no doubt.
        let names_doubts = !matches!(evidence, PerformanceEvidence::Missing { .. });
        return PointsText { names_doubts, ..plain_text(sentence) };
    }
    let mut bad = analysis.trust.items.iter().filter(|(level, _)| *level == TrustLevel::Bad);
    if let Some((_, tests)) = bad.clone().find(|(_, item)| matches!(item, TrustItem::Tests { .. })) {
        let sentence = text::no_points(lang, labels::item(lang, analysis, tests));
        return PointsText { named: Some(tests.clone()), ..plain_text(sentence) };
    }
    match (evidence, formula) {
        (PerformanceEvidence::Communication(found), _) => {
            plain_text(text::communication_points(lang, found.library_call))
        }
        (_, Some(formula)) if bad.next().is_some() => plain_text(text::not_gradable(lang, formula)),
        (_, Some(formula)) => {
            let earned = graded.and_then(|graded| Some(graded.grade?.share * graded.points?));
            let number = earned.map(|points| format::trimmed(lang, points));
            PointsText { number, ..plain_text(verdict::points(lang, formula)) }
        }
        (_, None) => plain_text(text::no_points(lang, text::ungraded(lang))),
    }
}
