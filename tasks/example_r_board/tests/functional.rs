//! Functional tests: with fence, with post and start, and with locks, on MPI and on threads, each rod is checked by its
//! standing waves and compared with the cells and notices of the sequential version, bit by bit.
//!
//! `cargo test -p example_r_board`, or `mpirun -n 4 cargo test -p example_r_board`.
use example_r_board::{By, Diary, Heat, Notice, Rod, Seq, problem::bumps};
use rstest::rstest;
use workbench::{Input, Invalid, Place, Problem, Result, Rooted, Task, Verdict, World, functional};

/// The parallel version, whose output must be equal to the sequential version's.
struct EqualToSeq(By);

impl Task for EqualToSeq {
    type Problem = Heat;
    type Prepared = (Option<Diary>, <By as Task>::Prepared);
    type Raw = (Option<Diary>, <By as Task>::Raw);

    const OUTPUT: Place = Place::Home;

    fn validation(&self, rod: &Input<Self>, ranks: usize) -> std::result::Result<(), Invalid> {
        self.0.validation(rod, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Rod>) -> Result<Self::Prepared> {
        let expected = input.as_ref().here().map(Seq::diary);
        Ok((expected, self.0.preprocessing(world, input)?))
    }

    fn run(&self, world: &World, (expected, share): &Self::Prepared) -> Result<Self::Raw> {
        Ok((expected.clone(), self.0.run(world, share)?))
    }

    fn postprocessing(&self, world: &World, (expected, raw): Self::Raw) -> Result<Rooted<Diary>> {
        let diary = self.0.postprocessing(world, raw)?;
        if let Rooted::Here(diary) = &diary {
            assert_eq!(Some(diary), expected.as_ref(), "not what the sequential version finds");
        }
        Ok(diary)
    }
}

fn rod(cells: usize, steps: usize, alarm: f64) -> Rod {
    Rod { cells: bumps(cells, 7), steps, alarm }
}

/// Rods of many lengths, without a step and without an alarm, too.
fn rods() -> Vec<Rod> {
    // Few steps: where ranks share cores and spin (MPICH), each synchronisation costs time slices.
    let shapes =
        [(60, 4, 0.5), (61, 3, 0.4), (3, 3, 0.5), (5, 4, 0.1), (2, 2, 0.5), (1, 1, 0.5), (0, 1, 0.5)];
    let mut rods = shapes.map(|(cells, steps, alarm)| rod(cells, steps, alarm)).to_vec();
    rods.extend([rod(40, 0, 0.5), rod(40, 2, 2.0)]);
    rods
}

#[test]
fn the_sequential_rod() {
    functional(Seq).ranks([1]).check(|_ranks| rods());
}

#[rstest]
#[case::fence(By::Fence)]
#[case::pscw(By::Pscw)]
#[case::locks(By::Locks)]
fn equals_the_sequential_rod(#[case] by: By) {
    functional(EqualToSeq(by)).against(Seq).ranks(1..=4).check(|_ranks| rods());
}

/// A cold rod with one hot end: the heat moves one cell in each step, so the cells become warm one after the other.
#[test]
fn heat_walks_one_cell_a_step() {
    let mut cells = vec![0.0; 8];
    cells[0] = 1.0;
    let diary = Seq::diary(&Rod { cells, steps: 4, alarm: 1e-9 });
    let expected: Vec<_> = (1..=4).map(|step| Notice { step, cell: step }).collect();
    assert_eq!(diary.notices, expected);
    assert_eq!(diary.cells[4..], [0.25f64.powi(4), 0.0, 0.0, 0.0]);
}

#[rstest]
#[case::a_cell_without_temperature(Rod { cells: vec![0.0, f64::NAN], steps: 1, alarm: 0.5 }, "no temperature")]
#[case::an_alarm_without_one(Rod { cells: vec![0.0; 4], steps: 1, alarm: f64::INFINITY }, "the alarm is no")]
fn refuses(#[case] rod: Rod, #[case] reason: &str) {
    functional(By::Fence).ranks([1, 3]).refuses(reason, |_ranks| vec![rod.clone()]);
}

/// The oracle must reject a single wrong cell at any position, and wrong notices.
#[test]
fn the_oracle_notices_one_wrong_cell() {
    let rod = rod(30, 10, 0.5);
    let right = Seq::diary(&rod);
    assert_eq!(Heat::check(&rod, &right), Verdict::Right);
    for at in 0..right.cells.len() {
        for wrong in [right.cells[at] + 1e-6, f64::NAN] {
            let mut diary = right.clone();
            diary.cells[at] = wrong;
            assert_ne!(Heat::check(&rod, &diary), Verdict::Right, "cell {at}");
        }
    }
    assert!(!right.notices.is_empty(), "a rod in which nothing becomes hot would test nothing");
    let wrong_notices = [
        right.notices.iter().rev().copied().collect(),
        [right.notices.clone(), vec![Notice { step: 11, cell: 0 }]].concat(),
        vec![],
    ];
    for notices in wrong_notices {
        let diary = Diary { notices, ..right.clone() };
        assert_ne!(Heat::check(&rod, &diary), Verdict::Right, "{:?}", diary.notices);
    }
}
