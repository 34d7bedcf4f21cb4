//! The method, described by the twelve rules of Hoefler and Belli (SC'15) and how this report follows each.
messages! {
    heading() { "Method: the twelve rules", "Методика: двенадцать правил" }
    source() { "After T. Hoefler and R. Belli, Scientific Benchmarking of Parallel Computing Systems, SC'15, in our own words.", "По статье: T. Hoefler, R. Belli. Scientific Benchmarking of Parallel Computing Systems, SC'15, своими словами." }
    rule_kept() { "kept", "соблюдено" }
    rule_not_kept() { "open", "не соблюдено" }
    not_applicable() { "not applicable", "неприменимо" }
    rule_base(base) { "The base is named with its absolute time: {base}", "База названа вместе с абсолютным временем: {base}" }
    base_of_operation(call) { "the library's {call} of the same run; no speed-up is stated.", "библиотечный вызов {call} того же запуска; ускорение не приводится." }
    base_missing() { "none was measured, so no speed-up is stated.", "не измерена, поэтому ускорение не приводится." }
    rule_subset(ranks) { "The choice of cases is explained: {ranks}.", "Выбор случаев объяснён: {ranks}." }
    subset_unknown() { "the records contain no plan, so the choice of rank counts is unexplained", "в записях нет плана, поэтому выбор чисел процессов не объяснён" }
    rule_means() { "Times are summarised by medians; bandwidth is size over the median time; no arithmetic mean of rates.", "Время сводится медианой; пропускная способность есть размер, делённый на медиану; арифметических средних скоростей нет." }
    rule_ratios() { "Ratios are never averaged: a speed-up is one ratio of two medians.", "Отношения не усредняются: ускорение есть одно отношение двух медиан." }
    rule_intervals() { "Times vary: medians have distribution-free 95 % intervals, from six samples on; none is shown below that.", "Время случайно: медианы приведены с 95 %-ми интервалами без предположений о распределении, начиная с шести измерений." }
    rule_normality() { "Nothing is assumed to be normal: order statistics and the bootstrap only.", "Нормальность не предполагается: только порядковые статистики и бутстреп." }
    rule_comparison() { "Variants are compared by the bootstrap interval of the ratio of medians (launches first, then repetitions; 2,000 draws, fixed seed).", "Варианты сравниваются бутстреп-интервалом отношения медиан (сначала запуски, затем повторения; 2000 выборок, постоянное начальное значение)." }
    rule_centre() { "The centre is not all: minimum, 95 % quantile and every sample are shown; outliers are counted, never deleted.", "Середина не всё: показаны минимум, 95 %-й квантиль и все измерения; выбросы считаются, но не удаляются." }
    rule_factors() { "All factors are recorded: see the experimental setup.", "Все условия записаны: см. условия эксперимента." }
    rule_timing(resolution) { "A repetition lasts from the first rank's start to the last rank's end on one monotonic clock (resolution {resolution}), after a barrier; warm-up is dropped; output is checked outside.", "Повторение длится от начала первого до конца последнего процесса по одним монотонным часам (разрешение {resolution}), после барьера; разогрев отброшен; ответ проверяется вне измерения." }
    rule_bounds() { "Bounds are drawn: the ideal, the machine ceiling S_box(p), and Amdahl's law from four rank counts on.", "Границы показаны: идеал, потолок машины S_box(p) и закон Амдала начиная с четырёх чисел процессов." }
    rule_bounds_missing() { "The ideal is drawn; the machine ceiling was not measured.", "Идеал показан; потолок машины не измерен." }
    bounds_of_operation() { "The bound of a communication operation is drawn: the library's own call in the same run.", "Граница для коммуникационной операции показана: библиотечный вызов в том же запуске." }
    rule_lines() { "Points are joined by thin lines to guide the eye; nothing was measured between them.", "Точки соединены тонкими линиями для удобства; между ними ничего не измерялось." }
}
