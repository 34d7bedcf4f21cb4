//! WB0014: a file that was not closed.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a file that was not closed", "файл, который не был закрыт"),
    what: Text::new(
        "Closing a file is a collective call, so dropping the value cannot do it: the drop of one rank would wait for the others. The file stays open until the job ends, and what was written need not be in it before.",
        "Закрытие файла — коллективный вызов, поэтому drop не может его выполнить: drop на одном процессе ждал бы остальных. Файл остаётся открытым до конца задания, и записанное может не попасть в него раньше.",
    ),
    picture: Text::new(
        r#"rank 0   file_open --- write_at --- end        (no close)
rank 1   file_open --- write_at --- end        (no close)"#,
        r#"ранг 0   file_open --- write_at --- конец        (нет close)
ранг 1   file_open --- write_at --- конец        (нет close)"#,
    ),
    wrong: r#"let mode = FileMode::write_only().create().delete_on_close();
let file = world.file_open("zoo_left_open", mode)?;
file.write_at(world.rank(), &[1_u8])"#,
    right: r#"let mode = FileMode::write_only().create().delete_on_close();
let file = world.file_open("zoo_closed", mode)?;
file.write_at(world.rank(), &[1_u8])?;
file.close()"#,
    hint: Text::new(
        "The line that opened the file. Call `file.close()` on all ranks, also before an early return.",
        "Строка, где файл открыт. Вызовите `file.close()` на всех процессах, в том числе перед ранним return.",
    ),
};
