//! The messages of the simulator: predictions for simulated machines.
messages! {
    about_simulate() {
        "Predict how long barriers over messages take on a machine (a model)",
        "Предсказать время барьеров на сообщениях для машины (модель)",
    }
    about_machines() { "List the machines that can be simulated", "Показать машины, которые можно моделировать" }
    help_ranks() { "Numbers of ranks, as in 2,64,1048576", "Числа процессов, например 2,64,1048576" }
    help_machine() {
        "The machine: a name that `cargo wb machines` lists, or a .yaml file",
        "Машина: имя из `cargo wb machines` или файл .yaml",
    }
    help_noise() {
        "Interrupt ranks as in the machine's file; the seed repeats a run",
        "Прерывать процессы, как указано в файле машины; число повторяет запуск",
    }
    help_late() { "This rank enters late", "Этот процесс входит с опозданием" }
    help_by() { "By how many nanoseconds it is late", "На сколько наносекунд он опаздывает" }
    help_episodes() {
        "So many episodes back to back, and their mean",
        "Столько эпизодов подряд и среднее по ним",
    }
    help_path() {
        "List the chain of messages that decides the last exit",
        "Показать цепочку сообщений, которая определяет последний выход",
    }
    unknown_machine_suggest(name, near) {
        "there is no machine `{name}`; did you mean {near}?",
        "машины `{name}` нет; возможно, имелось в виду {near}?",
    }
    not_calibrated(name, command) {
        "`{name}` has not been calibrated yet: `{command}` fits it, in about half a minute",
        "`{name}` ещё не откалибрована: `{command}` подгонит её примерно за полминуты",
    }
    no_noise(machine) { "the file of {machine} has no noise", "в файле машины {machine} ничего не сказано о шуме" }
    no_late_rank(rank, ranks) {
        "rank {rank} cannot be late: there are {ranks} ranks, numbered from 0",
        "процесс {rank} не может опоздать: процессов {ranks}, номера с 0",
    }
    not_messages(name) {
        "`{name}` counts in memory or calls a library; only barriers with signals run on messages",
        "`{name}` считает в памяти или вызывает библиотеку; на сообщениях выполняются только барьеры, которые посылают сигналы",
    }
    column_barrier() { "barrier", "барьер" }
    title(machine, about) {
        "model, not measurement: {machine} ({about})",
        "модель, а не измерение: {machine} ({about})",
    }
    conditions(episodes) {
        "Microseconds from last entry to last exit, over messages; episodes: {episodes}.",
        "Микросекунды от последнего входа до последнего выхода; эпизодов: {episodes}.",
    }
    late_rank(rank, by) { "Rank {rank} enters {by} ns late.", "Процесс {rank} входит на {by} нс позже." }
    noise_seed(seed) { "With noise, seed {seed}.", "С шумом, начальное значение {seed}." }
    uncalibrated() {
        "The values are published ones, nothing is fitted: the error is unknown.",
        "Значения взяты из публикаций, а не подобраны: погрешность неизвестна.",
    }
    calibrated(date, library, median, largest) {
        "Fitted on {date} with {library}: point-to-point residuals {median} (median), {largest} (largest).",
        "Подобрано {date}, {library}: отклонения по парным обменам {median} (медиана), {largest} (наибольшее).",
    }
    skipped_many(messages) { "{messages} msg", "{messages} сообщ" }
    skipped_slow(seconds) { "> {seconds} s", "> {seconds} с" }
    legend(most, seconds) {
        "-: not defined. Nothing is computed above {most} messages, nor where\nwriting the plan down takes more than {seconds} s.",
        "-: не определён. Не вычисляется, если сообщений больше {most} или\nзапись плана дольше {seconds} с.",
    }
    by_name(most, seconds) {
        "A barrier asked for by name may have {most} messages and {seconds} s.",
        "Барьеру, указанному по имени, можно {most} сообщений и {seconds} с.",
    }
    fault(name, ranks, why) { "`{name}`, P = {ranks}: {why}", "`{name}`, P = {ranks}: {why}" }
    path_title(name, ranks) { "critical path of {name}, P = {ranks}, us:", "критический путь {name}, P = {ranks}, мкс:" }
    path_enters(at, rank) { "{at:>12}  rank {rank} enters", "{at:>12}  процесс {rank} входит" }
    path_message(at, from, to, called) {
        "{at:>12}  the message of rank {from} (called at {called}) is at rank {to}",
        "{at:>12}  сообщение процесса {from} (вызов в {called}) дошло до процесса {to}",
    }
    path_answer(at, from, to, posted) {
        "{at:>12}  the send of rank {to} is over: rank {from} received from {posted} on",
        "{at:>12}  отправка процесса {to} окончена: процесс {from} принимает с {posted}",
    }
    path_leaves(at, rank) { "{at:>12}  rank {rank} leaves, the last one", "{at:>12}  процесс {rank} выходит последним" }
    path_omitted(hops) { "              ... {hops} more", "              ... ещё {hops}" }
    column_machine() { "machine", "машина" }
    column_cores() { "cores", "ядра" }
    column_core() { "near", "рядом" }
    column_node() { "on a node", "на узле" }
    column_network() { "network", "сеть" }
    machines_legend() {
        "Cores: sharing a cache x such groups a node. Links: L + 2 o, ns, and below it\nG + 2 O, ns a byte; all values with their sources: framework/local/machines.",
        "Ядра: ядер с общим кэшем x таких групп на узле. Линии связи: L + 2 o, нс;\nпод ними G + 2 O, нс на байт; все значения и их источники: framework/local/machines.",
    }
    about_calibrate() {
        "Fit the model to this host, or to several, from messages of two processes",
        "Подобрать модель под эту машину или под узлы по обменам двух процессов",
    }
    fitting() { "measuring two processes, about a minute ...", "измерение двух процессов, около минуты ..." }
    calibration_failed(why) { "the fit has failed: {why}", "подбор не удался: {why}" }
    fitted_title(at, library) { "fitted {at}, {library}", "подобрано {at}, {library}" }
    parameters(latency, overhead, gap, byte, copy, eager) {
        "L = {latency} ns, o = {overhead} ns, g = {gap} ns, G = {byte} ps, O = {copy} ps, S = {eager} bytes",
        "L = {latency} нс, o = {overhead} нс, g = {gap} нс, G = {byte} пс, O = {copy} пс, S = {eager} байт",
    }
    cost_segment(from, overhead, copy, serial, byte) {
        "from {from} bytes on: o = {overhead} ns, O = {copy} ps, first to last byte {serial} ns, G = {byte} ps",
        "от {from} байт: o = {overhead} нс, O = {copy} пс, от первого байта до последнего {serial} нс, G = {byte} пс",
    }
    falls(from) {
        "a message of {from} bytes costs less than one that is a byte shorter",
        "сообщение в {from} байт стоит меньше, чем на байт короче",
    }
    held_out_sizes() {
        "Sizes that the fit had not seen:",
        "Размеры, которых не было при подборе:",
    }
    held_out_launches() {
        "Launches that the fit had not seen:",
        "Запуски, которых не было при подборе:",
    }
    within_host() { "Within a host, two processes:", "Внутри узла, два процесса:" }
    between_hosts() { "Between hosts, two processes:", "Между узлами, два процесса:" }
    all_ranks_part(ranks, hosts) {
        "What it is not fitted to, all {ranks} processes on {hosts} hosts, by both links:",
        "На чём не подбиралось, все процессы ({ranks}) на узлах ({hosts}), по обеим линиям связи:",
    }
    fitted_part() { "What it is fitted to (ping-pong, half a round trip):", "На чём подобрано (половина обмена туда и обратно):" }
    predicted_part() { "What it is not fitted to, P = 2:", "На чём не подбиралось, P = 2:" }
    column_bytes() { "bytes", "байты" }
    column_measured() { "measured, us", "измерено, мкс" }
    column_model() { "model, us", "модель, мкс" }
    column_error() { "error", "ошибка" }
    errors(median, largest) {
        "error: median {median}, largest {largest}",
        "ошибка: медиана {median}, наибольшая {largest}",
    }
    rank_correlation(tau) { "order, Kendall's tau: {tau} (1: the same order as measured)", "порядок, тау Кендалла: {tau} (1: порядок как в измерении)" }
    rank_correlation_of_size(bytes, tau) { "  among those of {bytes} bytes: {tau}", "  среди тех, что по {bytes} байт: {tau}" }
    no_rank_correlation() { "order: everything takes the same time, so there is none", "порядок: все времена равны, порядка нет" }
    one_core() {
        "The two processes had one core and took turns: this is not a fit of a machine.",
        "У двух процессов было одно ядро, они чередовались: это не модель машины.",
    }
    machine_written(name, path) {
        "machine `{name}`: {path}",
        "машина `{name}`: {path}",
    }
}
