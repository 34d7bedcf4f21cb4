//! The times that the pages compute are those of the simulator, to the nanosecond.
use std::{cell::OnceCell, error::Error, fs, path::Path};

use oorandom::Rand64;
use serde_json::{Value, json};
use tempfile::TempDir;
use wb_algorithms::barriers::proof::PatternRefutation;
use wb_book::{
    play::{
        self, PlayPages,
        algorithm::{PlayedAlgorithm, PlayedCall},
        plans::MAX_SEGMENTS,
    },
    site,
};
use wb_browser::{Browser, Site};
use wb_local::sim::{
    Link, Machine,
    max_plus::{ArrivalPattern, MaxPlusRun, MessageTimes, Noise, PathStep, Recording},
};

const CALLS: usize = 500;

/// Random calls: what the page gets, and what the simulator says.
pub(crate) struct Calls {
    algorithms: Vec<(PlayedAlgorithm, Value)>,
    /// By call: algorithm, settings and the simulator's answer.
    calls: Vec<(usize, Value, Value)>,
    pages: PlayPages,
    /// The book, once a test has asked for it.
    site: OnceCell<TempDir>,
}

impl Calls {
    pub(crate) fn new() -> Self {
        let pages = PlayPages::new(root()).unwrap_or_else(|error| panic!("{error}"));
        let algorithms: Vec<_> =
            pages.algorithms().map(|(algorithm, plans)| (algorithm.clone(), plans.clone())).collect();
        let mut random = Rand64::new(35);
        let right: Vec<_> = (0..algorithms.len()).filter(|at| !algorithms[*at].0.is_wrong).collect();
        // The first calls have every algorithm once.
        let calls = (0..CALLS).map(|at| {
            let chosen =
                right[if at < right.len() { at } else { random.rand_range(0..right.len() as u64) as usize }];
            let (settings, answer) = call(&algorithms[chosen], &mut random);
            (chosen, settings, answer)
        });
        let calls = calls.collect();
        Self { algorithms, calls, pages, site: OnceCell::new() }
    }

    /// The names of the pages that play.
    pub(crate) fn ids(&self) -> impl Iterator<Item = String> {
        self.algorithms.iter().map(|(algorithm, _)| algorithm.id())
    }

    /// The numbers of the calls, of the first `count` ones, for which the model answers otherwise than the simulator.
    fn differences(&self, browser: &mut Browser, model: &str, count: usize) -> Vec<Value> {
        let differs = format!("JSON.stringify({ANSWER}) === JSON.stringify(answer) ? [] : [number]");
        self.run(browser, model, &format!("calls.slice(0, {count})"), &differs)
    }

    /// Runs the model on calls in the page; `result` is an expression of `plan`, `run`, and the `answer` and `number` of the call.
    fn run(&self, browser: &mut Browser, model: &str, asked: &str, result: &str) -> Vec<Value> {
        if browser.evaluate("typeof calls") == json!("undefined") {
            let plans: Vec<_> = self.pages.algorithms().map(|(_, plans)| plans).collect();
            browser.open("about:blank");
            let [plans, calls] = [json!(plans), json!(self.calls)];
            browser.evaluate(&format!("Object.assign(globalThis, {{plans: {plans}, calls: {calls}}}); 0"));
        }
        let script = format!(
            "(() => {{ {model}; return {asked}.flatMap(([plan, settings, answer], number) => \
             {{ const run = simulate(plans[plan], settings); return {result}; }}); }})()"
        );
        browser.evaluate(&script).as_array().expect("a list").clone()
    }
}

impl Site for Calls {
    fn folder(&self) -> &Path {
        self.site.get_or_init(|| site(&self.pages)).path()
    }

    fn pages(&self) -> Vec<[String; 2]> {
        let names =
            ["preload", "codes/WB0020", "play/barrier-dissemination", "play/barrier-short_dissemination"];
        let pages = names.map(|name| ["en", "ru"].map(|lang| format!("{lang}/{name}.html")));
        pages.into_iter().chain([["index.html", "index.html"].map(str::to_owned)]).collect()
    }
}

