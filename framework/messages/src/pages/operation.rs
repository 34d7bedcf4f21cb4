//! WB0045: a reduction that is not defined for the type.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a reduction that is not defined for the type",
        "операция редукции не определена для типа",
    ),
    what: Text::new(
        "Bitwise operations are defined for integers only, and no reduction is defined for 128-bit integers (MPI_ERR_OP).",
        "Побитовые операции определены только для целых чисел, а для 128-битных целых чисел не определена ни одна редукция (MPI_ERR_OP).",
    ),
    picture: Text::new(
        r#"1.5 : f64  (bits and)  2.5 : f64  =  ?"#,
        r#"1.5 : f64  (битовое И)  2.5 : f64  =  ?"#,
    ),
    wrong: r#"let mut all = [0.0];
world.allreduce(&[1.5], &mut all, Operation::BitAnd)"#,
    right: r#"let mut all = [0.0];
world.allreduce(&[1.5], &mut all, Operation::Max)"#,
    hint: Text::new(
        "Sum, Prod, Min and Max are defined for integers and floating-point numbers; for bits use an unsigned type.",
        "Sum, Prod, Min и Max определены для целых и вещественных чисел; для битов используйте беззнаковый тип.",
    ),
};
