//! Solutions of the demo's problem: a way of the sequential and one of the parallel version, with names and comments of its own.

use crate::demo::random::DemoRandom;

/// The number of ways of the sequential version.
pub(crate) const SEQ_WAYS: usize = 7;

/// The number of ways of the parallel version.
pub(crate) const MPI_WAYS: usize = 5;

/// The ways of the sequential version: names and functions.
const SEQ: [(&str, &str); SEQ_WAYS] = [
    ("a loop over all places", include_str!("solution/seq/counted_loop.txt")),
    ("halves, down to one element", include_str!("solution/seq/halves.txt")),
    ("one sum for each weight", include_str!("solution/seq/residues.txt")),
    ("from both ends to the middle", include_str!("solution/seq/from_both_ends.txt")),
    ("one layer for each unit of weight", include_str!("solution/seq/layers.txt")),
    ("seven elements at a time", include_str!("solution/seq/wheel.txt")),
    ("the greatest weight for all, then what is too much", include_str!("solution/seq/running_sum.txt")),
];

/// The ways of the parallel version: names and stages.
const MPI: [(&str, &str); MPI_WAYS] = [
    (
        "the root sends each rank its block, and a reduction adds the sums",
        include_str!("solution/mpi/dealt_by_the_root.txt"),
    ),
    (
        "every rank gets all data and cuts out its block; the root adds the sums",
        include_str!("solution/mpi/cut_by_every_rank.txt"),
    ),
    ("blocks go down a tree, and sums go up", include_str!("solution/mpi/over_a_tree.txt")),
    (
        "each rank keeps its block and passes the rest on; sums come back",
        include_str!("solution/mpi/along_a_chain.txt"),
    ),
    (
        "ranks ask the root for a block; all ranks get the sum",
        include_str!("solution/mpi/asked_for_by_workers.txt"),
    ),
];

/// Names that students give: the function, the data, the sum, an element, a place, an end.
const NAMES: [[&str; 6]; 6] = [
    ["weigh", "values", "total", "value", "place", "rest"],
    ["weighted", "numbers", "sum", "number", "index", "left_over"],
    ["scan", "data", "result", "x", "i", "tail"],
    ["accumulate", "elements", "acc", "element", "k", "extra"],
    ["partial", "block", "answer", "item", "at", "remainder"],
    ["fold_block", "input", "res", "v", "position", "end"],
];

/// First sentences of the documentation.
const REMARKS: [&str; 5] = [
    "Every element is read once.",
    "The order of the additions does not matter, since they wrap.",
    "It takes time proportional to the number of elements.",
    "An empty block has the sum 0.",
    "No memory is allocated for each element.",
];

/// The ways and the names of one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SolutionChoice {
    pub(crate) seq: usize,
    pub(crate) mpi: usize,
    names: usize,
    remark: usize,
}

impl SolutionChoice {
    /// The solution of the `place`-th student of a variant: two students of one variant have different ways, up to 5 students.
    pub(crate) fn draw(random: &mut DemoRandom, place: usize, variant: usize) -> Self {
        Self {
            seq: (variant + place) % SEQ_WAYS,
            mpi: (variant * 2 + place) % MPI_WAYS,
            names: random.below(NAMES.len()),
            remark: random.below(REMARKS.len()),
        }
    }

    /// The same ways under other names and with another comment.
    pub(crate) fn disguised(self) -> Self {
        let (names, remark) = ((self.names + 1) % NAMES.len(), (self.remark + 1) % REMARKS.len());
        Self { names, remark, ..self }
    }

