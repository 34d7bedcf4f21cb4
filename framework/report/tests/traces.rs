//! The page of a trace: every message an arrow, every rank a row, one offline file; omissions are reported.
use std::{collections::BTreeMap, fs, path::Path};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use wb_messages::Lang;
use wb_record::{ComparedClock, Envelope, EventKind, HostPlacement, Trace, TraceEvent, example_trace};
use wb_report::trace::{Sources, html, perfetto, terminal};

fn page(trace: &Trace, lang: Lang) -> String {
    html(trace, &Sources::new(), lang).expect("a sound trace")
}

#[test]
fn the_page_of_the_example_is_the_one_that_was_looked_at() {
    for lang in Lang::ALL {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/trace.{}.html", lang.code()));
        let made = without_scripts(&page(&example_trace(), lang));
        if std::env::var_os("WBTEST_BLESS").is_some() {
            fs::write(&file, &made).expect("written");
        }
        let kept = fs::read_to_string(&file).expect("the snapshot is there");
        assert!(
            kept == made,
            "{} has changed: look at it, then renew it with WBTEST_BLESS=1",
            file.display()
        );
    }
}

/// The page without its data and its program, which have tests of their own.
fn without_scripts(page: &str) -> String {
    let shown = |part: &str| match part.split_once("<script") {
        Some((before, script)) => {
            format!("{before}<script{}></script>\n", script.split('>').next().unwrap_or_default())
        }
        None => part.to_owned(),
    };
    page.split("</script>").map(shown).collect()
}

/// The data that the script of the page reads.
fn data(page: &str) -> Value {
    let (_, data) = page.split_once("type=\"text/plain\">").expect("the data");
    let (data, _) = data.split_once('<').expect("its end");
    let bytes = STANDARD.decode(data).expect("base64");
    let json = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).expect("zlib");
    serde_json::from_slice(&json).expect("JSON")
}

#[test]
fn the_data_of_the_page_are_the_calls_the_messages_and_their_lines() {
    let source: String = (1..=30).map(|line| format!("line {line}\n")).collect();
    let sources = Sources::from([("tasks/example/src/mpi.rs".to_owned(), source)]);
    let data = data(&html(&example_trace(), &sources, Lang::En).expect("sound"));
    assert_eq!(data["events"]["count"], json!([3, 2, 2]));
    // The second event begins 1 ms after the first one, and the first one of rank 1 11.5 ms before the last one of rank 0.
    assert_eq!(
        data["events"]["begin"],
        json!([5_000_000, 1_000_000, 6_000_000, -11_500_000, 14_500_000, -14_500_000, 12_500_000])
    );
    assert_eq!(data["events"]["length"][3], json!(5_500_000));
    // Rank 0 sends with the events 0 and 1; they are received by 3 and 5.
    assert_eq!((&data["messages"]["sent"], &data["messages"]["received"]), (&json!([0, 1]), &json!([3, 2])));
    assert_eq!(data["messages"]["bytes"], json!([1 << 20, 1 << 20]));
    assert_eq!(
        data["collectives"],
        json!([{"sequence": 0, "entered": [2, 4, 6], "left": [2, 4, 6], "edges": [], "algorithm": "", "is_open": true, "inside": []}])
    );
    // The reduction of rank 0 (2), and both receives wait: for a collective, and for a late sender.
    assert_eq!((&data["waits"]["event"], &data["waits"]["part"]), (&json!([2, 1, 2]), &json!([5, 3, 3])));
    assert_eq!(data["waits"]["ns"], json!([3_000_000, 4_500_000, 5_500_000]));
    let site = &data["sites"][1];
    assert_eq!(
        (&site["verb"], &site["place"], &site["first"]),
        (&json!("reduce"), &json!("src/mpi.rs:33"), &json!(30))
    );
    assert_eq!((&site["lines"], &data["sites"][0]["lines"][3]), (&json!(["line 30"]), &json!("line 21")));
    assert_eq!(data["what_if"][0], json!(["calls cost only waiting", [14_000_000, 14_000_000, 11_000_000]]));
}

#[test]
fn the_still_picture_has_every_rank_message_and_collective() {
    let page = page(&example_trace(), Lang::En);
    assert_eq!(page.matches("class=\"arrow\"").count(), 2);
    assert_eq!(page.matches("<g class=\"band\"").count(), 1);
    assert_eq!(page.matches("class=\"st-run\"").count(), 3);
}

