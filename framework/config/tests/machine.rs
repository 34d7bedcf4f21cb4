//! A machine file is as strict as the other settings, and survives being written.

use std::path::Path;

use wb_config::{CalibrationSettings, Date, MachineSettings};

const MACHINE: &str = "\
about: { en: Two cores }
cores_per_group: 2
groups_per_node: 1
links:
  core: { latency_ns: 60, overhead_ns: 60, gap_ns: 30, byte_ps: 0, copy_ps: 125, eager_bytes: 4096 }
core: { flops_per_second: 4000000000, memory_bytes_per_second: 10000000000, poll_ns: 10 }
";

fn parse(text: &str) -> wb_config::Result<MachineSettings> {
    MachineSettings::parse(Path::new("m.yaml"), text)
}

#[track_caller]
fn assert_error(from: &str, to: &str, message: &str) {
    assert_eq!(MACHINE.matches(from).count(), 1, "`{from}` must be unique");
    let error = parse(&MACHINE.replace(from, to)).expect_err("it must be refused").to_string();
    assert_eq!(error.lines().next(), Some(message), "{error}");
}

#[test]
fn a_machine_is_read_and_written_and_read_again() {
    let machine = parse(MACHINE).expect("it is correct");
    assert_eq!((machine.cores(), machine.links.core.eager_bytes, machine.noise), (Some(2), 4096, None));
    let calibration = CalibrationSettings {
        date: Date::constant(2027, 3, 14),
        library: "Open MPI 4.1.4".into(),
        points: 17,
        median_residual: 0.03,
        largest_residual: 0.25,
    };
    let fitted = MachineSettings { calibration: Some(calibration), ..machine };
    assert_eq!(parse(&fitted.to_yaml()).expect("what was written"), fitted);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    assert_error(
        "latency_ns: 60",
        "latency_us: 60",
        "m.yaml:5:11: links.core: unknown field `latency_us`, expected one of `latency_ns`, `overhead_ns`, `gap_ns`, \
         `byte_ps`, `copy_ps`, `eager_bytes`, `pieces`",
    );
    assert_error(
        "gap_ns: 30",
        "gap_ns: 0.5",
        "m.yaml:5:52: links.core.gap_ns: invalid type: floating point `0.5`, expected a whole number from 0 to \
         3600000000000",
    );
    assert_error(
        "cores_per_group: 2",
        "cores_per_group: 0",
        "m.yaml:2:18: cores_per_group: invalid value: integer `0`, expected a whole number from 1 to 65536",
    );
    assert_error(
        "groups_per_node: 1",
        "groups_per_node: 2",
        "m.yaml:5:3: links: 2 groups a node, expected a link `node` between them",
    );
    assert_error(
        "cores_per_group: 2",
        "storage: { latency_ns: 5, bytes_per_second: 0 }\ncores_per_group: 2",
        "m.yaml:2:45: storage.bytes_per_second: invalid value: integer `0`, expected a whole number from 1 to \
         1000000000000000000",
    );
    assert_error(", poll_ns: 10", "", "m.yaml:6:7: core: missing field `poll_ns`");
}

const PIECES: &str = "
    pieces:
      - { from_bytes: 512, overhead_ns: 90, copy_ps: 0, serial_ns: 40, byte_ps: 100 }
      - { from_bytes: 4097, overhead_ns: 60, copy_ps: 0, serial_ns: 900, byte_ps: 50 }
";

/// The machine with links that have pieces, below each other.
fn in_pieces() -> String {
    let link = "core: { latency_ns: 60, overhead_ns: 60, gap_ns: 30, byte_ps: 0, copy_ps: 125, eager_bytes: 4096 }\n";
    assert_eq!(MACHINE.matches(link).count(), 1);
    let lines = link.trim().trim_start_matches("core: { ").trim_end_matches(" }").replace(", ", "\n    ");
    MACHINE.replace(link, &format!("core:\n    {lines}{PIECES}"))
}

