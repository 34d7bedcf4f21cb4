//! The findings about the machine and their remedies: `cargo wb doctor` and `cargo wb setup`.
messages! {
    mpi() { "MPI", "MPI" }
    compiler() { "C compiler", "компилятор C" }
    libclang() { "libclang", "libclang" }
    pkg_config() { "pkg-config", "pkg-config" }
    rust() { "Rust", "Rust" }
    clippy() { "clippy", "clippy" }
    rustfmt() { "rustfmt", "rustfmt" }
    sandbox() { "sandbox", "изолированная среда" }
    sandbox_works() {
        "works: `--sandbox` of `cargo wb test`, `perf`, `judge` and `grade`",
        "работает: `--sandbox` команд `cargo wb test`, `perf`, `judge` и `grade`",
    }
    sandbox_unavailable(reason) {
        "not available, so `--sandbox` is refused: {reason}",
        "недоступна, поэтому `--sandbox` не принимается: {reason}",
    }
    test_hosts() { "test hosts", "тестовые узлы" }
    test_hosts_work() {
        "work: `cargo test -p wb-tests --test hosts`",
        "работают: `cargo test -p wb-tests --test hosts`",
    }
    test_hosts_unavailable(reason) {
        "not available, so the tests on several hosts are skipped: {reason}",
        "недоступны, поэтому тесты на нескольких узлах пропускаются: {reason}",
    }
    test_hosts_not_linux() { "there are test hosts on Linux only", "тестовые узлы есть только в Linux" }
    test_hosts_not_root() { "they need root", "им нужны права root" }
    test_hosts_refused(reason) { "namespaces are refused: {reason}", "пространства имён запрещены: {reason}" }
    without_settings(options) {
        "variables of the shell change how jobs of MPI start; without them: put this before your command\n  env {options}",
        "переменные оболочки меняют запуск заданий MPI; чтобы попробовать без них, поставьте перед вашей командой\n  env {options}",
    }
    host() { "host", "узел" }
    space(folder, free, size) { "{folder} has {free} MiB free of {size} MiB", "в {folder} свободно {free} МиБ из {size} МиБ" }
    space_missing(needed) { "and an MPI job needs {needed} MiB there: remove files, or name another folder in TMPDIR", "а заданию MPI нужно там {needed} МиБ: удалите файлы или укажите в TMPDIR другую папку" }
    shared_memory_missing(needed) {
        "and an MPI job needs {needed} MiB there: remove files, or enlarge it (`mount -o remount,size=1g /dev/shm`; in a container `--shm-size=1g`)",
        "а заданию MPI нужно там {needed} МиБ: удалите файлы или увеличьте эту память (`mount -o remount,size=1g /dev/shm`; в контейнере `--shm-size=1g`)",
    }
    interfaces(count) { "addresses of network interfaces that are up: {count}", "адресов у включённых сетевых интерфейсов: {count}" }
    interface_missing() { "and an MPI job needs one: `ip link set lo up`", "а заданию MPI нужен хотя бы один: `ip link set lo up`" }
    open_files(limit) { "a process may open {limit} files", "процесс может открыть файлов: {limit}" }
    open_files_missing(needed) { "and an MPI job needs {needed}: `ulimit -n 1024`", "а заданию MPI нужно {needed}: `ulimit -n 1024`" }
    file_size(limit) { "a process may write files of {limit} MiB", "процесс может писать файлы до {limit} МиБ" }
    file_size_missing(needed) { "and an MPI job needs {needed} MiB: `ulimit -f unlimited`", "а заданию MPI нужны файлы до {needed} МиБ: `ulimit -f unlimited`" }
    host_lacks(reasons) { "no job was tried: {reasons}", "задание не запускалось: {reasons}" }
    cores() { "cores", "ядра" }
    user() { "user", "пользователь" }
    missing() { "missing", "нет" }
    works(flavour, version, wrapper, launcher) {
        "{flavour} {version}: {wrapper} compiles and links, {launcher} ran 2 ranks",
        "{flavour} {version}: {wrapper} компилирует и собирает, {launcher} запустил 2 процесса",
    }
    no_wrapper(names) { "no compiler wrapper ({names}) on the PATH", "в PATH нет обёртки компилятора ({names})" }
    does_not_compile(wrapper) { "{wrapper} cannot compile a program that includes mpi.h (are the headers installed?)", "{wrapper} не может скомпилировать программу с mpi.h (установлены ли заголовки?)" }
    no_launcher(flavour, version, names) {
        "{flavour} {version} is installed, but no launcher of it ({names}) runs 2 ranks",
        "{flavour} {version} установлен, но ни одна из его программ запуска ({names}) не запускает 2 процесса",
    }
    other_mpi_works(reason, flavour, version) { "the default one does not work: {reason}. {flavour} {version} works", "тот, что выбран по умолчанию, не работает: {reason}. Работает {flavour} {version}" }
    unknown_flavour(wrapper) { "{wrapper} belongs to neither Open MPI nor MPICH", "{wrapper} не относится ни к Open MPI, ни к MPICH" }
    other_flavour(wrapper, flavour) { "{wrapper} belongs to {flavour}", "{wrapper} относится к {flavour}" }
    no_clang_headers(path) { "{path} is there, but the compiler's own headers (stddef.h) are not", "{path} есть, но нет собственных заголовков компилятора (stddef.h)" }
    also_installed(what) { "also installed: {what} (`--mpi` chooses)", "установлен также: {what} (выбор: `--mpi`)" }
    core_count(usable, physical) { "{usable} usable, {physical} physical", "доступно {usable}, физических {physical}" }
    oversubscribed(from) {
        "jobs of {from} and more ranks are oversubscribed: functional tests only, no efficiency",
        "от {from} процессов машина перегружена: только функциональные тесты, без эффективности",
    }
    not_root() { "not root", "не root" }
    root() {
        "root: an mpirun of your own needs OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
        "root: для своего mpirun нужны OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
    }
    fix(command) { "to repair: {command}", "исправить: {command}" }
    all_well() { "nothing is missing", "всё на месте" }
    something_missing(count) { "missing: {count}; `cargo wb setup` installs what it can", "не хватает: {count}; `cargo wb setup` установит, что может" }
    nothing_to_install() { "setup: nothing is missing", "установка: всё на месте" }
    will_install(packages) { "setup: installing the packages {packages}", "установка: будут установлены пакеты {packages}" }
    required_by(need, package) { "  {package}: for {need}", "  {package}: нужен для: {need}" }
    will_run(command) { "  $ {command}", "  $ {command}" }
    dry_run() { "setup: nothing was installed (--dry-run)", "установка: ничего не установлено (--dry-run)" }
    no_package_manager() {
        "no package manager that is known here (apt-get, dnf, pacman, brew); install an MPI with its headers, libclang, pkg-config and a C compiler",
        "нет известного менеджера пакетов (apt-get, dnf, pacman, brew); установите MPI с заголовками, libclang, pkg-config и компилятор C",
    }
    only_apt(command) {
        "packages are installed by themselves with apt-get only; run this and start again:\n  {command}",
        "автоматическая установка работает только через apt-get; выполните и запустите снова:\n  {command}",
    }
    no_rights(command) {
        "installing packages needs root or sudo, and there is neither; ask an administrator to run:\n  {command}",
        "для установки пакетов нужен root или sudo, нет ни того, ни другого; попросите администратора выполнить:\n  {command}",
    }
    refresh_failed(command, why) {
        "`{command}` failed ({why}); installing from the lists of packages that are there",
        "`{command}`: не удалось ({why}); установка по имеющимся спискам пакетов",
    }
    install_failed(command, why) { "`{command}` failed ({why})", "`{command}`: не удалось ({why})" }
    installed(what) { "setup: done, nothing is missing any more; {what}", "установка: готово, теперь всё на месте; {what}" }
    still_missing(what) { "still missing after the installation:\n{what}", "после установки по-прежнему не хватает:\n{what}" }
    not_installed(what) { "missing, and --no-install forbids installing it:\n{what}", "не хватает, а --no-install запрещает установку:\n{what}" }
    need_line(name, found, command) { "  {name}: {found}\n    to repair: {command}", "  {name}: {found}\n    исправить: {command}" }
}
