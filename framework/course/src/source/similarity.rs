//! Similarity of two tasks: how much of one occurs in the other.
//!
//! 1. **Normal form.** Every function becomes a sequence of codes (`normal_form`): names, types, literals, references and casts are
//!    left out, a loop and a chain of iterators have the same codes, independent statements are put into one order, unused
//!    variables are dropped, and a function of the task is put in where it is called. What is left is operators, control flow
//!    and the names of library calls.
//! 2. **Winnowing** (S. Schleimer, D. Wilkerson, A. Aiken: *Winnowing: Local Algorithms for Document Fingerprinting*, SIGMOD 2003),
//!    robust variant: of each [`WINDOW`] consecutive hashes of [`GRAM`] codes the smallest one is kept, the right one of equals, unless the
//!    kept one of the window before is as small. Guarantee: a common sequence of at least `GRAM + WINDOW - 1` codes is found; one shorter
//!    than `GRAM` is not.
//! 3. **Left out.** Fingerprints of the template, of the assignment's crate and of the examples are subtracted.
//! 4. **Score.** The containment, the share of the smaller set that is in the other one. Inserted code does not lower it.
//!
//! A high score is no judgement: two short solutions of one variant may be alike because the variant leaves no choice.

mod comparison;
mod fingerprints;
mod first_span;
mod node;
mod normal_form;
mod operators;
mod program;
mod statement;
mod vocabulary;

pub use comparison::{MatchedRegion, Similarity, THRESHOLD, compare, matched_regions};
pub use fingerprints::{Fingerprints, GRAM, MIN_FINGERPRINTS, WINDOW};
pub use program::{CommonCode, ComparedProgram, PartFingerprints, UnreadableFile};
