//! The messages of `cargo wb top`.
messages! {
    about() {
        "Show what the ranks of running jobs do: stage, call, line, since when",
        "Показать, что делают процессы идущих заданий: этап, вызов, строка, с какого времени",
    }
    nothing_runs() { "No job of this workspace runs.", "Ни одно задание этого рабочего пространства не выполняется." }
    measured(program) { "{program}: a measured run: not looked at", "{program}: измеряемый запуск: не наблюдается" }
    column_rank() { "rank", "ранг" }
    column_stage() { "stage", "этап" }
    column_since() { "since", "длится" }
    column_sent() { "sent", "отправлено" }
    column_call() { "call", "вызов" }
    column_line() { "line", "строка" }
    column_host() { "host", "узел" }
    after(call) { "outside of calls, after {call}", "вне вызовов, после {call}" }
    keys() { "q: quit", "q: выход" }
}
