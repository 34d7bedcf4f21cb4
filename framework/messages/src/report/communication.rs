//! The page of a communication assignment.
messages! {
    heading(operation, ranks, root, element) { "{operation}: {ranks} ranks, root {root}, {element}", "{operation}: процессов {ranks}, корень {root}, {element}" }
    compared_with(call) { "beside {call}, calls alternating in the same run", "рядом с {call}, вызовы чередуются в одном запуске" }
    moves_nothing(sizes) {
        "Not compared at {sizes}: the operation moves no data at this size (there are fewer elements than ranks).",
        "При размере {sizes} сравнения нет: операция не передаёт данных (элементов меньше, чем процессов).",
    }
    library_choice() { "algorithm of the library's own choice", "алгоритм выбрала сама библиотека" }
    forced(algorithm) { "library algorithm: {algorithm}", "алгоритм библиотеки: {algorithm}" }
    size() { "Size", "Размер" }
    student() { "Student", "Студент" }
    library() { "Library", "Библиотека" }
    ratio() { "Ratio", "Отношение" }
    verdict() { "Verdict", "Вывод" }
    bandwidth() { "Bandwidth", "Пропускная способность" }
    faster() { "faster", "быстрее" }
    equal() { "indistinguishable", "неотличимо" }
    slower() { "slower", "медленнее" }
    counts_heading() { "Messages and rounds against the formula", "Сообщения и раунды рядом с формулой" }
    what() { "What", "Что" }
    counted() { "Counted", "Посчитано" }
    expected() { "Expected", "Ожидается" }
    formula() { "Formula", "Формула" }
    messages() { "Messages of one call", "Сообщений за вызов" }
    rounds() { "Rounds", "Раундов" }
    not_counted() { "not counted", "не посчитано" }
    agrees() { "agrees", "совпадает" }
    differs() { "differs", "не совпадает" }
    algorithm(name) { "Algorithm: {name}.", "Алгоритм: {name}." }
}
