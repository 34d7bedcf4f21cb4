//! The messages of the judge.
messages! {
    about() {
        "Judge a task: inputs, oracle and clock are in another process than its code",
        "Проверить задачу судьёй: входные данные, проверка и часы в другом процессе",
    }
    help_task() { "The task, whose problem is an instructor's assignment", "Задача по заданию преподавателя" }
    help_seed() { "Draw the graded inputs and the samples of the oracle from this number, to repeat a verdict", "Выбрать входы для оценки и выборку проверки по этому числу, чтобы повторить оценку" }
    help_private() {
        "A folder with graded inputs that are not in the repository",
        "Папка с входами для оценки, которых нет в репозитории",
    }
    help_verdicts_only() {
        "Only the verdicts on the graded inputs, no times",
        "Только вердикты на входах для оценки, без времени",
    }
    not_worth_measuring() {
        "not measured: the parallel version failed on the graded inputs",
        "не измерено: параллельная версия не прошла проверку на входах для оценки",
    }
    connected_twice(rank) {
        "rank {rank} connected to the judge twice: another process posed as a rank",
        "процесс {rank} подключился к судье дважды: другой процесс выдал себя за него",
    }
    shared_process() {
        "two ranks of MPI connected from one process",
        "два процесса MPI подключились из одного процесса системы",
    }
    not_a_rank() {
        "what connected to the judge is not a rank of this job",
        "к судье подключилось нечто, что не является процессом этой задачи",
    }
    other_version(its, own) {
        "the rank program speaks version {its} of the channel to its judge, and the judge speaks version {own}: build both from one version of the workbench",
        "программа говорит с судьёй по версии {its} протокола, а судья по версии {own}: соберите обе из одной версии",
    }
    wrong_size(asked, rank, sees) {
        "{asked} ranks were asked for and rank {rank} sees {sees}: the launcher does not belong to the linked library",
        "запрошено процессов: {asked}, а процесс {rank} видит {sees}: запускающая программа не от этой библиотеки",
    }
    ended_unconnected(status, output) {
        "the rank program ended before all ranks were connected: {status}\n{output}",
        "программа завершилась, пока не все процессы подключились: {status}\n{output}",
    }
    not_connected(missing, seconds, output) {
        "rank(s) {missing} did not connect to the judge within {seconds} s\n{output}",
        "процессы {missing} не подключились к судье за {seconds} с\n{output}",
    }
    does_not_end(seconds) {
        "the job does not end {seconds} s after its last pass",
        "задача не завершилась за {seconds} с после последнего прохода",
    }
    ended_badly(status, output) {
        "after all passes the job ended with {status}\n{output}",
        "после всех проходов задача завершилась: {status}\n{output}",
    }
    out_of_turn(rank, message) {
        "rank {rank} sent `{message}` out of turn",
        "процесс {rank} прислал `{message}` не в свою очередь",
    }
    early(rank) {
        "rank {rank} reported the end of the timed region before its start",
        "процесс {rank} сообщил о конце измеряемого участка до его начала",
    }
    impossible_times(rank) {
        "rank {rank} states times that cannot be: by the judge's clock it began after and had answered before them",
        "процесс {rank} сообщил невозможные времена: по часам судьи он начал позже и ответил раньше",
    }
    more_threads(processors) {
        "a rank computed on {processors} processors at a time: a rank has one thread",
        "процесс вычислял на {processors} процессорах одновременно: у процесса один поток",
    }
    rank_failed(rank, reason) { "rank {rank}: {reason}", "процесс {rank}: {reason}" }
    rank_failed_in(rank, stage, reason) {
        "rank {rank}, stage {stage}: {reason}",
        "процесс {rank}, этап {stage}: {reason}",
    }
    rank_lost(ranks, output) {
        "rank(s) {ranks} ended without an answer\n{output}",
        "процессы {ranks} завершились без ответа\n{output}",
    }
    late(missing, seconds) {
        "no answer from rank(s) {missing} within {seconds} s; the job was ended",
        "нет ответа от процессов {missing} за {seconds} с; задача завершена",
    }
    too_slow(seconds, limit) {
        "the stages took {seconds} s by the judge's clock, {limit} s are allowed",
        "этапы заняли {seconds} с по часам судьи, разрешено {limit} с",
    }
    mixed() {
        "some ranks refused the input and others did not",
        "одни процессы отвергли данные, а другие нет",
    }
    refused(reason) {
        "the input was refused: {reason}",
        "входные данные отвергнуты: {reason}",
    }
    accepted() {
        "the input was accepted, and must be refused",
        "входные данные приняты, а должны быть отвергнуты",
    }
    no_output(rank) {
        "rank {rank} has no output and should have one",
        "у процесса {rank} нет результата, а он должен быть",
    }
    unreadable(rank, error) {
        "the output of rank {rank} is not an output of the assignment: {error}",
        "результат процесса {rank} не является результатом задания: {error}",
    }
    wrong(rank, objection) {
        "the output of rank {rank} is wrong: {objection}",
        "результат процесса {rank} неверен: {objection}",
    }
    differs(rank, objection) {
        "the output of rank {rank} is not the reference's: {objection}",
        "результат процесса {rank} не совпадает с эталоном: {objection}",
    }
    no_reference(reason) {
        "the assignment's reference has no output: {reason}",
        "эталонное решение задания не дало результата: {reason}",
    }
    leaks(count, first) {
        "{count} message(s) or requests were left over; the first: {first}",
        "осталось сообщений или запросов: {count}; первое: {first}",
    }
    bypassed(rank, sent, least) {
        "the output is right, but the data did not take the required way: rank {rank} sent {sent} byte(s), and {least} have to pass it",
        "ответ верен, но данные прошли не по заданному пути: процесс {rank} отправил {sent} байт, а через него должно пройти {least}",
    }
    seed(seed) {
        "seed of the graded inputs and of the oracle: {seed} (`--seed {seed}` judges with the same)",
        "начальное значение входов для оценки и проверки ответа: {seed} (`--seed {seed}` повторит оценку с ним)",
    }
    silent() {
        "the parallel version communicated nothing in any graded run",
        "параллельная версия ни разу не обменялась данными на входах для оценки",
    }
    passed(version, ranks, passed, all) {
        "{version}, P = {ranks}: {passed} of {all} verdicts of the judge are passes",
        "{version}, P = {ranks}: пройдено {passed} из {all} проверок судьи",
    }
    no_assignment(name) {
        "the problem of {name} is not an instructor's assignment, so there is no judge for it",
        "{name} решает не задание преподавателя, и судьи для неё нет",
    }
    no_judge(assignment) {
        "{assignment} has no judge: its folder needs benches/judge.rs, see docs/instructor.md",
        "у {assignment} нет судьи: в его папке нужен benches/judge.rs, см. docs/instructor.md",
    }
    no_private_folder(folder) {
        "--private: there is no folder {folder}, which has the graded inputs of the assignment as *.json",
        "--private: нет папки {folder} с входами задания в файлах *.json",
    }
    judge_refuses(task) {
        "{task} was not judged: the judge refuses its settings or the private inputs, see above",
        "{task}: проверка не выполнена, судья не принял настройки или закрытые данные, см. выше",
    }
    another_assignment(task, its, judged) {
        "{task} is for assignment {its}, and this is the judge of {judged}",
        "{task} решает задание {its}, а это судья задания {judged}",
    }
    building_judge(assignment) { "building the judge of {assignment}", "сборка судьи {assignment}" }
    building_task(task) { "building {task}", "сборка {task}" }
    not_built(name) { "{name} was not built", "{name} не собрано" }
    sandbox_missing(reason) {
        "no sandbox: {reason}\nNothing was run. On Debian and Ubuntu: sudo apt-get install bubblewrap util-linux",
        "изолированная среда недоступна: {reason}\nНичего не запущено. На Debian и Ubuntu: sudo apt-get install bubblewrap util-linux",
    }
    sandbox_not_linux() { "there is a sandbox on Linux only", "изолированная среда есть только в Linux" }
    sandbox_program_missing(program, package) {
        "`{program}` is not installed (Debian package {package})",
        "программа `{program}` не установлена (пакет Debian {package})",
    }
    sandbox_refused(reason) {
        "bubblewrap does not work here: {reason}; where AppArmor refuses it, as in Ubuntu, `.ci/allow-sandbox` helps",
        "bubblewrap здесь не работает: {reason}; если его запрещает AppArmor, как в Ubuntu, поможет `.ci/allow-sandbox`",
    }
    sandbox_memory(used, allowed) {
        "the sandbox was ended: its processes use {used} MB of memory together, {allowed} MB are allowed",
        "изолированная среда завершена: её процессы вместе занимают {used} МБ памяти, разрешено {allowed} МБ",
    }
    sandbox_memory_of_rank(rank, used) {
        "most of it, {used} MB, is that of rank {rank}",
        "больше всего, {used} МБ, занимает процесс {rank}",
    }
    sandbox_lost() {
        "the judge found no sandbox; nothing was run",
        "судья не нашёл изолированной среды; ничего не запущено",
    }
    records_are_in(file) { "The judge's records: {file}", "Записи судьи: {file}" }
    one_host_only() {
        "the judge runs ranks on one host: unset WB_HOSTS",
        "судья запускает процессы на одном узле: снимите WB_HOSTS",
    }
    help_sandbox() {
        "Build and run in a sandbox: no network, a read-only file system, limits",
        "Собирать и запускать в изолированной среде: без сети, файлы только для чтения, с ограничениями",
    }
    does_not_read(rank, seconds) {
        "rank {rank} has not read a message of the judge for {seconds} s; the job was ended",
        "процесс {rank} не прочёл сообщение судьи за {seconds} с; задача завершена",
    }
    not_a_message(rank, error) {
        "rank {rank} sent what is not a message to the judge: {error}",
        "процесс {rank} прислал судье не сообщение: {error}",
    }
    other_length(rank, count) {
        "rank {rank} did not return the {count} elements of its calls",
        "процесс {rank} не вернул {count} элементов своих вызовов",
    }
    no_verb() {
        "the task has no verb: implement `workbench::Communication` for `Mpi`",
        "у задачи нет операции: реализуйте `workbench::Communication` для `Mpi`",
    }
    own_verb_failed(count, reason) {
        "the task's verb with {count} element(s): {reason}",
        "операция задачи, элементов {count}: {reason}",
    }
    library_verb_failed(count, reason) {
        "the library's verb with {count} element(s): {reason}",
        "операция библиотеки, элементов {count}: {reason}",
    }
    collectives_called(count) {
        "{count} collective call(s), and only point-to-point messages are allowed here",
        "вызовов коллективных операций: {count}, а здесь разрешены только send и recv",
    }
    topologies_made(count) {
        "{count} communicator(s) with a topology, and this variant builds its topology from sends and receives",
        "коммуникаторов с топологией: {count}, а в этом варианте топология строится из передач и приёмов",
    }
    sequential_communicates(count) {
        "{count} message(s) or collective call(s) of the sequential version, which does not communicate",
        "передач и коллективных вызовов в последовательной версии: {count}, а она не обменивается данными",
    }
    not_run(lost) {
        "not run: the job was lost {lost} times before",
        "не запускалось: до этого связь с задачей терялась {lost} раза",
    }
}
