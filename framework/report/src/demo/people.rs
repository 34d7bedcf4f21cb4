//! Invented students: names in two scripts, logins, groups of 25 and streams of three groups.

use std::fmt::Write;

use crate::demo::random::DemoRandom;

/// Students of a group.
const GROUP_SIZE: usize = 25;

const STREAM_GROUPS: usize = 3;

/// Surnames: in Latin letters for the login, and as the roster writes them.
const SURNAMES: [(&str, &str); 46] = [
    ("abramov", "Абрамов"),
    ("belyaev", "Беляев"),
    ("vorontsov", "Воронцов"),
    ("gromov", "Громов"),
    ("dorofeev", "Дорофеев"),
    ("efimov", "Ефимов"),
    ("zhuravlev", "Журавлёв"),
    ("zakharov", "Захаров"),
    ("ilin", "Ильин"),
    ("krylov", "Крылов"),
    ("lapshin", "Лапшин"),
    ("medvedev", "Медведев"),
    ("nikitin", "Никитин"),
    ("osipov", "Осипов"),
    ("panov", "Панов"),
    ("rodionov", "Родионов"),
    ("savin", "Савин"),
    ("tarasov", "Тарасов"),
    ("ustinov", "Устинов"),
    ("fomin", "Фомин"),
    ("kharitonov", "Харитонов"),
    ("tsvetkov", "Цветков"),
    ("chernov", "Чернов"),
    ("shubin", "Шубин"),
    ("shcheglov", "Щеглов"),
    ("eskin", "Эскин"),
    ("yudin", "Юдин"),
    ("yakovlev", "Яковлев"),
    ("adams", "Adams"),
    ("baker", "Baker"),
    ("carter", "Carter"),
    ("dixon", "Dixon"),
    ("evans", "Evans"),
    ("foster", "Foster"),
    ("grant", "Grant"),
    ("hughes", "Hughes"),
    ("irving", "Irving"),
    ("jensen", "Jensen"),
    ("keller", "Keller"),
    ("larsen", "Larsen"),
    ("moreau", "Moreau"),
    ("novak", "Novák"),
    ("olsen", "Olsen"),
    ("petit", "Petit"),
    ("quinn", "Quinn"),
    ("rossi", "Rossi"),
];

/// Initials: of the login, and as the roster writes them, in Cyrillic and in Latin letters.
const INITIALS: [(&str, &str, &str); 22] = [
    ("a", "А.", "A."),
    ("b", "Б.", "B."),
    ("v", "В.", "V."),
    ("g", "Г.", "G."),
    ("d", "Д.", "D."),
    ("e", "Е.", "E."),
    ("z", "З.", "Z."),
    ("i", "И.", "I."),
    ("k", "К.", "K."),
    ("l", "Л.", "L."),
    ("m", "М.", "M."),
    ("n", "Н.", "N."),
    ("o", "О.", "O."),
    ("p", "П.", "P."),
    ("r", "Р.", "R."),
    ("s", "С.", "S."),
    ("t", "Т.", "T."),
    ("u", "У.", "U."),
    ("f", "Ф.", "F."),
    ("h", "Х.", "H."),
    ("c", "Ц.", "C."),
    ("y", "Ю.", "Y."),
];

/// A surname: in Latin letters, and as the roster writes it.
type Surname = (&'static str, &'static str);

/// An initial: of the login, in Cyrillic and in Latin letters.
type Initial = (&'static str, &'static str, &'static str);

/// An invented student.
pub(crate) struct DemoStudent {
    pub(crate) login: String,
    pub(crate) name: String,
    pub(crate) group: String,
    pub(crate) stream: String,
}

/// The students, by group; no two have the same login.
pub(crate) fn students(count: usize, seed: u64) -> Vec<DemoStudent> {
    let initials = |surname: usize| INITIALS.iter().map(move |initial| (SURNAMES[surname], *initial));
    let mut people: Vec<_> = (0..SURNAMES.len()).flat_map(initials).collect();
    DemoRandom::new(seed, "students").shuffle(&mut people);
    people.truncate(count);
    let student =
        |(index, ((latin, surname), (letter, cyrillic, latin_initial))): (usize, (Surname, Initial))| {
            let initial = if surname.is_ascii() || surname == "Novák" { latin_initial } else { cyrillic };
            let group = index / GROUP_SIZE;
            DemoStudent {
                login: format!("{latin}_{letter}"),
                name: format!("{surname} {initial}"),
                group: format!("DEMO-{:02}", group + 1),
                stream: format!("Demo {}", group / STREAM_GROUPS + 1),
            }
        };
    people.into_iter().enumerate().map(student).collect()
}

/// `roster.csv`.
pub(crate) fn roster(students: &[DemoStudent]) -> String {
    let mut text = "login,name,group\n".to_owned();
    for student in students {
        let _ = writeln!(text, "{},{},{}", student.login, student.name, student.group);
    }
    text
}

/// The streams of `course.yaml`.
pub(crate) fn streams(students: &[DemoStudent]) -> String {
    let mut streams: Vec<(&str, Vec<&str>)> = vec![];
    for student in students {
        if streams.last().is_none_or(|(stream, _)| *stream != student.stream) {
            streams.push((&student.stream, vec![]));
        }
        let groups = &mut streams.last_mut().expect("pushed above").1;
        if groups.last() != Some(&student.group.as_str()) {
            groups.push(&student.group);
        }
    }
    let mut text = "streams:\n".to_owned();
    for (stream, groups) in streams {
        let _ = writeln!(text, "  - {{ name: {stream}, groups: [{}] }}", groups.join(", "));
    }
    text
}
