//! WB0053: a read or a write that the file does not allow.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a read or a write that the mode or the view of a file does not allow",
        "обращение, которого режим или представление файла не допускает",
    ),
    what: Text::new(
        "A file that is opened to read is written, or the other way round; the elements of the call have another type than those of the view; the view has no elements, or its layout names positions that do not rise; or the offset is beyond 2^63 - 1 bytes. A view of bytes, which a file has when it is opened, fits elements of every type; offsets then count bytes.",
        "Файл, открытый для чтения, записывают, или наоборот; элементы вызова не того типа, что у представления файла; представление не содержит элементов, или позиции его раскладки не возрастают; либо смещение больше 2^63 - 1 байт. Представление из байтов, которое файл имеет сразу после открытия, подходит для элементов любого типа; смещения тогда считаются в байтах.",
    ),
    picture: Text::new(
        r#"file_open, write_only --- write_at_all --- read_at_all ?"#,
        r#"file_open, write_only --- write_at_all --- read_at_all ?"#,
    ),
    wrong: r#"let mode = FileMode::write_only().create().delete_on_close();
let file = world.file_open("zoo_write_only", mode)?;
file.write_at_all(world.rank(), &[1_u8])?;
file.read_at_all(world.rank(), &mut [0_u8])?;
file.close()"#,
    right: r#"let mode = FileMode::read_write().create().delete_on_close();
let file = world.file_open("zoo_read_write", mode)?;
file.write_at_all(world.rank(), &[1_u8])?;
file.read_at_all(world.rank(), &mut [0_u8])?;
file.close()"#,
    hint: Text::new(
        "The mode in the message and the `file_open` of the file; for types, the last `set_view`.",
        "Режим в сообщении и вызов `file_open` этого файла; для типов — последний вызов `set_view`.",
    ),
};
