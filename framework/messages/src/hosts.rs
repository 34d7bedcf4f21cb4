//! Hosts that run ranks: what tests say of them, and the findings of `cargo wb doctor --hosts` with their remedies.
messages! {
    lost(hosts, how) {
        "no answer over ssh from the host(s) {hosts} ({how}); `cargo wb doctor --hosts FILE` says more",
        "нет ответа по ssh от узлов: {hosts} ({how}); подробнее — `cargo wb doctor --hosts FILE`",
    }
    lost_nodes(nodes, how) {
        "Slurm has lost the node(s) {nodes} ({how})",
        "Slurm потерял узлы: {nodes} ({how})",
    }
    time_is_over() {
        "the job of Slurm has reached its time limit: no launch begins any more. What had been measured is kept",
        "задание Slurm достигло лимита времени: новые запуски не начинаются. Уже измеренное сохранено",
    }
    allocation_ended(state) {
        "the job of Slurm ends ({state}): no launch begins any more. What had been measured is kept",
        "задание Slurm завершается ({state}): новые запуски не начинаются. Уже измеренное сохранено",
    }
    silent(ranks, seconds) {
        "no sign for {seconds} s from {ranks}: it is stopped, or its host, its network or its file system does not answer; the job was ended",
        "нет признаков работы в течение {seconds} с: {ranks}. Процесс остановлен, или не отвечает его узел, сеть либо файловая система; задание прервано",
    }
    quiet(ranks, seconds) {
        "{ranks} gave no sign for {seconds} s before the end: perhaps it was stopped, or its host did not answer",
        "{ranks}: нет признаков работы последние {seconds} с; возможно, он был остановлен или не отвечал его узел",
    }
    rank_killed(ranks) {
        "{ranks} was killed by signal 9; perhaps its host is out of memory",
        "{ranks}: завершён сигналом 9; возможно, на узле не хватило памяти",
    }
    stopped(ranks) {
        "rank {ranks} was stopped by a signal (SIGSTOP) and did not continue",
        "процесс {ranks} остановлен сигналом (SIGSTOP) и не продолжил работу",
    }
    all_stopped() {
        "the process of all ranks was stopped by a signal (SIGSTOP) and did not continue",
        "общий для всех рангов процесс остановлен сигналом (SIGSTOP) и не продолжил работу",
    }
    some_rank_killed(ranks) {
        "one of these was killed by signal 9, perhaps because its host is out of memory: {ranks}",
        "один из этих процессов завершён сигналом 9, возможно, из-за нехватки памяти на узле: {ranks}",
    }
    rank_ended(ranks, how) {
        "{ranks} ended without a result ({how}): abort, or a signal, as when its host is out of memory",
        "{ranks}: завершился без результата ({how}): abort или сигнал, например при нехватке памяти на узле",
    }
    some_rank_ended(ranks, how) {
        "one of these ended without a result ({how}), by abort or a signal: {ranks}",
        "один из этих процессов завершился без результата ({how}), из-за abort или сигнала: {ranks}",
    }
    no_space(folders, how) {
        "no space left in {folders} ({how}); MPI and its launcher need it: remove files there",
        "нет места: {folders} ({how}). Оно нужно MPI и команде запуска: удалите там файлы",
    }
    folder_on(folder, host) { "{folder} on host {host}", "{folder} на узле {host}" }
    ranks_on(ranks, host) { "rank {ranks} on host {host}", "процесс {ranks} на узле {host}" }
    no_rank_on(host) { "no rank on host {host} has started", "на узле {host} не запустился ни один процесс" }
    ranks_started_on(host, started, slots) {
        "{started} of {slots} ranks have started on host {host}",
        "на узле {host} запустились процессы: {started} из {slots}",
    }
    ranks_not_started(ranks) { "rank {ranks}, which gave no sign at all", "процесс {ranks}, который не подал ни одного признака работы" }
    hint_lost() {
        "the named host: its load, its log, its network and its shared folders; then run the tests again",
        "названный узел: нагрузка, журнал, сеть и общие папки; затем запустите тесты снова",
    }
    not_run_too(count) {
        "{count} test(s) more were not run for the same reason",
        "По той же причине не выполнено тестов: {count}",
    }
    jobs_not_run(count) {
        "{count} measurement(s) more were not started for the same reason",
        "По той же причине не начато измерений: {count}",
    }
    ran_on(hosts) { "ranks on the hosts {hosts}", "процессы на узлах {hosts}" }
    help_test_hosts() {
        "Also install what the workbench's own tests on several hosts need: ssh's server and Slurm, without starting them",
        "Установить и то, что нужно собственным тестам workbench на нескольких узлах: сервер ssh и Slurm, не запуская их",
    }
    help_doctor_hosts() {
        "Also look at the hosts of this file: lines `NAME slots=N` or `NAME:N`",
        "Проверить и узлы из этого файла: строки `NAME slots=N` или `NAME:N`",
    }
    facts(architecture, cores, round_trip, offset, drift) {
        "{architecture}, {cores} core(s); through ssh: round trip {round_trip} ms, clock {offset} ms, drift {drift} ppm",
        "{architecture}, ядер: {cores}; через ssh: путь туда и обратно {round_trip} мс, часы {offset} мс, уход часов {drift} ppm",
    }
    cannot_log_in(reason) { "cannot log in: {reason}", "не удалось войти: {reason}" }
    no_answer() { "no answer", "нет ответа" }
    fix_log_in(host) {
        "`ssh {host} true` must work without a question: check the name in the file, then `ssh-keygen` and `ssh-copy-id {host}`",
        "команда `ssh {host} true` должна работать без вопросов: проверьте имя в файле, затем `ssh-keygen` и `ssh-copy-id {host}`",
    }
    other_architecture(found, expected) {
        "its processor is {found}, programs are built for {expected}",
        "процессор узла — {found}, программы собраны для {expected}",
    }
    fix_architecture() { "use hosts of one architecture", "используйте узлы одной архитектуры" }
    not_shared(path) {
        "it does not see {path}, or may not execute it",
        "он не видит {path} или не может выполнить этот файл",
    }
    fix_shared() {
        "put the repository into a folder that all hosts share under one path, mounted without noexec",
        "поместите репозиторий в папку, общую для всех узлов и доступную по одному пути, без noexec",
    }
    clock_is_off(seconds) { "its clock differs by {seconds} s", "часы узла отличаются на {seconds} с" }
    fix_clock() {
        "synchronise the clocks of the hosts (chrony, systemd-timesyncd)",
        "синхронизируйте часы узлов (chrony, systemd-timesyncd)",
    }
    cannot_compile(wrapper) { "{wrapper} compiles no program of MPI", "{wrapper} не собирает программу MPI" }
    cannot_launch(launcher) { "{launcher} starts no rank there", "{launcher} не запускает там процесс" }
    fix_launch(library, host) {
        "install {library} on {host}, where a shell without login must find it: `ssh {host} env` shows its PATH",
        "установите {library} на {host}; её должна находить оболочка без входа в систему: `ssh {host} env` покажет её PATH",
    }
    other_version(found, expected) {
        "its MPI is `{found}`, here it is `{expected}`",
        "там MPI — `{found}`, здесь — `{expected}`",
    }
    fix_version() { "install the same version on all hosts", "установите на всех узлах одну версию" }
    not_together(count) {
        "each host runs a rank, but {count} ranks on all of them do not meet",
        "каждый узел запускает процесс, но процессы на всех узлах вместе ({count}) не соединяются",
    }
    fix_together() {
        "the hosts must reach each other on all ports: check names, firewalls, and the network that the library chooses (`OMPI_MCA_btl_tcp_if_include`, `MPICH_NETWORK_IFACE`)",
        "узлы должны соединяться друг с другом по любым портам: проверьте имена, межсетевые экраны и сеть, которую выбирает библиотека (`OMPI_MCA_btl_tcp_if_include`, `MPICH_NETWORK_IFACE`)",
    }
    fix(what) { "to repair: {what}", "исправить: {what}" }
    all_well(count) { "{count} host(s) can run ranks together", "узлы могут вместе запускать процессы, всего узлов: {count}" }
    not_all_well(count) { "problems: {count}", "проблем: {count}" }
}