    /// `src/seq.rs`.
    pub(crate) fn seq_source(self, breaks_rule: bool) -> String {
        let (way, function) = SEQ[self.seq];
        let barrier = if breaks_rule { "        world.barrier()?;\n" } else { "" };
        self.with_names(&format!(
            "//! The sequential version: {way}.\n\
             use workbench::{{Invalid, Place, Result, Rooted, Task, World}};\n\n\
             use crate::problem::{{Assignment, Input}};\n\n\
             /// One rank does all the work.\npub struct Seq;\n\n\
             impl Task for Seq {{\n    type Problem = Assignment;\n    type Prepared = Input;\n    type Raw = i64;\n\n    \
             const OUTPUT: Place = Place::Home;\n\n    \
             fn validation(&self, _input: &Input, _ranks: usize) -> std::result::Result<(), Invalid> {{\n        Ok(())\n    }}\n\n    \
             fn preprocessing(&self, _world: &World, input: Rooted<Input>) -> Result<Input> {{\n        \
             Ok(input.here().expect(\"the only rank has the input\"))\n    }}\n\n    \
             fn run(&self, world: &World, input: &Input) -> Result<i64> {{\n{barrier}        \
             world.work(2 * input.data.len() as u64, 0);\n        Ok(weighted_sum(&input.data, 0))\n    }}\n\n    \
             fn postprocessing(&self, _world: &World, output: i64) -> Result<Rooted<i64>> {{\n        Ok(Rooted::Here(output))\n    }}\n}}\n\n\
             /// The weighted sum of a block that begins at place `first`. {}\n\
             pub fn weighted_sum(block: &[i64], first: usize) -> i64 {{\n    @kernel@(block, first)\n}}\n\n{function}",
            REMARKS[self.remark]
        ))
    }

    /// `src/mpi.rs`.
    pub(crate) fn mpi_source(self, is_wrong: bool) -> String {
        let (way, stages) = MPI[self.mpi];
        let tags = [("DATA", 1), ("PLACE", 2), ("PART", 3)];
        let tags: String = tags
            .iter()
            .filter(|(name, _)| stages.contains(&format!(", {name})")))
            .map(|(name, tag)| format!("const {name}: i32 = {tag};\n"))
            .collect();
        let imports: Vec<&str> =
            [("ANY_SOURCE, ", "ANY_SOURCE"), ("Operation, ", "Operation"), ("Rank, ", "ROOT")]
                .iter()
                .map(|(import, name)| if stages.contains(name) { *import } else { "" })
                .collect();
        let root = match stages.contains("ROOT") {
            true => "/// The rank that has the input and the output.\nconst ROOT: Rank = 0;\n\n",
            false => "",
        };
        // The wrong version forgets what the ranks cannot divide.
        let stages = if is_wrong { forget_remainder(stages) } else { stages.to_owned() };
        self.with_names(&format!(
            "//! The parallel version: {way}.\n\
             use workbench::{{{}Invalid, {}Place, {}Result, Rooted, Task, World}};\n\n\
             use crate::{{\n    problem::{{Assignment, Input}},\n    seq::{{Seq, weighted_sum}},\n}};\n\n\
             {root}// Tags.\n{tags}\n\
             /// The ranks share the work.\npub struct Mpi;\n\n\
             /// The block of one rank.\npub struct Share {{\n    @values@: Vec<i64>,\n    first: usize,\n}}\n\n\
             impl Task for Mpi {{\n    type Problem = Assignment;\n    type Prepared = Share;\n    type Raw = Rooted<i64>;\n\n    \
             const OUTPUT: Place = Place::Home;\n\n    \
             fn validation(&self, input: &Input, _ranks: usize) -> std::result::Result<(), Invalid> {{\n        \
             Seq.validation(input, 1)\n    }}\n\n{stages}\n    \
             fn postprocessing(&self, _world: &World, output: Rooted<i64>) -> Result<Rooted<i64>> {{\n        Ok(output)\n    }}\n}}\n",
            imports[0], imports[1], imports[2]
        ))
    }

    fn with_names(self, text: &str) -> String {
        let markers = ["@kernel@", "@values@", "@total@", "@item@", "@place@", "@tail@"];
        markers
            .iter()
            .zip(NAMES[self.names])
            .fold(text.to_owned(), |text, (marker, name)| text.replace(marker, name))
    }
}

/// The stages without the last element of each block.
fn forget_remainder(stages: &str) -> String {
    stages.replace(
        "weighted_sum(&share.@values@, share.first)",
        "weighted_sum(&share.@values@[..share.@values@.len() / 4 * 4], share.first)",
    )
}
