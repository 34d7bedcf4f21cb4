//! The files of a new task, in both languages.

use wb_messages::Lang;

/// A template in both languages.
pub(super) struct Template {
    pub(super) english: &'static str,
    pub(super) russian: &'static str,
}

impl Template {
    pub(super) fn text(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.english,
            Lang::Ru => self.russian,
        }
    }
}

/// A file of the folder `templates`, which has the same name in `templates/ru`.
macro_rules! template {
    ($file:literal) => {
        Template {
            english: include_str!(concat!("../../templates/", $file, ".template")),
            russian: include_str!(concat!("../../templates/ru/", $file, ".template")),
        }
    };
}

/// The manifest has no comments, so it is the same in both languages.
const MANIFEST: Template = Template {
    english: include_str!("../../templates/Cargo.toml.template"),
    russian: include_str!("../../templates/Cargo.toml.template"),
};

/// The settings, which determine whether a name is valid before any file is written.
pub(super) const SETTINGS: &str = "task.yaml";

/// The files of a new task and their templates.
pub(super) const FILES: [(&str, Template); 8] = [
    ("Cargo.toml", MANIFEST),
    (SETTINGS, template!("task.yaml")),
    ("src/lib.rs", template!("lib.rs")),
    ("src/problem.rs", template!("problem.rs")),
    ("src/seq.rs", template!("seq.rs")),
    ("src/mpi.rs", template!("mpi.rs")),
    ("tests/functional.rs", template!("functional.rs")),
    ("benches/performance.rs", template!("performance.rs")),
];

/// What a communication assignment still has to write for its measurement.
pub(super) const VERB: Template = Template {
    english: "
// Your verb is judged beside the library's own call: implement `workbench::Communication` for `Mpi`, as
// `tasks/nalitov_d_broadcast/src/mpi.rs` does.",
    russian: "
// Вашу операцию сравнивают с вызовом библиотеки: реализуйте `workbench::Communication` для `Mpi`, как в
// `tasks/nalitov_d_broadcast/src/mpi.rs`.",
};

/// The test of a computation: each version by itself, since each has points of its own.
pub(super) const ANSWERS: &str =
    "    functional(Seq).ranks([1]).check(|_ranks| vec![Input { data: data.clone() }]);
    functional(Mpi).against(Seq).ranks(1..=5).check(|_ranks| vec![Input { data: data.clone() }]);
";

/// The test of an assignment that allows send and receive only.
pub(super) const EXCHANGES: Template = Template {
    english: "    functional(Seq).ranks([1]).check(|_ranks| vec![Input { data: data.clone() }]);
    // The exchange is the assignment: a collective call fails the test, wherever it stands. Where the number of messages is
    // given, add `.messages(|input, ranks| ...)`: more or fewer point-to-point messages fail it, too.
    functional(Mpi)
        .against(Seq)
        .ranks(1..=5)
        .point_to_point_only()
        .check(|_ranks| vec![Input { data: data.clone() }]);
",
    russian: "    functional(Seq).ranks([1]).check(|_ranks| vec![Input { data: data.clone() }]);
    // Сам обмен и есть задание: коллективный вызов где бы то ни было — ошибка. Если число сообщений задано, добавьте
    // `.messages(|input, ranks| ...)`: тогда больше или меньше парных сообщений — тоже ошибка.
    functional(Mpi)
        .against(Seq)
        .ranks(1..=5)
        .point_to_point_only()
        .check(|_ranks| vec![Input { data: data.clone() }]);
",
};

/// The test of an assignment on a topology: `dup`, a collective verb, gives it a communicator of its own.
pub(super) const ROUTES: Template = Template {
    english: "    functional(Seq).ranks([1]).check(|_ranks| vec![Input { data: data.clone() }]);
    // The routes are the assignment: data go from neighbour to neighbour of a topology that you compute. `dup` and `split` make
    // its communicator; `cart_create` and the graph communicators are forbidden (`cargo wb rules`). Where the number of
    // messages is given, add `.messages(|input, ranks| ...)`: more or fewer point-to-point messages fail the test.
    functional(Mpi).against(Seq).ranks(1..=5).check(|_ranks| vec![Input { data: data.clone() }]);
",
    russian: "    functional(Seq).ranks([1]).check(|_ranks| vec![Input { data: data.clone() }]);
    // Маршруты и есть задание: данные идут от соседа к соседу по топологии, которую вычисляет программа. Коммуникатор для неё
    // создают `dup` и `split`; `cart_create` и коммуникаторы графов запрещены (`cargo wb rules`). Если число сообщений
    // задано, добавьте `.messages(|input, ranks| ...)`: больше или меньше парных сообщений — ошибка.
    functional(Mpi).against(Seq).ranks(1..=5).check(|_ranks| vec![Input { data: data.clone() }]);
",
};
