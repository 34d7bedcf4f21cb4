//! The name of a task: `surname_i_word`.

use wb_config::{Roster, RosterStudent};

/// `surname_i_task`: a surname, one or more initials of one letter, and a word or more for the task.
pub(super) fn is_task_name(name: &str) -> bool {
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

/// The name of the task of a student of the roster: its first two parts are those of [`author`].
pub(super) fn task_name(roster: &Roster, student: &RosterStudent, word: &str) -> String {
    let (own, login) = (author(student), from_login(student));
    let is_shared = roster.students.iter().any(|other| other.login != student.login && author(other) == own);
    // The logins of two students of one surname and initial differ, and never change.
    let author = if is_shared { login } else { own };
    format!("{author}_{word}")
}

/// The login where it is already `surname_i`, else surname and first initial of the name, which begins with the surname.
fn author(student: &RosterStudent) -> String {
    let login = student.login.to_ascii_lowercase();
    if is_task_name(&format!("{login}_x")) && login.matches('_').count() == 1 {
        return login;
    }
    let mut words = student.name.split_whitespace().map(latin).filter(|word| !word.is_empty());
    match (words.next(), words.next()) {
        (Some(surname), Some(first)) if surname.len() >= 2 => format!("{surname}_{}", &first[..1]),
        _ => from_login(student),
    }
}

/// The letters and digits of the login, with its first letter as the initial.
fn from_login(student: &RosterStudent) -> String {
    let word = latin(&student.login);
    let initial = word.chars().next().unwrap_or('x');
    let surname = if word.len() < 2 { format!("{word}x") } else { word };
    format!("{surname}_{initial}")
}

/// A word in small Latin letters and digits that begins with a letter; empty when nothing of it can be written so.
fn latin(word: &str) -> String {
    let letters: String =
        deunicode::deunicode(word).chars().filter(char::is_ascii_alphanumeric).take(24).collect();
    letters.to_ascii_lowercase().trim_start_matches(|first: char| first.is_ascii_digit()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn student(login: &str, name: &str) -> RosterStudent {
        RosterStudent { login: login.into(), name: name.into(), group: "G".into(), line: 2 }
    }

    fn name(students: &[(&str, &str)]) -> String {
        let students: Vec<_> = students.iter().map(|(login, name)| student(login, name)).collect();
        let roster = Roster { students };
        let name = task_name(&roster, &roster.students[0], "ring");
        assert!(is_task_name(&name), "{name}");
        name
    }

    #[test]
    fn a_login_of_the_right_form_is_taken_as_it_is() {
        assert_eq!(name(&[("nalitov_d", "Налитов Д.")]), "nalitov_d_ring");
        assert_eq!(name(&[("Nalitov_D", "Someone Else")]), "nalitov_d_ring");
    }

    #[test]
    fn other_names_are_written_in_latin_letters() {
        for (login, full, expected) in [
            ("shch99", "Щербакова Юлия Олеговна", "shcherbakova_i_ring"),
            ("u1", "Müller Änne", "muller_a_ring"),
            ("u2", "O'Brien Bo", "obrien_b_ring"),
            ("u3", "Петров-Водкин Кузьма", "petrovvodkin_k_ring"),
            ("u4", "Cher", "u4_u_ring"),
            ("7up", "!", "up_u_ring"),
        ] {
            assert_eq!(name(&[(login, full)]), expected, "{full}");
        }
    }

    #[test]
    fn students_of_one_surname_and_initial_have_names_of_their_own() {
        let (one, other) = (("ii-2005", "Иванов Иван"), ("ilya", "Иванов Илья"));
        assert_eq!(name(&[one]), "ivanov_i_ring");
        assert_eq!(name(&[one, other]), "ii2005_i_ring");
        assert_eq!(name(&[other, one]), "ilya_i_ring");
    }
}