/// The answer of the model in the form of [`simulated`], with its keys in this order.
const ANSWER: &str = "{
    complete: run.ranks.every((rank) => rank.isOver && (plans[plan].operation !== 'barrier' || fault(run) === null)),
    exits: run.ranks.map((rank) => rank.clock),
    messages: run.plan.flatMap((rounds) => rounds.flat().filter(({send}) => !send).map(({message}) =>
        [message.from, message.to, message.bytes, message.called, message.arrives, message.received])),
    path: run.path.map(({kind, from, to, start, end}) => [kind, from, to, start, end]),
}";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace")
}

/// The book with these pages.
fn site(pages: &PlayPages) -> TempDir {
    let (reports, out) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    fs::create_dir(reports.path().join("barriers")).expect("made");
    for name in ["report.html", "report.ru.html"] {
        fs::write(reports.path().join("barriers").join(name), "<!DOCTYPE html><p>barriers").expect("written");
    }
    site::build_with(pages, root(), reports.path(), out.path()).unwrap_or_else(|error| panic!("{error}"));
    out
}

/// A random call of an algorithm, and the simulator's answer.
fn call((algorithm, plans): &(PlayedAlgorithm, Value), random: &mut Rand64) -> (Value, Value) {
    let mut upto = |most: usize| random.rand_range(0..most as u64 + 1) as usize;
    let sizes: Vec<usize> = plans["sizes"]
        .as_object()
        .expect("sizes")
        .keys()
        .map(|size| size.parse().expect("a number"))
        .collect();
    let size = sizes[upto(sizes.len() - 1)];
    let (root, late, segments) = (upto(size - 1), upto(size - 1), 1 + upto(MAX_SEGMENTS - 1));
    // A broadcast cannot halve fewer than two bytes; it takes another algorithm then.
    let has_halves = plans["cut"] == "Halves";
    let (least, longest) = (if has_halves { 2 } else { 0 }, [3, 100, 5000][upto(2)]);
    let (bytes, delay) = (least + upto(longest), upto(20_000));
    let cut = if has_halves { bytes.div_ceil(2) } else { bytes };
    let link = Link {
        latency: upto(3000) as u64,
        overhead: upto(500) as u64,
        gap: upto(500) as u64,
        per_byte: upto(3000) as u64,
        processor_per_byte: 0,
        eager_limit: usize::MAX,
        segments: vec![],
    };
    let settings = json!({
        "ranks": size, "root": root, "bytes": bytes, "segments": segments, "late": late, "delay": delay,
        "machine": {"latency": link.latency, "overhead": link.overhead, "gap": link.gap, "perByte": link.per_byte},
    });
    let call = PlayedCall { size, root, bytes, segment: cut.div_ceil(segments).max(1) };
    let entry = ArrivalPattern::OneLate { rank: late, delay: delay as u64 };
    let answer = simulated(algorithm, call, &Machine::flat("page", link), &entry);
    (settings.clone(), answer.unwrap_or_else(|error| panic!("{} {settings}: {error}", algorithm.id())))
}

/// The simulator's answer in the form of [`ANSWER`].
fn simulated(
    algorithm: &PlayedAlgorithm,
    call: PlayedCall,
    machine: &Machine,
    entry: &ArrivalPattern,
) -> Result<Value, Box<dyn Error>> {
    let mut data = vec![0; call.bytes];
    let recording =
        Recording::from_program(call.size, |transport| algorithm.run(transport, call, &mut data))?;
    let mut run = MaxPlusRun::new(&recording, machine, entry, Noise::none());
    let episode = run.episode()?;
    let messages = run.message_times().into_iter().map(|message| {
        let MessageTimes { from, to, bytes, called_at, arrives, received_at } = message;
        json!([from, to, bytes, called_at, arrives, received_at])
    });
    let path = run.critical_path(&episode.exits).steps.into_iter().map(|step| match step {
        PathStep::Entry { rank, at } => json!(["enter", rank, rank, at, at]),
        PathStep::Message { from, to, called_at, arrives } => {
            json!(["message", from, to, called_at, arrives])
        }
        PathStep::Acknowledgement { from, to, posted, completed_at } => {
            json!(["answer", from, to, posted, completed_at])
        }
        PathStep::Exit { rank, at } => json!(["leave", rank, rank, at, at]),
    });
    let (messages, path): (Vec<_>, Vec<_>) = (messages.collect(), path.collect());
    Ok(json!({"exits": episode.exits, "complete": true, "messages": messages, "path": path}))
}

