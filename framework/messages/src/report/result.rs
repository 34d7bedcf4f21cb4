//! Units, cells and columns of the result tables.
messages! {
    nanoseconds(n) { "{n} ns", "{n} нс" }
    microseconds(n) { "{n} µs", "{n} мкс" }
    milliseconds(n) { "{n} ms", "{n} мс" }
    seconds(n) { "{n} s", "{n} с" }
    bytes(n) { "{n} B", "{n} Б" }
    kibibytes(n) { "{n} KiB", "{n} КиБ" }
    mebibytes(n) { "{n} MiB", "{n} МиБ" }
    gibibytes(n) { "{n} GiB", "{n} ГиБ" }
    megabytes_a_second(n) { "{n} MB/s", "{n} МБ/с" }
    gigabytes_a_second(n) { "{n} GB/s", "{n} ГБ/с" }
    mode() { "Mode", "Режим" }
    version() { "Version", "Версия" }
    count() { "Count", "Число процессов" }
    ranks_short() { "p", "p" }
    time() { "Time, median", "Время, медиана" }
    time_seconds() { "Time, s", "Время, с" }
    interval() { "95 % interval", "95 %-й интервал" }
    minimum() { "min", "мин." }
    p95() { "p95", "p95" }
    speedup() { "Speedup", "Ускорение" }
    efficiency() { "Efficiency", "Эффективность" }
    speedup_short() { "S", "S" }
    efficiency_short() { "E", "E" }
    around_heading() { "Around the samples", "Вокруг измерений" }
    skew() { "Entry skew, median", "Разброс входа, медиана" }
    switches() { "Involuntary switches", "Вынужденных переключений" }
    warmup() { "Warm-up dropped", "Отброшено разогрева" }
    outliers() { "Outliers, mild + severe", "Выбросы, слабые + сильные" }
    traffic_cell(messages, bytes) { "{messages}, {bytes}", "{messages}, {bytes}" }
    relative() { "S_rel = T(1)/T(p)", "S_rel = T(1)/T(p)" }
    ceiling_share() { "S / S_box", "S / S_box" }
    karp_flatt() { "e (Karp-Flatt)", "e (Карп-Флатт)" }
    overhead() { "Overhead", "Накладные расходы" }
    samples() { "n (launches)", "n (запуски)" }
    checked() { "Right/n (launches)", "Верно/n (запуски)" }
    remarks() { "Remarks", "Замечания" }
    traffic() { "Messages, bytes", "Сообщения, объём" }
    base_mark() { "base", "база" }
    oversubscribed() { "oversubscribed: functional only, E not shown", "процессов больше, чем ядер: только проверка правильности, E не приводится" }
    too_short() { "too short", "слишком коротко" }
    incorrect() { "wrong result", "неверный ответ" }
    no_base() { "no base", "нет базы" }
    no_counterpart() { "none for a communication operation", "не приводится для пересылки" }
    no_time() { "not measured", "не измерено" }
    flag_incorrect() { "wrong result", "неверный ответ" }
    flag_unchecked() { "not every output checked", "проверены не все ответы" }
    flag_oversubscribed() { "oversubscribed", "процессов больше, чем ядер" }
    flag_too_short(least) { "too short: one repetition must take {least}", "слишком коротко: повторение должно длиться {least}" }
    flag_failed(reason) { "no result: {reason}", "нет результата: {reason}" }
    flag_superlinear() { "superlinear: cache, or weak baseline?", "больше линейного: кэш или слабая база?" }
    flag_above_ceiling() { "above what the machine allows: not graded", "выше возможного на этой машине: не оценивается" }
    flag_waits() { "waits instead of computing", "ждёт вместо вычислений" }
    not_faster() { "points need S above 1 with its whole interval, of `run` and of the pipeline", "баллы даются, если весь интервал S выше 1, и для `run`, и для всего конвейера" }
    flag_not_converged() { "not converged", "не сошлось" }
    flag_not_converged_at(half_width) { "not converged: half-width {half_width}", "не сошлось: полуширина {half_width}" }
    flag_drift(drift) { "machine drifted by {drift}", "скорость машины изменилась на {drift}" }
    flag_noisy() { "noisy: many outliers", "шум: много выбросов" }
    flag_disturbed() { "disturbed by other programs", "помехи от других программ" }
    flag_hosts(hosts) { "measured on {hosts}", "измерено на {hosts}" }
    reason_limit(limit) { "interrupted at the limit of {limit}", "прервано по пределу {limit}" }
    reason_disabled() { "disabled in task.yaml", "отключено в task.yaml" }
    reason_unknown() { "no time was recorded", "время не записано" }
    seq() { "sequential", "последовательная" }
    reference() { "instructor's sequential", "последовательная преподавателя" }
    mpi() { "parallel", "параллельная" }
    mpi_alone() { "parallel one-rank", "параллельная однопроцессная" }
    interval_spans_bands() { "±: the interval touches two bands, the better one counts", "±: интервал задевает две ступени, засчитана лучшая" }
    below_bands() { "below all bands", "ниже всех ступеней" }
}
