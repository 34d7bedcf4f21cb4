//! What every crate of an assignment must keep: the content of its tests in one call.
use std::{collections::BTreeSet, fs, ops::RangeInclusive};

use wb_comm::{InputFiles, input_files};
use wb_config::{AssignmentCrate, AssignmentFiles, CourseSettings};
use wb_task::{Assignment, AssignmentId, GradedInput, Problem, Task, Verdict, Workload};

/// The name of a mistake, and the wrong output that it makes of an input and the right output.
pub type WrongOutput<A> =
    (&'static str, fn(&<A as Problem>::Input, <A as Problem>::Output) -> <A as Problem>::Output);

/// Tests an assignment: its identity and its files, the graded and the refused inputs with the reference and the oracle, and
/// that the graded inputs of every number of ranks find every one of the `mistakes`, by the oracle and by the comparison with the
/// reference.
///
/// A mistake whose name begins with `"ranks: "` has to be found where there is more than one rank only.
///
/// # Panics
/// When a law is broken; the text says which.
pub fn check_assignment<A: Assignment>(mistakes: &[WrongOutput<A>]) {
    check_files::<A>();
    for &ranks in A::GRADED_RANKS {
        check_graded::<A>(ranks);
        check_refused::<A>(ranks);
        mistakes
            .iter()
            .filter(|(name, _)| ranks > 1 || !name.starts_with("ranks: "))
            .for_each(|mistake| check_mistake::<A>(ranks, mistake));
    }
    assert!(!mistakes.is_empty(), "an oracle that refuses nothing proves nothing");
}

/// The manifest, the statements in both languages and `assignment.yaml`.
fn check_files<A: Assignment>() {
    let read = |name: &str| {
        let path = A::ID.folder().join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let name = std::any::type_name::<A>().split('<').next().unwrap_or_default();
    let problem = name.rsplit("::").next().unwrap_or_default();
    let output = <A::Reference as Task>::OUTPUT;
    let AssignmentId { number, variant, .. } = A::ID;
    let metadata = format!(
        "[package.metadata.assignment]\nnumber = {number}\nvariant = {variant}\nproblem = \"{problem}\"\noutput = \"{output:?}\"\n"
    );
    assert!(read("Cargo.toml").contains(&metadata), "Cargo.toml has not: {metadata}");
    let statements = ["statement.en.md", "statement.ru.md"].map(read);
    let shape = |text: &String| {
        let count = |mark: &str| text.lines().filter(|line| line.starts_with(mark)).count();
        [count("# "), count("## "), count("- "), count("|"), count("```")]
    };
    let [english, russian] = statements.each_ref().map(shape);
    assert_eq!(english, russian, "headings, items, rows and blocks of both statements");
    assert_eq!(english[..2], [1, 6], "a statement has one title and six sections");
    let settings = AssignmentCrate::load(A::ID.folder()).unwrap_or_else(|error| panic!("{error}"));
    let AssignmentFiles { folder, names } = settings.files_in(A::ID.folder());
    // The reference and the solution of the assignment's tests read what a task may read.
    input_files::restrict(InputFiles::new(folder, names));
    let course = CourseSettings::find(A::ID.folder()).unwrap_or_else(|error| panic!("{error}"));
    let variant = course.variant(A::ID.number, A::ID.variant).expect("a variant of the course");
    assert_eq!(settings.kind, variant.kind, "assignment.yaml and course.yaml agree");
    for workload in &settings.performance.workloads {
        check_workload::<A>(&workload.name);
    }
}

/// The inputs of a workload on every graded number of ranks: fresh, and right with the reference.
fn check_workload<A: Assignment>(name: &str) {
    for &ranks in A::GRADED_RANKS {
        let request = |seed| Workload { name: name.to_owned(), size: 13, ranks, seed };
        let [one, other] = [1, 2].map(|seed| A::workload(&request(seed)).expect("a workload"));
        assert_ne!(format!("{one:?}"), format!("{other:?}"), "a workload draws its input from the seed");
        let refusal = A::Reference::default().validation(&one, ranks);
        assert_eq!(refusal, Ok(()), "workload {name} on {ranks} rank(s)");
        let output = crate::reference_output::<A>(&one).expect("the reference solves it");
        assert_eq!(A::check(&one, &output), Verdict::Right, "workload {name} on {ranks} rank(s)");
    }
}

/// The graded inputs on `ranks` ranks: named, reproducible, serialisable, and right with the reference.
fn check_graded<A: Assignment>(ranks: usize) {
    let inputs = A::graded_inputs(ranks, 1);
    let names: BTreeSet<_> = inputs.iter().map(|case| &case.name).collect();
    assert_eq!((names.len(), inputs.is_empty()), (inputs.len(), false), "each input has a name of its own");
    let text = |seed| format!("{:?}", A::graded_inputs(ranks, seed));
    assert_eq!(text(1), text(1), "the same seed gives the same inputs");
    assert_ne!(text(1), text(2), "another seed gives other inputs");
    for case in inputs.iter().chain(&A::refused_inputs(ranks)) {
        let json = serde_json::to_string(&case.input).expect("an input is a text");
        let back: A::Input =
            serde_json::from_str(&json).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert_eq!(format!("{back:?}"), format!("{:?}", case.input), "{} survives as JSON", case.name);
    }
    for case in &inputs {
        assert!(A::home(&case.input, ranks) < ranks, "{}: the input is on a rank", case.name);
        let refusal = A::Reference::default().validation(&case.input, ranks);
        assert_eq!(refusal, Ok(()), "{}: the reference accepts the input on {ranks} rank(s)", case.name);
        let output = crate::reference_output::<A>(&case.input).expect("the reference solves it");
        assert_eq!(A::check(&case.input, &output), Verdict::Right, "{} on {ranks} rank(s)", case.name);
        assert_eq!(A::compare(&output, &output), Verdict::Right, "{} on {ranks} rank(s)", case.name);
    }
}

/// The numbers of ranks at which a sequential reference may expect the input that one rank gets.
const OTHER_RANKS: RangeInclusive<usize> = 2..=256;

/// What validation must refuse, the reference refuses. On one rank it also solves the inputs of more ranks, so there it accepts what
/// some number of ranks accepts, such as a root.
fn check_refused<A: Assignment>(ranks: usize) {
    let accepts = |input: &A::Input, ranks: usize| A::Reference::default().validation(input, ranks).is_ok();
    for GradedInput { name, input } in A::refused_inputs(ranks) {
        let is_of_more_ranks = || ranks == 1 && OTHER_RANKS.into_iter().any(|ranks| accepts(&input, ranks));
        let is_refused = !accepts(&input, ranks) || is_of_more_ranks();
        assert!(is_refused, "{name}: the reference refuses the input on {ranks} rank(s)");
    }
}

/// The oracle finds the mistake with a graded input, and so does the comparison with the reference, where every input has one answer.
fn check_mistake<A: Assignment>(ranks: usize, (name, wrong): &WrongOutput<A>) {
    let right = |input: &A::Input| crate::reference_output::<A>(input).expect("the reference solves it");
    let inputs = A::graded_inputs(ranks, 1);
    let is_found = |is_right: &dyn Fn(&A::Input, A::Output) -> Verdict| {
        let verdict =
            |case: &GradedInput<A::Input>| is_right(&case.input, wrong(&case.input, right(&case.input)));
        inputs.iter().any(|case| verdict(case) != Verdict::Right)
    };
    let by_oracle = is_found(&|input, output| A::check(input, &output));
    assert!(by_oracle, "{name}: the oracle does not find it on {ranks} rank(s)");
    let by_comparison = is_found(&|input, output| A::compare(&output, &right(input)));
    assert!(
        by_comparison || !A::ONE_ANSWER,
        "{name}: the comparison with the reference does not find it on {ranks} rank(s)"
    );
}
