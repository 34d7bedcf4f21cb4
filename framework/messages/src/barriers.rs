//! The messages of `cargo wb barriers list`, `prove` and `plan`.
messages! {
    /// The families of the list.
    family_two_sided() { "two-sided", "двусторонние" }
    family_one_sided() { "one-sided", "односторонние" }
    family_ascend() { "ascend", "ascend: ядро, NPU, хост" }
    family_partial() { "partial", "части группы" }
    family_control_network() { "control network", "управляющая сеть" }
    family_hierarchical() { "hierarchical", "по узлам" }
    family_shared_memory() { "shared memory", "общая память" }
    family_rma() { "rma", "rma: окна mpi" }
    family_native() { "native", "библиотечные" }
    family_wrong() { "wrong", "неверные" }
    about_list() { "List every barrier, with what it costs and promises", "Показать все барьеры, их стоимость и обещания" }
    about_prove() {
        "Prove that barriers are barriers, or give the smallest counter-example",
        "Доказать, что барьеры верны, или привести наименьший контрпример",
    }
    about_plan() { "Show the signals of a barrier, round by round", "Показать сигналы барьера по раундам" }
    help_list_ranks() { "The number of ranks for which messages and rounds are given", "Число процессов, для которого показаны сообщения и раунды" }
    help_wrong() { "Show the wrong forms instead, which must be refused", "Показать неверные формы, которые должны быть отвергнуты" }
    help_barrier() { "The barrier, by its name in the list; all if there is none", "Барьер, по имени из списка; без имени — все" }
    help_plan_barrier() { "The barrier, by its name in the list", "Барьер, по имени из списка" }
    help_max_ranks() { "The largest number of ranks", "Наибольшее число процессов" }
    help_plan_ranks() { "How many ranks take part", "Сколько процессов участвует" }
    help_radix() { "The radix, for barriers that have one: at least 2", "Основание для барьеров, у которых оно есть: не меньше 2" }
    help_nodes() { "The nodes of the ranks, as in 2x3,1x2: two nodes of three, one of two", "Узлы процессов, например 2x3,1x2: два узла по три и один с двумя" }
    help_svg() { "Draw it into this file", "Нарисовать в этот файл" }
    unknown(name) {
        "there is no barrier `{name}`; `cargo wb barriers list` shows them all",
        "барьера `{name}` нет; все показывает `cargo wb barriers list`",
    }
    unknown_suggest(name, near) {
        "there is no barrier `{name}`; did you mean {near}?",
        "барьера `{name}` нет; возможно, имелось в виду {near}?",
    }
    no_plan(name) {
        "`{name}` has no plan: it counts in memory or calls a library, and only barriers with signals have one",
        "у `{name}` нет плана: он считает в памяти или вызывает библиотеку, а план есть только у барьеров, которые посылают сигналы",
    }
    undefined(name, why) { "`{name}`: {why}", "`{name}`: {why}" }
    column_name() { "barrier", "барьер" }
    column_messages() { "messages", "сообщений" }
    column_rounds() { "rounds", "раундов" }
    column_hops() { "hops", "шагов" }
    column_substrate() { "runs on", "носители" }
    guarantees_memory() { "completes memory operations too", "завершает и операции с памятью" }
    neighbours() { "of neighbours only", "только для соседей" }
    list_total(count, ranks) {
        "{count} barriers; messages, rounds with one port, and hops (the longest chain) for P = {ranks} ranks on one node, where a formula or plan gives them",
        "барьеров: {count}; сообщения, раунды при одном порте и длина цепочки для P = {ranks} на одном узле, где их дают формула или план",
    }
    proved(sizes, proofs) { "proved: {sizes} sizes, {proofs} plans", "доказан: размеров {sizes}, планов {proofs}" }
    refused(size) { "REFUSED at P = {size}", "ОТВЕРГНУТ при P = {size}" }
    refused_on(size, nodes) { "REFUSED at P = {size}, ranks on nodes {nodes}", "ОТВЕРГНУТ при P = {size}, узлы процессов {nodes}" }
    undefined_everywhere(why) { "not defined at any of these sizes: {why}", "не определён ни при одном из этих размеров: {why}" }
    explored(ranks, states, delivery) {
        "counts in memory: explored, {delivery} delivery, P <= {ranks}, {states} states",
        "считает в памяти: перебрано (доставка: {delivery}), P <= {ranks}, состояний {states}",
    }
    explored_in_part(states, ranks) {
        "counts in memory: explored in part, {states} states, undecided at P = {ranks}",
        "считает в памяти: перебрано частично, состояний {states}, не решено при P = {ranks}",
    }
    library() { "calls a library: measured, not proved", "вызов библиотеки: измеряется, не доказывается" }
    total(proved, explored, refused, seconds) {
        "proved {proved}, explored {explored}, refused {refused}; {seconds} s",
        "доказано {proved}, перебрано {explored}, отвергнуто {refused}; {seconds} с",
    }
    plan_title(name, ranks) { "{name}, P = {ranks}", "{name}, P = {ranks}" }
    plan_about(summary) { "{summary}. Round: sender \u{2192} receiver.", "{summary}. Раунд: отправитель \u{2192} получатель." }
    rank() { "rank", "ранг" }
    round() { "round", "раунд" }
    costs(messages, rounds, hops) {
        "{messages} messages, {rounds} rounds with one port, longest chain {hops}",
        "сообщений {messages}, раундов при одном порте {rounds}, длиннейшая цепочка {hops}",
    }
    picture_written(path) { "drawn: {path}", "нарисовано: {path}" }
}