pub(crate) fn the_times_of_500_calls_are_the_simulators(browser: &mut Browser, calls: &Calls) {
    let messages: usize =
        calls.calls.iter().map(|(_, _, answer)| answer["messages"].as_array().map_or(0, Vec::len)).sum();
    assert!(messages > 100_000, "few messages are compared: {messages}");
    let differences = calls.differences(browser, play::MODEL, CALLS);
    let shown = differences.first().and_then(Value::as_u64).map(|at| {
        let (algorithm, settings, _) = &calls.calls[at as usize];
        (calls.algorithms[*algorithm].0.id(), settings)
    });
    assert_eq!(differences.len(), 0, "the first is {shown:?}");
}

pub(crate) fn canary_a_change_of_the_arithmetic_is_found(browser: &mut Browser, calls: &Calls) {
    for (code, changed) in [
        ("message.injected + machine.gap + serial", "message.injected + machine.gap"),
        ("message.injected + machine.latency + serial", "message.injected + machine.latency + serial + 1"),
        ("start + machine.overhead;", "start;"),
        ("Math.max(bytes, 1) - 1", "Math.max(bytes, 1)"),
        ("Math.floor((Math.max", "Math.round((Math.max"),
        ("one.arrives - other.arrives", "other.arrives - one.arrives"),
        ("message.posted) + machine.latency", "message.posted)"),
        ("message.arrives >= round.done", "message.arrives > round.done"),
        ("? rank : 0)) %", "? 0 : 0)) %"),
    ] {
        let model = play::MODEL.replace(code, changed);
        assert_ne!(model, play::MODEL, "{code}");
        assert_ne!(calls.differences(browser, &model, 60).len(), 0, "{code} may be {changed}");
    }
}

pub(crate) fn wrong_barriers_play_to_the_fault_that_the_proof_finds(browser: &mut Browser, calls: &Calls) {
    let wrong = calls.algorithms.iter().enumerate().filter_map(|(at, (algorithm, plans))| {
        let counterexample = algorithm.counterexample.as_ref()?;
        let size = counterexample.group.size;
        let fault = match &counterexample.refutation {
            PatternRefutation::EarlyExit { rank, unknown, .. } => json!({"kind": "early", "ranks": [rank, unknown]}),
            PatternRefutation::Deadlock(ranks) => {
                json!({"kind": "deadlock", "ranks": ranks.iter().map(|rank| rank.rank).collect::<Vec<_>>()})
            }
            PatternRefutation::UnmatchedSignals { from, to, .. } => json!({"kind": "unmatched", "ranks": [from, to]}),
            _ => {
                assert!(!algorithm.can_play(size), "{}", algorithm.id());
                return None;
            }
        };
        assert!(plans["sizes"][size.to_string()].is_string(), "{}", algorithm.id());
        let machine = json!({"latency": 1000, "overhead": 100, "gap": 50, "perByte": 0});
        let settings = json!({"ranks": size, "root": 0, "bytes": 0, "segments": 1, "late": 0, "delay": 0, "machine": machine});
        Some((algorithm.id(), json!([at, settings]), fault))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.len() > 5, "{}", wrong.len());
    let asked: Vec<_> = wrong.iter().map(|(_, call, _)| call).collect();
    let answers = calls.run(browser, play::MODEL, &json!(asked).to_string(), "[fault(run)]");
    for ((id, _, fault), answer) in wrong.iter().zip(&answers) {
        assert_eq!(fault, answer, "{id}");
    }
}
