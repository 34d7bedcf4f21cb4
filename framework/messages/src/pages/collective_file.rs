//! WB0036: ranks open different files together.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("ranks open different files together", "процессы открывают вместе разные файлы"),
    what: Text::new(
        "All ranks of a communicator open a file together. They name one path and one mode. A file of one rank alone is opened on a communicator of that rank.",
        "Файл открывают вместе все процессы коммуникатора. Путь и режим у всех одинаковы. Файл одного процесса открывают на коммуникаторе из этого процесса.",
    ),
    picture: Text::new(
        r#"rank 0   file_open "part_0"
rank 1   file_open "part_1""#,
        r#"ранг 0   file_open "part_0"
ранг 1   file_open "part_1""#,
    ),
    wrong: r#"let path = format!("zoo_of_rank_{}", world.rank());
let mode = FileMode::write_only().create().delete_on_close();
let file = world.file_open(&path, mode)?;
file.close()"#,
    right: r#"let path = format!("zoo_of_{}_ranks", world.size());
let mode = FileMode::write_only().create().delete_on_close();
let file = world.file_open(&path, mode)?;
file.close()"#,
    hint: Text::new(
        "The arguments on both lines. One file for all ranks needs no rank in its path: each rank writes its part at its own offset or through its own view.",
        "Аргументы в обеих строках. Общему файлу ранг в пути не нужен: каждый процесс пишет свою часть по своему смещению или через своё представление файла.",
    ),
};
