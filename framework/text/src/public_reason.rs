//! The reasons of a grade as a public page shows them: without a number, a name or a moment.
texts! {
    lost() { "points that were not given", "не начисленные баллы" }
    not_submitted() { "nothing is submitted", "ничего не сдано" }
    other_variant() { "the task solves another variant than the given one", "задача решает не выданный вариант" }
    not_merged() { "the task is not merged", "задача не влита" }
    submitted_later() { "the task was merged after the moment of this grade", "задача влита позже момента этой оценки" }
    disabled() { "a part of the solution is disabled", "часть решения отключена" }
    tests_failed() { "functional tests fail", "функциональные тесты не проходят" }
    not_tested() { "a part of the solution is not tested", "часть решения не проверена тестами" }
    not_on_mpi() {
        "the parallel version is not tested on a real MPI library",
        "параллельная версия не проверена на настоящей библиотеке MPI",
    }
    tests_incomplete() { "the tests failed without a verdict", "тесты завершились неудачей без вердикта" }
    broken_rule() { "the sources break a rule", "исходный текст нарушает правило" }
    no_solution() {
        "the performance of a parallel version that earns no points is not graded",
        "производительность параллельной версии, не получившей баллов, не оценивается",
    }
    efficiency_band() { "the band of the efficiency", "ступень эффективности" }
    not_measured() { "there is no measured number to grade", "нет измеренного числа, которое можно оценить" }
    doubtful_numbers() { "the measured numbers prove nothing", "измеренные числа ничего не доказывают" }
    message_counts() {
        "the counts of messages and rounds beside the formula",
        "число сообщений и раундов относительно формулы",
    }
    library_times() { "the times beside those of the library's call", "времена относительно вызова библиотеки" }
    in_time() { "submitted in time", "сдано в срок" }
    late() { "submitted after the deadline", "сдано после срока" }
    copied() { "an instructor has confirmed a similarity", "преподаватель подтвердил сходство" }
    no_report() { "there is no report that counts", "нет отчёта, который засчитывается" }
    damaged_report() {
        "the markers of the report's generated blocks are damaged",
        "метки порождённых блоков отчёта повреждены",
    }
    report_section() {
        "sections of the report are missing, short or the template's text",
        "разделы отчёта отсутствуют, слишком коротки или содержат только текст шаблона",
    }
    stale_blocks() {
        "the report's generated blocks are not those of the records",
        "порождённые блоки отчёта не соответствуют записям",
    }
    set_by_instructor() { "set by an instructor", "установлено преподавателем" }
}
