//! `cargo wb barriers list`, `prove`, `plan` and `simulate`: what they print and how they end.

#[track_caller]
fn run_text(arguments: &[&str], code: i32) -> String {
    crate::run_wb::run_text("barriers", arguments, code)
}

#[track_caller]
fn run_json(arguments: &[&str], code: i32) -> serde_json::Value {
    let output = crate::run_wb::wb("barriers", arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn the_list_has_every_barrier_with_its_cost() {
    let rows = run_json(&["list", "--ranks", "6", "--json"], 0);
    let rows = rows.as_array().expect("rows");
    assert!(rows.len() >= 40, "{} barriers", rows.len());
    let row = rows.iter().find(|row| row["name"] == "recursive_doubling").expect("the row");
    assert_eq!((&row["messages"], &row["rounds"], &row["hops"]), (&12.into(), &4.into(), &3.into()));
    assert!(rows.iter().all(|row| row["family"] != "wrong"));
    let wrong = run_text(&["list", "--wrong", "--lang", "ru"], 0);
    assert!(wrong.contains("short_dissemination") && wrong.contains("барьеров: "), "{wrong}");
}

#[test]
fn a_right_barrier_is_proved_and_a_wrong_one_refused_with_the_smallest_example() {
    assert!(run_text(&["prove", "tree", "--max-ranks", "40"], 0).contains("proved: 40 sizes"));
    let refused = run_text(&["prove", "short_dissemination"], 1);
    for line in ["REFUSED at P = 3", "rank 0 leaves after 2 steps without having heard of rank 1"] {
        assert!(refused.contains(line), "{refused}");
    }
    let russian = run_text(&["prove", "recursive_doubling_without_release", "--lang", "ru"], 1);
    for line in ["ОТВЕРГНУТ при P = 3", "процесс 2, действие 1: ждёт сигнала 0 от процесса 0"]
    {
        assert!(russian.contains(line), "{russian}");
    }
    let row = &run_json(&["prove", "hierarchical_by_own_node", "--json"], 1)[0];
    assert_eq!(
        (&row["result"], &row["ranks"], &row["kind"]),
        (&"refused".into(), &3.into(), &"deadlock".into())
    );
}

#[test]
fn what_is_shown_fits_80_columns_where_nobody_says_how_wide_it_is() {
    let shown: [&[&str]; 6] = [
        &["list"],
        &["list", "--wrong"],
        &["prove", "--max-ranks", "9"],
        &["plan", "dissemination", "--ranks", "10"],
        &["plan", "linear", "--ranks", "8"],
        &["plan", "all_to_all", "--ranks", "60"],
    ];
    for (arguments, lang) in shown.iter().flat_map(|&arguments| [(arguments, "en"), (arguments, "ru")]) {
        let output = run_text(&[arguments, &["--lang", lang]].concat(), 0);
        let widest = output.lines().max_by_key(|line| line.chars().count()).expect("lines");
        assert!(widest.chars().count() <= 80, "{arguments:?}: {widest}");
    }
}

#[test]
fn what_counts_is_explored_and_what_a_library_brings_is_not_claimed() {
    let row = &run_json(&["prove", "central_counter", "--json"], 0)[0];
    assert_eq!((&row["result"], &row["delivery"]), (&"explored".into(), &"unordered".into()));
    assert_eq!(run_json(&["prove", "mpi_barrier", "--json"], 0)[0]["result"], "library");
    let row = &run_json(&["prove", "counter_after_meeting", "--json"], 1)[0];
    assert_eq!((&row["result"], &row["ranks"]), (&"refused".into(), &4.into()), "two PEs of two cores");
    let row = &run_json(&["prove", "barrier_without_quiet", "--json"], 1)[0];
    assert_eq!((&row["result"], &row["ranks"]), (&"refused".into(), &2.into()), "one PE has no PE to put to");
}

#[test]
fn all_of_them_are_proved_or_explored() {
    let rows = run_json(&["prove", "--max-ranks", "33", "--json"], 0);
    for row in rows.as_array().expect("rows") {
        let result = row["result"].as_str().expect("a result");
        assert!(["proved", "explored", "library"].contains(&result), "{row}");
    }
}

#[test]
fn a_plan_is_a_table_and_a_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.svg");
    let plan_text =
        run_text(&["plan", "dissemination", "--ranks", "8", "--svg", path.to_str().expect("a path")], 0);
    for part in
        ["dissemination, P = 8", "→4 ←4", "24 messages, 3 rounds with one port, longest chain 3", "drawn: "]
    {
        assert!(plan_text.contains(part), "{part} in {plan_text}");
    }
    let picture = std::fs::read_to_string(&path).expect("the picture");
    assert_eq!(picture.matches("class=\"arrow\"").count(), 24);
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    let wide = run_text(&["plan", "linear", "--ranks", "20", "--lang", "ru"], 0);
    assert!(wide.contains("раунд 1: 1→0\n"), "{wide}");
    let nodes = run_json(&["plan", "hierarchical", "--ranks", "5", "--nodes", "1x3,1x2", "--json"], 0);
    assert_eq!(nodes["messages"].as_array().map(Vec::len), Some(8));
    assert!(
        run_text(&["plan", "short_dissemination", "--ranks", "3"], 1)
            .contains("without having heard of rank 1")
    );
    assert!(run_text(&["plan", "group_dissemination_of_one"], 1).contains("does not end"));
}

#[test]
fn a_barrier_that_cannot_be_made_is_refused_in_the_user_s_language() {
    for (arguments, reason) in [
        (
            &["plan", "two_process", "--lang", "ru"][..],
            "two_process — барьер для 1..=2 процессов, а не для 8",
        ),
        (
            &["plan", "hierarchical", "--nodes", "2x3", "--lang", "ru"],
            "на узлах `2x3` меньше процессов, чем есть",
        ),
    ] {
        let output = run_text(arguments, 2);
        assert!(output.contains(reason), "{output}");
    }
}

#[test]
fn bad_input_is_told_and_nothing_hangs() {
    let near = run_text(&["plan", "disemination"], 2);
    assert!(near.contains("there is no barrier `disemination`; did you mean `dissemination`"), "{near}");
    assert!(run_text(&["prove", "xyz"], 2).contains("`cargo wb barriers list` shows them all"));
    assert!(run_text(&["plan", "central_counter"], 2).contains("has no plan"));
    assert!(
        run_text(&["plan", "two_process"], 2).contains("two_process is a barrier of 1..=2 ranks, not of 8")
    );
    assert!(run_text(&["plan", "hierarchical", "--nodes", "2x3"], 2).contains("have fewer ranks than the 8"));
    for wrong in [
        ["plan", "linear", "--ranks", "0"],
        ["prove", "linear", "--max-ranks", "0"],
        ["plan", "k_dissemination_4", "--radix", "1"],
        ["prove", "k_dissemination_4", "--radix", "0"],
    ] {
        assert!(run_text(&wrong, 2).contains("is not a whole number from "), "{wrong:?}");
    }
    let near = run_text(&["bench", "--only", "disemination"], 2);
    assert!(near.contains("did you mean `dissemination`"), "{near}");
    assert!(
        run_text(&["bench", "-P", "2,x"], 2).contains("-P (--ranks): `x` is neither a number from 1 to 1024")
    );
    assert!(run_text(&["bench", "--substrate", "pigeons"], 2).contains("there are messages, cells"));
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("none/out.svg");
    let output = run_text(&["plan", "linear", "--svg", nowhere.to_str().expect("a path")], 1);
    assert!(output.contains("cannot write"), "{output}");
}

#[test]
fn predictions_are_the_models_and_say_so() {
    let predicted = run_json(&["simulate", "--machine", "cluster-ib", "--ranks", "64,2", "--json"], 0);
    assert_eq!((&predicted["kind"], &predicted["calibrated"]), (&"model".into(), &serde_json::Value::Null));
    let rows = predicted["barriers"].as_array().expect("rows");
    assert!(rows.len() >= 20, "{} barriers over messages", rows.len());
    let of = |name: &str| &rows.iter().find(|row| row["name"] == name).expect("the row")["predictions"];
    // 3 rounds on a group of cores, 3 between groups: 3 (40 + 2 * 60) + 3 (225 + 2 * 60), and what is waited for on the way.
    let dissemination = &of("dissemination")[1];
    assert_eq!((&dissemination["ranks"], &dissemination["messages"]), (&64.into(), &384.into()));
    assert!(dissemination["cost_ns"].as_f64().expect("a time") >= 3.0 * 160.0 + 3.0 * 345.0);
    assert_eq!(of("dissemination")[0]["cost_ns"], 160.0);
    assert!(of("two_process")[1]["skipped"].is_string());
    let page = run_text(&["simulate", "--ranks", "2,16,64,1024"], 0);
    assert!(
        page.contains("model, not measurement: cluster-ib") && page.contains("nothing is fitted"),
        "{page}"
    );
    for lang in ["en", "ru"] {
        let page = run_text(
            &["simulate", "--ranks", "2,16,64,1024", "--late", "1", "--noise", "3", "--lang", lang],
            0,
        );
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}

#[test]
fn a_late_rank_is_waited_for_and_the_path_begins_there() {
    let asked = ["simulate", "dissemination", "--ranks", "8", "--late", "3", "--by", "5000", "--path"];
    let page = run_text(&asked, 0);
    assert!(page.contains("5.000  rank 3 enters") && page.contains("leaves, the last one"), "{page}");
    let episodes = |noise: &[&str]| {
        let asked = ["simulate", "tree", "--ranks", "64", "--episodes", "200", "--json"];
        let output = run_json(&[&asked[..], noise].concat(), 0);
        output["barriers"][0]["predictions"][0]["cost_ns"].as_f64().expect("a time")
    };
    let (without_noise, with_noise) = (episodes(&[]), episodes(&["--noise", "1"]));
    assert!(with_noise > without_noise, "{with_noise} {without_noise}");
    assert_eq!(with_noise, episodes(&["--noise", "1"]));
}

#[test]
fn what_cannot_be_simulated_is_a_wrong_command_line() {
    for (wrong, named) in [
        (&["simulate", "tree", "--machine", "cluster-ob"][..], "did you mean `cluster-ib`?"),
        (&["simulate", "tree", "--machine", "node-64", "--ranks", "65"], "one node of 64 cores"),
        (&["simulate", "central_counter"], "only barriers with signals"),
        (&["simulate", "tree", "--ranks", "4,8", "--late", "4"], "there are 4 ranks"),
        (&["simulate", "tere"], "did you mean `tree`"),
    ] {
        let output = run_text(wrong, 2);
        assert!(output.contains(named), "{wrong:?}: {output}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.yaml");
    std::fs::write(&file, "about: {}\ncores_per_group: none\n").expect("written");
    let output = run_text(&["simulate", "tree", "--machine", file.to_str().expect("a path")], 3);
    assert!(
        output.contains("mine.yaml:2:18: ") && output.contains("a whole number from 1 to 65536"),
        "{output}"
    );
}
