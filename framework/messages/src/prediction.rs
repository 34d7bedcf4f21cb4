//! The messages of a simulation.
messages! {
    about_simulate() {
        "Predict a task's speed-up on a simulated machine",
        "Предсказать ускорение задачи на моделируемой машине",
    }
    help_ranks() {
        "Numbers of ranks: a list like 2,4,8, or a range like 2..1024, which doubles",
        "Числа процессов: список 2,4,8 или диапазон 2..1024 с удвоением",
    }
    bad_ranks(item, most) {
        "`{item}` is neither a number of ranks from 1 to {most} nor a range like 2..1024",
        "`{item}` не является числом процессов от 1 до {most} или диапазоном вида 2..1024",
    }
    help_fault() {
        "Inject a fault: slow:RANK:FACTOR, jitter:SEED[:PERCENT], late:RANK:NS, deaf:RANK (receives nothing while it computes); repeat it for more",
        "Внести сбой: slow:РАНГ:МНОЖИТЕЛЬ (медленный), jitter:ЧИСЛО[:ПРОЦЕНТ] (разброс), late:РАНГ:НС (опоздание), deaf:РАНГ (ничего не принимает, пока вычисляет); можно повторять",
    }
    with_faults(faults) {
        "With faults in the parallel version: {faults}. Speed-up is against a sequential version without them.",
        "Со сбоями в параллельной версии: {faults}. Ускорение — относительно последовательной версии без сбоев.",
    }
    help_compute() {
        "What computing costs: as the task declares it, or as it takes on this computer (not the same in every run)",
        "Сколько стоят вычисления: сколько объявляет задача или сколько они занимают на этом компьютере (каждый раз по-разному)",
    }
    computing_measured() {
        "NOT DETERMINISTIC: the measured time of computing on this computer is charged, one rank after the other on one core, the median of several passes; messages cost as in the model (LogGP). What the task declares is not charged.",
        "НЕ ПОВТОРЯЕТСЯ ТОЧНО: вычисления занимают столько, сколько заняли на этом компьютере, процесс за процессом на одном ядре, из нескольких проходов средний; обмен стоит столько, сколько говорит модель (LogGP). Объявленное задачей не учитывается.",
    }
    needs_records() {
        "a simulation needs a file for its records: --wb-records FILE",
        "для записей моделирования нужен файл: --wb-records ФАЙЛ",
    }
    failed(workload, ranks, why) {
        "not simulated: workload `{workload}`, P = {ranks}: {why}",
        "моделирование не удалось: нагрузка `{workload}`, P = {ranks}: {why}",
    }
    too_large(needed, available) {
        "it would take about {needed} of memory (from the passes on fewer ranks), and there are {available}: take a smaller size in task.yaml, or fewer ranks; WB_MEMORY_LIMIT=<MB> sets another limit below what is free",
        "нужно около {needed} памяти (по проходам на меньшем числе процессов), а есть {available}: уменьшите размер в task.yaml или число процессов; WB_MEMORY_LIMIT=<МБ> задаёт другой предел ниже свободного объёма",
    }
    probing(workload, few, ranks) {
        "workload `{workload}`: a pass on {few} ranks to estimate the memory for {ranks}",
        "нагрузка `{workload}`: проход на {few} процессах для оценки памяти на {ranks}",
    }
    over_limit(seconds) {
        "the limit of {seconds} s is over",
        "превышен лимит {seconds} с",
    }
    hint_endless() {
        "does the loop around this line end? If it does: less work, or a smaller size in task.yaml; WB_PERF_MAX_TIME=<seconds> raises the limit",
        "завершается ли цикл вокруг этой строки? Если да: меньше работы или меньший размер в task.yaml; WB_PERF_MAX_TIME=<секунды> поднимает лимит",
    }
    timed_out(seconds) {
        "still running after {seconds} s, ended",
        "через {seconds} с ещё выполнялось, остановлено",
    }
    killed(signal, available) {
        "the process of all ranks was ended by signal {signal} (9: killed, mostly by the system because memory ran out; 6: aborted, mostly because an allocation was refused). {available} of memory are left: take a smaller size in task.yaml, or fewer ranks",
        "процесс всех рангов завершён сигналом {signal} (9: остановлен, чаще всего системой из-за нехватки памяти; 6: прерван, чаще всего из-за отказа в выделении памяти). свободно памяти: {available}: уменьшите размер в task.yaml или число процессов",
    }
    no_answer() {
        "the process of all ranks ended without a result",
        "процесс всех рангов завершился без результата",
    }
    heading(task, machine) {
        "{task} on {machine}: a MODEL, not a measurement",
        "{task} на {machine}: МОДЕЛЬ, не измерение",
    }
    workload(mode, workload) {
        "{mode}: {workload}",
        "{mode}: {workload}",
    }
    computing() { "computing", "вычисления" }
    time() { "time", "время" }
    sends() { "sends", "отправки" }
    volume() { "bytes", "объём" }
    wrong() {
        "a wrong result",
        "неверный результат",
    }
    nothing_declared() {
        "The task declares no computation, so only its communication takes time here and there is no speed-up. Where it computes, call `world.work(operations, bytes)`; a transfer computes nothing.",
        "Задача не объявляет вычислений, поэтому время здесь занимает только обмен, и ускорения нет. Там, где задача вычисляет, вызывайте `world.work(operations, bytes)`; сама передача ничего не вычисляет.",
    }
    only_parallel() {
        "The sequential version declares no computation and the parallel one does: without `world.work(operations, bytes)` in both there is no speed-up.",
        "Последовательная версия не объявляет вычислений, а параллельная объявляет: без `world.work(operations, bytes)` в обеих ускорения нет.",
    }
    same_everywhere() {
        "These numbers are the same on every computer. Computing is what the task declares; messages cost as in the model (LogGP). Sends are the task's own; what collectives send is not among them.",
        "Эти числа одинаковы на любом компьютере. Вычисления занимают столько, сколько объявляет задача; обмен стоит столько, сколько говорит модель (LogGP). Столбец «отправки» считает собственные отправки задачи, без тех, что делают коллективные операции.",
    }
}
