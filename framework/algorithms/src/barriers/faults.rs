//! The faults of the texts from which the barriers are taken, row by row, and the wrong form that shows each.
//!
//! A wrong form lists the rows that it shows in its [`section`](crate::barriers::BarrierEntry::section) (`"8, rows 21, 27"`). A
//! row that no barrier can show, because it is about words, numbers or another operation, has the reason here, and the
//! check of the right form.
use wb_comm::Text;

use crate::barriers::{BarrierEntry, catalogue};

/// One fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceFault {
    /// The barrier or text.
    pub location: Text<&'static str>,
    /// The mistake.
    pub description: Text<&'static str>,
    /// The reason why no wrong form shows it; `None` if some do.
    pub without_form: Option<Text<&'static str>>,
}

/// English and Russian.
type Both = (&'static str, &'static str);

const fn text((en, ru): Both) -> Text<&'static str> {
    Text { en, ru }
}

const fn with_form(place: Both, what: Both) -> SourceFault {
    SourceFault { location: text(place), description: text(what), without_form: None }
}

const fn without_form(place: Both, what: Both, why: Both) -> SourceFault {
    SourceFault { location: text(place), description: text(what), without_form: Some(text(why)) }
}

/// The table; row n is `FAULTS[n - 1]`.
pub static FAULTS: [SourceFault; 36] = [
    with_form(
        ("double ring", "двойное кольцо"),
        ("rank 0's two receives are left out", "пропущены два приёма процесса 0"),
    ),
    with_form(
        ("double ring", "двойное кольцо"),
        ("a second tag for the synchronous message", "второй тег для синхронного сообщения"),
    ),
    with_form(
        ("recursive doubling of messages", "рекурсивное удвоение на сообщениях"),
        ("the extra ranks are not released", "дополнительные процессы не отпускаются"),
    ),
    without_form(
        ("recursive doubling of messages", "рекурсивное удвоение на сообщениях"),
        ("called a binary tree", "названо двоичным деревом"),
        (
            "a name: the hypercube is the same; the proof of `recursive_doubling` has its guard r < p2",
            "это название: гиперкуб тот же; доказательство `recursive_doubling` учитывает его условие r < p2",
        ),
    ),
    with_form(
        ("tree", "дерево"),
        (
            "the depth is undefined, and neither floor nor log2 will do",
            "глубина не определена, и не годится ни floor, ни log2",
        ),
    ),
    without_form(
        ("linear", "линейный"),
        ("receives in the order of ranks, blocking", "блокирующий приём по порядку рангов"),
        (
            "still a barrier, only slower; `linear` names its sources, as overlapping groups need",
            "это тоже барьер, только медленнее; `linear` называет отправителей, как нужно пересекающимся группам",
        ),
    ),
    with_form(
        ("`shmem_barrier`, `shmem_barrier_all`", "`shmem_barrier`, `shmem_barrier_all`"),
        ("the quiet is left out", "пропущен quiet"),
    ),
    with_form(
        ("central counter", "центральный счётчик"),
        ("no mark for each PE, no quiet", "нет отметки для каждого PE, нет quiet"),
    ),
    with_form(
        ("tournament", "турнирный"),
        ("the champion's release is left out", "пропущено отпускание победителем"),
    ),
    with_form(
        ("recursive doubling of one slot", "рекурсивное удвоение на одном слоте"),
        ("the base does not wait for its extra", "основной процесс не ждёт своего дополнительного"),
    ),
    with_form(
        ("dissemination on one slot", "рассеивающий на одном слоте"),
        ("the store of 0 is left out", "пропущена запись 0"),
    ),
    with_form(
        ("dissemination on one slot", "рассеивающий на одном слоте"),
        (
            "rounds up to floor(log2 P): one too many for powers of two; without it too few",
            "раунды до floor(log2 P): для степеней двойки один лишний; без него их мало",
        ),
    ),
    with_form(
        ("one slot, put and get", "один слот, put и get"),
        ("needs gets that push puts, or a quiet", "нужно, чтобы get проталкивал put, или quiet"),
    ),
    with_form(
        ("adaptive", "адаптивный"),
        ("a member's index is taken for its PE number", "индекс участника принят за номер PE"),
    ),
    without_form(
        ("one slot", "один слот"),
        ("\"1 byte\"", "«1 байт»"),
        ("a size: cells are words of 8 bytes", "это размер: ячейки — слова по 8 байт"),
    ),
    without_form(
        ("Ascend, memory", "Ascend, память"),
        ("64 * 5 * 8 is called 320", "64 * 5 * 8 принято равным 320"),
        (
            "a number: `forty_slots_are_enough_for_every_size_that_is_promised` counts them",
            "это число: слоты считает `forty_slots_are_enough_for_every_size_that_is_promised`",
        ),
    ),
    without_form(
        ("Ascend, pull", "Ascend, чтение чужих флагов (pull)"),
        (
            "\"shared counter\", and the own flag is raised when its turn comes",
            "«общий счётчик», а собственный флаг поднимается в свою очередь",
        ),
        (
            "still a barrier, but a chain of P hops: `all_to_all_in_turn` is in the catalogue, to be measured",
            "это тоже барьер, но цепочка из P шагов: `all_to_all_in_turn` есть в каталоге, чтобы его измерить",
        ),
    ),
    with_form(
        ("Ascend, counter", "Ascend, счётчик"),
        ("read after the first core barrier", "читается после первого барьера ядер"),
    ),
    with_form(
        ("Ascend, groups", "Ascend, группы"),
        ("a radix of 1; the remainder of a negative number", "основание 1; остаток отрицательного числа"),
    ),
    without_form(
        ("Ascend, membership", "Ascend, принадлежность команде"),
        ("only the divisibility by the stride is tested", "проверяется только делимость на шаг"),
        (
            "no barrier: `Strided` of wb-shmem tests range, stride and divisibility",
            "не барьер: `Strided` из wb-shmem проверяет диапазон, шаг и делимость",
        ),
    ),
    with_form(
        ("Ascend, a team's slot", "Ascend, слот команды"),
        (
            "each member takes its own first free one, and two teams may share it",
            "каждый участник берёт свой первый свободный, и у двух команд он может быть общим",
        ),
    ),
    without_form(
        ("Ascend, across hosts", "Ascend, между узлами"),
        ("a slot for each PE number, and 40 lines", "слот на каждый номер PE, а строк 40"),
        (
            "begins with 41 PEs, too many to search; `cross_host` has a slot for each round",
            "проявляется с 41 PE, это слишком много для перебора; у `cross_host` слот на каждый раунд",
        ),
    ),
    without_form(
        ("Ascend, `barrier_sys`", "Ascend, `barrier_sys`"),
        ("an empty stub", "пустая заготовка"),
        (
            "nothing to run: `barrier_sys` is our proposal",
            "выполнять нечего: `barrier_sys` — наше предложение",
        ),
    ),
    without_form(
        ("barrier over a key-value store", "барьер на хранилище «ключ — значение»"),
        (
            "\"first rank\" for the first to arrive, and what happens after a time-out is left open",
            "«первый ранг» вместо первого пришедшего; не сказано, что происходит по истечении времени",
        ),
        (
            "words; the rules are tests of wb-control, and a wrong interval is `key_value_interval_1`",
            "это слова; правила проверяют тесты wb-control, а неверный интервал — `key_value_interval_1`",
        ),
    ),
    with_form(
        ("partial barrier", "частичный барьер"),
        ("slots are cleared, then all meet", "слоты сбрасываются, затем все встречаются"),
    ),
    with_form(
        ("Sandia OpenSHMEM, phase 2", "Sandia OpenSHMEM, фаза 2"),
        ("a flag that its reader sets back", "флаг, который сбрасывает читатель"),
    ),
    with_form(
        ("Sandia OpenSHMEM, psync", "Sandia OpenSHMEM, psync"),
        ("one for all teams", "один на все команды"),
    ),
    with_form(
        ("Sandia OpenSHMEM, root of a node", "Sandia OpenSHMEM, корневой процесс узла"),
        ("the lowest PE, member or not", "наименьший PE, участник он или нет"),
    ),
    with_form(
        ("Sandia OpenSHMEM, AUTO", "Sandia OpenSHMEM, AUTO"),
        ("a threshold that each PE looks at for itself", "порог, который каждый PE проверяет сам для себя"),
    ),
    without_form(
        ("Sandia OpenSHMEM, text", "Sandia OpenSHMEM, текст"),
        ("\"sense\" for an epoch", "«sense» вместо эпохи"),
        ("words", "это слова"),
    ),
    without_form(
        ("RMA, post", "RMA, post"),
        ("\"creates a window\"", "«создаёт окно»"),
        (
            "words: it exposes one, see `docs/rma.md`",
            "это слова: post открывает окно, смотрите `docs/rma.md`",
        ),
    ),
    without_form(
        ("RMA, locks", "RMA, блокировки"),
        ("\"one lock a process at a time\"", "«процесс держит одну блокировку»"),
        ("a rule of MPI 2: see `docs/rma.md`", "это правило MPI 2: смотрите `docs/rma.md`"),
    ),
    without_form(
        ("RMA, fence", "RMA, fence"),
        ("taken for a barrier in all cases", "во всех случаях принят за барьер"),
        (
            "MPI leaves open whether it waits where assertions are given: `rma_fence` gives none",
            "MPI не определяет, ждёт ли fence, если заданы утверждения: `rma_fence` их не задаёт",
        ),
    ),
    without_form(
        ("costs of a broadcast", "стоимость широковещательной рассылки"),
        ("\"O(log p) transfers\"", "«O(log p) передач»"),
        (
            "no barrier: p - 1 messages in ceil(log2 p) rounds",
            "не барьер: p - 1 сообщений за ceil(log2 p) раундов",
        ),
    ),
    without_form(
        ("measurements of a broadcast", "измерения широковещательной рассылки"),
        ("numbers that contradict each other", "числа противоречат друг другу"),
        ("no barrier", "не барьер"),
    ),
    without_form(
        ("protocol of a broadcast", "протокол широковещательной рассылки"),
        ("tag 0 on the world's communicator", "тег 0 в коммуникаторе world"),
        (
            "no barrier: libraries use one of their own",
            "не барьер: библиотеки используют собственный коммуникатор",
        ),
    ),
];

