//! `cargo wb new`: one folder that compiles, and whose tests say what to write next.

use std::{fs, path::Path};

use wb_config::VARIANTS;
use wb_messages::{Lang, assignment, cli as text};

use crate::{
    Done, arguments,
    error::{CliError, Result},
    workspace::Workspace,
};

/// The files of a new task and their templates.
const FILES: [(&str, &str); 8] = [
    ("Cargo.toml", include_str!("../templates/Cargo.toml.template")),
    ("task.yaml", include_str!("../templates/task.yaml.template")),
    ("src/lib.rs", include_str!("../templates/lib.rs.template")),
    ("src/problem.rs", include_str!("../templates/problem.rs.template")),
    ("src/seq.rs", include_str!("../templates/seq.rs.template")),
    ("src/mpi.rs", include_str!("../templates/mpi.rs.template")),
    ("tests/functional.rs", include_str!("../templates/functional.rs.template")),
    ("benches/performance.rs", include_str!("../templates/performance.rs.template")),
];

/// What a communication assignment still has to write for its measurement.
const VERB: &str = "
// It is judged beside the library's own call: implement `workbench::Communication` for your verb, as
// `tasks/nalitov_d_broadcast/src/broadcast.rs` does, and name it here: `performance!(Seq, Mpi, communication = Verb)`.";

pub(crate) fn run(wanted: &arguments::New, lang: Lang) -> Result<Done> {
    check(wanted, lang).map_err(CliError::Usage)?;
    let workspace = Workspace::find()?;
    let folder = workspace.root().join("tasks").join(&wanted.name);
    if folder.exists() {
        return Err(CliError::Usage(text::exists(lang, folder.display())));
    }
    for (path, template) in FILES {
        write(&folder.join(path), &fill(template, wanted))?;
    }
    let title = assignment::title(lang, wanted.number, wanted.variant).unwrap_or_default();
    println!("{}", text::new_made(lang, folder.display()));
    println!("{}", text::new_title(lang, wanted.number, wanted.variant, title));
    println!("{}", text::new_next(lang, &wanted.name));
    Ok(Done::Well)
}

/// What is wrong with the wish, if anything.
fn check(wanted: &arguments::New, lang: Lang) -> std::result::Result<(), String> {
    if !is_task_name(&wanted.name) {
        return Err(text::bad_name(lang, &wanted.name));
    }
    let last = VARIANTS[usize::from(wanted.number) - 1];
    if !(1..=last).contains(&wanted.variant) {
        return Err(text::bad_variant(lang, wanted.number, last, wanted.variant));
    }
    for (option, value) in [("student", &wanted.student), ("group", &wanted.group)] {
        if value.trim().is_empty() {
            return Err(text::bad_text(lang, option));
        }
        // The value goes between double quotes into YAML.
        if value.contains(['"', '\\']) || value.contains(char::is_control) {
            return Err(text::bad_quote(lang, option));
        }
    }
    Ok(())
}

/// `surname_i_task`: a surname, one or more initials of one letter, and a word or more for the task.
fn is_task_name(name: &str) -> bool {
    let mut parts = name.split('_');
    let word = |part: &str| {
        let tail = part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        tail && part.starts_with(|c: char| c.is_ascii_lowercase())
    };
    let surname = parts.next().is_some_and(|part| word(part) && part.len() >= 2);
    let initial = parts.next().is_some_and(|part| part.len() == 1 && word(part));
    let rest: Vec<&str> = parts.collect();
    let task = !rest.is_empty() && rest.iter().all(|part| !part.is_empty()) && word(rest[0]);
    let clean = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    surname && initial && task && clean && name.len() <= 64
}

fn fill(template: &str, wanted: &arguments::New) -> String {
    let title = |lang| assignment::title(lang, wanted.number, wanted.variant).unwrap_or_default();
    let is_communication = wanted.number == 2 && wanted.variant <= 10;
    let kind = if is_communication { "communication" } else { "computation" };
    let verb = if is_communication { VERB } else { "" };
    [
        ("{{name}}", wanted.name.as_str()),
        ("{{student}}", wanted.student.trim()),
        ("{{group}}", wanted.group.trim()),
        ("{{number}}", &wanted.number.to_string()),
        ("{{variant}}", &wanted.variant.to_string()),
        ("{{title_en}}", title(Lang::En)),
        ("{{title_ru}}", title(Lang::Ru)),
        ("{{kind}}", kind),
        ("{{verb}}", verb),
    ]
    .iter()
    .fold(template.to_owned(), |text, (place, value)| text.replace(place, value))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    }
    fs::write(path, text).map_err(CliError::system("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(number: u8, variant: u8) -> arguments::New {
        let [name, student, group] = ["ivanov_i_scatter", "Ivan Ivanov", "3823B1PR1"].map(String::from);
        arguments::New { name, student, group, number, variant }
    }

    #[test]
    fn names_of_tasks() {
        for name in ["ivanov_i_scatter", "nalitov_d_broadcast", "li_k_radix_sort_2"] {
            assert!(is_task_name(name), "{name}");
        }
        for name in [
            "ivanov",
            "ivanov_i",
            "ivanov_i_",
            "Ivanov_i_x",
            "i_i_x",
            "ivanov_iv_x",
            "ivanov_i_../x",
            "1a_b_c",
            "",
        ] {
            assert!(!is_task_name(name), "{name}");
        }
    }

    #[test]
    fn the_table_of_titles_and_the_settings_agree_on_the_variants() {
        let counted: Vec<usize> = (1..=3).map(assignment::variants).collect();
        assert_eq!(counted, VARIANTS.map(usize::from));
    }

    #[test]
    fn the_settings_of_every_new_task_are_accepted() {
        for (at, last) in VARIANTS.into_iter().enumerate() {
            for variant in 1..=last {
                let text = fill(FILES[1].1, &wish(at as u8 + 1, variant));
                let read = wb_config::TaskSettings::parse(Path::new("task.yaml"), &text);
                read.unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }

    #[test]
    fn no_template_keeps_a_place_unfilled() {
        for (path, template) in FILES {
            assert!(!fill(template, &wish(2, 4)).contains("{{"), "{path}");
        }
    }

    #[test]
    fn a_wish_that_cannot_be_granted_is_told() {
        assert!(check(&wish(2, 23), Lang::En).is_ok());
        let told = check(&wish(2, 24), Lang::En).expect_err("task 2 has 23 variants");
        assert_eq!(told, "task 2 has no variant 24, only 1 to 23");
    }
}
