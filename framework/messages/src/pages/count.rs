//! WB0044: a buffer whose length does not match the call.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a buffer whose length does not match the call", "длина буфера не соответствует вызову"),
    what: Text::new(
        "A gather or a scatter of equal blocks needs a buffer of P blocks. A call with a table of counts needs as many elements as their sum. One message has at most 2147483647 elements (MPI_ERR_COUNT).",
        "Для сбора или рассылки равных блоков нужен буфер из P блоков. Для вызова с таблицей длин нужно столько элементов, какова их сумма. В одном сообщении не больше 2147483647 элементов (MPI_ERR_COUNT).",
    ),
    picture: Text::new(
        r#"rank 0  [a] --.
rank 1  [b] ---+--->  root:  [ a | b | c ]   P blocks
rank 2  [c] --'"#,
        r#"ранг 0  [a] --.
ранг 1  [b] ---+--->  корень:  [ a | b | c ]   P блоков
ранг 2  [c] --'"#,
    ),
    wrong: r#"let mut all = vec![0; 1];
world.gather(&[world.rank()], Some(&mut all), 0)"#,
    right: r#"let mut all = vec![0; world.size()];
world.gather(&[world.rank()], Some(&mut all), 0)"#,
    hint: Text::new(
        "The error text says which buffer it is, its length and the required length.",
        "В тексте ошибки сказано, какой это буфер, какова его длина и какой она должна быть.",
    ),
};
