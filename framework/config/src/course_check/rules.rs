//! Every rule of a variant makes sense for its kind, and every list of rules has an effect.

use wb_text::{Text, course as text};

use super::problems::Problems;
use crate::{AssignmentRule, AssignmentSettings, CourseSettings, TaskKind, VariantSettings};

pub(super) fn check(course: &CourseSettings, problems: &mut Problems<'_>) {
    for (at, assignment) in course.assignments.iter().enumerate() {
        let at = at.to_string();
        let path = ["assignments", &at, "rules"];
        repetitions(&assignment.rules, &path, problems);
        let variants = &assignment.variants;
        let unused = !variants.is_empty() && variants.iter().all(|variant| variant.rules.is_some());
        if unused && !assignment.rules.is_empty() {
            problems.course(&path, text::unused_rules());
        }
        for (place, variant) in variants.iter().enumerate() {
            of_variant(assignment, variant, (&at, &place.to_string()), problems);
        }
    }
}

fn of_variant(
    assignment: &AssignmentSettings,
    variant: &VariantSettings,
    (at, place): (&str, &str),
    problems: &mut Problems<'_>,
) {
    let whole = ["assignments", at, "variants", place];
    let path = [&whole[..], &["rules"]].concat();
    let Some(own) = &variant.rules else {
        // The rules are those of the assignment: the problem is that this variant has them.
        for problem in assignment.rules.iter().filter_map(|rule| senseless(*rule, variant.kind)) {
            problems.course(&whole, problem);
        }
        return;
    };
    repetitions(own, &path, problems);
    if *own == assignment.rules {
        problems.course(&path, text::same_rules());
    }
    for (index, rule) in own.iter().enumerate() {
        if let Some(problem) = senseless(*rule, variant.kind) {
            problems.course(&[&path[..], &[&index.to_string()]].concat(), problem);
        }
    }
}

fn repetitions(rules: &[AssignmentRule], path: &[&str], problems: &mut Problems<'_>) {
    for (index, rule) in rules.iter().enumerate() {
        if rules[..index].contains(rule) {
            problems.course(&[path, &[&index.to_string()]].concat(), text::rule_again(rule.name()));
        }
    }
}

/// The problem of a rule that cannot apply to a variant of this kind.
fn senseless(rule: AssignmentRule, kind: TaskKind) -> Option<Text> {
    use AssignmentRule::{AnyRoot, DistributesComputing, IntFloatDouble, Tree};
    match (rule, kind) {
        (Tree | AnyRoot | IntFloatDouble, TaskKind::Computation) => {
            Some(text::rule_of_communication(rule.name()))
        }
        (DistributesComputing, TaskKind::Communication) => Some(text::rule_of_computation(rule.name())),
        _ => None,
    }
}
