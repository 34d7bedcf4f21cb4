//! An instructor's assignment: a [`Problem`] with everything that grading needs, in a crate that students do not edit.
//!
//! A student's task implements [`Task`] for the assignment's problem. The graded inputs, the oracle, the reference and the
//! comparison are those of the assignment, so a student's tests cannot make a wrong task pass. The crate is a folder
//! `tasks/assignment_<number>_<variant>_<word>`; what is measured is in its `assignment.yaml`.
//!
//! ```ignore
//! impl Assignment for Integral {
//!     const ID: AssignmentId = workbench::assignment_id!();
//!     type Reference = Reference;
//!     fn graded_inputs(_ranks: usize, seed: u64) -> Vec<GradedInput<Input>> { ... }
//!     fn refused_inputs(_ranks: usize) -> Vec<GradedInput<Input>> { ... }
//!     fn compare(output: &f64, expected: &f64) -> Verdict { ... }
//! }
//! ```
use std::path::Path;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Problem, Task, Verdict};

/// The seed of the graded inputs in a functional test. Every process of a test makes the same inputs; grading draws a
/// fresh seed for each repetition.
pub const FUNCTIONAL_SEED: u64 = 20_260_901;

/// A problem of the instructor's, with the inputs and the reference that grading uses.
///
/// Inputs and outputs are serialisable, so that they can live in another process than the student's code. Serialisation
/// must keep every value; a number that JSON does not have, such as NaN, needs the attribute
/// `#[serde(with = "workbench::special_float")]`.
pub trait Assignment:
    Problem<Input: Serialize + DeserializeOwned, Output: Serialize + DeserializeOwned> + Sized
{
    /// Number, variant, package and folder: `workbench::assignment_id!()`.
    const ID: AssignmentId;

    /// The numbers of ranks of the graded runs, increasing.
    const GRADED_RANKS: &'static [usize] = &[1, 2, 3, 4, 5];

    /// The instructor's sequential version: the expected output, and a candidate for T*, the fastest sequential time.
    type Reference: Task<Problem = Self> + Default;

    /// The inputs that decide whether a task is right on `ranks` ranks: boundary cases, and inputs drawn from `seed`. Each
    /// call with the same arguments makes the same inputs.
    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Self::Input>>;

    /// The inputs that validation must refuse on `ranks` ranks, for any reason; none where every input has an answer.
    fn refused_inputs(ranks: usize) -> Vec<GradedInput<Self::Input>>;

    /// Whether an output agrees with the reference's: equal, or for floating-point numbers close.
    fn compare(output: &Self::Output, expected: &Self::Output) -> Verdict;
}

/// A graded input and the name by which a report shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradedInput<I> {
    /// A few words, e.g. `"fewer elements than ranks"`.
    pub name: String,
    /// The input.
    pub input: I,
}

impl<I> GradedInput<I> {
    /// An input with a name.
    pub fn new(name: impl Into<String>, input: I) -> Self {
        Self { name: name.into(), input }
    }
}

/// The place of an assignment in the course and in the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssignmentId {
    /// The number of the assignment in the semester: 1, 2 or 3.
    pub number: u8,
    /// The variant of it.
    pub variant: u8,
    /// The package, `assignment_<number>_<variant>_<word>`.
    pub package: &'static str,
    folder: &'static str,
}

impl AssignmentId {
    /// The identity of a package whose folder is `folder`.
    ///
    /// # Panics
    /// When the name is not `assignment_<number>_<variant>_<word>`; in a constant this is an error of the compiler.
    pub const fn from_package(package: &'static str, folder: &'static str) -> Self {
        let bytes = package.as_bytes();
        let prefix = b"assignment_";
        let mut at = 0;
        while at < prefix.len() {
            assert!(
                at < bytes.len() && bytes[at] == prefix[at],
                "an assignment's package is assignment_N_V_word"
            );
            at += 1;
        }
        let (number, at) = digits(bytes, at);
        let (variant, at) = digits(bytes, at);
        assert!(number <= 3, "a semester has the assignments 1, 2 and 3");
        assert!(at < bytes.len(), "an assignment's package ends with a word");
        Self { number, variant, package, folder }
    }

    /// The folder of the crate when it was compiled.
    pub fn folder(&self) -> &'static Path {
        Path::new(self.folder)
    }
}

/// A number and the underscore behind it, from `at` on; with the place after it.
const fn digits(bytes: &[u8], at: usize) -> (u8, usize) {
    let (mut number, mut here) = (0, at);
    while here < bytes.len() && bytes[here].is_ascii_digit() {
        number = number * 10 + (bytes[here] - b'0');
        here += 1;
    }
    assert!(here > at && number > 0, "an assignment's package has a number and a variant");
    assert!(
        here < bytes.len() && bytes[here] == b'_',
        "an underscore follows each number of an assignment's package"
    );
    (number, here + 1)
}

/// The identity of the assignment in this crate, from the name and the folder of its package.
#[macro_export]
macro_rules! assignment_id {
    () => {
        const {
            $crate::AssignmentId::from_package(
                ::std::env!("CARGO_PKG_NAME"),
                ::std::env!("CARGO_MANIFEST_DIR"),
            )
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_s_name_is_the_identity() {
        let id = AssignmentId::from_package("assignment_3_14_quicksort_merge", "/tasks/x");
        assert_eq!((id.number, id.variant, id.folder()), (3, 14, Path::new("/tasks/x")));
    }

    #[test]
    fn another_name_has_none() {
        for name in [
            "ivanov_i_sum",
            "assignment",
            "assignment_1",
            "assignment_1_",
            "assignment_1_2",
            "assignment_1_2_",
        ] {
            assert!(std::panic::catch_unwind(|| AssignmentId::from_package(name, "")).is_err(), "{name}");
        }
        for name in [
            "assignment_0_1_sum",
            "assignment_1_x_sum",
            "assignment_1_999_sum",
            "assignment__1_sum",
            "assignment_4_1_sum",
        ] {
            assert!(std::panic::catch_unwind(|| AssignmentId::from_package(name, "")).is_err(), "{name}");
        }
    }
}
