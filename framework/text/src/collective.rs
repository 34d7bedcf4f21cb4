//! Ranks that make different calls of one collective, and collectives that not all ranks call.
texts! {
    mismatch() {
        "ranks do not make the same call of a collective",
        "процессы вызывают коллективную операцию по-разному",
    }
    order() {
        "ranks call the collectives of a communicator in different orders",
        "процессы вызывают коллективные операции коммуникатора в разном порядке",
    }
    blocking_and_nonblocking() {
        "a blocking and a nonblocking call do not make one collective",
        "блокирующий и неблокирующий вызовы не образуют одну коллективную операцию",
    }
    call(call) { "  {call}", "  {call}" }
    /// One of the calls and its argument.
    side(call, what) { "  {call}: {what}", "  {call}: {what}" }
    not_in_place(verb) { "{verb} has no form in place", "у {verb} нет варианта с одним буфером" }
    root(rank) { "root {rank}", "корневой процесс {rank}" }
    nothing() { "nothing", "ничего" }
    elements(count) { "{count} element(s)", "элементов: {count}" }
    block(count) { "a block of {count}", "блок длины {count}" }
    blocks(counts) { "blocks of [{counts}]", "блоки длины [{counts}]" }
    exchange(sent, other, received, rank) {
        "{sent} to rank {other} and {received} from it, as rank {rank}",
        "процессу {other} отправляет {sent}, от него получает {received}, сам процесс {rank}",
    }
    edges(destinations, other, sources, rank, reorder) {
        "{destinations} edge(s) to rank {other} and {sources} from it, as rank {rank}, reorder {reorder}",
        "рёбер к процессу {other}: {destinations}, рёбер от него: {sources}, сам процесс {rank}, reorder {reorder}",
    }
    /// A collective that some ranks have called and others have not.
    unjoined(verb, group, called, missing) {
        "{verb} on {group}: called by {called}, not by {missing}",
        "{verb}, {group}: вызвали: {called}; не вызвали: {missing}",
    }
    unjoined_with_more(unjoined, more) {
        "{unjoined}; nor {more} collective(s) after it",
        "{unjoined}; после неё так же не вызвано: {more}",
    }
    communicator(name) { "communicator {name}", "коммуникатор {name}" }
    one_rank(rank) { "rank {rank}", "процесс {rank}" }
    several_ranks(ranks) { "ranks {ranks}", "процессы {ranks}" }
    /// Why a rank cannot go on with a collective operation in shared memory, as of `Error::Peer`.
    left_segment() {
        "takes part in no further collective operation in shared memory",
        "больше не участвует в коллективных операциях через общую память",
    }
    other_calls() {
        "makes other calls of collective operations",
        "вызывает другие коллективные операции",
    }
    segment_failed() {
        "an earlier collective operation in shared memory has failed on this rank",
        "предыдущая коллективная операция через общую память завершилась на этом процессе с ошибкой",
    }
    another_type() {
        "other elements, or other lengths of blocks",
        "другие элементы или другие длины блоков",
    }
    too_large_for_slot(bytes, most) {
        "an element of {bytes} bytes does not fit a slot of shared memory: at most {most}",
        "элемент размером {bytes} Б не помещается в ячейку общей памяти: не более {most}",
    }
    too_large_to_measure(bytes, most) {
        "blocks of {bytes} bytes for all ranks are more than {most} bytes",
        "блоки по {bytes} Б для всех процессов занимают больше {most} Б",
    }
    of_another_verb(name, verb, names) {
        "\"{name}\" does not perform {verb}; these do: {names}",
        "\"{name}\" не выполняет {verb}; для неё есть {names}",
    }
    no_shared_memory() {
        "the ranks share no memory: they are on several nodes, or time is virtual; choose `auto` or `library`",
        "у процессов нет общей памяти: они на нескольких узлах, или время виртуальное; выберите `auto` или `library`",
    }
    /// A line of a table of measurements that cannot be read.
    table_line(line, text) {
        "line {line} of the table of collective algorithms is not `VERB RANKS own|shared BYTES|max ALGORITHM|library`: \"{text}\"",
        "строка {line} таблицы коллективных алгоритмов не имеет вида `VERB RANKS own|shared BYTES|max ALGORITHM|library`: \"{text}\"",
    }
    table_unreadable(error) {
        "rank 0 cannot read the table of collective algorithms: {error}",
        "процесс 0 не может прочитать таблицу коллективных алгоритмов: {error}",
    }
    unknown_in_shared_memory(name, names) {
        "there is no algorithm \"{name}\" in shared memory; there are {names}",
        "алгоритма \"{name}\" через общую память нет; есть {names}",
    }
}
