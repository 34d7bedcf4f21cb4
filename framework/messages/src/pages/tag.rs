//! WB0043: a tag that is not allowed.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a tag that is not allowed", "недопустимый тег"),
    what: Text::new(
        "Tags are integers from 0 to 32767: the library has a limit (MPI_TAG_UB), and MPI promises no larger one. Negative tags are reserved for the library.",
        "Теги — целые числа от 0 до 32767: у библиотеки есть предел (MPI_TAG_UB), и большего MPI не обещает. Отрицательные теги зарезервированы библиотекой.",
    ),
    picture: Text::new(
        r#"... -2  -1 | 0  1  2  ...  MPI_TAG_UB |
  library  |         yours            |"#,
        r#"... -2  -1 | 0  1  2  ...  MPI_TAG_UB |
библиотека |         ваши             |"#,
    ),
    wrong: r#"if world.rank() == 0 {
    world.send(&[1], 1, -1)?;
}
Ok(())"#,
    right: r#"if world.rank() == 0 {
    return world.send(&[1], 1, 7);
}
world.recv(&mut [0], 0, 7)?;
Ok(())"#,
    hint: Text::new(
        "How the tag is computed. A tag names the kind of a message; send an index or a size inside the message.",
        "Как вычисляется тег. Тег обозначает вид сообщения; индекс или размер передавайте внутри сообщения.",
    ),
};
