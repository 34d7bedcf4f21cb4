//! The space-time diagram of a run, and the parts of its time.
messages! {
    heading(title, ranks) { "{title}: the trace of a run on {ranks} ranks", "{title}: трасса запуска, процессов: {ranks}" }
    lead(task, workload, backend, at) { "{task}, {workload}; {backend}; {at}", "{task}, {workload}; {backend}; {at}" }
    on_threads() { "threads of one process", "потоки одного процесса" }
    simulated(machine) { "virtual time on {machine} (a model)", "виртуальное время на {machine} (модель)" }
    bottleneck_heading() { "Why is it not faster?", "Почему не быстрее?" }
    untraced() {
        "No run was traced. `cargo wb report` traces one at the largest p that has a core for each rank; `cargo wb trace` shows any.",
        "Ни один запуск не записан. `cargo wb report` записывает трассу при наибольшем p, где у каждого процесса есть ядро; `cargo wb trace` показывает любой.",
    }
    foreign(task) {
        "The trace among the records is of `{task}`: it is not shown here.",
        "Трасса среди записей говорит, что она от `{task}`: здесь она не показана.",
    }
    contradictory(error) {
        "The trace among the records contradicts itself and is not shown: {error}",
        "Трасса среди записей противоречит сама себе и не показана: {error}",
    }
    timed_difference(time, median, change) {
        "A run of its own through all stages, after the measurement: no timed run was traced. With every call recorded it took {time}; the timed median of `pipeline` is {median} ({change}).",
        "Отдельный запуск через все этапы, после измерений: измеренные запуски не записывались. С записью каждого вызова он занял {time}; измеренная медиана `pipeline` — {median} ({change}).",
    }
    traced_time(time) {
        "A run of its own through all stages, after the measurement: no timed run was traced. With every call recorded it took {time}; there is no timed `pipeline` to compare it with.",
        "Отдельный запуск через все этапы, после измерений: измеренные запуски не записывались. С записью каждого вызова он занял {time}; измеренного `pipeline` для сравнения нет.",
    }
    far_from_timed() {
        "That is far from the timed runs: this analysis may not apply to them. With long runs on a quiet machine the difference is small.",
        "Это далеко от измеренных запусков: для них этот анализ может быть неверен. Если запуски долгие и машина не загружена, разница мала.",
    }
    more_computing(time, factor, base) {
        "Together its ranks computed {time}, {factor} times T* = {base}: a factor above 1 is work that several ranks repeat, or cores that slow each other down.",
        "Вместе процессы вычисляли {time}, это {factor} × T* = {base}: сверх единицы — работа, которую повторяют несколько процессов, или ядра, которые мешают друг другу.",
    }
    low_efficiency(efficiency, base, extra, lost) {
        "The efficiency of `run` in this traced run is {efficiency} (T* = {base}). What is missing: {extra} of the ranks' time is computing beyond T*, and {lost} is waiting and calls.",
        "Эффективность `run` в этом запуске с трассой — {efficiency} (T* = {base}). Чего не хватает: {extra} времени процессов — вычисления сверх T*, {lost} — ожидание и вызовы.",
    }
    diagram() { "Space-time diagram", "Пространственно-временная диаграмма" }
    parts() { "What the time is made of", "Из чего складывается время" }
    calls() { "The most expensive calls", "Самые дорогие вызовы" }
    method_heading() { "How this was found", "Как это получено" }
    rank() { "rank", "процесс" }
    zoom() { "zoom", "масштаб" }
    hover() { "Point at a call, an arrow or a band: its description appears here.", "Наведите на вызов, стрелку или полосу: здесь появится описание." }

    compute() { "compute", "вычисления" }
    serial() { "compute, all others wait", "вычисления, остальные ждут" }
    imbalance() { "not there yet or done", "ещё не начал или уже закончил" }
    late_sender() { "late sender", "поздний отправитель" }
    late_receiver() { "late receiver", "поздний получатель" }
    collective() { "wait at a collective", "ожидание в коллективной операции" }
    transfer() { "transfer and overhead", "передача и накладные расходы" }
    column_part() { "part", "часть" }
    column_mean() { "mean", "среднее" }
    column_share() { "share", "доля" }
    column_most() { "most", "наибольшее" }
    mean() { "mean", "среднее" }
    critical_path() { "critical path", "критический путь" }
    message() { "message", "сообщение" }
    collective_band() { "collective", "коллективная операция" }

    total_time(time, ranks) { "The run took {time} on {ranks} ranks.", "Запуск занял {time}, процессов: {ranks}." }
    total_time_alone(time) { "The run took {time} on one rank, without waiting.", "Запуск занял {time} на одном процессе: ждать некого." }
    run_stage(time, share) {
        "Of that `run` took {time}; in it a rank computed {share} of the time on average.",
        "Из них `run` занял {time}; в нём процесс вычислял в среднем {share} времени.",
    }
    idle_ranks(ranks, count) {
        "Ranks that compute almost nothing: {ranks} (of {count}). The program gives them no work at this number of ranks.",
        "Процессы, которые почти не вычисляют: {ranks} (из {count}). При этом числе процессов программа не даёт им работы.",
    }
    shares(compute, lost) {
        "On average a rank computed {compute} of that time and lost {lost}:",
        "В среднем процесс вычислял {compute} этого времени и потерял {lost}:",
    }
    share_of(share, what) { "{share} {what}", "{share} — {what}" }
    largest_loss(what, share, verb, place) {
        "The largest loss is \"{what}\" ({share}); most of it in `{verb}` at `{place}`.",
        "Самая большая потеря — «{what}» ({share}); больше всего в `{verb}`, `{place}`.",
    }
    largest_loss_unlocated(what, share) { "The largest loss is \"{what}\" ({share}).", "Самая большая потеря — «{what}» ({share})." }
    no_loss(computed) {
        "Hardly anything is lost: the ranks computed {computed} of that time.",
        "Почти ничего не потеряно: процессы вычисляли {computed} этого времени.",
    }
    single_worker(share) {
        "For {share} of the run one rank computed while all others waited: the serial part.",
        "{share} времени запуска один процесс вычислял, а все остальные ждали: это последовательная часть.",
    }
    only_worker(share, rank) {
        "For {share} of the run only rank {rank} computed, while all others waited.",
        "{share} времени запуска вычислял только процесс {rank}, а все остальные ждали.",
    }
    advice_serial() {
        "Give part of that work to the others, or do it while they do theirs.",
        "Отдайте часть этой работы остальным или делайте её одновременно с ними.",
    }
    advice_imbalance() {
        "Ranks start late or are done early: deal the work out more evenly.",
        "Процессы начинают поздно или заканчивают рано: распределите работу равномернее.",
    }
    advice_late_sender() {
        "Messages come after their receiver is ready: send earlier, or let the receiver work meanwhile (irecv, then wait).",
        "Сообщения приходят, когда получатель уже ждёт: отправляйте раньше или займите получателя работой (irecv, затем wait).",
    }
    advice_late_receiver() {
        "Senders wait until their message is received: post the receive earlier (irecv), or send with isend.",
        "Отправители стоят, пока сообщение не понадобится: начинайте приём раньше (irecv) или отправляйте через isend.",
    }
    advice_collective() {
        "Ranks enter a collective call at different times: balance the work before it, or remove an unnecessary barrier.",
        "Процессы приходят к коллективной операции в разное время: выровняйте работу перед ней или уберите ненужный барьер.",
    }
    advice_transfer() {
        "Calls themselves cost most: fewer and larger messages, another algorithm, or more work per message.",
        "Дороже всего сами вызовы: меньше сообщений и крупнее, другой алгоритм или больше работы на сообщение.",
    }
    overlap(hidden, time, blocking) {
        "Of the started collective operations {hidden} was hidden behind other work: a rank spent {time} in their calls, and {blocking} in a second pass in which each was complete when the call that starts it returned.",
        "Из запущенных коллективных операций за другой работой скрыто {hidden}: процесс провёл в их вызовах {time}, а во втором проходе, где каждая завершалась в вызове, который её запускает, — {blocking}.",
    }
    advice_overlap() {
        "Many libraries make progress only in calls: call `test` between pieces of the work, or give more work to the time between start and wait.",
        "Многие библиотеки продвигают операции только внутри вызовов: вызывайте `test` между частями работы или перенесите больше работы между запуском и wait.",
    }
    path(ranks, compute, transfer) {
        "The critical path leads over {ranks} of the ranks: {compute} of computing and {transfer} in calls; only what shortens it shortens the run.",
        "Критический путь проходит через процессы (их {ranks}): {compute} вычислений и {transfer} в вызовах; запуск ускорит только то, что сокращает этот путь.",
    }
    estimates() {
        "What if (estimates from this one run, replayed with other costs and the same calls in the same order):",
        "Что, если (оценки по одному этому запуску: те же вызовы в том же порядке с другими затратами):",
    }
    zero_latency(time, change) { "messages had no latency: {time} ({change})", "нет задержки сообщений: {time} ({change})" }
    infinite_bandwidth(time, change) { "bandwidth had no limit: {time} ({change})", "пропускная способность не ограничена: {time} ({change})" }
    free_communication(time, change) { "calls cost nothing but waiting: {time} ({change})", "вызовы не стоят ничего, кроме ожидания: {time} ({change})" }
    perfect_balance(time, change) { "every phase's work were even over the ranks: {time} ({change})", "работа каждого этапа поделена поровну: {time} ({change})" }
    no_overlap(time, change) {
        "each started collective were completed in its start: {time} ({change}), from the second pass",
        "каждая запущенная коллективная операция завершается сразу: {time} ({change}), по второму проходу",
    }
    no_model() {
        "All messages have one size, so latency and bandwidth cannot be distinguished here.",
        "Все сообщения одного размера, поэтому задержку и пропускную способность здесь не различить.",
    }
    model(latency, bandwidth) {
        "The fastest messages of each size lie around a latency of {latency} and {bandwidth}.",
        "Самые быстрые сообщения каждого размера дают задержку около {latency} и {bandwidth}.",
    }
    model_without_bandwidth(latency) {
        "The fastest messages of each size cost about {latency}, whatever their size.",
        "Самые быстрые сообщения каждого размера стоят около {latency} независимо от размера.",
    }
    replay_differs(time) {
        "With the recorded costs the replay gives {time}: the waiting does not explain the whole run, and the estimates are as far off.",
        "С записанными затратами повтор даёт {time}: ожидания объясняют запуск не полностью, и настолько же неточны оценки.",
    }

    column_call() { "call", "вызов" }
    column_place() { "where", "где" }
    column_stage() { "stage", "этап" }
    column_times() { "times", "раз" }
    column_time() { "time of all ranks", "время всех процессов" }
    column_waiting() { "of that waiting", "из него ожидание" }
    column_cause() { "for", "причина" }

    tip_send(peer, tag, bytes) { "to {peer}, tag {tag}, {bytes}", "процессу {peer}, тег {tag}, {bytes}" }
    tip_receive(peer, tag, bytes) { "from {peer}, tag {tag}, {bytes}", "от процесса {peer}, тег {tag}, {bytes}" }
    tip_request(number) { "request {number}", "запрос {number}" }
    tip_collective(number, bytes) { "collective {number}, {bytes}", "коллективная операция {number}, {bytes}" }
    tip_access(target, bytes) { "window of {target}, {bytes}", "окно процесса {target}, {bytes}" }
    tip_read(bytes) { "from the file, {bytes}", "из файла, {bytes}" }
    tip_written(bytes) { "to the file, {bytes}", "в файл, {bytes}" }
    tip_peers(peers) { "ranks {peers}", "процессы {peers}" }
    tip_in(communicator) { "in {communicator}", "в {communicator}" }
    tip_time(begin, end, duration) { "{begin} to {end}: {duration}", "с {begin} по {end}: {duration}" }
    tip_waited(time, cause, rank) { "{time} of it waiting: {cause}, rank {rank}", "из них ожидание {time}: {cause}, процесс {rank}" }
    tip_message(from, to, tag, bytes, time) { "message {from} → {to}, tag {tag}, {bytes}: {time}", "сообщение {from} → {to}, тег {tag}, {bytes}: {time}" }
    tip_signal(from, to, time) { "signal {from} → {to}: {time}", "сигнал {from} → {to}: {time}" }
    tip_collective_band(verb, communicator, sequence, spread) {
        "{verb} {sequence} in {communicator}: from its last entry to its last exit; entries {spread} apart",
        "{verb} {sequence} в {communicator}: от последнего входа до последнего выхода; разброс входов {spread}",
    }
    tip_stage(stage, time) { "stage {stage}: {time}", "этап {stage}: {time}" }

    shares_of_ranks(shares) {
        "Each rank's share of the computing, waiting excluded: {shares}.",
        "Доля каждого процесса в вычислениях, без ожиданий: {shares}.",
    }
    truncated(time, calls) {
        "The recording was full after {time}: the rest is not shown, {calls} calls are missing.",
        "Запись заполнилась через {time}: дальнейшее не показано, не хватает вызовов: {calls}.",
    }
    not_drawn(calls, messages) {
        "Too many to draw: the {calls} shortest calls and the {messages} fastest messages are left out of the picture. The numbers count all of them.",
        "Слишком много для рисунка: не показаны самые короткие вызовы ({calls}) и самые быстрые сообщения ({messages}). В числах учтено всё.",
    }
    unrecorded(functions) {
        "Called and not recorded: {functions}. Their time counts as computing.",
        "Вызваны и не записаны: {functions}. Их время считается вычислениями.",
    }
    unrecorded_calls(function, count) { "`{function}` ({count})", "`{function}` ({count})" }
    calls_of_other_threads(count) { "calls of other threads ({count})", "вызовы других потоков ({count})" }
    unfinished(ranks) {
        "Ranks that ended without `MPI_Finalize`: {ranks}. Their recording ends with the last call that returned.",
        "Процессы, которые завершились без `MPI_Finalize`: {ranks}. Их запись кончается последним завершённым вызовом.",
    }
    unmatched(sends, receives) {
        "Without a partner in the trace: {sends} sends, {receives} receives.",
        "Без пары в трассе: отправок {sends}, приёмов {receives}.",
    }
    on_hosts(hosts) { "Ranks on hosts: {hosts}.", "Процессы на узлах: {hosts}." }
    ranks_of_host(host, ranks) { "{host} ({ranks})", "{host} ({ranks})" }
    clock_error(error, count) {
        "These hosts have {count} clocks, which were compared: a time between events of two of them is wrong by at most {error}.",
        "Часов на узлах: {count}; их показания сопоставлены. Ошибка времени между событиями на разных часах — не больше {error}.",
    }
    clock_step(host, step) {
        "The clock of {host} may have been changed by {step} meanwhile: times on it are uncertain by as much.",
        "Часы узла {host} за это время могли быть переведены на {step}: настолько неточны времена на нём.",
    }
    arrived_early(messages, calls, most) {
        "The times contradict each other: {messages} messages arrive before they are sent, and {calls} calls of collectives return before a rank that they need has entered, by up to {most}. The correction of the clocks is wrong by at least that much.",
        "Времена противоречивы: сообщений, принятых до отправки, — {messages}; вызовов коллективных операций, завершённых до входа нужного им процесса, — {calls}; расхождение до {most}. Поправка часов неверна не меньше чем на столько.",
    }
    oversubscribed(ranks, cores) {
        "{ranks} ranks shared {cores} cores: part of the waiting is waiting for a core, which a trace cannot distinguish from work.",
        "Процессов {ranks}, ядер {cores}: часть ожиданий — это ожидание ядра, которое трасса не отличает от работы.",
    }
    method_of_task() {
        "One pass through the stages, after one that was not traced.",
        "Один проход по этапам после прохода без записи.",
    }
    method_of_program() {
        "One run, from the return of `MPI_Init` to the call of `MPI_Finalize`, recorded by a library that was preloaded.",
        "Один запуск, от возврата из `MPI_Init` до вызова `MPI_Finalize`; записан предзагруженной библиотекой.",
    }
    method() {
        "Late sender: a receive was entered before its send. Late receiver: a send stood until its receive was posted. Wait at a collective: from a rank's entry until the last of those it needs has entered. Transfer and overhead: the rest of every call. Compute is all time outside calls. The parts of each rank add up to the whole run. What waits for a lock or a remote access counts as overhead.",
        "Поздний отправитель: приём начат раньше отправки. Поздний получатель: отправка стояла, пока не начался приём. Ожидание в коллективной операции: от входа процесса до входа последнего из тех, кто ему нужен. Передача и накладные расходы: остаток каждого вызова. Вычисления — всё время вне вызовов. Сумма частей у каждого процесса равна времени запуска. Ожидание замка и удалённого доступа относится к накладным расходам.",
    }
    alt(ranks, calls, messages) {
        "A lane for each of {ranks} ranks against time, with {calls} calls and {messages} messages as arrows.",
        "Дорожка для каждого процесса (всего {ranks}) по времени, вызовов {calls}, сообщений-стрелок {messages}.",
    }
}
