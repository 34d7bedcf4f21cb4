//! `cargo wb broadcasts list`, `prove` and `simulate`: what they print and how they end.

#[track_caller]
fn run_text(arguments: &[&str], code: i32) -> String {
    crate::run_wb::run_text("broadcasts", arguments, code)
}

#[track_caller]
fn run_json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&run_text(&[arguments, &["--json"]].concat(), 0)).expect("JSON")
}

#[test]
fn the_list_has_every_broadcast_with_its_cost() {
    let rows = run_json(&["list", "--ranks", "8", "--bytes", "10000", "--segment", "1000"]);
    let rows = rows.as_array().expect("rows");
    assert!(rows.len() >= 15, "{} broadcasts", rows.len());
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).expect("the row");
    assert_eq!((&row("pipeline")["messages"], &row("pipeline")["rounds"]), (&70.into(), &16.into()));
    assert_eq!(
        (&row("scatter_ring")["messages"], &row("scatter_ring")["rounds"]),
        (&63.into(), &serde_json::Value::Null)
    );
    let shown = run_text(&["list", "--lang", "ru"], 0);
    assert!(shown.contains("split_binary") && shown.contains("рассылок: "), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

#[test]
fn broadcasts_are_proved() {
    let rows = run_json(&["prove", "--max-ranks", "6"]);
    let rows = rows.as_array().expect("rows");
    assert!(rows.len() >= 15 && rows.iter().all(|row| row["result"] == "proved"), "{rows:?}");
    assert!(run_text(&["prove", "chain", "--max-ranks", "4"], 0).contains("proved 1, refused 0"));
}

#[test]
fn predictions_are_those_of_the_model() {
    let of = |name: &str, ranks: &str, bytes: &str| {
        let message = run_json(&[
            "simulate",
            name,
            "--ranks",
            ranks,
            "--bytes",
            bytes,
            "--machine",
            "cluster-ethernet",
        ]);
        message["broadcasts"][0]["predictions"][0]["cost_ns"].as_u64()
    };
    let long = ["binomial", "scatter_ring"].map(|name| of(name, "256", "16777216").expect("a time"));
    assert!(long[0] > 2 * long[1], "{long:?}");
    let short = ["binomial", "scatter_ring"].map(|name| of(name, "256", "8").expect("a time"));
    assert!(short[0] < short[1], "{short:?}");
    assert_eq!(of("scatter_ring", "8192", "1000000"), None);
    let shown = run_text(&["simulate", "--ranks", "2,4096", "--bytes", "100000"], 0);
    for part in ["model, not measurement", "P = 4096", "2e7 msg", "the error is unknown"] {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn a_wrong_name_is_told_with_the_nearest_one() {
    assert!(run_text(&["prove", "pipelin"], 2).contains("did you mean `pipeline`"));
    assert!(run_text(&["simulate", "linear", "--machine", "nowhere"], 2).contains("nowhere"));
}