#[test]
fn the_terminal_says_who_sends_to_whom() {
    let output = terminal(&example_trace(), Lang::En).expect("sound");
    assert!(output.contains("messages 2, 2 MiB."), "{output}");
    let cells: Vec<Vec<&str>> = output.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(cells.contains(&vec!["0", "·", "1", "1", "2", "2", "MiB"]), "{output}");
    assert!(cells.contains(&vec!["all", "·", "1", "1", "2", "2", "MiB"]), "{output}");
    // Of many ranks the lines are as long as a terminal is wide at most, and groups are rows.
    for (ranks, first_row) in [(16, "0 "), (64, "0-7 ")] {
        let mut many = example_trace();
        let other = many.ranks[2].clone();
        for rank in 3..ranks {
            let mut trace = other.clone();
            trace.communicators[0].rank = rank;
            trace.events[0].act = EventKind::Local;
            many.ranks.push(trace);
        }
        many.ranks.iter_mut().for_each(|trace| trace.communicators[0].size = ranks);
        let lines = terminal(&many, Lang::Ru).expect("sound");
        assert!(lines.lines().all(|line| line.chars().count() <= 80), "{lines}");
        assert!(lines.lines().any(|line| line.starts_with(first_row)), "{lines}");
    }
    let mut silent = example_trace();
    silent
        .ranks
        .iter_mut()
        .for_each(|rank| rank.events.retain(|event| matches!(event.act, EventKind::Collective { .. })));
    assert!(!terminal(&silent, Lang::En).expect("sound").contains("Who sends"), "no message, no matrix");
}

