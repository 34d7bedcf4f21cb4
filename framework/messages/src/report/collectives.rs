//! The report of the benchmark of collective operations.
messages! {
    title() { "Collective operations, measured", "Коллективные операции: измерения" }
    lead(library, at) {
        "Every algorithm beside the library's own call ({library}), measured {at}",
        "Все алгоритмы рядом с библиотечными вызовами ({library}); измерено {at}",
    }
    part() { "A PART ONLY: not all operations, algorithms or rounds.", "ТОЛЬКО ЧАСТЬ: не все операции, алгоритмы или круги." }
    funneled() {
        "The ranks asked for MPI_THREAD_FUNNELED; all other programs here ask for MPI_THREAD_MULTIPLE.",
        "Процессы запросили MPI_THREAD_FUNNELED; все остальные программы здесь запрашивают MPI_THREAD_MULTIPLE.",
    }
    at_threads(ranks) { "P = {ranks}, threads", "P = {ranks}, потоки" }
    overhead(time) {
        "A start and a return without an operation take {time}; all times contain it.",
        "Старт и возврат без операции занимают {time}; это входит во все времена.",
    }
    handshake(time) {
        "The bare handshake of two flags in one cache line takes {time}, measured in the same way.",
        "Голое рукопожатие двух флагов в одной строке кэша занимает {time}, измерено так же.",
    }
    best() {
        "How many times faster than the library's call the best algorithm is, by the bytes of a block",
        "Во сколько раз лучший алгоритм быстрее библиотечного вызова, по длине блока в байтах",
    }
    best_of_threads() {
        "How many times faster than messages between threads the best algorithm is, by the bytes of a block",
        "Во сколько раз лучший алгоритм быстрее сообщений между потоками, по длине блока в байтах",
    }
    operation() { "operation", "операция" }
    bytes() { "block", "блок" }
    algorithm() { "algorithm", "алгоритм" }
    time() { "time, median", "время, медиана" }
    ratio() { "times faster", "быстрее, раз" }
    to_handshake() { "× handshake", "× рукопожатие" }
    all_ways() { "All algorithms", "Все алгоритмы" }
    chart(verb) { "{verb}: ratio to the library by length", "{verb}: отношение к библиотеке по длине" }
    chart_about() {
        "How many times faster than the baseline, both axes logarithmic; 1 is as fast.",
        "Во сколько раз быстрее базы, обе оси логарифмические; 1 — так же быстро.",
    }
    method(launches, rounds) {
        "{launches} launches of one job with all operations; in each, {rounds} rounds in a newly drawn order. In a round all algorithms of an operation and a length alternate, up to 10 calls of each, fewer for long blocks. Before each call every rank writes its data anew. All ranks are told a time of the common clock and wait for it; the time from the last entry to the last return counts. A call into which a rank came more than 500 ns late does not count, except where ranks share cores: there they cannot start together. The results of all algorithms for the same data are compared on every rank by a hash of 64 bits. The root is rank 0; reductions are sums of double-precision numbers (of single-precision ones for 4 bytes).",
        "Одно задание со всеми операциями запущено раз: {launches}; в запуске {rounds} кругов в заново разыгранном порядке. В круге все алгоритмы операции одной длины чередуются, до 10 вызовов каждого, для длинных блоков меньше. Перед каждым вызовом каждый процесс записывает данные заново. Всем процессам сообщают момент общих часов, и они его ждут; считается время от последнего входа до последнего возврата. Вызов, в который процесс вошёл позже чем на 500 нс, не считается, кроме случая общих ядер: там начать вместе нельзя. Результаты всех алгоритмов на одних данных сравниваются в каждом процессе по 64-битному хешу. Корневой процесс — 0; редукции — суммы чисел двойной точности (одинарной для 4 байт).",
    }
    ratio_about() {
        "Each call is paired with the library's call nearest in time, and the median of the ratios is taken; above 1 is faster than the library. 95 % interval by bootstrap over launches and pairs.",
        "Каждый вызов сопоставлен с ближайшим по времени библиотечным, берётся медиана отношений; больше 1 — быстрее библиотеки. 95 %-й интервал — бутстреп по запускам и парам.",
    }
}
