//! A functional test with an instructor's assignment: its inputs, its oracle, its reference and its comparison.
use wb_messages::{Lang, WIDTH, functional as text, wrap};
use wb_task::{Assignment, GradedInput, Task, assignment::FUNCTIONAL_SEED};

use super::{Case, Functional};
use crate::{report::test_report, test::erased_test};

impl<T: Task<Problem: Assignment>> Functional<T> {
    /// Every output must agree with that of the assignment's reference, as the assignment compares outputs.
    pub fn against_reference(self) -> Self {
        self.against(<T::Problem as Assignment>::Reference::default()).compare(T::Problem::compare)
    }

    /// Tests the graded inputs of the assignment, and that validation refuses those which it must refuse. The numbers of ranks are the assignment's, unless
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
        self.run(None, |ranks| T::Problem::graded_inputs(ranks, FUNCTIONAL_SEED).into_iter().map(Case::from));
        let refused = |ranks| T::Problem::refused_inputs(ranks);
        // A problem may accept every input.
        if self.ranks.iter().flatten().any(|&ranks| !refused(ranks).is_empty()) {
            // Any reason will do: the assignment says what is refused, the student's validation says why.
            self.run(Some(""), |ranks| refused(ranks).into_iter().map(Case::from));
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

impl<I> From<GradedInput<I>> for Case<I> {
    fn from(GradedInput { name, input }: GradedInput<I>) -> Self {
        Self { name: Some(name), input }
    }
}