#[test]
fn the_page_is_one_file_that_fetches_nothing() {
    for lang in Lang::ALL {
        let page = page(&example_trace(), lang);
        for outside in ["src=", "href=", "@import", "fetch(", "http-equiv"] {
            assert!(!page.contains(outside), "{outside}");
        }
        let addresses = page.matches("http").count();
        assert_eq!(addresses, page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
        assert!(
            page.starts_with("<!DOCTYPE html>") && page.contains(&format!("<html lang=\"{}\"", lang.code()))
        );
    }
}

/// A trace of ranks on two hosts: rank 0 on the first one.
fn on_two_hosts() -> Trace {
    let mut trace = example_trace();
    let host = |host: &str, ranks: &[u32]| HostPlacement {
        host: host.into(),
        ranks: ranks.to_vec(),
        cpus: vec![],
        sockets: vec![],
        usable_cores: Some(2),
        physical_cores: Some(2),
    };
    trace.environment.placement = vec![host("node1", &[0]), host("node2", &[1, 2])];
    let clock = |host: &str, first_rank, ranks| ComparedClock {
        host: host.into(),
        first_rank,
        ranks,
        offset_ns: 0.0,
        drift_ppm: 0.0,
        uncertainty_ns: 6_000.0,
        step_ns: 0.0,
    };
    trace.environment.clock.compared = vec![clock("node1", 0, 1), clock("node2", 1, 2)];
    trace.environment.clock.uncertainty_ns = Some(12_000.0);
    trace
}

#[test]
fn hosts_and_the_error_of_their_clocks_are_named() {
    let trace = on_two_hosts();
    let output = terminal(&trace, Lang::En).expect("sound").split_whitespace().collect::<Vec<_>>().join(" ");
    for shown in [output, page(&trace, Lang::En)] {
        for expected in ["node1 (0), node2 (1, 2)", "2 clocks", "at most 12"] {
            assert!(shown.contains(expected), "{expected}\n{shown}");
        }
        assert!(!shown.contains("arrive before they are sent"), "{shown}");
    }
    let alone = page(&example_trace(), Lang::En);
    assert!(!alone.contains("clocks") && !alone.contains("Ranks on hosts"), "one host needs no word");
}

#[test]
fn messages_that_arrive_before_they_are_sent_are_counted_and_not_hidden() {
    let mut trace = on_two_hosts();
    trace.ranks.iter_mut().for_each(|rank| rank.map_times(|stamp_ns| stamp_ns + 1_000_000_000));
    trace.ranks[0].map_times(|stamp_ns| stamp_ns + 100_000_000);
    trace.environment.clock.compared[1].step_ns = 2e6;
    let shown = page(&trace, Lang::En);
    assert!(shown.contains("2 messages arrive before they are sent, and 0 calls"), "{shown}");
    assert!(shown.contains("by up to 99.0 ms"), "{shown}");
    assert!(shown.contains("The clock of node2 may have been changed by 2.0"), "{shown}");
}

#[test]
fn the_words_name_the_loss_its_call_and_what_to_do() {
    let output = terminal(&example_trace(), Lang::En).expect("sound");
    for expected in ["The run took 16.0 ms on 3 ranks", "late sender", "`recv` at", "src/mpi.rs:24", "irecv"]
    {
        assert!(output.contains(expected), "{expected}\n{output}");
    }
    // Rank 0 from 0.5 to 5 ms, rank 1 from 13.2 ms, when rank 2 was done, to 15.
    assert!(output.contains("For 39.4 % of the run one rank computed while all others waited"), "{output}");
    assert!(output.lines().all(|line| line.chars().count() <= 80), "{output}");
    let russian = terminal(&example_trace(), Lang::Ru).expect("sound");
    assert!(russian.lines().all(|line| line.chars().count() <= 80), "{russian}");
}

#[test]
fn ranks_without_work_are_named() {
    let idle = |output: &str| output.contains("Ranks that compute almost nothing");
    let mut trace = example_trace();
    assert!(!idle(&terminal(&trace, Lang::En).expect("sound")));
    for rank in &mut trace.ranks[1..] {
        rank.events.clear();
        rank.begin_ns = rank.end_ns - 1000;
        rank.stages.iter_mut().for_each(|stage| stage.begin_ns = rank.begin_ns);
        rank.stages[0].end_ns = rank.begin_ns;
    }
    trace.ranks[0].events.clear();
    let output = terminal(&trace, Lang::En).expect("sound");
    assert!(output.contains("Ranks that compute almost nothing: 1, 2 (of 3)."), "{output}");
    assert!(idle(&output));
    assert!(output.contains("of the run only rank 0 computed, while all others waited."), "{output}");
}

#[test]
fn what_cannot_be_drawn_or_was_not_recorded_is_said() {
    let mut trace = example_trace();
    let many = 7000;
    trace.ranks[0].events = (0..many)
        .map(|number| TraceEvent {
            call: 0,
            communicator: 0,
            begin_ns: 2000 * number,
            end_ns: 2000 * number + 1000,
            act: EventKind::Send { to: Envelope { peer: 1, tag: 1, bytes: 1 }, synchronous: false },
        })
        .collect();
    let long_page = page(&trace, Lang::En);
    assert!(long_page.contains("the 5504 shortest calls"), "7004 calls, 1500 in the still picture");
    assert!(long_page.contains("7000 sends"), "nobody receives them");
    let mut full = example_trace();
    full.ranks[1].left_out = 12;
    let output = page(&full, Lang::En);
    assert!(output.contains("The recording was full after 15.2 ms") && output.contains("calls are missing"));
    let mut shared = example_trace();
    shared.environment.machine.usable_cores = 2;
    assert!(page(&shared, Lang::En).contains("3 ranks shared 2 cores"));
    shared.simulated = Some("cluster".into());
    assert!(!page(&shared, Lang::En).contains("shared 2 cores"), "a simulated machine has cores of its own");
    assert!(!page(&example_trace(), Lang::En).contains("class=\"alarm\""), "a whole trace needs no remark");
}

#[test]
fn names_from_a_trace_are_text_and_no_markup() {
    let mut trace = example_trace();
    trace.ranks[0].calls[0].verb = "<script>".into();
    trace.workload.name = "</style>".into();
    let page = page(&trace, Lang::En);
    assert_eq!(page.matches("<script>").count(), 1, "only the page's own");
    assert_eq!(page.matches("</script>").count(), 2, "the program and its data");
    assert_eq!(page.matches("</style>").count(), 1);
    assert_eq!(data(&page)["sites"][0]["verb"], json!("<script>"));
}

#[test]
fn perfetto_gets_slices_that_nest_and_flows_with_two_ends() {
    let text = perfetto(&example_trace()).expect("sound");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let events = file["traceEvents"].as_array().expect("events");
    let of = |phase: &'static str| events.iter().filter(move |event| event["ph"] == phase);
    assert_eq!(of("X").filter(|event| event["cat"] == "call").count(), 7);
    assert_eq!(of("X").filter(|event| event["cat"] == "stage").count(), 6);
    assert_eq!(of("M").filter(|event| event["name"] == "thread_name").count(), 3);
    let mut flows: BTreeMap<u64, Vec<(&str, f64, u64)>> = BTreeMap::new();
    for event in of("s").chain(of("f")) {
        let (ts, tid) = (event["ts"].as_f64().expect("a time"), event["tid"].as_u64().expect("a rank"));
        let id = event["id"].as_u64().expect("a number");
        flows.entry(id).or_default().push((event["ph"].as_str().expect("a phase"), ts, tid));
        let holds = |slice: &&Value| {
            let begin = slice["ts"].as_f64().expect("a time");
            let end = begin + slice["dur"].as_f64().expect("a duration");
            slice["cat"] == "call" && slice["tid"] == event["tid"] && begin <= ts && ts < end
        };
        assert_eq!(of("X").filter(holds).count(), 1, "a flow is bound to one call: {event}");
    }
    assert_eq!(flows.len(), 2);
    for ends in flows.values() {
        let [("s", sent, from), ("f", received, to)] = ends[..] else { panic!("{ends:?}") };
        assert!(sent < received && from == 0 && to > 0);
    }
}

#[test]
fn canary_a_trace_that_contradicts_itself_is_refused() {
    let mut trace = example_trace();
    trace.ranks[1].events[0].end_ns = 0;
    assert!(
        html(&trace, &Sources::new(), Lang::En).is_err()
            && terminal(&trace, Lang::En).is_err()
            && perfetto(&trace).is_err()
    );
}
