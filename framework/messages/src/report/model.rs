//! The predictions of a model, beside the measurements.
messages! {
    heading() { "Beside a model", "Рядом с моделью" }
    parallel() { "model", "модель" }
    version(version, machine) { "{version}, model of {machine}", "{version}, модель {machine}" }
    series(mode, machine) { "{mode}, model {machine}", "{mode}, модель {machine}" }
    error_of_time(error) { "T: {error}", "T: {error}" }
    no_model_time() { "nothing declared", "ничего не объявлено" }
    not_measured() { "not measured", "не измерено" }
    oversubscribed() { "oversubscribed", "ядер не хватало" }
    measured_wrong() { "measured a wrong result", "измерен неверный ответ" }
    wrong() { "a wrong result", "неверный ответ" }
    none() {
        "There is no model beside the measurements: no machine was named. `cargo wb calibrate`, once, fits a model to this host that every later report shows; `cargo wb report --model cluster-ib` names another machine (`cargo wb machines` lists them).",
        "Модели рядом с измерениями нет: машина не названа. `cargo wb calibrate` один раз подгоняет модель к этой машине, и её показывают все следующие отчёты; `cargo wb report --model cluster-ib` называет другую машину (`cargo wb machines` перечисляет их).",
    }
    machine(machine, about) { "Model {machine}: {about}.", "Модель {machine}: {about}." }
    fitted(date, library, points, median, largest) {
        "Its messages were fitted on {date} to {library}, {points} points, off by {median} in the median and {largest} at most.",
        "Её обмены подогнаны {date} по {library}, точек: {points}, ошибка {median} в медиане и до {largest}.",
    }
    published() {
        "Its values are orders of magnitude; of them no error is known.",
        "Её значения — порядки величин, их ошибка неизвестна.",
    }
    declared() {
        "Computing takes what the task declares (`World::work`), so these numbers are the same on every computer.",
        "Вычисления занимают столько, сколько объявляет задача (`World::work`), поэтому эти числа одинаковы на любом компьютере.",
    }
    computing_measured() {
        "Computing takes its measured time on this computer, one rank after the other, the median of several passes: NOT DETERMINISTIC.",
        "Вычисления занимают столько, сколько заняли на этом компьютере, процесс за процессом; из нескольких проходов показан средний: НЕ ПОВТОРЯЕТСЯ ТОЧНО.",
    }
    communication_only() {
        "The task declares no computing, so the model has its communication only.",
        "Задача не объявляет вычислений, поэтому в модели только обмен.",
    }
    only_sequential() {
        "The sequential version declares computing and the parallel one does not: without `world.work(operations, bytes)` in both there is no speed-up.",
        "Последовательная версия объявляет вычисления, а параллельная — нет: без `world.work(operations, bytes)` в обеих ускорения нет.",
    }
    error(ranks, error) {
        "Its error T_model / T_measured - 1 is farthest from zero at p = {ranks}: {error}.",
        "Её ошибка T_модели / T_измеренное − 1 дальше всего от нуля при p = {ranks}: {error}.",
    }
    another_machine() {
        "It is not the machine of the measurement: its error includes the difference of the two machines.",
        "Это не машина измерения: ошибка включает и разницу двух машин.",
    }
    no_error_at(ranks) {
        "At p = {ranks} there is no measurement to compare it with: the error of these numbers is unknown.",
        "При p = {ranks} модель не с чем сравнить: ошибка этих чисел неизвестна.",
    }
    no_error() {
        "There is no measurement to compare it with: the error of these numbers is unknown.",
        "Модель не с чем сравнить: ошибка этих чисел неизвестна.",
    }
    cores(machine, cores, ranks) {
        "{machine} has {cores} cores, so it has no prediction for p = {ranks}.",
        "У {machine} ядер: {cores}, поэтому при p = {ranks} модели нет.",
    }
    failed(machine, why) { "{machine}: not all was simulated: {why}", "{machine}: смоделировано не всё: {why}" }
    contradictory(count) {
        "Predictions that contradict themselves (computing longer than the whole, or parts that do not add up) and are left out: {count}.",
        "Предсказания, которые противоречат сами себе (вычисления дольше целого или части не складываются), не показаны: {count}.",
    }
}
