//! Titles, axes, legends and descriptions of the charts.
messages! {
    time() { "Time against ranks", "Время от числа процессов" }
    speedup() { "Speed-up against ranks", "Ускорение от числа процессов" }
    efficiency() { "Efficiency against ranks", "Эффективность от числа процессов" }
    stages() { "Where the time goes", "На что уходит время" }
    latency() { "Latency against size", "Задержка от размера" }
    bandwidth() { "Bandwidth against size", "Пропускная способность от размера" }
    ratio() { "Student over library", "Отношение к библиотеке" }
    nodes_from_here(nodes) { "on {nodes} nodes", "на узлах: {nodes}" }
    axis_ranks() { "ranks p", "процессы p" }
    axis_time() { "time", "время" }
    axis_speedup() { "S = T*/T(p)", "S = T*/T(p)" }
    axis_efficiency() { "E = S/p", "E = S/p" }
    axis_size() { "message size", "размер сообщения" }
    axis_bandwidth() { "bytes a second", "байт в секунду" }
    axis_ratio() { "ratio of medians (below 1: faster)", "отношение медиан (ниже 1: быстрее)" }
    ideal() { "ideal", "идеал" }
    ceiling() { "machine ceiling S_box", "потолок машины S_box" }
    amdahl(fraction) { "Amdahl fit, f = {fraction}", "закон Амдала, f = {fraction}" }
    base() { "base T*", "база T*" }
    student() { "student", "студент" }
    library() { "library", "библиотека" }
    hollow() { "hollow: oversubscribed", "полый знак: процессов больше, чем ядер" }
    validation() { "validation", "проверка входа" }
    preprocessing() { "preprocessing", "подготовка" }
    run() { "run", "вычисление" }
    postprocessing() { "postprocessing", "сбор результата" }
    /// One point of a chart, for screen readers.
    point(series, x, y) { "{series}: {x}, {y}", "{series}: {x}, {y}" }
    about_time(workload) { "Median times with 95 % intervals and all samples, both axes logarithmic; {workload}.", "Медианы времени с 95 %-ми интервалами и всеми измерениями, обе оси логарифмические; {workload}." }
    about_speedup(workload) { "Speed-up with 95 % intervals, beside the ideal and the machine's own ceiling; {workload}.", "Ускорение с 95 %-ми интервалами рядом с идеалом и потолком самой машины; {workload}." }
    about_efficiency(workload) { "Efficiency with 95 % intervals over the bands of the course; {workload}.", "Эффективность с 95 %-ми интервалами на фоне ступеней курса; {workload}." }
    about_stages(workload) { "Median stage times of the pipeline, the slowest rank in each stage; {workload}.", "Медианы времени этапов, в каждом этапе самый медленный процесс; {workload}." }
    about_latency(operation) { "Median latency of one call with 95 % intervals, both axes logarithmic; {operation}.", "Медиана задержки одного вызова с 95 %-ми интервалами, обе оси логарифмические; {operation}." }
    about_bandwidth(operation) { "Message size over median latency, both axes logarithmic; {operation}.", "Размер сообщения, делённый на медиану задержки, обе оси логарифмические; {operation}." }
    about_ratio(operation) { "Student's latency over the library's with bootstrap intervals; {operation}.", "Отношение задержки студента к библиотечной с бутстреп-интервалами; {operation}." }
    nothing_to_draw() { "no point may be shown here", "здесь нельзя показать ни одной точки" }
}
