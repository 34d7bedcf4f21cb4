//! An assignment for tests: the sum of numbers, in right and wrong versions.
use std::time::Duration;

use wb_task::{Assignment, AssignmentId, GradedInput, Invalid, Place, Problem, Task, Verdict, Workload};
use wb_world::{Operation, Result, Rooted, World};

pub(crate) struct Sum;

impl Problem for Sum {
    type Input = Vec<i64>;
    type Output = i64;

    fn workload(request: &Workload) -> Option<Vec<i64>> {
        let element = |at: u64| (request.seed.wrapping_mul(at + 1) % 1000) as i64;
        (request.name == "numbers").then(|| (0..request.size as u64).map(element).collect())
    }

    fn check(input: &Vec<i64>, sum: &i64) -> Verdict {
        Verdict::equal(sum, &input.iter().sum())
    }
}

impl Assignment for Sum {
    const ID: AssignmentId = AssignmentId::from_package("assignment_1_1_sum", "");
    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Vec<i64>>> {
        let some = (0..ranks as i64 + 2).map(|at| at * (seed % 97) as i64 + 1).collect();
        vec![GradedInput::new("empty", vec![]), GradedInput::new("some", some)]
    }

    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<Vec<i64>>> {
        vec![GradedInput::new("a number that marks an error", vec![i64::MIN])]
    }

    fn compare(sum: &i64, expected: &i64) -> Verdict {
        Verdict::equal(sum, expected)
    }
}

/// Takes a processor for a while.
fn compute() {
    let begin = std::time::Instant::now();
    while begin.elapsed() < Duration::from_millis(40) {
        std::hint::spin_loop();
    }
}

#[derive(Default)]
pub(crate) struct Reference;

/// The version of a student; what it does is in the environment.
pub(crate) struct Student(pub(crate) String);

impl Student {
    pub(crate) fn from_environment() -> Self {
        Self(std::env::var("JUDGED_KIND").unwrap_or_default())
    }

    pub(crate) fn is(&self, kind: &str) -> bool {
        self.0 == kind
    }
}

impl Task for Student {
    type Problem = Sum;
    type Prepared = Vec<i64>;
    type Raw = i64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Vec<i64>, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(self.is("accepts all") || !input.contains(&i64::MIN), "the number marks an error")
    }

    fn preprocessing(&self, world: &World, input: Rooted<Vec<i64>>) -> Result<Vec<i64>> {
        let all = input.here();
        if self.is("silent") {
            return Ok(all.unwrap_or_default());
        }
        let mut length = [all.as_ref().map_or(0, Vec::len)];
        world.bcast(&mut length, 0)?;
        let mut numbers = all.unwrap_or_else(|| vec![0; length[0]]);
        world.bcast(&mut numbers, 0)?;
        let (rank, size) = (world.rank(), world.size());
        Ok(numbers.into_iter().skip(rank).step_by(size).collect())
    }

    fn run(&self, world: &World, mine: &Vec<i64>) -> Result<i64> {
        match self.0.as_str() {
            "panics" if world.rank() + 1 == world.size() => panic!("no more numbers"),
            "exits" if world.rank() + 1 == world.size() => std::process::exit(0),
            "hangs" if world.rank() + 1 == world.size() => {
                std::thread::sleep(Duration::from_secs(60));
            }
            "one thread" => compute(),
            "two threads" => {
                // It ends after the reading of its times.
                std::thread::spawn(|| {
                    compute();
                    std::thread::sleep(Duration::from_secs(60));
                });
                compute();
            }
            "sleeps" => std::thread::sleep(Duration::from_millis(30)),
            "leaks" if world.size() > 1 && world.rank() == 0 => world.send(&[1], 1, 77)?,
            "daemon" => {
                let _left = std::process::Command::new("setsid").args(["sleep", "60"]).spawn();
            }
            _ => {}
        }
        let mut sum = [0];
        if self.is("silent") {
            return Ok(mine.iter().sum());
        }
        world.reduce(&[mine.iter().sum::<i64>()], Some(&mut sum), Operation::Sum, 0)?;
        Ok(if self.is("wrong") { sum[0] + 1 } else { sum[0] })
    }

    fn postprocessing(&self, world: &World, sum: i64) -> Result<Rooted<i64>> {
        Ok(Rooted::on(world.rank() == 0 && !self.is("no output"), || sum))
    }
}

impl Task for Reference {
    type Problem = Sum;
    type Prepared = Vec<i64>;
    type Raw = i64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Vec<i64>, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(!input.contains(&i64::MIN), "the number marks an error")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Vec<i64>>) -> Result<Vec<i64>> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _world: &World, numbers: &Vec<i64>) -> Result<i64> {
        Ok(numbers.iter().sum())
    }

    fn postprocessing(&self, _world: &World, sum: i64) -> Result<Rooted<i64>> {
        Ok(Rooted::Here(sum))
    }
}
