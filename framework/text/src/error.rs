//! The errors of a verb: the texts of `wb_comm::Error`.
use std::time::Duration;

use crate::Text;

texts! {
    rank_one(role, rank) {
        "{role} {rank} does not exist: this communicator has 1 rank(s), numbered 0..=0",
        "{role} {rank} не существует: в этом коммуникаторе процессов: 1, допустим только ранг 0",
    }
    rank(role, rank, size, last) {
        "{role} {rank} does not exist: this communicator has {size} rank(s), numbered 0..={last}",
        "{role} {rank} не существует: в этом коммуникаторе процессов: {size}, допустимы ранги от 0 до {last}",
    }
    remote_rank(role, rank, size, last) {
        "{role} {rank} does not exist: the other group has {size} rank(s), numbered 0..={last}",
        "{role} {rank} не существует: в другой группе процессов: {size}, допустимы ранги от 0 до {last}",
    }
    /// A negative number that an unsigned rank cannot hold: 0 - 1.
    wrapped(rank, below) { "{rank} (0 - {below} wraps: a rank is unsigned)", "{rank} (0 - {below} переполняется: ранг без знака)" }
    role_root() { "root", "корневой процесс" }
    role_destination() { "destination", "получатель" }
    role_source() { "source", "отправитель" }
    role_target() { "target", "целевой процесс" }
    role_neighbour() { "neighbour", "сосед" }
    role_local_leader() { "local leader", "ведущий процесс своей группы" }
    role_remote_leader() { "remote leader", "ведущий процесс другой группы" }
    role_origin() { "origin", "процесс-инициатор" }
    tag(tag, max) { "tag {tag} is not allowed: 0..={max}", "тег {tag} недопустим, разрешено от 0 до {max}" }
    count(verb, buffer, got, expected) {
        "{verb}: {buffer} has {got} element(s), {expected} needed",
        "{verb}: в {buffer} элементов: {got}, нужно: {expected}",
    }
    blocks(verb, buffer, got, each, ranks, expected) {
        "{verb}: {buffer} has {got} element(s), expected {each} x {ranks} ranks = {expected}",
        "{verb}: в {buffer} элементов: {got}, нужно: {each} x {ranks} (число процессов) = {expected}",
    }
    neighbour_blocks(verb, buffer, got, each, neighbours, expected) {
        "{verb}: {buffer} has {got} element(s), expected {each} x {neighbours} neighbours = {expected}",
        "{verb}: в {buffer} элементов: {got}, нужно: {each} x {neighbours} (число соседей) = {expected}",
    }
    would_fit(text, each, ranks) { "{text}; {each} x {ranks} would fit", "{text}; подошло бы {each} x {ranks}" }
    remainder(text, got, ranks, left, verb) {
        "{text}; {got} elements in {ranks} equal blocks leave {left} over: {verb} takes a count for each block",
        "{text}; элементы ({got}) не делятся на равные блоки ({ranks}), остаток {left}: {verb} принимает число элементов каждого блока",
    }
    truncated(sent, source, tag, capacity) {
        "message of {sent} bytes from rank {source}, tag {tag}, does not fit the receive buffer of {capacity} bytes",
        "сообщение (байт: {sent}) от процесса {source}, тег {tag}, не помещается в буфер приёма (байт: {capacity})",
    }
    other_type(source, tag, sent, expected) {
        "message from rank {source}, tag {tag}, has elements of type {sent}, the receive expects {expected}",
        "сообщение от процесса {source}, тег {tag}, состоит из элементов типа {sent}, приём ожидает {expected}",
    }
    other_field(source, tag, sent, expected, position, sent_field, expected_field) {
        "message from rank {source}, tag {tag}, has elements of type {sent}, the receive expects {expected}: number {position} of the message, counted from 0, is {sent_field} in the send and {expected_field} in the receive",
        "сообщение от процесса {source}, тег {tag}, состоит из элементов типа {sent}, приём ожидает {expected}: число {position} сообщения, считая с 0, — {sent_field} при отправке и {expected_field} при приёме",
    }
    sent_by(text, call) { "{text}; sent by {call}", "{text}; отправлено вызовом {call}" }
    ragged(bytes, source, tag, expected) {
        "message of {bytes} bytes from rank {source}, tag {tag}, is not a whole number of {expected} elements",
        "сообщение (байт: {bytes}) от процесса {source}, тег {tag}, не содержит целого числа элементов {expected}",
    }
    too_long(count, size, bytes, max) {
        "{count} elements of {size} byte(s), {bytes} bytes in all, are too many for one call: MPI counts elements with an int, so at most {max}; pass them in parts",
        "для одного вызова слишком много элементов: {count} по {size} байт, всего байт: {bytes}; MPI считает элементы числом типа `int`, разрешено не больше {max}; передайте их по частям",
    }
    operation(operation, layout) {
        "operation {operation} is not defined for elements of type {layout}",
        "операция {operation} не определена для элементов типа {layout}",
    }
    no_buffer(needed) {
        "a buffered send needs {needed} bytes, and no buffer is attached: buffer_attach comes before it",
        "буферизованной отправке нужно байт: {needed}, а буфер не подключён: сначала вызывают buffer_attach",
    }
    buffer_full(needed, attached, occupied) {
        "a buffered send needs {needed} bytes: of the {attached} attached ones, messages that are not received yet occupy {occupied}",
        "буферизованной отправке нужно байт: {needed}; из подключённых ({attached}) ещё не принятые сообщения занимают {occupied}",
    }
    buffer_small(needed, attached) {
        "a buffered send needs {needed} bytes, which do not fit the attached buffer of {attached} bytes now",
        "буферизованной отправке нужно байт: {needed}, они сейчас не помещаются в подключённый буфер (байт: {attached})",
    }
    not_ready(dest, tag) {
        "a ready send to rank {dest}, tag {tag}: no matching receive is known to be posted there; let the receiver post it and say so first",
        "отправка по готовности процессу {dest}, тег {tag}: неизвестно, начат ли там подходящий приём; пусть получатель сначала начнёт приём и сообщит об этом",
    }
    not_associative(file, line) {
        "the operation of {file}:{line} is not associative: f(f(a, b), c) differs from f(a, f(b, c)) for its operands here, so the result depends on how the ranks are combined",
        "операция из {file}:{line} не ассоциативна: f(f(a, b), c) отличается от f(a, f(b, c)) для её операндов здесь, поэтому результат зависит от того, как объединяются процессы",
    }
    started_twice(made) {
        "this persistent request is active already, wait for it first; made by {made}",
        "этот отложенный запрос уже активен, сначала дождитесь его завершения; создан вызовом {made}",
    }
    never_started(made) {
        "this persistent request is not active, start it first; made by {made}",
        "этот отложенный запрос не активен, сначала запустите его; создан вызовом {made}",
    }
    range(verb, at, end, target, opened) {
        "{verb}: elements {at}..{end} of rank {target}, which has opened {opened} element(s)",
        "{verb}: элементы {at}..{end} процесса {target}, который открыл элементов: {opened}",
    }
    window_type(verb, given, window) {
        "{verb}: elements of type {given} on a window of type {window}",
        "{verb}: элементы типа {given} в окне типа {window}",
    }
    deadlock() { "deadlock: every rank waits", "взаимная блокировка: все процессы ждут" }
    indented(text) { "  {text}", "  {text}" }
    /// A text of several lines.
    lines(first, rest) { "{first}\n{rest}", "{first}\n{rest}" }
    peer(rank, what) { "rank {rank} {what}; this rank cannot continue", "процесс {rank} {what}; этот процесс не может продолжать" }
    peer_panicked(text) { "panicked: {text}", "упал (panic): {text}" }
    of_rank(rank, text) { "rank {rank}: {text}", "процесс {rank}: {text}" }
    panicked(rank, text) { "rank {rank} panicked: {text}", "процесс {rank} упал (panic): {text}" }
    late() { "did not return within the limit", "не завершил работу за отведённое время" }
    lost(rank) { "rank {rank} did not return within the limit", "процесс {rank} не завершил работу за отведённое время" }
    interrupted(reason) { "interrupted: {reason}", "прервано: {reason}" }
    limit_over(limit) { "the limit of {limit} is over", "истёк лимит {limit}" }
    seconds(number) { "{number} s", "{number} с" }
    decimal(whole, fraction) { "{whole}.{fraction}", "{whole},{fraction}" }
    library(call, code, text) { "{call} failed with code {code}: {text}", "{call}: ошибка с кодом {code}: {text}" }
    root_buffer(root) {
        "rank {root} is the root and must give its buffer, it gave none",
        "процесс {root} корневой и обязан передать свой буфер, но не передал",
    }
}

/// A duration in seconds, with as many digits as it has.
pub fn duration(duration: Duration) -> Text {
    let number = duration.as_secs_f64().to_string();
    seconds(match number.split_once('.') {
        Some((whole, fraction)) => decimal(whole, fraction),
        None => Text::verbatim(number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;

    #[test]
    fn a_limit_has_the_number_and_the_unit_of_the_language() {
        let rendered = |ms, lang| limit_over(duration(Duration::from_millis(ms))).render(lang);
        assert_eq!(rendered(1500, Lang::En), "the limit of 1.5 s is over");
        assert_eq!(rendered(1500, Lang::Ru), "истёк лимит 1,5 с");
        assert_eq!(rendered(2000, Lang::Ru), "истёк лимит 2 с");
    }
}
