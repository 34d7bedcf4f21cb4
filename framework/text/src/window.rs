//! Windows that cannot be made or used: reasons of `wb_comm::Error::Setup`.
texts! {
    kind(backend, kind) {
        "the backend {backend} has no windows of kind {kind}",
        "в реализации {backend} нет окон вида {kind}",
    }
    kinds_differ(mine, rank, theirs) {
        "ranks make different windows: rank 0 {mine}, rank {rank} {theirs}",
        "процессы создают окна разных видов: процесс 0 — {mine}, процесс {rank} — {theirs}",
    }
    too_large(count, layout) {
        "a window of {count} elements of {layout} fits no memory",
        "окно из элементов типа {layout} не помещается в память, элементов: {count}",
    }
    no_shared_memory(needed, folder, free) {
        "a window whose parts have {needed} MiB together does not fit into the shared memory of its ranks ({folder}, {free} MiB free): make it smaller, or enlarge {folder} (`mount -o remount,size=1g {folder}`; in a container `--shm-size=1g`)",
        "окно, все части которого занимают {needed} МиБ, не помещается в общую память процессов ({folder}, свободно {free} МиБ): уменьшите его или увеличьте {folder} (`mount -o remount,size=1g {folder}`; в контейнере `--shm-size=1g`)",
    }
    closed(communicator) {
        "a window of {communicator} is used after its case was closed",
        "окно коммуникатора {communicator} используется после завершения своего теста",
    }
    in_use(communicator) {
        "a window of {communicator} is still in use when its case is closed",
        "окно коммуникатора {communicator} ещё используется, когда завершается его тест",
    }
    not_shared() { "the window is not mapped by all ranks", "окно отображено в память не всех процессов" }
    named_twice(verb, rank) { "{verb}: rank {rank} is named twice", "{verb}: процесс {rank} назван дважды" }
    not_fetched(target) {
        "what was fetched from rank {target} is not there yet: look at it after a fence, complete, unlock or flush",
        "данные от процесса {target} ещё не получены: читайте их после fence, complete, unlock или flush",
    }
    lock_held(rank, target) {
        "rank {rank} locks rank {target} on a window, but it holds this lock",
        "процесс {rank} блокирует в окне процесс {target}, хотя уже держит эту блокировку",
    }
    lock_not_held(rank, target) {
        "rank {rank} unlocks rank {target} on a window, but it holds no such lock",
        "процесс {rank} снимает в окне блокировку процесса {target}, но не держит её",
    }
    lock_all_not_held(rank) {
        "rank {rank} unlocks all on a window, but it holds no such lock",
        "процесс {rank} вызывает для окна unlock_all, но не держит такой блокировки",
    }
    post_not_waited(rank) {
        "rank {rank} posts on a window, but its last post was not waited for",
        "процесс {rank} вызывает для окна post, но его предыдущий post не завершён вызовом wait",
    }
    start_not_completed(rank) {
        "rank {rank} starts on a window, but its last start was not completed",
        "процесс {rank} вызывает для окна start, но его предыдущий start не завершён вызовом complete",
    }
    not_started(rank) {
        "rank {rank} completes on a window, but it has not started",
        "процесс {rank} вызывает для окна complete, но не вызывал start",
    }
    not_posted(rank) {
        "rank {rank} waits on a window, but it has not posted",
        "процесс {rank} вызывает для окна wait, но не вызывал post",
    }
}