#[test]
fn pieces_are_read_and_written_and_read_again() {
    let machine = parse(&in_pieces()).expect("it is correct");
    let from: Vec<_> = machine.links.core.pieces.iter().map(|piece| piece.from_bytes).collect();
    assert_eq!(from, [512, 4097]);
    assert_eq!(parse(&machine.to_yaml()).expect("what was written"), machine);
    assert!(!parse(MACHINE).expect("it is correct").to_yaml().contains("pieces"));
}

#[test]
fn pieces_are_as_strict_as_the_rest() {
    let message = |from: &str, to: &str| {
        let text = in_pieces();
        assert_eq!(text.matches(from).count(), 1, "`{from}` must be unique");
        let error = parse(&text.replace(from, to)).expect_err("it must be refused").to_string();
        error.lines().next().expect("a line").to_owned()
    };
    assert_eq!(
        message("from_bytes: 4097", "from_bytes: 512"),
        "m.yaml:14:9: links.core.pieces[1]: from_bytes 512 after 512, expected a larger one: pieces rise"
    );
    assert_eq!(
        message("from_bytes: 512", "from_bytes: 0"),
        "m.yaml:13:23: links.core.pieces[0].from_bytes: invalid value: integer `0`, expected a whole number from 1 to \
         1099511627776"
    );
    assert_eq!(
        message("overhead_ns: 90, ", ""),
        "m.yaml:13:9: links.core.pieces[0]: missing field `overhead_ns`"
    );
}

/// Two nodes of the machine, which share a card each.
fn sharing(cards: &str) -> String {
    let link = "eager_bytes: 4096 }\n";
    assert_eq!(MACHINE.matches(link).count(), 1);
    let network = "network: { latency_ns: 1000, overhead_ns: 200, gap_ns: 40, byte_ps: 40, copy_ps: 0, eager_bytes: 8192 }";
    MACHINE.replace(link, &format!("{link}  {network}\ncards: {cards}\n"))
}

#[test]
fn cards_are_read_and_written_and_read_again() {
    let machine = parse(&sharing("{ per_node: 1, gap_ns: 5 }")).expect("it is correct");
    assert_eq!(machine.cards.map(|cards| (cards.per_node, cards.gap_ns)), Some((1, 5)));
    assert_eq!(parse(&machine.to_yaml()).expect("what was written"), machine);
    assert!(!parse(MACHINE).expect("it is correct").to_yaml().contains("cards"));
}

#[test]
fn cards_that_no_node_can_have_are_refused() {
    let message = |text: &str| {
        let error = parse(text).expect_err("it must be refused").to_string();
        error.lines().next().expect("a line").to_owned()
    };
    let cards = "{ per_node: 1, gap_ns: 5 }";
    assert_eq!(
        message(&sharing("{ per_node: 3, gap_ns: 5 }")),
        "m.yaml:7:8: cards: 3 cards on a node of 2 cores, expected as many at most"
    );
    assert_eq!(
        message(&sharing(cards).replace("overhead_ns: 200", "overhead_ns: 0")),
        "m.yaml:7:8: cards: ranks that share a card need a link `network` of latency_ns and overhead_ns from 1"
    );
    let piece = "pieces: [{ from_bytes: 512, overhead_ns: 0, copy_ps: 0, serial_ns: 1, byte_ps: 1 }] }";
    assert_eq!(
        message(&sharing(cards).replace("eager_bytes: 8192 }", &format!("eager_bytes: 8192, {piece}"))),
        "m.yaml:7:8: cards: ranks that share a card need a link `network` of latency_ns and overhead_ns from 1"
    );
    assert_eq!(
        message(&MACHINE.replace("links:", &format!("cards: {cards}\nlinks:"))),
        "m.yaml:4:8: cards: cards without a link `network` that they belong to"
    );
    assert!(
        message(&sharing("{ per_node: 0, gap_ns: 5 }")).contains("expected a whole number from 1 to 65536")
    );
}
