//! WB0041: a message has elements of another type than the receive.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a message has elements of another type than the receive",
        "тип элементов сообщения не совпадает с типом приёма",
    ),
    what: Text::new(
        "The element types of sender and receiver differ, or the bytes are not a whole number of elements. MPI compares sizes only, so an i64 would be read as an f64 without an error; here the receive returns an error. Of structs the numbers of the fields are compared, and the first one that differs is named.",
        "Типы элементов у отправителя и получателя разные, либо число байтов не кратно размеру элемента. MPI сравнивает только размеры, и i64 был бы прочитан как f64 без сообщения об ошибке; здесь приём возвращает ошибку. У структур сравниваются числа полей, и называется первое различие.",
    ),
    picture: Text::untranslated(r#"send [ 1.0 : f64 ]  ---->  [ ? : i64 ] recv"#),
    wrong: r#"if world.rank() == 0 {
    return world.send(&[1.0], 1, 0);
}
let mut number = [0_i64];
world.recv(&mut number, 0, 0)?;
Ok(())"#,
    right: r#"if world.rank() == 0 {
    return world.send(&[1.0], 1, 0);
}
let mut number = [0.0];
world.recv(&mut number, 0, 0)?;
Ok(())"#,
    hint: Text::new(
        "The types of both buffers. Give literals a suffix (`0_i64`, `0.0_f32`), and use one type alias on both sides.",
        "Типы обоих буферов. Указывайте суффикс литералов (`0_i64`, `0.0_f32`) и используйте один псевдоним типа с обеих сторон.",
    ),
};
