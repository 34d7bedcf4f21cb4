//! Where outputs belong: assignments with it on the last rank, or on all.
use libtest_mimic::Failed;
use wb_messages::Lang;
use wb_performance::judge::Examiner;
use wb_record::Version;
use wb_runner::channel::frame;
use wb_task::{
    Assignment, AssignmentId, GradedInput, Input, Invalid, Place, Problem, Task, Verdict, Workload,
};
use wb_world::{Rooted, World};

/// The sum of numbers, which belongs on all ranks or on the last one.
pub(crate) struct PlacedSum<const EVERYWHERE: bool>;

impl<const EVERYWHERE: bool> Problem for PlacedSum<EVERYWHERE> {
    type Input = Vec<i64>;
    type Output = i64;

    fn home(numbers: &Vec<i64>, ranks: usize) -> usize {
        if numbers.is_empty() { ranks } else { ranks - 1 }
    }

    fn workload(_: &Workload) -> Option<Vec<i64>> {
        None
    }

    fn check(input: &Vec<i64>, sum: &i64) -> Verdict {
        Verdict::equal(sum, &input.iter().sum())
    }
}

impl<const EVERYWHERE: bool> Assignment for PlacedSum<EVERYWHERE> {
    const ID: AssignmentId = AssignmentId::from_package("assignment_1_2_placed", "");
    type Reference = PlacedReference<EVERYWHERE>;

    fn graded_inputs(_: usize, _: u64) -> Vec<GradedInput<Vec<i64>>> {
        vec![]
    }

    fn refused_inputs(_: usize) -> Vec<GradedInput<Vec<i64>>> {
        vec![]
    }

    fn compare(sum: &i64, expected: &i64) -> Verdict {
        Verdict::equal(sum, expected)
    }
}

/// The reference on one rank.
#[derive(Default)]
pub(crate) struct PlacedReference<const EVERYWHERE: bool>;

impl<const EVERYWHERE: bool> Task for PlacedReference<EVERYWHERE> {
    type Problem = PlacedSum<EVERYWHERE>;
    type Prepared = Vec<i64>;
    type Raw = i64;
    const OUTPUT: Place = if EVERYWHERE { Place::Everywhere } else { Place::Home };

    fn validation(&self, _: &Input<Self>, _: usize) -> Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<Vec<i64>>) -> wb_world::Result<Vec<i64>> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _: &World, numbers: &Vec<i64>) -> wb_world::Result<i64> {
        Ok(numbers.iter().sum())
    }

    fn postprocessing(&self, _: &World, sum: i64) -> wb_world::Result<Rooted<i64>> {
        Ok(Rooted::Here(sum))
    }
}

/// The objection to these outputs of the sum of 1 and 2, of which further ones must be right, too.
fn placed<const EVERYWHERE: bool>(outputs: [i64; 3]) -> Option<String> {
    let examiner = Examiner::<PlacedSum<EVERYWHERE>>::new(workbench::backends().threads, &[], Lang::En);
    let encode = |sum: i64| (sum != 0).then(|| frame::encode(&sum).expect("a number"));
    examiner.objection(Version::Mpi, &vec![1, 2], (&outputs.map(encode), &[]), true)
}

/// Outputs must be where those of the reference are.
pub(crate) fn outputs() -> Result<(), Failed> {
    assert_eq!(
        [placed::<false>([0, 0, 3]), placed::<false>([3, 0, 3]), placed::<true>([3, 3, 3])],
        [const { None }; 3]
    );
    for (found, expected) in [
        (placed::<false>([3, 3, 0]), "rank 2 has no output and should have one"),
        (placed::<false>([0, 4, 3]), "the output of rank 1 is wrong"),
        (placed::<true>([3, 0, 3]), "rank 1 has no output and should have one"),
        (placed::<true>([3, 3, 4]), "the output of rank 2 is wrong"),
    ] {
        let found = found.expect(expected);
        assert!(found.contains(expected), "{found}");
    }
    let examiner = Examiner::<PlacedSum<false>>::new(workbench::backends().threads, &[], Lang::En);
    let homes = [vec![1], vec![]].map(|numbers| examiner.home(&numbers, 3));
    assert_eq!(homes, [2, 0], "rank 2 is the last one; rank 3 does not exist, so rank 0 has the input");
    Ok(())
}
