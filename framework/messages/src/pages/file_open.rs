//! WB0052: a file that cannot be opened in this mode.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a file that cannot be opened in this mode", "файл нельзя открыть в этом режиме"),
    what: Text::new(
        "The file does not exist and the mode does not create it, it exists and the mode is exclusive, the operating system does not permit the access, the path is that of a folder, a device or a pipe, or the mode contradicts itself: a file that is created must be writable. A task of an assignment opens the files of the assignment only, by their names and as read_only. All ranks get the error.",
        "Файла нет, а режим его не создаёт; файл есть, а режим допускает только новый; операционная система не разрешает доступ; путь указывает на каталог, устройство или канал; или режим противоречив: создаваемый файл должен быть доступен для записи. Решение задания открывает только файлы этого задания, по именам и в режиме read_only. Ошибку получают все процессы.",
    ),
    picture: Text::new(
        r#"all ranks   file_open "no_such_file", read_only"#,
        r#"все процессы   file_open "no_such_file", read_only"#,
    ),
    wrong: r#"let mode = FileMode::read_only();
let file = world.file_open("zoo_of_nobody", mode)?;
file.close()"#,
    right: r#"let mode = FileMode::write_only().create();
let file = world.file_open("zoo_of_all", mode)?;
file.close()?;
let mode = FileMode::read_only().delete_on_close();
let file = world.file_open("zoo_of_all", mode)?;
file.close()"#,
    hint: Text::new(
        "The path in the message: a relative one starts in the working folder of the job. `create` makes a file that does not exist; it needs `write_only` or `read_write`.",
        "Путь в сообщении: относительный отсчитывается от рабочего каталога задания. Режим `create` создаёт отсутствующий файл; он требует `write_only` или `read_write`.",
    ),
};
