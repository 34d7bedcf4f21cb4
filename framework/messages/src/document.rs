//! The messages when a report's text is updated: the author's parts, and the parts that did not change.
messages! {
    kept(file, why, beside) {
        "{file} is left as it is: {why}. The new report is {beside}: move your text between its blocks, then rename it.",
        "{file} не изменён: {why}. Новый отчёт — {beside}: перенесите свой текст между его блоками и переименуйте файл.",
    }
    edited(file, line, name, copy) {
        "{file}, line {line}: the text inside the generated block `{name}` had been changed. The former file is kept as {copy}. Write outside of the blocks.",
        "{file}, строка {line}: текст внутри порождаемого блока `{name}` был изменён. Прежний файл сохранён как {copy}. Пишите вне блоков.",
    }
    not_text() { "it is not UTF-8 text", "это не текст в UTF-8" }
    no_markers() {
        "it has no markers of generated blocks, so everything in it may be yours",
        "в нём нет меток порождаемых блоков, поэтому весь текст может быть вашим",
    }
    malformed(line) { "line {line} is a damaged marker", "в строке {line} повреждённая метка" }
    unclosed(name, line) {
        "the generated block `{name}` of line {line} has no closing marker",
        "у порождаемого блока `{name}` из строки {line} нет закрывающей метки",
    }
    unopened(line) {
        "the closing marker in line {line} has no opening marker",
        "у закрывающей метки в строке {line} нет открывающей",
    }
    duplicate(name, line) {
        "line {line} opens a second generated block `{name}`",
        "строка {line} открывает второй порождаемый блок `{name}`",
    }
    missing(name) { "the generated block `{name}` is missing", "нет порождаемого блока `{name}`" }
    not_accepted(line, reason) {
        "the record in line {line} is not accepted: {reason}",
        "запись в строке {line} не принята: {reason}",
    }
    other_run() {
        "this run has not asked for it; does the benchmark or the test write records by itself?",
        "этот запуск её не запрашивал; не пишет ли программа измерений или тест записи сама?",
    }
    other_task(task) { "it is of the task `{task}`", "она от задачи `{task}`" }
    other_workload(name, size) {
        "it is of the workload `{name}`, {size}, which task.yaml does not have",
        "она о входных данных `{name}`, {size}, которых нет в task.yaml",
    }
    foreign(task, line) {
        "line {line} is a record of the task `{task}`",
        "строка {line} — запись задачи `{task}`",
    }
}