/// The wrong forms that show row `row`, counted from 1.
pub fn forms(row: usize) -> Vec<&'static BarrierEntry> {
    catalogue::wrong().into_iter().filter(|entry| rows(entry).contains(&row)).collect()
}

/// The rows that a wrong form shows; none for a fault that no text has, but existing code has.
pub fn rows(entry: &BarrierEntry) -> Vec<usize> {
    let rows = entry.section.strip_prefix("8, row").map(|rows| rows.trim_start_matches('s'));
    rows.map_or(vec![], |rows| rows.split(',').filter_map(|row| row.trim().parse().ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_wrong_form_or_says_why_not() {
        for (row, fault) in (1..).zip(&FAULTS) {
            let names: Vec<_> = forms(row).iter().map(|entry| entry.name).collect();
            assert_ne!(
                names.is_empty(),
                fault.without_form.is_none(),
                "row {row}, {}: {names:?}",
                fault.location.en
            );
        }
    }

    #[test]
    fn every_wrong_form_names_rows_that_there_are_or_another_section() {
        for entry in catalogue::wrong() {
            let rows = rows(entry);
            assert!(rows.iter().all(|row| (1..=FAULTS.len()).contains(row)), "{}: {rows:?}", entry.name);
            assert_eq!(
                rows.is_empty(),
                !entry.section.starts_with("8,"),
                "{}: {}",
                entry.name,
                entry.section
            );
        }
    }

    /// The faults that the benchmark was required to show, and the barrier that shows each.
    #[test]
    fn every_fault_that_was_asked_for_has_its_form() {
        let asked = [
            ("double ring without rank 0's receives", "double_ring_printed"),
            ("recursive doubling without release", "recursive_doubling_without_release"),
            ("short dissemination", "short_dissemination"),
            ("central counter without marks", "central_without_marks"),
            ("tournament without release", "tournament_without_release"),
            ("dissemination without its initial store", "dissemination_without_store"),
            ("pull with exact equality", "pull_exact"),
            ("counter read after the core barrier", "counter_after_meeting"),
            ("clear, then barrier", "partial_clear_first"),
            ("key-value store with interval 1", "key_value_interval_1"),
            ("hierarchical barrier with boolean slots among the roots", "boolean_rounds"),
            ("one psync for two teams", "one_line_for_two_teams"),
            ("AUTO with a threshold of each PE", "hierarchical_by_own_node"),
            ("quiet left out", "barrier_without_quiet"),
        ];
        for (fault, name) in asked {
            assert!(catalogue::wrong().iter().any(|entry| entry.name == name), "{fault}: no {name}");
        }
    }
}
