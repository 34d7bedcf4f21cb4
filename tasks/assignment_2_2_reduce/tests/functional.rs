//! The assignment itself: its laws, the outputs that it refuses, and a solution on several ranks.
use assignment_2_2_reduce::{Combine, Operands, Reducing, Reference};
use workbench::{
    ANY_SOURCE, Invalid, Place, Result, Rooted, Task, TypedVec, World, assignment_laws::check_assignment,
    functional, reference_output,
};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Reducing>(&[
        ("the first vector alone", |input, _| input.vectors[0].clone()),
        ("always the sum", |input, _| sum(input)),
        ("one element too few", |_, output| output.slice(0..output.count().max(1) - 1)),
        ("another type", |_, output| match output {
            TypedVec::Float(data) => TypedVec::Double(data.into_iter().map(f64::from).collect()),
            other => other,
        }),
        ("the last vector twice", |input, output| combined(output, input.vectors.last().expect("a vector"))),
    ]);
}

fn sum(input: &Operands) -> TypedVec {
    let input = Operands { combine: Combine::Sum, ..input.clone() };
    match &input.vectors[0] {
        // The sum of extreme ints overflows.
        TypedVec::Int(_) => TypedVec::Int(vec![]),
        _ => reference_output::<Reducing>(&input).expect("it is solved"),
    }
}

/// The sum of two vectors.
fn combined(one: TypedVec, other: &TypedVec) -> TypedVec {
    match (one, other) {
        (TypedVec::Double(one), TypedVec::Double(other)) => {
            TypedVec::Double(one.iter().zip(other).map(|(one, other)| one + other).collect())
        }
        (one, _) => one,
    }
}

#[test]
fn the_reference_passes() {
    functional(Reference).against_reference().ranks([1]).check(|_| {
        vec![Operands { vectors: vec![TypedVec::Int(vec![1, 2])], combine: Combine::Sum, root: 0 }]
    });
}

const HEADER: i32 = 1;
const DATA: i32 = 2;

/// A solution for sums of `int`s, and a refusal of all else, over a binomial tree: rank v without its lowest set bit is the
/// parent of v, where v counts from the root.
struct Tree;

/// A rank's partial sum, and the root.
struct Partial {
    sum: Vec<i32>,
    root: usize,
}

impl Task for Tree {
    type Problem = Reducing;
    type Prepared = Partial;
    type Raw = Rooted<Vec<i32>>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Operands, ranks: usize) -> std::result::Result<(), Invalid> {
        Reference.validation(input, ranks)?;
        let root = usize::try_from(input.root).ok().filter(|&root| root < ranks);
        Invalid::unless(root.is_some(), "the root is no rank")
    }

    /// The root sends each rank the sum of its vectors' shares; the others learn the root from the message.
    fn preprocessing(&self, world: &World, input: Rooted<Operands>) -> Result<Partial> {
        let Some(input) = input.here() else {
            let (root, status) = world.recv_vec::<u64>(ANY_SOURCE, HEADER)?;
            let (sum, _) = world.recv_vec::<i32>(status.source, DATA)?;
            return Ok(Partial { sum, root: root[0] as usize });
        };
        let (root, ranks) = (world.rank(), world.size());
        let share = |rank: usize| {
            let mut sum = vec![0; input.vectors[0].count()];
            for vector in input.vectors.iter().skip(rank).step_by(ranks) {
                let TypedVec::Int(vector) = vector else { unreachable!("the test has ints only") };
                sum.iter_mut().zip(vector).for_each(|(sum, element)| *sum += element);
            }
            sum
        };
        for rank in (0..ranks).filter(|rank| *rank != root) {
            world.send(&[root as u64], rank, HEADER)?;
            world.send(&share(rank), rank, DATA)?;
        }
        Ok(Partial { sum: share(root), root })
    }

    fn run(&self, world: &World, Partial { sum, root }: &Partial) -> Result<Rooted<Vec<i32>>> {
        let ranks = world.size();
        let place = (world.rank() + ranks - root) % ranks;
        let mut sum = sum.clone();
        let mut bit = 1;
        while bit < ranks {
            if place & bit != 0 {
                world.send(&sum, (place - bit + root) % ranks, DATA)?;
                return Ok(Rooted::Elsewhere);
            }
            if place + bit < ranks {
                let (part, _) = world.recv_vec::<i32>((place + bit + root) % ranks, DATA)?;
                sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
            bit *= 2;
        }
        Ok(Rooted::Here(sum))
    }

    fn postprocessing(&self, _world: &World, sum: Rooted<Vec<i32>>) -> Result<Rooted<TypedVec>> {
        Ok(sum.map(TypedVec::Int))
    }
}

#[test]
fn a_solution_on_several_ranks_passes() {
    use workbench::Assignment;
    let is_int_sum =
        |input: &Operands| matches!(input.vectors[0], TypedVec::Int(_)) && input.combine == Combine::Sum;
    functional(Tree).against_reference().point_to_point_only().ranks([1, 2, 3, 5, 8]).check(|ranks| {
        Reducing::graded_inputs(ranks, 3)
            .into_iter()
            .map(|case| case.input)
            .filter(is_int_sum)
            .collect::<Vec<_>>()
    });
    functional(Tree).ranks([1, 3]).refuses("", |ranks| {
        Reducing::refused_inputs(ranks).into_iter().map(|case| case.input).collect::<Vec<_>>()
    });
}
