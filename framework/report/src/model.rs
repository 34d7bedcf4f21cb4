//! The predictions of the models as sentences and cells.

use wb_messages::Lang;
use wb_messages::prediction;
use wb_messages::report::model as text;
use wb_record::{ComputingCost, PredictionModel};

use crate::analysis::{DeclaredComputing, ModelAnalysis, ModelRow, TaskAnalysis, Unchecked, Withheld};
use crate::{format, labels};

/// The required information about every model beside the measurements; or how to get one.
pub(crate) fn sentences(lang: Lang, analysis: &TaskAnalysis<'_>) -> Vec<String> {
    if analysis.models.is_empty() {
        return vec![text::none(lang)];
    }
    analysis.models.iter().flat_map(|modelled| model_sentences(lang, analysis, modelled)).collect()
}

fn model_sentences(lang: Lang, analysis: &TaskAnalysis<'_>, modelled: &ModelAnalysis<'_>) -> Vec<String> {
    let model = modelled.model;
    let mut sentences = Vec::from(source(lang, model));
    sentences.extend(computing(lang, analysis, modelled));
    if let Some((ranks, error)) = modelled.worst {
        sentences.push(text::error(lang, ranks, signed(lang, error)));
        if !model.is_host {
            sentences.push(text::another_machine(lang));
        }
    }
    match (&modelled.unchecked[..], modelled.worst) {
        ([], _) => {}
        (_, None) => sentences.push(text::no_error(lang)),
        (ranks, Some(_)) => sentences.push(text::no_error_at(lang, list(ranks))),
    }
    let planned = analysis.plan.map_or(&[][..], |plan| &plan.ranks);
    if let Some(cores) = model.cores {
        let beyond: Vec<u32> = planned.iter().copied().filter(|ranks| *ranks > cores).collect();
        if !beyond.is_empty() {
            sentences.push(text::cores(lang, &model.machine, cores, list(&beyond)));
        }
    }
    sentences.extend(model.failure.as_ref().map(|why| text::failed(lang, &model.machine, why)));
    if modelled.contradictory > 0 {
        sentences.push(text::contradictory(lang, modelled.contradictory));
    }
    sentences
}

/// The machine, the origin of its values, and their accuracy.
fn source(lang: Lang, model: &PredictionModel) -> [String; 2] {
    let values = match &model.fit {
        Some(fit) => text::fitted(
            lang,
            &fit.date,
            &fit.library,
            fit.points,
            format::percent(lang, fit.median_residual),
            format::percent(lang, fit.largest_residual),
        ),
        None => text::published(lang),
    };
    [text::machine(lang, &model.machine, model.about.in_language(lang)), values]
}

/// The cost of computing there, and whether it is the same everywhere.
fn computing(lang: Lang, analysis: &TaskAnalysis<'_>, modelled: &ModelAnalysis<'_>) -> Vec<String> {
    match (modelled.computing, modelled.declared) {
        (None, _) => vec![],
        (Some(ComputingCost::Measured), _) => vec![text::computing_measured(lang)],
        (_, DeclaredComputing::Both) => vec![text::declared(lang)],
        // A version that only moves data has nothing to declare.
        (_, DeclaredComputing::Nothing) if !analysis.operations.is_empty() => {
            vec![text::communication_only(lang)]
        }
        (_, DeclaredComputing::Nothing) => vec![prediction::nothing_declared(lang)],
        (_, DeclaredComputing::ParallelOnly) => vec![prediction::only_parallel(lang)],
        (_, DeclaredComputing::SequentialOnly) => vec![text::only_sequential(lang)],
    }
}

/// `2, 4, 8`.
fn list(ranks: &[u32]) -> String {
    ranks.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// A change with its sign: `+12.3 %`.
pub(crate) fn signed(lang: Lang, error: f64) -> String {
    format::signed_percent(lang, error)
}

/// The version of a row with its machine.
pub(crate) fn version(lang: Lang, row: &ModelRow) -> String {
    text::version(lang, labels::version(lang, row.version), &row.machine)
}

/// The remark of a row: its error, or why there is none.
pub(crate) fn remark(lang: Lang, row: &ModelRow) -> String {
    match row.error {
        Ok(error) => text::error_of_time(lang, signed(lang, error)),
        Err(Unchecked::Wrong) => text::wrong(lang),
        Err(Unchecked::Timeless) => text::no_model_time(lang),
        Err(Unchecked::NotMeasured) => text::not_measured(lang),
        Err(Unchecked::Withheld(Withheld::Incorrect)) => text::measured_wrong(lang),
        Err(Unchecked::Withheld(_)) => text::oversubscribed(lang),
    }
}
