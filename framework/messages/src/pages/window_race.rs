//! WB0022: unordered conflicting accesses to one element of a window.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "unordered conflicting accesses to one element of a window",
        "неупорядоченные обращения двух процессов к одному элементу окна",
    ),
    what: Text::new(
        "One of the two accesses changes the element of a window, and no message, collective operation, epoch or exclusive lock orders the two calls. So either may be first, and a read may see any value.",
        "Одно из двух обращений изменяет элемент окна, и ни сообщение, ни коллективная операция, ни эпоха, ни исключительная блокировка не упорядочивают эти вызовы. Первым может быть любой из них, и чтение может увидеть любое значение.",
    ),
    picture: Text::new(
        r#"rank 0   lock -- put x -- unlock
rank 1        read x ?                 (no arrow between them)"#,
        r#"ранг 0   lock -- put x -- unlock
ранг 1        чтение x ?               (между ними нет стрелки)"#,
    ),
    wrong: r#"let window = world.window::<i64>(1)?;
if world.rank() == 0 {
    let lock = window.lock(LockKind::Exclusive, 1)?;
    lock.put(&[1], 0)?;
    lock.unlock()?;
} else {
    window.read_all()?;
}
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
if world.rank() == 0 {
    let lock = window.lock(LockKind::Exclusive, 1)?;
    lock.put(&[1], 0)?;
    lock.unlock()?;
}
world.barrier()?;
if world.rank() == 1 {
    let lock = window.lock(LockKind::Exclusive, 1)?;
    assert_eq!(window.read_all()?, [1]);
    lock.unlock()?;
}
window.free()"#,
    hint: Text::new(
        "Both lines. Put a synchronisation between them that makes the second rank wait for the first: a barrier, a message, post and wait; or take an exclusive lock on both sides. Shared locks do not exclude each other.",
        "Обе строки. Поставьте между ними синхронизацию, при которой второй процесс ждёт первого: барьер, сообщение, post и wait; либо возьмите исключительную блокировку с обеих сторон. Разделяемые блокировки друг друга не исключают.",
    ),
};
