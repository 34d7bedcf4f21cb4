//! The report of the barrier benchmark.
messages! {
    title() { "Barriers, measured", "Барьеры: измерения" }
    lead(forms, ranks, library, at) {
        "{forms} forms of barriers at P = {ranks} beside the libraries' own ({library}), measured {at}",
        "Вариантов барьеров: {forms}, P = {ranks}, рядом с библиотечными ({library}); измерено {at}",
    }
    empty() { "There are no records.", "Записей нет." }
    partial_run(what) { "A PART ONLY: {what}.", "ТОЛЬКО ЧАСТЬ: {what}." }
    partial_barriers(names) { "barriers {names}, and the barriers they are compared with", "барьеры {names} и то, с чем их сравнивают" }
    partial_substrates(names) { "on {names}", "на носителях {names}" }
    partial_quick() { "few launches and rounds (--quick)", "мало запусков и кругов (--quick)" }
    threads_only() {
        "No MPI library: ranks were threads, and nothing is compared with MPI_Barrier",
        "Библиотеки MPI нет: процессы заменены потоками, сравнения с MPI_Barrier нет",
    }
    at_ranks(ranks) { "P = {ranks}", "P = {ranks}" }
    oversubscribed(ranks, cores) {
        "OVERSUBSCRIBED: {ranks} ranks share {cores} cores. These times depend on the scheduler as much as on the barrier, and do not apply to machines with a core for each rank.",
        "ПЕРЕПОДПИСКА: процессов {ranks}, ядер {cores}. Эти времена определяет и планировщик; о машинах, где у каждого процесса своё ядро, они ничего не говорят.",
    }
    oversubscribed_mark() { "oversubscribed", "переподписка" }
    own_cores(ranks, cores) {
        "{ranks} ranks on {cores} cores, each bound to its own.",
        "Процессов {ranks}, ядер {cores}, каждый процесс привязан к своему ядру.",
    }
    own_cores_on_hosts(ranks) {
        "{ranks} ranks on several hosts, each bound to a core of its own.",
        "Процессов {ranks}, на нескольких узлах, каждый привязан к своему ядру.",
    }
    on_hosts(hosts) { "Hosts and their ranks: {hosts}.", "Узлы и их процессы: {hosts}." }
    host_ranks(host, ranks) { "{host} ({ranks})", "{host} ({ranks})" }
    clock_error(time) {
        "The hosts have clocks of their own, which were compared: a latency or a skew is wrong by at most {time}. Where that is more than 10 % of the median it is not shown. An episode is timed by the clock of each rank.",
        "У узлов свои часы, их сравнили: ошибка задержки или разброса — не больше {time}. Если это больше 10 % медианы, значение не показано. Время эпизода каждый процесс измеряет своими часами.",
    }
    within_node() { "messages within a node", "сообщений внутри узла" }
    between_nodes() { "between nodes", "между узлами" }
    barrier() { "Barrier", "Барьер" }
    runs_on() { "on", "на чём" }
    form() { "form", "вариант" }
    family() { "family", "семейство" }
    episode() { "episode, median", "эпизод, медиана" }
    episode_short() { "episode", "эпизод" }
    latency() { "latency min / median / p95", "задержка мин. / медиана / p95" }
    skew() { "exit skew, median", "разброс выходов, медиана" }
    skew_short() { "skew", "разброс" }
    ratio() { "× MPI_Barrier", "× MPI_Barrier" }
    ratio_about() {
        "How many times faster than MPI_Barrier: each visit is compared with the visit of MPI_Barrier nearest in time in the same job, and the median of these ratios is taken; above 1 is faster than the library. 95 % interval by bootstrap over launches and pairs. The order is that of the ratios: medians over a run of a machine that drifts cannot be compared. Threads run in jobs of their own, without MPI_Barrier.",
        "Во сколько раз быстрее MPI_Barrier: каждое посещение сравнивается с ближайшим к нему по времени посещением MPI_Barrier в том же задании, берётся медиана этих отношений; больше 1 — быстрее библиотеки. 95 %-й интервал — бутстреп по запускам и парам. Порядок строк — по этим отношениям: медианы за весь прогон на машине, меняющей своё состояние, несравнимы. Потоки идут в своих заданиях, без MPI_Barrier.",
    }
    best_of_each() {
        "The best form of each barrier on each substrate; all forms and their latencies are on the page.",
        "Лучший вариант каждого барьера на каждом носителе; все варианты и задержки — на странице.",
    }
    all_forms() { "All forms", "Все варианты" }
    failed_heading() { "Failed", "Не прошли" }
    refused_heading() { "Not at this size or not on this machine", "Не определены при этом числе процессов или на этой машине" }
    failed_row(form, reason) { "FAILED {form}: {reason}", "ОШИБКА {form}: {reason}" }
    targets() { "Targets", "Цели" }
    target() { "target", "цель" }
    wanted() { "wanted", "нужно" }
    measured() { "measured", "получено" }
    verdict() { "verdict", "вывод" }
    met() { "met", "достигнуто" }
    missed() { "MISSED", "НЕ ДОСТИГНУТО" }
    undecided() { "undecided", "не решено" }
    not_measured() { "not measured", "не измерено" }
    target_on_node(ranks, form) {
        "P = {ranks}: MPI_Barrier over our best on-node barrier ({form})",
        "P = {ranks}: MPI_Barrier к нашему лучшему барьеру внутри узла ({form})",
    }
    target_shmem(ranks) {
        "P = {ranks}: shmem_barrier_all over our best on-node barrier",
        "P = {ranks}: shmem_barrier_all к нашему лучшему барьеру внутри узла",
    }
    target_bare(ranks) {
        "P = {ranks}: our best on-node barrier over the bare handshake",
        "P = {ranks}: наш лучший барьер внутри узла к голому рукопожатию",
    }
    target_forced(ranks, algorithm) {
        "P = {ranks}: our {algorithm} over messages to the library's, held to it",
        "P = {ranks}: наш {algorithm} на сообщениях к библиотечному, привязанному к нему",
    }
    target_auto(ranks, form) {
        "P = {ranks}: MPI_Barrier over our auto ({form})",
        "P = {ranks}: MPI_Barrier к нашему auto ({form})",
    }
    target_fence(ranks, name) {
        "P = {ranks}: our counters over a window ({name}) to MPI_Win_fence",
        "P = {ranks}: наши счётчики на окне ({name}) к MPI_Win_fence",
    }
    at_least(n) { "≥ {n}", "≥ {n}" }
    at_most(n) { "≤ {n}", "≤ {n}" }
    chart_latency(ranks) { "Time of an episode at P = {ranks}", "Время эпизода при P = {ranks}" }
    chart_latency_about() {
        "Median episode of the best form of each barrier on each substrate, logarithmic; the line reaches from the fastest to the 95 % batch.",
        "Медиана эпизода лучшего варианта каждого барьера на каждом носителе, логарифмическая шкала; линия — от быстрейшей партии до 95 %-й.",
    }
    chart_skew(ranks) { "Exit skew at P = {ranks}", "Разброс выходов при P = {ranks}" }
    chart_skew_about() {
        "From the first exit to the last, median of single episodes, logarithmic.",
        "От первого выхода до последнего, медиана одиночных эпизодов, логарифмическая шкала.",
    }
    chart_ranks() { "The fastest on each substrate by number of ranks", "Быстрейший на каждом носителе по числу процессов" }
    chart_ranks_about(cores) {
        "Median episode, both axes logarithmic; hollow points are oversubscribed (more than {cores} ranks).",
        "Медиана эпизода, обе оси логарифмические; полые точки — переподписка (больше {cores} процессов).",
    }
    axis_time() { "time of an episode", "время эпизода" }
    axis_ranks() { "ranks", "процессы" }
    method_heading() { "How it was measured", "Как измерено" }
    method(launches, rounds) {
        "{launches} launches of each job; in each, {rounds} rounds in which all forms of the job are visited in a newly drawn order, the same on all ranks; the references (MPI_Barrier, shmem_barrier_all, the bare handshake) is visited again before every 12 of them. A visit is a few episodes to line up, a batch timed as a whole (its slowest rank counts), and single episodes with stamps at entry and exit by one clock. Latency is from the last entry to the last exit, skew from the first exit to the last; each single episode is checked: nobody may leave before all have entered. Ranks are bound to a core each where there are enough. A target is undecided where the interval of its ratio holds the bound.",
        "Каждое задание запущено раз: {launches}; в запуске {rounds} кругов, в каждом круге все варианты задания посещаются в заново разыгранном порядке, одинаковом на всех процессах; то, с чем сравнивают (MPI_Barrier, shmem_barrier_all, голое рукопожатие), посещается снова перед каждыми 12 из них. Посещение: несколько эпизодов для выравнивания, партия, измеряемая целиком (считается медленнейший процесс), и одиночные эпизоды с отметками входа и выхода по общим часам. Задержка — от последнего входа до последнего выхода, разброс — от первого выхода до последнего; каждый одиночный эпизод проверен: никто не выходит, пока не вошли все. Процессы привязаны к своим ядрам, если ядер хватает. Цель не решена, если интервал её отношения содержит границу.",
    }
    machine(cpu, cores, library, rustc, profile, seed) {
        "{cpu}, {cores} usable cores; {library}; {rustc}, {profile}; seed {seed}",
        "{cpu}, доступных ядер: {cores}; {library}; {rustc}, {profile}; начальное значение {seed}",
    }
    not_release() {
        "NOT A RELEASE BUILD: these times are not valid.",
        "СБОРКА НЕ RELEASE: эти времена ничего не значат.",
    }
    data() { "Data", "Данные" }
}
