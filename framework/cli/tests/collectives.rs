//! `cargo wb collectives list`, `prove`, `plan` and `simulate`: what they print and how they end.

#[track_caller]
fn run_text(arguments: &[&str], code: i32) -> String {
    crate::run_wb::run_text("collectives", arguments, code)
}

#[track_caller]
fn run_json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&run_text(&[arguments, &["--json"]].concat(), 0)).expect("JSON")
}

#[test]
fn the_list_has_every_operation_over_messages_and_in_shared_memory() {
    let rows = run_json(&["list", "--ranks", "4", "--bytes", "8"]);
    let rows = rows.as_array().expect("rows");
    assert!(rows.len() > 70, "{} algorithms", rows.len());
    let row = |verb: &str, name: &str| {
        let is = |row: &&serde_json::Value| row["verb"] == verb && row["name"] == name;
        rows.iter().find(is).unwrap_or_else(|| panic!("no {verb} {name}"))
    };
    let allreduce = row("allreduce", "recursive_doubling");
    assert_eq!((&allreduce["messages"], &allreduce["rounds"]), (&8.into(), &2.into()));
    let in_memory = row("allreduce", "allreduce_one_hop");
    assert_eq!((&in_memory["lines_written"], &in_memory["lines_read"]), (&1.into(), &3.into()));
    assert_eq!(row("barrier", "dissemination")["family"], "barrier");
    assert_eq!(row("bcast", "pipeline")["family"], "messages");
    for lang in ["en", "ru"] {
        let shown = run_text(&["list", "--lang", lang], 0);
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    }
}

#[test]
fn barriers_and_broadcasts_are_the_same_commands() {
    let barriers = crate::run_wb::run_text("barriers", &["list", "--ranks", "4", "--json"], 0);
    assert_eq!(run_text(&["list", "barrier", "--ranks", "4", "--json"], 0), barriers);
    let plan = crate::run_wb::run_text("barriers", &["plan", "tree", "--ranks", "4"], 0);
    assert_eq!(run_text(&["plan", "tree", "--ranks", "4"], 0), plan);
    let broadcasts = crate::run_wb::run_text("broadcasts", &["prove", "--max-ranks", "3", "--json"], 0);
    assert_eq!(run_text(&["prove", "bcast", "--max-ranks", "3", "--json"], 0), broadcasts);
}

#[test]
fn schedules_are_proved_and_shown_and_simulated() {
    let rows = run_json(&["prove", "--max-ranks", "5"]);
    let rows = rows.as_array().expect("rows");
    assert!(rows.len() == 10 && rows.iter().all(|row| row["result"] == "proved"), "{rows:?}");
    let shown = run_text(&["plan", "gather", "--ranks", "4", "--bytes", "100"], 0);
    assert!(shown.contains("3 messages") && shown.contains("300 bytes in all"), "{shown}");
    let simulated = run_json(&["simulate", "allgather", "--ranks", "2,8", "--machine", "cluster-ethernet"]);
    let costs = simulated["collectives"][0]["predictions"].as_array().expect("two sizes");
    let cost = |at: usize| costs[at]["cost_ns"].as_u64().expect("a time");
    assert!(cost(1) > 4 * cost(0) && costs[1]["messages"] == 56, "{costs:?}");
}

#[test]
fn an_unknown_operation_is_refused_with_the_nearest_names() {
    for (arguments, wanted) in [
        (&["list", "allredue"][..], "did you mean `allreduce`"),
        (&["prove", "nonsense"], "there are allgather"),
        (&["plan", "barrier"], "give the name of one"),
        (&["bench", "bcst"], "did you mean `bcast`"),
        (
            &["bench", "bcast", "--only", "gather_flat"],
            "there is no `gather_flat`; there are bcast_flat, binary",
        ),
        (&["bench", "--bytes", "8,6"], "`6` is not a length of a block"),
    ] {
        let output = crate::run_wb::wb("collectives", arguments);
        let printed = String::from_utf8_lossy(&output.stderr).replace("\n    ", " ");
        assert!(output.status.code() == Some(2) && printed.contains(wanted), "{arguments:?}: {printed}");
    }
}
