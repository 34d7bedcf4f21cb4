//! The assignment itself: its laws, the outputs that it refuses, and a solution on several ranks.
use assignment_3_14_quicksort_merge::{Reference, Sort, Unsorted};
use workbench::{
    Invalid, Place, Result, Rooted, Task, World, assignment_laws::check_assignment, functional,
    reference_output,
};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Sort>(&[
        ("not sorted", |input, _| input.values.clone()),
        ("equal numbers once", |_, mut sorted| {
            sorted.dedup();
            sorted
        }),
        ("another number", |_, mut sorted| {
            if let Some(last) = sorted.last_mut() {
                *last = last.saturating_add(1);
            }
            sorted
        }),
        ("two numbers replaced by their sum's halves", |_, mut sorted| {
            if let [first, second, ..] = &mut sorted[..] {
                let sum = i64::from(*first) + i64::from(*second);
                *first = (sum.div_euclid(2)) as i32;
                *second = (sum - sum.div_euclid(2)) as i32;
            }
            sorted
        }),
        ("a number is missing", |_, mut sorted| {
            sorted.pop();
            sorted
        }),
    ]);
}

#[test]
fn the_examples_of_the_statement_are_right() {
    let sort = |values: &[i32]| {
        reference_output::<Sort>(&Unsorted { values: values.to_vec() }).expect("it is solved")
    };
    assert_eq!(sort(&[3, -1, 2]), [-1, 2, 3]);
    assert_eq!(sort(&[5, 5, 1]), [1, 5, 5]);
    assert_eq!(sort(&[]), [0; 0]);
}

/// Every rank sorts a block; then rank r merges with rank r + 2^k, from k = 0 on.
struct Blocks;

const TAG: i32 = 1;

/// The simple merge of two sorted lists.
fn merge(one: &[i32], other: &[i32]) -> Vec<i32> {
    let (mut merged, mut i, mut j) = (Vec::with_capacity(one.len() + other.len()), 0, 0);
    while i < one.len() && j < other.len() {
        let smaller = if one[i] <= other[j] { (one[i], &mut i) } else { (other[j], &mut j) };
        merged.push(smaller.0);
        *smaller.1 += 1;
    }
    merged.extend_from_slice(&one[i..]);
    merged.extend_from_slice(&other[j..]);
    merged
}

impl Task for Blocks {
    type Problem = Sort;
    type Prepared = Vec<i32>;
    type Raw = Rooted<Vec<i32>>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, ranks: usize) -> std::result::Result<(), Invalid> {
        Reference.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Vec<i32>> {
        let Some(Unsorted { values }) = input.here() else { return Ok(world.recv_vec::<i32>(0, TAG)?.0) };
        let at = |rank: usize| rank * values.len() / world.size();
        (1..world.size()).try_for_each(|rank| world.send(&values[at(rank)..at(rank + 1)], rank, TAG))?;
        Ok(values[..at(1)].to_vec())
    }

    fn run(&self, world: &World, block: &Vec<i32>) -> Result<Rooted<Vec<i32>>> {
        let mut sorted = Reference.run(world, block)?;
        let mut step = 1;
        while step < world.size() {
            if world.rank() & step != 0 {
                world.send(&sorted, world.rank() - step, TAG)?;
                return Ok(Rooted::Elsewhere);
            }
            if world.rank() + step < world.size() {
                sorted = merge(&sorted, &world.recv_vec::<i32>(world.rank() + step, TAG)?.0);
            }
            step *= 2;
        }
        Ok(Rooted::Here(sorted))
    }

    fn postprocessing(&self, _world: &World, sorted: Rooted<Vec<i32>>) -> Result<Rooted<Vec<i32>>> {
        Ok(sorted)
    }
}

#[test]
fn a_solution_on_several_ranks_passes() {
    functional(Blocks).against_reference().graded();
}
