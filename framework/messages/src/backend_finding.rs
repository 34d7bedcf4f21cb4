//! What a backend finds in a run although all ranks return, and what to do about it.
messages! {
    leftovers(count) {
        "{count} message(s) were sent and never received",
        "сообщений отправлено, но не принято: {count}",
    }
    hint_leftovers() {
        "every send needs exactly one receive with the same tag on the same communicator; a message of mprobe is received by its recv",
        "каждому send нужен ровно один recv с тем же тегом в том же коммуникаторе; сообщение mprobe принимает его собственный recv",
    }
    requests_left(count) {
        "{count} request(s) never waited for",
        "операций, не завершённых вызовом wait: {count}",
    }
    hint_requests_left() {
        "call wait on every request: verbs that begin with i return one, and each start of a persistent request needs a wait",
        "вызывайте wait для каждого запроса: запрос возвращают операции, имя которых начинается с i; ожидания требует и каждый start",
    }
    windows_left(count) {
        "{count} window(s) never freed",
        "окон, не освобождённых вызовом free: {count}",
    }
    hint_windows_left() { "call free on every window, on all ranks", "вызывайте free для каждого окна, на всех процессах" }
    files_left(count) {
        "{count} file(s) never closed",
        "файлов, не закрытых вызовом close: {count}",
    }
    hint_files_left() {
        "call close on every file, on all ranks, also before an early return",
        "вызывайте close для каждого файла, на всех процессах, в том числе перед ранним return",
    }
    races(count) {
        "{count} pair(s) of calls touch one element of a window, and nothing orders them",
        "пар вызовов, которые обращаются к одному элементу окна и ничем не упорядочены: {count}",
    }
    hint_races() {
        "who comes first is luck: an exclusive lock, or a barrier or a message after a flush or unlock",
        "кто будет первым, решает случай: нужна исключительная блокировка либо барьер или сообщение после flush или unlock",
    }
    file_races(count) {
        "{count} pair(s) of accesses to the same bytes of a file, and nothing orders them",
        "пар обращений к одним и тем же байтам файла, которые ничем не упорядочены: {count}",
    }
    hint_file_races() {
        "order the accesses by sync, a barrier or a message, and sync again, or give each rank bytes of its own",
        "упорядочьте обращения: sync, барьер или сообщение, снова sync; либо дайте каждому процессу свои байты",
    }
    unjoined(count) {
        "{count} collective(s) that some ranks of the communicator never call",
        "коллективных операций, которые вызвали не все процессы коммуникатора: {count}",
    }
    hint_unjoined() {
        "every rank must reach the call: look for conditions on the rank, early returns, loops of different lengths",
        "до вызова должен дойти каждый процесс: ищите условия на ранг, ранние return, циклы разной длины",
    }
}
