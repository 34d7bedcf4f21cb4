//! A functional test with an instructor's assignment: its inputs, its oracle, its reference and its comparison.
use wb_config::AssignmentRule;
use wb_messages::{Lang, WIDTH, functional as text, wrap};
use wb_task::{Assignment, GradedInput, Task, assignment::FUNCTIONAL_SEED};

use super::{Case, Functional};
use crate::{
    report::test_report,
    test::{erased_test, limit},
};

impl<T: Task<Problem: Assignment>> Functional<T> {
    /// Every output must agree with that of the assignment's reference, as the assignment compares outputs.
    pub fn against_reference(self) -> Self {
        self.against(<T::Problem as Assignment>::Reference::default()).compare(T::Problem::compare)
    }

    /// Tests the graded inputs of the assignment, and that validation refuses those which it must refuse, under the rules
    /// that `tasks/course.yaml` has for the variant. The numbers of ranks are the assignment's, unless
    /// [`ranks`](Self::ranks) says otherwise.
    ///
    /// Grading uses the same checks with other seeds.
    ///
    /// # Panics
    /// After one report, when a run fails.
    pub fn graded(mut self) {
        check_output_place::<T>();
        self.ranks.get_or_insert_with(|| T::Problem::GRADED_RANKS.to_vec());
        self.is_graded = true;
        let test = self.under(course_rules::<T::Problem>());
        test.run(None, |ranks| T::Problem::graded_inputs(ranks, FUNCTIONAL_SEED).into_iter().map(Case::from));
        let refused = |ranks| T::Problem::refused_inputs(ranks);
        // A problem may accept every input.
        if test.ranks.iter().flatten().any(|&ranks| !refused(ranks).is_empty()) {
            // Any reason will do: the assignment says what is refused, the student's validation says why.
            test.run(Some(""), |ranks| refused(ranks).into_iter().map(Case::from));
        }
    }
}

impl<T: Task> Functional<T> {
    /// With the rules that a run can show. That it communicates is checked always; which roots and types are supported, the
    /// graded inputs show.
    fn under(self, rules: &[AssignmentRule]) -> Self {
        match rules.contains(&AssignmentRule::SendAndReceiveOnly) {
            true => self.point_to_point_only(),
            false => self,
        }
    }
}

/// The output must be where the reference has it: a result that should be on every rank is not one that is on rank 0.
fn check_output_place<T: Task<Problem: Assignment>>() {
    let expected = <<T::Problem as Assignment>::Reference as Task>::OUTPUT;
    if T::OUTPUT != expected {
        let lang = Lang::from_environment();
        let place = |place| format!("Place::{place:?}");
        let problem = text::other_output_place(lang, place(T::OUTPUT), place(expected));
        let name = erased_test::next_check_name();
        test_report::fail(&format!(
            "\n{} {name}\n{}\n",
            text::fail(lang),
            wrap(&problem, "  ", "    ", WIDTH)
        ));
    }
}

/// The rules of the assignment's variant. A course that cannot be read is reported by the test itself.
fn course_rules<A: Assignment>() -> &'static [AssignmentRule] {
    let assignment =
        limit::course().ok().and_then(|course| course.assignments.get(usize::from(A::ID.number) - 1));
    assignment.map_or(&[], |assignment| assignment.rules_of(A::ID.variant))
}

impl<I> From<GradedInput<I>> for Case<I> {
    fn from(GradedInput { name, input }: GradedInput<I>) -> Self {
        Self { name: Some(name), input }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slow_stages::SlowStages;

    #[test]
    fn the_rule_of_the_course_forbids_collective_calls() {
        use AssignmentRule::{AnyRoot, Communicates, SendAndReceiveOnly};
        for (rules, forbidden) in
            [(&[][..], false), (&[Communicates, AnyRoot], false), (&[AnyRoot, SendAndReceiveOnly], true)]
        {
            let test = Functional::new(workbench::in_one_process(), SlowStages).under(rules);
            assert_eq!(test.point_to_point_only, forbidden, "{rules:?}");
        }
    }
}
