//! End-to-end tests of `cargo wb check` from the benchmark's side: tasks that are right, wrong, racing or dependent on
//! buffering are tried in every order, and this program checks the output and the exit code.
use libtest_mimic::Trial;
use wb_performance::BenchmarkProgram;
use wb_task::{Input, Invalid, Place, Problem, Task, Verdict, Workload};
use wb_world::{ANY_SOURCE, Operation, Result, Rooted, World};

use crate::performance::Benchmark;

/// The number of ranks times the input. The parameter states whether the problem has one answer.
struct Count<const ONE: bool>;

impl<const ONE: bool> Problem for Count<ONE> {
    type Input = u64;
    type Output = (u64, u64);

    const ONE_ANSWER: bool = ONE;

    fn workload(request: &Workload) -> Option<u64> {
        (request.name == "count").then_some(request.size as u64)
    }

    fn check(input: &u64, (ranks, output): &(u64, u64)) -> Verdict {
        let right = ranks * input;
        Verdict::of(*output == right, || format!("it is {output}, expected {right}"))
    }
}

/// The behaviour of a version on more than one rank.
#[derive(Clone, Copy, PartialEq)]
enum Behaviour {
    Right,
    Wrong,
    /// Refuses all numbers but 3.
    RejectsMost,
    /// Refuses all numbers.
    RejectsAll,
    /// Assumes that the first received message is from rank 1, and so on.
    FirstCome,
    /// Sends to its neighbour before it receives from it.
    SendFirst,
    /// Counts up to the rank of the first message, which the oracle accepts.
    Arrival,
}

struct Counter<const ONE: bool>(Behaviour);

impl<const ONE: bool> Counter<ONE> {
    /// The additional exchange; returns the amount that it adds if it goes wrong.
    fn exchange(&self, world: &World) -> Result<u64> {
        let (rank, mut got) = (world.rank(), [0u8]);
        match self.0 {
            Behaviour::Wrong => return Ok(u64::from(world.size() > 1)),
            Behaviour::FirstCome if rank > 0 => world.send(&[0u8], 0, 7)?,
            Behaviour::FirstCome => {
                for expected in 1..world.size() {
                    if world.recv(&mut got, ANY_SOURCE, 7)?.source != expected {
                        world.recv(&mut got, ANY_SOURCE, 7)?;
                        return Ok(1);
                    }
                }
            }
            Behaviour::SendFirst if (rank ^ 1) < world.size() => {
                world.send(&[0u8], rank ^ 1, 7)?;
                world.recv(&mut got, rank ^ 1, 7)?;
            }
            _ => {}
        }
        Ok(0)
    }

    /// On rank 0: the rank of the first message, and its number times the input.
    fn first(&self, world: &World, number: u64) -> Result<(u64, u64)> {
        if world.rank() > 0 {
            world.send(&[0u8], 0, 7)?;
            return Ok((0, 0));
        }
        let mut first = 0;
        for _ in 1..world.size() {
            let source = world.recv(&mut [0u8], ANY_SOURCE, 7)?.source as u64;
            first = if first == 0 { source } else { first };
        }
        Ok((first, first * number))
    }
}

impl<const ONE: bool> Task for Counter<ONE> {
    type Problem = Count<ONE>;
    type Prepared = u64;
    type Raw = (u64, u64);
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        let refuses = match self.0 {
            Behaviour::RejectsMost => *input != 3,
            behaviour => behaviour == Behaviour::RejectsAll,
        };
        match refuses {
            true => Err(Invalid::because("not 3")),
            false => Ok(()),
        }
    }

    fn preprocessing(&self, world: &World, input: Rooted<u64>) -> Result<u64> {
        let mut number = [input.here().unwrap_or_default()];
        world.bcast(&mut number, 0)?;
        Ok(number[0])
    }

    fn run(&self, world: &World, number: &u64) -> Result<(u64, u64)> {
        if self.0 == Behaviour::Arrival {
            return self.first(world, *number);
        }
        let (added, mut sum) = (self.exchange(world)?, [0]);
        world.allreduce(&[number + added], &mut sum, Operation::Sum)?;
        Ok((world.size() as u64, sum[0]))
    }

    fn postprocessing(&self, world: &World, raw: (u64, u64)) -> Result<Rooted<(u64, u64)>> {
        Ok(Rooted::on(world.rank() == 0, || raw))
    }
}

/// The program whose parallel version is this case.
pub(crate) fn program(case: &str) -> BenchmarkProgram {
    let behaviour = match case {
        "right" => Behaviour::Right,
        "wrong" => Behaviour::Wrong,
        "choosy" => Behaviour::RejectsMost,
        "unwilling" => Behaviour::RejectsAll,
        "first_come" => Behaviour::FirstCome,
        "send_first" => Behaviour::SendFirst,
        "arrival" | "any arrival" => Behaviour::Arrival,
        unknown => panic!("no case {unknown}"),
    };
    match case {
        "any arrival" => BenchmarkProgram::new(Counter::<false>(Behaviour::Right), Counter(behaviour)),
        _ => BenchmarkProgram::new(Counter::<true>(Behaviour::Right), Counter(behaviour)),
    }
}

