//! Jobs of Slurm: their options, their progress, and how they end.
messages! {
    help_slurm() {
        "Run the command as a job of Slurm: submit it, show its output, cancel it on Ctrl-C",
        "Выполнить команду как задание Slurm: поставить в очередь, показывать вывод, снять по Ctrl-C",
    }
    help_batch() {
        "Write the script of the job to FILE and submit nothing",
        "Записать сценарий задания в FILE и ничего не ставить в очередь",
    }
    help_partition() { "Slurm's partition", "Раздел (partition) Slurm" }
    help_account() { "Slurm's account", "Учётная запись (account) Slurm" }
    help_minutes() { "The time limit of the job in minutes", "Лимит времени задания в минутах" }
    help_nodes() { "The number of nodes", "Число узлов" }
    help_ranks_per_node() { "The number of ranks on a node", "Число процессов на узле" }
    help_line() {
        "One more option of sbatch, as in --slurm-line=--exclusive; can be repeated",
        "Ещё один параметр sbatch, например --slurm-line=--exclusive; можно повторять",
    }
    help_array() {
        "Measure the launches in N jobs of an array, one at a time, so that they are spread over time and nodes",
        "Измерить запуски в N заданиях массива, по одному, чтобы они распределились по времени и узлам",
    }
    help_part() {
        "Measure only every Nth launch from launch K on, and keep the records for --collect",
        "Измерить только каждый N-й запуск, начиная с запуска K, и сохранить записи для --collect",
    }
    help_run() {
        "The name of the run to which the part belongs, the same for all its parts",
        "Имя измерения, к которому относится часть, одно для всех его частей",
    }
    help_collect() {
        "Measure nothing: write the report from the parts of this run, by default of the last one",
        "Ничего не измерять: построить отчёт из частей этого измерения, по умолчанию последнего",
    }
    needs_task() {
        "a job belongs to one task: name it with -p TASK",
        "задание относится к одной задаче: укажите её через -p TASK",
    }
    no_parts(task) {
        "no part of a run of {task} was measured: start one with `cargo wb report -p {task} --slurm` or `--batch FILE`",
        "ни одна часть измерения {task} не выполнена: начните командой `cargo wb report -p {task} --slurm` или `--batch FILE`",
    }
    no_run(run, known) {
        "there is no run `{run}`; there are {known}",
        "измерения `{run}` нет; есть {known}",
    }
    collected(run, parts, of) {
        "run {run}: records of {parts} of {of} parts",
        "измерение {run}: записи {parts} из {of} частей",
    }
    part_unreadable(run, part, reason) {
        "run {run}, part {part}: {reason}",
        "измерение {run}, часть {part}: {reason}",
    }
    part_incomplete(run, part) {
        "run {run}, part {part} ended before its last launch; the report has the launches that it had measured",
        "измерение {run}, часть {part} закончилось до последнего запуска; в отчёте есть запуски, которые оно успело измерить",
    }
    mixed_parts(run, folder) {
        "run {run} has parts of different divisions: it was measured twice under one name. Remove {folder} and measure again",
        "в измерении {run} есть части разных делений: оно выполнено дважды под одним именем. Удалите {folder} и измерьте снова",
    }
    other_plan(part) {
        "part {part} was measured by another plan (other ranks, workloads or limits), so it is not a part of the same run",
        "часть {part} измерена по другому плану (другие числа процессов, наборы данных или лимиты), поэтому она не из того же измерения",
    }
    no_program(program) {
        "Slurm is not usable here: {program} is not on the PATH",
        "Slurm здесь недоступен: в PATH нет {program}",
    }
    no_interface(interface, library) {
        "srun has no interface {interface}, which ranks of {library} need: mpirun starts them inside of the job",
        "у srun нет интерфейса {interface}, нужного процессам {library}: внутри задания их запустит mpirun",
    }
    refused(program, reason) { "{program} refuses: {reason}", "{program} отказывает: {reason}" }
    no_answer(program, seconds) {
        "{program} has not answered for {seconds} s",
        "{program} не отвечает {seconds} с",
    }
    invalid_line(line) {
        "`{line}` is not allowed; expected an option of sbatch that begins with `-`, in one line",
        "`{line}` не подходит; ожидается параметр sbatch, который начинается с `-`, в одной строке",
    }
    written(file) {
        "the job's script is in {file}: submit it with `sbatch {file}`",
        "сценарий задания записан в {file}: поставьте его в очередь командой `sbatch {file}`",
    }
    exists(file) {
        "{file} exists already; remove it or name another file",
        "файл {file} уже существует; удалите его или укажите другой",
    }
    submitted(job, file) { "job {job} submitted; its output: {file}", "задание {job} поставлено в очередь; его вывод: {file}" }
    queued(job) { "job {job} waits in the queue", "задание {job} ждёт в очереди" }
    pending(job, reason) { "job {job} waits in the queue: {reason}", "задание {job} ждёт в очереди: {reason}" }
    running(job, nodes) { "job {job} runs on {nodes}", "задание {job} выполняется на {nodes}" }
    other_state(job, state) { "job {job}: {state}", "задание {job}: {state}" }
    cancelling(job) { "cancelling job {job}", "снимается задание {job}" }
    timed_out(job, limit) {
        "job {job} reached its time limit: {limit}. What had been measured is kept. Ask for more with --minutes",
        "задание {job} достигло лимита времени: {limit}. Уже измеренное сохранено. Увеличьте лимит: --minutes",
    }
    preempted(job) {
        "job {job} was preempted by another job. What had been measured is kept. Run the command again",
        "задание {job} вытеснено другим заданием. Уже измеренное сохранено. Запустите команду снова",
    }
    node_failed(job, nodes) {
        "job {job} lost a node: {nodes}. What had been measured is kept. Run the command again",
        "задание {job} потеряло узел: {nodes}. Уже измеренное сохранено. Запустите команду снова",
    }
    out_of_memory(job) {
        "job {job} used more memory than it was allocated: ask for more, as in --slurm-line=--mem=8G",
        "заданию {job} не хватило выделенной памяти: запросите больше, например --slurm-line=--mem=8G",
    }
    cancelled(job) { "job {job} was cancelled", "задание {job} снято" }
    lost(job) {
        "Slurm does not know job {job} any more, so its end is unknown; its output is in the file named above",
        "Slurm больше не знает задания {job}, поэтому его исход неизвестен; вывод — в файле, названном выше",
    }
}
