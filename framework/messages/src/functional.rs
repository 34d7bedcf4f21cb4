//! The messages of the functional tests: verdicts, the calls of the ranks, hints.
messages! {
    /// The words that begin a report.
    fail() { "FAIL", "ОШИБКА" }
    hang() { "HANG", "ЗАВИСАНИЕ" }
    limit() { "LIMIT", "ЛИМИТ" }
    crash() { "CRASH", "АВАРИЯ" }
    abort() { "ABORTED", "ABORT" }
    skip() { "SKIP", "ПРОПУСК" }
    pass() { "PASS", "УСПЕХ" }

    /// The backend of a run, in a report's first line.
    on_ranks(backend, ranks) { "{backend}, P = {ranks}", "{backend}, P = {ranks}" }
    threads() { "threads", "потоки" }
    virtual_time() { "virtual time", "виртуальное время" }
    input(number, of, text) { "input {number} of {of}: {text}", "вход {number} из {of}: {text}" }
    ranks_heading() { "the ranks:", "процессы:" }
    last_output(rank) { "last output of rank {rank}:", "последний вывод процесса {rank}:" }
    next_step(hint) { "next: {hint}", "дальше: {hint}" }
    seen_on(places) { "seen on {places}", "обнаружено: {places}" }
    seen_as(places, word, title) { "on {places} it shows as {word}: {title}", "{places}: проявляется как {word}: {title}" }
    passed_but_undefined(places) {
        "passed by luck on {places}: MPI leaves open what happens there, another library, machine or size shows it",
        "прошло случайно: {places}: стандарт MPI здесь ничего не обещает, в другой библиотеке, на другой машине или при другом размере ошибка проявится",
    }
    passed_in_other_order(places) {
        "the same input passed on {places}, where messages arrived in another order: the outcome depends on it; cargo wb check tries every order",
        "с тем же входом прошло: {places}, где сообщения пришли в другом порядке: исход зависит от него; cargo wb check перебирает все порядки",
    }
    passed_in_time(places) { "the same input passed on {places}: it took less time there", "с тем же входом прошло: {places}: там это заняло меньше времени" }
    passed_in_memory(places) { "the same input passed on {places}: it had enough memory there", "с тем же входом прошло: {places}: там хватило памяти" }
    passed_there(places) {
        "the same input passed on {places}: backends differ in the speed of messages, in clocks, in the limits of the library and in memory; random numbers and the order of a HashMap differ in every run",
        "с тем же входом прошло: {places}: среды выполнения различаются скоростью сообщений, часами, ограничениями библиотеки и памятью; случайные числа и порядок HashMap различны при каждом запуске",
    }
    passed_on_processes(places) {
        "the same input passed on {places}: ranks on threads and in virtual time share the static variables of the program, and processes do not; clocks, the speed of messages and limits differ, too",
        "с тем же входом прошло: {places}: у потоков и в виртуальном времени статические переменные программы общие, у отдельных процессов — нет; различаются также часы, скорость сообщений и ограничения",
    }
    passed(places) { "passed on {places}", "пройдено: {places}" }
    not_tried(word, places, why) { "{word} {places}: {why}", "{word} {places}: {why}" }
    reported_elsewhere(test) {
        "the lines and the ranks are in the report of {test}",
        "строки и процессы — в отчёте теста {test}",
    }
    /// Numbers of ranks, and the inputs of a test.
    at_ranks(ranks) { "P = {ranks}", "P = {ranks}" }
    at_input(ranks, number, of) { "P = {ranks} (input {number} of {of})", "P = {ranks} (вход {number} из {of})" }

    /// The failure.
    panicked(rank, stage) { "rank {rank} panicked in {stage}", "процесс {rank} упал (panic) в {stage}" }
    aborted(rank, stage, code) {
        "rank {rank} ended the job in {stage}: abort({code})",
        "процесс {rank} завершил задание в {stage}: abort({code})",
    }
    failed(rank, stage) { "rank {rank}: {stage} returned an error", "процесс {rank}: {stage} вернул ошибку" }
    mismatched() {
        "calls of different ranks do not go together",
        "вызовы разных процессов не подходят друг к другу",
    }
    over_limit(rank, spent, limit) {
        "limit hit: the stages took {spent} s on rank {rank}, {limit} s are allowed",
        "превышен лимит: этапы заняли {spent} с на процессе {rank}, разрешено {limit} с",
    }
    oversubscribed(ranks, cores, headline) { "oversubscribed: {ranks} ranks ran on {cores} usable core(s); {headline}", "процессов больше, чем ядер: процессов {ranks}, доступных ядер {cores}; {headline}" }
    unterminated(ranks) { "rank {ranks} has delivered its result and does not end", "процесс {ranks} передал свой результат и не завершается" }
    hint_unterminated() {
        "destructors (Drop) of thread-local values, exit hooks, and threads that the task has started: which of them does not come to its end?",
        "деструкторы (Drop) локальных данных потока, обработчики выхода и потоки, запущенные задачей: что из этого не завершается?",
    }
    unterminated_at(line) { "still running after the result: {line}", "ещё выполняется после передачи результата: {line}" }
    rank_unterminated() { "came back, and does not end", "этапы завершил, но сам не завершается" }
    still_computing(ranks, stage, limit) {
        "limit hit: rank {ranks} was still computing in {stage} when {limit} s were over",
        "превышен лимит: процесс {ranks} ещё вычислял в {stage}, когда прошло {limit} с",
    }
    still_asleep(ranks, stage, limit) {
        "limit hit: rank {ranks} still waited outside of MPI in {stage} when {limit} s were over",
        "превышен лимит: процесс {ranks} ещё ждал вне MPI в {stage}, когда прошло {limit} с",
    }
    still_calling(limit, calls, rate) {
        "limit hit: calls still completed when {limit} s were over: {calls} calls so far, {rate} a second on all ranks together",
        "превышен лимит: вызовы ещё завершались, когда прошло {limit} с: всего вызовов {calls}, {rate} в секунду на всех процессах вместе",
    }
    still_blocked(limit) {
        "limit hit: the ranks were in these calls when {limit} s were over, and nothing shows that they wait for each other",
        "превышен лимит: когда прошло {limit} с, процессы были в этих вызовах, и ничто не показывает, что они ждут друг друга",
    }
    deadlock(limit) {
        "ranks wait for each other and none can continue (limit {limit} s)",
        "процессы ждут друг друга, и ни один не может продолжать (лимит {limit} с)",
    }
    hang_because(title) {
        "ranks wait, and none can continue: {title}",
        "процессы ждут, и ни один не может продолжать: {title}",
    }
    exited(rank, stage) {
        "rank {rank} called exit in {stage}: it has left no result",
        "процесс {rank} вызвал exit в {stage}: результата от него нет",
    }
    no_record(ranks) {
        "no result from rank {ranks}: its process ended without one",
        "нет результата от процесса {ranks}: он завершился без него",
    }
    refused(reason) { "validation refused the input: {reason}", "валидация отвергла вход: {reason}" }
    accepted() { "validation must refuse this input, and did not", "валидация должна отвергнуть этот вход, но не сделала этого" }
    not_refused(text) {
        "validation must refuse this input with a reason that contains `{text}`, and did not",
        "валидация должна отвергнуть этот вход с причиной, содержащей `{text}`, но не сделала этого",
    }
    disagree() { "the ranks disagree on the result", "результаты процессов расходятся" }
    wrong(rank) { "the output on rank {rank} is wrong", "неверный результат на процессе {rank}" }
    consequence(headline) { "in consequence {headline}:", "как следствие, {headline}:" }
    received_nothing(rank) {
        "rank {rank} received nothing in this run: no message and no collective operation brought it data",
        "процесс {rank} ничего не получил за этот запуск: ни сообщение, ни коллективная операция не принесли ему данных",
    }
    dropped_error(call, error) { "{call} returned an error that the stage did not pass on (`?`): {error}", "{call}: вызов вернул ошибку, которую этап не передал дальше (`?`): {error}" }
    thread_panicked(thread, place, text) { "the thread `{thread}` of the task panicked at {place}: {text}", "поток `{thread}` задачи завершился паникой, {place}: {text}" }
    remote_value_requested(rank) {
        "on rank {rank} this value is Rooted::Elsewhere, and here() and as_deref() give None: Rooted means that one rank has the value (Rooted::Here) and the others do not. Use it on that rank only, or bring it to the others first (bcast, scatter, send)",
        "на процессе {rank} это значение равно Rooted::Elsewhere, и here() и as_deref() дают None: Rooted означает, что значение есть у одного процесса (Rooted::Here), а у других его нет. Используйте его только там или сначала передайте остальным (bcast, scatter, send)",
    }
    input_elsewhere(rank, home) {
        "the input is on rank {home} only (Rooted::Here): on rank {rank} preprocessing gets Rooted::Elsewhere",
        "вход есть только на процессе {home} (Rooted::Here): на процессе {rank} preprocessing получает Rooted::Elsewhere",
    }
    differs_from_reference(rank) {
        "the output on rank {rank} is not the reference's",
        "результат на процессе {rank} отличается от эталонного",
    }
    output_missing(ranks) {
        "no output on rank {ranks}, where the task declares one",
        "нет результата на процессе {ranks}, где он объявлен",
    }
    unexpected_output(ranks) {
        "an output on rank {ranks}, where the task declares none",
        "лишний результат на процессе {ranks}, где он не объявлен",
    }
    unaccounted(sends, receives) {
        "{sends} messages were sent and {receives} received, and the rest is nowhere to be found",
        "сообщений отправлено: {sends}, принято: {receives}; остальные не найдены",
    }
    messages(sent, expected) {
        "{sent} messages were sent, {expected} are required",
        "отправлено сообщений: {sent}, требуется: {expected}",
    }
    silent() {
        "it communicates nothing: no rank receives data from another one on any input",
        "обмена нет: ни на одном входе ни один процесс не получает данных от другого",
    }
    no_inputs(ranks) {
        "the test gives no input for {ranks} rank(s): nothing was tested",
        "тест не даёт ни одного входа при P = {ranks}: ничего не проверено",
    }
    other_inputs(announced, expected) {
        "the job had {announced} input(s) and this process has {expected}: a test must make the same inputs everywhere",
        "входов в задании {announced}, в этом процессе {expected}: тест обязан всюду строить одни и те же входы",
    }
    job_terminated_afterwards() {
        "every rank came back, but the job ended before it had looked for what they left behind",
        "все процессы завершили этапы, но задание закончилось до проверки того, что они оставили",
    }
    not_run(why) { "the test was not run: {why}", "тест не был выполнен: {why}" }
    not_run_after(count) {
        "{count} tests before it had to be ended, no more are tried at this number of ranks",
        "до него пришлось прервать тестов: {count}; при этом числе процессов остальные не выполняются",
    }
    ended_elsewhere(ranks) {
        "it had to be ended on {ranks} ranks already",
        "его уже пришлось прервать при числе процессов {ranks}",
    }
    no_verdict() { "the job ended before it came to it", "задание закончилось раньше" }
    job_output() { "the job had printed:", "вывод задания:" }
    job_terminated(how) { "{how}; it had printed:", "{how}; его вывод:" }
    ended_with(status) { "the job ended with {status}", "задание завершилось: {status}" }
    no_progress() { "the job got nowhere and was ended", "задание не продвигалось и было прервано" }

    /// The position of a rank, in the table of ranks.
    rank_in_call(stage, call, place) { "in {stage}: {call}  at {place}", "в {stage}: {call}  {place}" }
    rank_computing_at(stage, place) { "computing in {stage}  at {place}", "вычисляет в {stage}  в {place}" }
    rank_asleep_at(stage, place) { "waiting outside of MPI in {stage}  at {place}", "ждёт вне MPI в {stage}  в {place}" }
    rank_calling_at(stage, place) { "in a call, or repeating it, in {stage}  at {place}", "в вызове или повторяет его в {stage}  в {place}" }
    rank_asleep(stage) { "waiting outside of MPI in {stage}", "ждёт вне MPI в {stage}" }
    rank_agrees(stage) { "in {stage}: is through, and waits for the others", "в {stage}: свою часть завершил и ждёт остальных" }
    rank_computing(stage) { "computing in {stage}", "вычисляет в {stage}" }
    rank_panicked(stage, place) { "panicked in {stage} at {place}", "упал (panic) в {stage}, {place}" }
    rank_aborted(stage, place) { "called abort in {stage} at {place}", "вызвал abort в {stage}, {place}" }
    rank_awaits_time(stage, place) { "waits by the clock in {stage} at {place}", "ждёт по часам в {stage}, {place}" }
    rank_failed(stage, text) { "{stage} returned an error: {text}", "{stage} вернул ошибку: {text}" }
    rank_failed_so(stage) { "{stage} returned this error", "{stage} вернул эту ошибку" }
    rank_failed_waiting(stage, text) { "in {stage}: {text}", "в {stage}: {text}" }
    waited(other) { "could continue, but rank {other} did not end its turn", "мог продолжать, но процесс {other} не закончил свой ход" }
    rank_exited(stage) { "called exit in {stage}", "вызвал exit в {stage}" }
    rank_returned() { "came back", "завершил все этапы" }
    rank_refused() { "received the refusal of the input by validation", "получил отказ валидации" }
    rank_over_limit() { "came back too late", "завершил этапы слишком поздно" }
    rank_without_record() { "no record", "нет записи" }
    between_stages() { "the time between two stages", "промежутке между этапами" }
    setting_up() { "the set-up of the run", "подготовка запуска" }
    checking() { "the oracle", "проверка ответа" }
    output_of(rank, text) { "rank {rank}: {text}", "процесс {rank}: {text}" }
    objection(text) { "the oracle: {text}", "проверка: {text}" }
    against_reference(text) { "against the reference: {text}", "в сравнении с эталоном: {text}" }
    reference_wrong(why) { "the reference's own output is wrong: {why}", "неверен результат самого эталона: {why}" }
    reference_late(limit) { "the reference has not ended within {limit} s", "эталон не завершился за {limit} с" }
    reference_without_output() {
        "the reference leaves no output on its one rank",
        "эталон не оставил результата на своём единственном процессе",
    }

    hint_panic(place) { "{place}", "{place}" }
    hint_error() { "the text above says which call and why", "текст выше называет вызов и причину" }
    hint_order() {
        "call the same collectives in the same order on all ranks, and the same form of each: blocking or nonblocking",
        "вызывайте на всех процессах одни и те же коллективные операции в одном порядке и в одной форме: блокирующей или неблокирующей",
    }
    hint_mismatched() {
        "the two lines: they must agree in what the text above compares",
        "сравните две эти строки: они должны совпадать в том, о чём сказано выше",
    }
    hint_hang() {
        "each line names a call that waits: find the partner that should answer it (peer, tag, order of the calls)",
        "каждая строка называет ждущий вызов: найдите, кто должен ответить (партнёр, тег, порядок вызовов)",
    }
    hint_limit() {
        "does the loop around this line end? If it does: less work for the same answer, or a smaller input; WB_TASK_MAX_TIME=<seconds> raises the limit for a try",
        "завершается ли цикл вокруг этой строки? Если да: меньше работы или меньший вход; WB_TASK_MAX_TIME=<секунды> поднимает лимит для пробы",
    }
    hint_oversubscribed(cores, hint) { "fewer ranks: up to {cores} have a core each; {hint}", "меньше процессов: если их не больше {cores}, у каждого есть ядро; {hint}" }
    hint_blocked() {
        "a busy machine may need more time: repeat the test alone; WB_TASK_MAX_TIME=<seconds> raises the limit for a try",
        "загруженной машине может не хватить времени: повторите тест отдельно; WB_TASK_MAX_TIME=<секунды> поднимает лимит для пробы",
    }
    hint_calls() {
        "no rank is blocked: the program is slow, or a loop around these lines does not end. Many small messages cost more than a few long ones: send several values in one call; WB_TASK_MAX_TIME=<seconds> raises the limit for a try",
        "ни один процесс не заблокирован: программа медленная или цикл вокруг этих строк не завершается. Много коротких сообщений дороже нескольких длинных: передавайте несколько значений одним вызовом; WB_TASK_MAX_TIME=<секунды> поднимает лимит для пробы",
    }
    processes_left(count) {
        "{count} process(es) left behind by the task, and ended",
        "задача оставила процессов: {count}; они завершены",
    }
    hint_processes_left() {
        "wait for every process that the task starts (`Child::wait`), or start none: the ranks are all it needs",
        "дождитесь каждого процесса, который запускает задача (`Child::wait`), или не запускайте их: задаче хватает рангов",
    }
    out_of_memory(rank, amount, stage) {
        "rank {rank} ran out of memory in {stage}: it asked for {amount}",
        "процессу {rank} не хватило памяти в {stage}: запрошено {amount}",
    }
    out_of_memory_at(rank, amount, line) {
        "rank {rank} ran out of memory: it asked for {amount} at {line}",
        "процессу {rank} не хватило памяти: запрошено {amount} в {line}",
    }
    out_of_memory_unlocated(rank, amount) {
        "rank {rank} ran out of memory: it asked for {amount}",
        "процессу {rank} не хватило памяти: запрошено {amount}",
    }
    requested_at(amount, line) { "{amount} were asked for at {line}", "{amount} запрошено в {line}" }
    rank_out_of_memory(stage, amount) { "out of memory in {stage}: asked for {amount}", "не хватило памяти в {stage}: запрошено {amount}" }
    hint_out_of_memory() {
        "is the size in this line right? A matrix of n x n needs n times n elements, and every rank has its own copy",
        "верен ли размер в этой строке? Матрица n x n занимает n на n элементов, и у каждого процесса своя копия",
    }
    capacity_overflow() {
        "more memory was asked for than an address can name: look at how the size is computed",
        "запрошено больше памяти, чем может назвать адрес: посмотрите, как вычислен размер",
    }
    killed() {
        "signal 9: probably the kernel ended it because memory ran out, or somebody ended it with `kill -9`",
        "сигнал 9: вероятно, ядро завершило его из-за нехватки памяти, или кто-то выполнил `kill -9`",
    }
    hint_asleep() {
        "the rank sleeps, waits for a lock or reads: no other rank can wake it through MPI; remove the wait",
        "процесс спит, ждёт блокировки или чтения: через MPI его никто не разбудит; уберите это ожидание",
    }
    computes_at(rank, line) {
        "rank {rank} computes and does not communicate, at {line}",
        "процесс {rank} вычисляет и не обменивается сообщениями: {line}",
    }
    calls_at(rank, line) {
        "rank {rank} is in a call of the workbench, or repeats it, at {line}",
        "процесс {rank} находится в вызове или повторяет его: {line}",
    }
    asleep_at(rank, line) {
        "rank {rank} waits in the operating system and not in a call of MPI, at {line}",
        "процесс {rank} ждёт в операционной системе, а не в вызове MPI: {line}",
    }
    hint_exited() {
        "a task returns its result or an error; it must not call exit",
        "задача возвращает результат или ошибку; вызывать exit нельзя",
    }
    hint_no_record() {
        "what was printed may tell; after a stack overflow: is a large array on the stack (put it into a Vec), and does the recursion end? SIGSEGV: unsafe code; otherwise abort, _exit, memory, or a panic in a destructor",
        "вывод может объяснить; при переполнении стека: нет ли на стеке большого массива (храните его в Vec) и заканчивается ли рекурсия? SIGSEGV: код unsafe; иначе abort, _exit, память или panic в деструкторе",
    }
    hint_refused() { "Task::validation, and the input", "Task::validation и вход" }
    hint_disagree() {
        "which rank got the data of another step, or never got them",
        "какой процесс получил данные другого шага или не получил их",
    }
    hint_wrong() { "begin with the smallest number of ranks that fails", "начните с наименьшего числа процессов, при котором есть ошибка" }
    hint_output_location() { "Task::OUTPUT and what postprocessing returns on each rank", "Task::OUTPUT и то, что возвращает postprocessing на каждом процессе" }
    hint_rules() { "the rules of the assignment", "правила задания" }
    hint_silent() {
        "a parallel version has to divide the work or the data among the ranks",
        "параллельная версия должна делить работу или данные между процессами",
    }
    hint_test() { "the list of inputs in the test", "список входов в тесте" }
    hint_not_started() { "`cargo wb doctor`: it starts a job of two ranks and names what this host lacks", "`cargo wb doctor`: он запускает задание из двух процессов и называет, чего не хватает узлу" }
    hint_not_run() { "the failures above it, one at a time", "ошибки до него, по одной" }

    /// Why no test can run.
    settings_reported_by(test) {
        "the settings are wrong: see the report of {test}",
        "ошибка в настройках: смотрите отчёт теста {test}",
    }
    /// A task that leaves its output at another place than its assignment.
    other_output_place(task, assignment) {
        "`OUTPUT` of the task is {task}, and the assignment's is {assignment}",
        "`OUTPUT` задачи — {task}, а по заданию — {assignment}",
    }
    wrong_launcher(announced, size, flavour, launchers) {
        "the launcher announced {announced} ranks, and the job has {size}: this program is linked with {flavour}, and was \
         started by the launcher of another library. Use: {launchers}",
        "запускающая программа объявила {announced} процессов, а в задании их {size}: программа собрана с {flavour}, а \
         запущена средством другой библиотеки. Используйте: {launchers}",
    }
    no_launcher_found() { "none was found on the PATH", "в PATH ничего не найдено" }
    nextest() {
        "cargo nextest starts every test as a process of its own, which cannot share the ranks of an outer launcher: \
         use `mpirun -n 4 cargo test`, or `cargo nextest run` without a launcher",
        "cargo nextest запускает каждый тест отдельным процессом, и они не могут делить процессы внешнего mpirun: \
         используйте `mpirun -n 4 cargo test` или `cargo nextest run` без mpirun",
    }
    not_opted_in() {
        "this test target is not prepared for the workbench: name it `functional`, or write `workbench::test_binary!();` \
         at the top of its file",
        "эта программа тестов не подготовлена: назовите её `functional` или напишите `workbench::test_binary!();` в начале файла",
    }
    no_mpi_linked() {
        "it was started by an MPI launcher, and is built without MPI: run it without the launcher",
        "программа запущена через mpirun, но собрана без MPI: запустите её без mpirun",
    }
    unknown_backend(variable, list, name, allowed) {
        "{variable}={list}: `{name}` is not a backend of this program; its backends are: {allowed}",
        "{variable}={list}: `{name}` не является движком этой программы; её движки: {allowed}",
    }
    cannot_join(why) { "this process cannot join the job: {why}", "процесс не может войти в задание: {why}" }
    cannot_start(why) { "no job can be started: {why}", "задание не запускается: {why}" }
    out_of_step(rank, theirs, mine) {
        "rank {rank} is at {theirs}, this one at {mine}: all ranks must run the same tests in the same order, with one test thread",
        "процесс {rank} выполняет {theirs}, этот {mine}: все процессы обязаны выполнять одни и те же тесты в одном и том же порядке, в одном потоке тестов",
    }
    too_few_ranks(wanted, available) {
        "SKIP P = {wanted}: the launcher gave {available} rank(s)",
        "ПРОПУСК P = {wanted}: при запуске дано процессов: {available}",
    }
    nothing_tested() {
        "nothing was tested: no number of ranks of this test can be had here",
        "ничего не проверено: ни одно число процессов этого теста здесь недоступно",
    }
    job_ends_here() {
        "the ranks cannot continue after this; the tests that follow were not run (without mpirun each gets its verdict)",
        "после этого продолжать нельзя; следующие тесты не выполнены (без mpirun каждый получит свой вердикт)",
    }

    /// The last line.
    summary(runs) { "workbench: {runs}", "workbench: {runs}" }
    summary_interrupted() {
        "workbench: interrupted; what had run until then:",
        "workbench: прервано; до этого выполнено:",
    }
    summary_of(backend, passed, failed, skipped) {
        "{backend}: {passed} run(s) passed, {failed} failed, {skipped} skipped",
        "{backend}: запусков успешно {passed}, с ошибкой {failed}, пропущено {skipped}",
    }
    summary_oversubscribed(ranks, cores) {
        "P = {ranks} oversubscribed: {cores} core(s)",
        "P = {ranks} больше числа ядер: {cores}",
    }
    summary_unchecked(ranks, most) {
        "P = {ranks} not searched for races of windows: {most} rank(s) at most",
        "P = {ranks} без поиска гонок в окнах: не больше {most} процессов",
    }
    summary_left_out(ranks) {
        "P = {ranks} skipped: a test was ended at other P",
        "P = {ranks} пропущено: тест пришлось прервать при других P",
    }
    version_disabled(version) {
        "the version `{version}` is disabled in task.yaml: its tests are skipped",
        "версия `{version}` отключена в task.yaml: её тесты пропущены",
    }
    summary_skipped(ranks, available) {
        "P = {ranks} skipped: the launcher gave {available} rank(s)",
        "P = {ranks} пропущено: при запуске дано процессов: {available}",
    }
}
