//! WB0050: a user's reduction that is not associative.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a user's reduction that is not associative", "операция редукции не ассоциативна"),
    what: Text::new(
        "The library combines the ranks in an order of its own: f(f(a, b), c) or f(a, f(b, c)). So a reduction must be associative. One that is not has another result for another number of ranks, message size or library.",
        "Библиотека объединяет процессы в порядке, который выбирает сама: f(f(a, b), c) или f(a, f(b, c)). Поэтому операция должна быть ассоциативной. Результат неассоциативной зависит от числа процессов, размера сообщений и библиотеки.",
    ),
    picture: Text::new(
        r#"average:  ((0 + 1) / 2 + 2) / 2 = 1.25     (0 + (1 + 2) / 2) / 2 = 0.75"#,
        r#"среднее:  ((0 + 1) / 2 + 2) / 2 = 1.25     (0 + (1 + 2) / 2) / 2 = 0.75"#,
    ),
    wrong: r#"let average = Operation::user(true, |a: f64, b: f64| (a + b) / 2.0);
let mut mean = [0.0];
world.allreduce(&[world.rank() as f64], &mut mean, average)?;
Ok(())"#,
    right: r#"let sum = Operation::user(true, |a: f64, b: f64| a + b);
let mut total = [0.0];
world.allreduce(&[world.rank() as f64], &mut total, sum)?;
assert_eq!(total[0] / world.size() as f64, 1.0);
Ok(())"#,
    hint: Text::new(
        "The function of the operation. Reduce what is associative (sums, products, extrema), and compute the rest from the result.",
        "Функция операции. Редукцией считайте то, что ассоциативно (суммы, произведения, экстремумы), а остальное вычисляйте из результата.",
    ),
};
