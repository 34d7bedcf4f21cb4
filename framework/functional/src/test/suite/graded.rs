//! A functional test with an instructor's assignment: its inputs, its oracle, its reference and its comparison.
use wb_task::{Assignment, GradedInput, Task, assignment::FUNCTIONAL_SEED};

use super::{Case, Functional};

impl<T: Task<Problem: Assignment>> Functional<T> {
    /// Every output must agree with that of the assignment's reference, as the assignment compares outputs.
    pub fn against_reference(self) -> Self {
        self.against(<T::Problem as Assignment>::Reference::default()).compare(T::Problem::compare)
    }

    /// Tests the graded inputs of the assignment, and that validation refuses those which it must refuse. The numbers of
    /// ranks are the assignment's, unless [`ranks`](Self::ranks) says otherwise.
    ///
    /// Grading uses the same checks with other seeds.
    ///
    /// # Panics
    /// After one report, when a run fails.
    pub fn graded(mut self) {
        self.ranks.get_or_insert_with(|| T::Problem::GRADED_RANKS.to_vec());
        self.run(None, |ranks| T::Problem::graded_inputs(ranks, FUNCTIONAL_SEED).into_iter().map(Case::from));
        // Any reason will do: the assignment says what is refused, the student's validation says why.
        self.run(Some(""), |ranks| T::Problem::refused_inputs(ranks).into_iter().map(Case::from));
    }
}

impl<I> From<GradedInput<I>> for Case<I> {
    fn from(GradedInput { name, input }: GradedInput<I>) -> Self {
        Self { name: Some(name), input }
    }
}
