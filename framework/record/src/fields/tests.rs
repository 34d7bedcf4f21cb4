//! Every number of a record has its range, and every text is handed out.

use crate::{BarrierLine, Calibration, ReadError, Record, Trace, example, example_barriers, example_trace};

fn error_text(error: &ReadError) -> String {
    assert!(matches!(error, ReadError::Field { .. }), "{error}");
    error.to_string()
}

fn record(measurement: &str) -> Result<Record, ReadError> {
    let whole = example().to_line();
    let (head, _) = whole.split_once("\"measurement\":").expect("a measurement");
    Record::parse_line(&format!("{head}\"measurement\":{measurement}}}"))
}

const SERIES: &str =
    r#""series":{"workload":{"name":"w","size":1,"unit":""},"version":"mpi","mode":"task_run","ranks":2}"#;

/// One of each kind of line, and the numbers in it that must not be 0.
fn lines() -> Vec<(String, &'static [&'static str])> {
    vec![
        (format!(r#"{{"kind":"timing",{SERIES},"launch":0,"warmup_dropped":1,"inner_iterations":2,"repetitions":
            [{{"elapsed_ns":5,"entry_skew_ns":1,"correct":true,"involuntary_switches":1,"cpu_share":0.5}}],"stages":
            [{{"validation_ns":1,"preprocessing_ns":1,"run_ns":1,"postprocessing_ns":1}}],"traffic":
            {{"messages":1,"bytes":1,"messages_max_rank":1,"bytes_max_rank":1}},"sentinel":
            {{"before_ns":[1,2],"after_ns":[1,2]}}}}"#), &["ranks", "inner_iterations"]),
        (r#"{"kind":"ceiling","ranks":2,"launch":0,"samples_ns":[3,4]}"#.into(), &["ranks"]),
        (r#"{"kind":"sweep","operation":"bcast","ranks":2,"root":0,"element":"f64","count":1,"bytes":8,"launch":0,
            "inner_iterations":1,"student_ns":[1,2],"library_ns":[1,2],"library_call":"MPI_Bcast","messages":1,"rounds":1,
            "formula":{"algorithm":"a","messages":1,"messages_formula":"m","rounds":1,"rounds_formula":"r"},
            "correct":true}"#.into(), &["ranks", "inner_iterations"]),
        (format!(r#"{{"kind":"outcome",{SERIES},"converged":true,"half_width":0.1,"budget_s":1.0,"spent_s":1.0,
            "repeated_launches":0,"failure":{{"why":"too-short","measured_ns":1,"required_ns":1}}}}"#), &["ranks"]),
        (r#"{"kind":"plan","quick":true,"ranks":[1,2],"ranks_chosen_by":"x","launches":1,"target_half_width":0.1,
            "budget_s":1.0,"least_repetition_ns":1,"bands":[{"least_efficiency":0.5,"share":1.0}],
            "performance_points":5.0,"graded_ranks":2}"#.into(), &["ranks[0]", "ranks[1]", "graded_ranks"]),
        (r#"{"kind":"functional","test":"t","version":"mpi","ranks":2,"backend":"threads","verdict":"pass","seconds":1.0}"#
            .into(), &["ranks"]),
        (r#"{"kind":"model","machine":"m","about":{"en":"a","ru":"b"},"is_host":true,"cores":2,"ranks":[1,2],"fit":
            {"date":"d","library":"l","points":1,"median_residual":0.1,"largest_residual":0.1}}"#
            .into(), &["cores", "ranks[0]", "ranks[1]"]),
    ]
}

