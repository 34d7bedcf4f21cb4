//! What the commands print in Russian has decimal commas; what they print for programs has points.

use crate::run_wb::run_text;
use wb_messages::number::decimal_points;

/// Commands that print numbers, and how they end.
const COMMANDS: [(&str, &[&str]); 12] = [
    ("machines", &[]),
    ("barriers", &["list"]),
    ("barriers", &["prove", "dissemination", "--max", "8"]),
    ("barriers", &["plan", "dissemination", "-n", "8"]),
    ("barriers", &["simulate", "-n", "2,8"]),
    ("barriers", &["simulate", "dissemination", "-n", "8", "--path", "--late", "1", "--by", "1500"]),
    ("barriers", &["simulate", "--machine", "node-64", "-n", "8", "--noise", "7"]),
    ("broadcasts", &["list"]),
    ("broadcasts", &["prove", "--max", "4"]),
    ("broadcasts", &["simulate", "-n", "2,8"]),
    ("doctor", &[]),
    ("explain", &[]),
];

fn printed(family: &str, arguments: &[&str], lang: &str) -> String {
    let output = crate::run_wb::wb(family, &[arguments, &["--lang", lang]].concat());
    [output.stdout, output.stderr].map(|stream| String::from_utf8_lossy(&stream).into_owned()).concat()
}

/// A catalogue without the sections of our list of sources, as in `(2.8, 6)`.
fn without_sections(catalogue: &str) -> String {
    let is_section = |text: &str| text.chars().all(|c| c.is_ascii_digit() || "., ".contains(c));
    let parts = catalogue.split('(').map(|part| match part.split_once(')') {
        Some((inside, rest)) if is_section(inside) => rest,
        _ => part,
    });
    parts.collect::<Vec<_>>().join("(")
}

#[test]
fn no_command_prints_a_decimal_point_in_russian() {
    for (family, arguments) in COMMANDS {
        let message = printed(family, arguments, "ru");
        assert!(message.len() > 100, "{family} {arguments:?}: {message}");
        let message = if arguments == ["list"] { without_sections(&message) } else { message };
        assert_eq!(decimal_points(&message), Vec::<String>::new(), "{family} {arguments:?}\n{message}");
    }
}

#[test]
fn no_page_of_a_code_has_a_decimal_point_in_russian() {
    for &code in wb_comm::Code::ALL {
        let message = run_text("explain", &[&code.to_string(), "--lang", "ru"], 0);
        // The program and its picture are indented.
        let prose: Vec<&str> = message.lines().filter(|line| !line.starts_with("    ")).collect();
        assert!(prose.len() > 5, "{message}");
        assert_eq!(decimal_points(&prose.join("\n")), Vec::<String>::new(), "{message}");
    }
}

#[test]
fn canary_commands_print_points_in_english_and_for_programs() {
    let with_points = |lang| {
        let has_points = |(family, arguments): &&(&str, &[&str])| {
            !decimal_points(&printed(family, arguments, lang)).is_empty()
        };
        COMMANDS.iter().filter(has_points).count()
    };
    assert!(with_points("en") >= 6);
    let json = run_text("barriers", &["simulate", "dissemination", "-n", "8", "--json", "--lang", "ru"], 0);
    let read: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(read.is_object() && !json.contains("мкс"), "{json}");
}
