//! The messages of `cargo wb similar` and of its pages.
messages! {
    about() { "Compare the solutions of each variant, and show pairs that are alike", "Сравнить решения каждого варианта и показать похожие пары" }
    help_assignment() { "Only this assignment", "Только это задание" }
    help_variant() { "Only this variant of the assignment", "Только этот вариант задания" }
    help_archive() { "A folder with tasks of former years, at any depth; can be repeated", "Папка с задачами прошлых лет, на любой глубине; можно повторять" }
    help_out() { "The folder of the pages", "Папка для страниц" }
    no_pairs() { "there are no two solutions of one variant", "двух решений одного варианта нет" }
    none_similar(pairs, threshold) { "pairs compared: {pairs}; none reaches {threshold} %", "сравнено пар: {pairs}; порога {threshold} % не достигает ни одна" }
    some_similar(pairs, threshold, count) { "pairs compared: {pairs}; at or above {threshold} %: {count}", "сравнено пар: {pairs}; не ниже {threshold} %: {count}" }
    skipped(folder, reason) { "{folder} is left out: {reason}", "{folder} пропущена: {reason}" }
    unreadable(task, file, line, why) { "{task}: {file}, line {line} is not compared, since it is not Rust: {why}", "{task}: {file}, строка {line} не сравнивается, это не Rust: {why}" }
    too_short(task, part, count, least) { "{task}, {part} is too short to compare: fingerprints {count}, needed {least}", "{task}, {part}: для сравнения мало текста, отпечатков {count}, нужно {least}" }
    pages(folder) { "pages: {folder}", "страницы: {folder}" }
    column_score() { "shared", "общее" }
    column_part() { "part", "часть" }
    column_variant() { "variant", "вариант" }
    column_left() { "one task", "одна задача" }
    column_right() { "other task", "другая задача" }
    column_resemblance() { "Jaccard", "Жаккар" }
    column_fingerprints() { "fingerprints", "отпечатки" }
    column_state() { "decision", "решение" }
    confirmed() { "confirmed", "подтверждено" }
    undecided() { "not confirmed", "не подтверждено" }
    title() { "Similar solutions", "Похожие решения" }
    note() {
        "Likeness is not copying. A variant may leave little choice, and two students may have read the same book. A pair counts only after an instructor has read both texts and has written it into tasks/similarity.yaml.",
        "Сходство — ещё не заимствование. Вариант может оставлять мало свободы, и два студента могли читать одну книгу. Пара учитывается только после того, как преподаватель прочитал оба текста и внёс её в tasks/similarity.yaml.",
    }
    method(gram, window, threshold, least) {
        "Compared are fingerprints (winnowing, {gram} codes, windows of {window}) of normalised functions, without the code of the template, the assignments and the examples. The score is the share of the smaller part that is in the other one; from {threshold} % a pair is listed. Parts with fewer than {least} fingerprints have no score.",
        "Сравниваются отпечатки (winnowing, по {gram} кодов, окна по {window}) нормализованных функций без кода шаблона, вариантов и примеров. Оценка — доля меньшей части, которая есть в другой; пара показывается начиная с {threshold} %. У частей, в которых отпечатков меньше {least}, оценки нет.",
    }
    back() { "all pairs", "все пары" }
    other_language() { "Русский", "English" }
    shared_line() { "shared with the other text; the link leads there", "есть и в другом тексте; ссылка ведёт туда" }
    archive(name) { "archive: {name}", "архив: {name}" }
}