/// The document with the number at each place replaced, and the place.
fn with_numbers(document: &str, value: &serde_json::Value) -> Vec<(String, String)> {
    fn visit(
        here: &mut serde_json::Value,
        path: &str,
        found: &mut Vec<String>,
        wanted: Option<(&str, &serde_json::Value)>,
    ) {
        match here {
            serde_json::Value::Number(_) if wanted.is_none() => found.push(path.to_owned()),
            serde_json::Value::Number(_) => {
                if let Some((_, value)) = wanted.filter(|(at, _)| *at == path) {
                    *here = value.clone();
                }
            }
            serde_json::Value::Array(items) => {
                items
                    .iter_mut()
                    .enumerate()
                    .for_each(|(at, item)| visit(item, &format!("{path}[{at}]"), found, wanted));
            }
            serde_json::Value::Object(fields) => {
                fields
                    .iter_mut()
                    .for_each(|(key, item)| visit(item, &format!("{path}.{key}"), found, wanted));
            }
            _ => {}
        }
    }
    let root: serde_json::Value = serde_json::from_str(document).expect("JSON");
    let mut places = Vec::new();
    visit(&mut root.clone(), "", &mut places, None);
    let planted = |at: String| {
        let mut root = root.clone();
        visit(&mut root, "", &mut Vec::new(), Some((&at, value)));
        (at, root.to_string())
    };
    places.into_iter().map(planted).collect()
}

