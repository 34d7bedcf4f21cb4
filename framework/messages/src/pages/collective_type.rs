//! WB0033: ranks give elements of different types.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("ranks give elements of different types", "процессы передают элементы разных типов"),
    what: Text::new(
        "All ranks of a collective operation must use the same element type. MPI moves bytes and does not compare types: an integer is read as a floating-point number, and the result is meaningless.",
        "Тип элементов в коллективной операции должен быть одним на всех процессах. MPI передаёт байты и не сравнивает типы: целое число читается как вещественное, и результат не имеет смысла.",
    ),
    picture: Text::new(
        r#"rank 0   bcast [ 7 : i64 ]
rank 1   bcast [ ? : f64 ]"#,
        r#"ранг 0   bcast [ 7 : i64 ]
ранг 1   bcast [ ? : f64 ]"#,
    ),
    wrong: r#"if world.rank() == 0 {
    return world.bcast(&mut [7_i64], 0);
}
world.bcast(&mut [0.0_f64], 0)"#,
    right: r#"let mut number = [world.rank() as f64];
world.bcast(&mut number, 0)"#,
    hint: Text::new(
        "The types of both buffers; a literal without a suffix is `i32` or `f64` unless its type is determined elsewhere.",
        "Типы обоих буферов; литерал без суффикса имеет тип `i32` или `f64`, если тип не задан в другом месте.",
    ),
};