pub(crate) fn trials() -> impl IntoIterator<Item = Trial> {
    trials![
        a_right_task_is_right_in_every_order,
        a_wrong_one_is_told_in_its_smallest_case,
        inputs_that_are_refused_are_no_faults,
        a_race_is_found_in_the_smallest_case_and_runs_again,
        sends_that_lean_on_buffering_are_found,
        results_that_differ_are_told_with_both_runs,
        results_may_differ_where_there_are_several_answers,
        a_budget_that_is_too_small_is_told,
        bad_arguments_are_refused,
    ]
}

/// Tries `case` in every order on 1, 2 and 3 ranks, or with these arguments; returns the output and the exit code.
fn run_check(case: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let mut benchmark = Benchmark::new(&format!("check: {case}"), 2000);
    let command = benchmark.command.args(["--wb-check", "--wb-ranks", "1,2,3"]).args(arguments);
    let output = command.output().expect("this program starts");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout) + &text(&output.stderr), output.status.code())
}

fn a_right_task_is_right_in_every_order() {
    let (text, code) = run_check("right", &[]);
    assert!(code == Some(0) && text.contains("this is exhaustive"), "{text}");
    // Four sizes, three numbers of ranks, with buffering and without.
    assert!(!text.contains('+') && text.contains("24 runs"), "{text}");
}

fn a_wrong_one_is_told_in_its_smallest_case() {
    let (text, code) = run_check("wrong", &["--wb-budget", "100"]);
    assert!(code == Some(1) && text.contains("rank 0: it is 4, expected 2"), "{text}");
    assert!(text.contains("size 1, P = 2") && text.contains("--replay 2:1:0\n"), "{text}");
}

fn inputs_that_are_refused_are_no_faults() {
    let (text, code) = run_check("choosy", &["--wb-json"]);
    let cases: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let refused: Vec<_> = cases.iter().map(|case| case["refused"] == true).collect();
    assert_eq!((code, refused), (Some(0), [true, true, false, true].repeat(3)), "{text}");
    let (text, code) = run_check("unwilling", &[]);
    assert!(code == Some(1) && text.contains("Nothing was checked"), "{code:?}: {text}");
}

fn a_race_is_found_in_the_smallest_case_and_runs_again() {
    let (text, code) = run_check("first_come", &[]);
    assert_eq!(code, Some(1), "{text}");
    for part in ["WB0021", "tests/checked.rs", "size 1, P = 3", "--replay 3:1:0.1\n"] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let (text, code) = run_check("first_come", &["--wb-replay", "3:1:0.1"]);
    assert!(code == Some(1) && text.contains("it is 4, expected 3"), "{text}");
    let (text, code) = run_check("first_come", &["--wb-replay", "3:1:0.0"]);
    assert!(code == Some(0), "{text}");
    let (text, code) = run_check("first_come", &["--wb-replay", "3:1:0.2"]);
    assert!(code == Some(2) && text.contains("no schedule 0.2"), "{text}");
    let (text, code) = run_check("first_come", &["--wb-json", "--wb-workload", "count"]);
    let last: serde_json::Value = serde_json::from_str(text.lines().last().expect("lines")).expect("JSON");
    assert_eq!((code, &last["faults"][0]["replay"], &last["ranks"]), (Some(1), &"3:1:0.1".into(), &3.into()));
}

fn sends_that_lean_on_buffering_are_found() {
    let (text, code) = run_check("send_first", &[]);
    assert_eq!(code, Some(1), "{text}");
    for part in
        ["WB0020", "tests/checked.rs", "size 1, P = 2", "while sends are buffered", "--replay 2:1:1\n"]
    {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}

/// The oracle accepts each output; the order determines which one it is.
fn results_that_differ_are_told_with_both_runs() {
    let (text, code) = run_check("arrival", &[]);
    assert_eq!(code, Some(1), "{text}");
    for part in ["WB0023", "tests/checked.rs", "size 1, P = 3", "--replay 3:1:0.0\n", "--replay 3:1:0.1\n"] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let outputs = ["3:1:0.0", "3:1:0.1"].map(|run| run_check("arrival", &["--wb-replay", run]));
    assert!(
        outputs[0].0.contains("rank 0: (1, 1)") && outputs[1].0.contains("rank 0: (2, 2)"),
        "{outputs:?}"
    );
    assert_eq!(outputs.map(|(_, code)| code), [Some(0); 2]);
}

/// The same program, for a problem that has several answers.
fn results_may_differ_where_there_are_several_answers() {
    let (text, code) = run_check("any arrival", &[]);
    assert!(code == Some(0) && text.contains("this is exhaustive"), "{text}");
    let (text, code) = run_check("any arrival", &["--wb-replay", "3:1:0.1"]);
    assert!(code == Some(0) && text.contains("rank 0: (2, 2)"), "{text}");
}

/// Only the second order shows the error: with one run for each case no error is found, and the output is not called
/// complete.
fn a_budget_that_is_too_small_is_told() {
    let (text, code) = run_check("arrival", &["--wb-budget", "1"]);
    assert!(code == Some(0) && text.contains("NOT exhaustive") && text.contains("8 of 12"), "{text}");
}

fn bad_arguments_are_refused() {
    for arguments in [["--wb-budget", "much"], ["--wb-replay", "3:1"], ["--wb-workload", "none"]] {
        let (text, code) = run_check("right", &arguments);
        assert!(code == Some(2) && text.contains(arguments[1]), "{text}");
    }
}