#[test]
fn every_number_of_every_kind_of_line_has_its_range() {
    for (line, not_nought) in lines() {
        record(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        // What fits the type is refused by its range, what does not fit by the type.
        for nonsense in [u64::MAX.into(), (1_u64 << 63).into(), 1e300.into(), (-1).into()] {
            for (at, planted) in with_numbers(&line, &nonsense) {
                let error = record(&planted).expect_err(&format!("{nonsense} at {at}"));
                assert!(error.to_string().starts_with("line 1"), "{error}");
            }
        }
        for (at, planted) in with_numbers(&line, &0.into()) {
            let wrong = not_nought.iter().any(|field| at.ends_with(&format!(".{field}")));
            let error = record(&planted).err().map(|error| error.to_string());
            assert_eq!(error.is_some_and(|error| error.contains(" is 0, expected ")), wrong, "0 at {at}");
        }
    }
}

#[test]
fn a_number_is_refused_with_its_path_and_what_is_allowed() {
    let line = &lines()[0].0;
    let error = record(&line.replace(r#""ranks":2"#, r#""ranks":0"#)).expect_err("no ranks");
    assert_eq!(
        error_text(&error),
        "line 1: measurement.series.ranks is 0, expected a whole number from 1 to 1048576"
    );
    let error = record(&line.replace(r#""cpu_share":0.5"#, r#""cpu_share":1e9"#)).expect_err("too many");
    assert_eq!(
        error_text(&error),
        "line 1: measurement.repetitions[0].cpu_share is 1000000000, expected a number from 0 to 1000000"
    );
}

#[test]
fn a_task_has_the_name_of_a_package() {
    let line = example().to_line();
    let renamed = |name: &str| {
        Record::parse_line(&line.replacen(
            "\"task\":\"example_p_integral\"",
            &format!("\"task\":\"{name}\""),
            1,
        ))
    };
    for name in ["a", "li_k_radix-sort_2", &"x".repeat(64)] {
        assert!(renamed(name).is_ok(), "{name}");
    }
    for name in ["", "../x", "a b", "a.b", "задача", &"x".repeat(65)] {
        let message = error_text(&renamed(name).expect_err(name));
        assert!(message.contains("subject.task is `"), "{message}");
        assert!(
            message.ends_with("expected the name of a package: 1 to 64 letters, digits, `-` and `_`"),
            "{message}"
        );
    }
}

#[test]
fn traces_barriers_and_calibrations_are_held_too() {
    let line = example_trace().to_line();
    let error =
        Trace::parse_line(&line.replacen("\"end_ns\":16000000", "\"end_ns\":18446744073709551615", 1));
    assert!(error_text(&error.expect_err("beyond")).contains("lanes[0].end_ns is 18446744073709551615"));
    let error = Trace::parse_line(&line.replacen("\"bytes\":1048576", "\"bytes\":18446744073709551615", 1));
    assert!(
        error_text(&error.expect_err("beyond"))
            .contains("lanes[0].events[0].act.bytes is 18446744073709551615")
    );
    let line = example_barriers()[1].to_line();
    let error = BarrierLine::parse_line(&line.replacen("\"episodes\":100", "\"episodes\":0", 1));
    assert!(error_text(&error.expect_err("none")).contains("outcome.launches[0].episodes is 0"));
    let link = r#"{"latency_ns":1,"overhead_ns":1,"gap_ns":1,"byte_ps":1,"copy_ps":1,"eager_bytes":1}"#;
    let fitted = r#"[{"name":"ping_pong","bytes":1,"measured_ns":0.0,"model_ns":1.0}]"#;
    let line = format!(
        r#"{{"schema":1,"at":"","library":"","cpus":1,"launches":1,"link":{link},"fitted":{fitted},"predicted":[]}}"#
    );
    assert!(
        error_text(&Calibration::parse_line(&line).expect_err("nought"))
            .contains("fitted[0].measured_ns is 0")
    );
    assert!(Calibration::parse_line(&line.replace("0.0", "2.0")).is_ok());
}

#[test]
fn hidden_characters_are_spelt_out_when_a_line_is_read() {
    let mut wild = example();
    wild.environment.variables.insert("NAME".into(), "value".into());
    wild.map_texts(&mut |text| format!("{text}\u{1b}[2J\u{202e}\0"));
    wild.subject.task = example().subject.task;
    let read = Record::parse_line(&serde_json::to_string(&wild).expect("JSON")).expect("readable");
    assert_eq!(read.subject.student, "Example Person\\u{1b}[2J\\u{202e}\\u{0}");
    let variables: Vec<_> =
        read.environment.variables.iter().flat_map(|(name, value)| [name, value]).collect();
    assert!(variables.contains(&&"NAME\\u{1b}[2J\\u{202e}\\u{0}".to_owned()), "{variables:?}");
    assert!(!variables.iter().any(|text| text.chars().any(wb_text::escape::is_hidden)), "{variables:?}");
    let (mut texts, mut hidden) = (0, 0);
    read.clone().map_texts(&mut |text| {
        texts += 1;
        hidden += usize::from(text.chars().any(wb_text::escape::is_hidden));
        String::new()
    });
    assert_eq!((texts > 15, hidden), (true, 0));
}

#[test]
fn the_same_launch_twice_is_a_duplicate_and_the_ceiling_twice_is_not() {
    let timing = |elapsed: u64| {
        let line = lines()[0].0.replace("\"elapsed_ns\":5", &format!("\"elapsed_ns\":{elapsed}"));
        record(&line).expect("readable").to_line()
    };
    let message = |lines: &[String]| crate::read_all(&lines.join("\n")).map(drop).map_err(|e| e.to_string());
    assert_eq!(
        message(&[timing(5), String::new(), timing(6)]),
        Err("line 3: the same launch as line 1, expected each once; remove one of the two".to_owned())
    );
    assert_eq!(message(&[timing(5), timing(6).replace("\"launch\":0", "\"launch\":1")]), Ok(()));
    let ceiling = |at: &str| Record { at: at.into(), ..example() }.to_line();
    assert_eq!(message(&[ceiling("1"), ceiling("2")]), Ok(()));
    assert!(
        message(&[ceiling("1"), ceiling("1")]).unwrap_err().contains("line 2: the same record as line 1")
    );
    let barriers: String = example_barriers().iter().map(|line| line.to_line() + "\n").collect();
    assert!(BarrierLine::read_all(&format!("\u{feff}{barriers}")).is_ok());
    let repeated = BarrierLine::read_all(&barriers.repeat(2)).expect_err("every line twice").to_string();
    assert!(repeated.contains("as line 1, expected each once"), "{repeated}");
}
