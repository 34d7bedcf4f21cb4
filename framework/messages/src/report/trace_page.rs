//! The page of a trace: the controls of the diagram, the matrix, the details. The script replaces names in braces.
messages! {
    ranks() { "ranks", "процессы" }
    about() {
        "Drag to move, pinch or `Ctrl` and the wheel to zoom; a click selects a call or an arrow. All that you set is in the address: send it to show this very view.",
        "Перетаскивайте, чтобы двигаться; масштаб — двумя пальцами или колесом с `Ctrl`; щелчок выбирает вызов или стрелку. Всё выбранное — в адресе: отправьте его, чтобы показать именно этот вид.",
    }
    canvas() { "Space-time diagram: rows are ranks, time goes to the right", "Пространственно-временная диаграмма: строки — процессы, время идёт вправо" }
    zoom_in() { "zoom in", "крупнее" }
    zoom_out() { "zoom out", "мельче" }
    earlier() { "earlier", "раньше" }
    later() { "later", "позже" }
    whole_run() { "whole run", "весь запуск" }
    play() { "▶ play", "▶ пуск" }
    pause() { "❚❚ pause", "❚❚ пауза" }
    step_back() { "step back", "шаг назад" }
    step_forward() { "step forward", "шаг вперёд" }
    clear() { "clear selection", "снять выбор" }
    reset() { "reset all", "сбросить всё" }
    time_controls() { "Time", "Время" }
    layers() { "Layers", "Слои" }
    late_senders() { "late senders", "поздние отправители" }
    what_if() { "what if", "что, если" }
    nothing() { "—", "—" }
    filters() { "Filters", "Фильтры" }
    of_ranks() { "ranks", "процессы" }
    of_ranks_example() { "all, or 0-3, 7", "все или 0-3, 7" }
    of_verb() { "verb", "вызов" }
    of_stage() { "stage", "этап" }
    of_communicator() { "communicator", "коммуникатор" }
    size_from() { "size from", "размер от" }
    size_to() { "to", "до" }
    fold() { "ranks in a row", "процессов в строке" }
    automatic() { "automatic", "автоматически" }
    all() { "all", "все" }
    excluded() { "excluded by a filter", "исключено фильтром" }
    under_way() { "message under way", "сообщение в пути" }
    keys_heading() { "Keys in the diagram", "Клавиши на диаграмме" }
    keys() {
        "`←` and `→` move, `+` and `−` zoom, `Home` shows the whole run, `↑` and `↓` go to another rank, `n` and `p` to the next and the previous call of the rank, `m` to the message of the call, `Enter` zooms to the selection, `Space` plays and pauses, `,` and `.` step, `Escape` clears.",
        "`←` и `→` — сдвиг, `+` и `−` — масштаб, `Home` — весь запуск, `↑` и `↓` — другой процесс, `n` и `p` — следующий и предыдущий вызов процесса, `m` — сообщение вызова, `Enter` — показать выбранное крупно, пробел — пуск и пауза, `,` и `.` — шаги, `Escape` — снять выбор.",
    }
    if_zero_latency() { "no latency", "нет задержки" }
    if_infinite_bandwidth() { "no limit of bandwidth", "пропускная способность не ограничена" }
    if_free_communication() { "calls cost only waiting", "вызовы стоят только ожидания" }
    if_balanced() { "even work", "работа поделена поровну" }
    clock(from, to) { "shown: {from} to {to}", "показано: с {from} по {to}" }
    at_time(time) { "at {time}", "в момент {time}" }
    drawn(drawn, visible) {
        "{drawn} of {visible} messages are drawn: those that take longest and lead to another row. Zoom in or filter to see the others.",
        "Показано сообщений: {drawn} из {visible} — самые долгие и только между строками. Увеличьте масштаб или задайте фильтр, чтобы увидеть остальные.",
    }
    all_drawn(visible) { "messages in view: {visible}", "сообщений в видимом времени: {visible}" }
    details_heading() { "Selected", "Выбрано" }
    nothing_selected() {
        "Nothing is selected. Click a call, an arrow or a cell of the matrix: its lines of code appear here.",
        "Ничего не выбрано. Щёлкните вызов, стрелку или клетку матрицы: здесь появятся строки программы.",
    }
    zoom_to() { "zoom to it", "показать крупно" }
    previous_message() { "previous message to this rank", "предыдущее сообщение этому процессу" }
    next_message() { "next message to this rank", "следующее сообщение этому процессу" }
    previous_call() { "previous call", "предыдущий вызов" }
    next_call() { "next call", "следующий вызов" }
    whole_collective() { "the whole collective", "вся коллективная операция" }
    waited_for() { "the call that ended the wait", "вызов, который завершил ожидание" }
    last_to_enter() { "the last to enter", "вошёл последним" }
    order_of_entries(ranks) { "Ranks in the order of their entries: {ranks}.", "Процессы в порядке входа: {ranks}." }
    inside(algorithm, messages, rounds, bytes) {
        "Inside, by our algorithm {algorithm}: {messages} messages in {rounds} rounds, {bytes}. They are dashed in the diagram. The rounds:",
        "Внутри, по нашему алгоритму {algorithm}: сообщений {messages}, раундов {rounds}, {bytes}. На диаграмме они штриховые. Раунды:",
    }
    tree() { "As a tree:", "Дерево:" }
    in_memory(algorithm) {
        "Inside, by our algorithm {algorithm} in shared memory: there are no messages between ranks of one node.",
        "Внутри, по нашему алгоритму {algorithm} в общей памяти: между процессами одного узла сообщений нет.",
    }
    not_opened(algorithm) {
        "Inside, by our algorithm {algorithm}: this page has no room for its messages.",
        "Внутри, по нашему алгоритму {algorithm}: для его сообщений на этой странице нет места.",
    }
    opaque_collective() {
        "Opaque: this operation is the MPI library's own, or it was started and completed later.",
        "Сообщения внутри неизвестны: эту операцию выполняет сама библиотека MPI, или она запущена и завершена позже.",
    }
    no_source() {
        "The text of this file was not found when the page was made.",
        "Текст этого файла не найден при создании страницы.",
    }
    matrix_heading() { "Who sends to whom", "Кто кому отправляет" }
    matrix_about() {
        "A row sends, a column receives. Counted are the messages in the visible time that pass the filters above. A cell lists its messages.",
        "Строка — отправитель, столбец — получатель. Учтены сообщения в видимом времени, прошедшие фильтры. Клетка показывает свои сообщения.",
    }
    matrix_corner() { "from ↓ to →", "от ↓ кому →" }
    matrix_cell(from, to, messages, bytes) {
        "from {from} to {to}: messages {messages}, {bytes}",
        "от {from} к {to}: сообщений {messages}, {bytes}",
    }
    matrix_sum(messages, bytes) { "Messages: {messages}, together {bytes}.", "Сообщений: {messages}, вместе {bytes}." }
    matrix_empty() {
        "No message between ranks here. The messages inside of a collective operation are shown when it is opened in the diagram.",
        "Здесь нет сообщений между процессами. Сообщения внутри коллективной операции видны, если открыть её на диаграмме.",
    }
    measure() { "shade by", "оттенок по" }
    by_messages() { "messages", "сообщениям" }
    by_bytes() { "bytes", "байтам" }
    scale() { "scale", "шкала" }
    linear() { "linear", "линейная" }
    logarithmic() { "logarithmic", "логарифмическая" }
    list_count(shown, count) { "Listed: {shown} of {count} messages.", "В списке сообщений: {shown} из {count}." }
    list_cell(from, to) {
        "Only those from {from} to {to}; the same cell again shows all.",
        "Только от {from} к {to}; та же клетка ещё раз — все.",
    }
    column_message() { "message", "сообщение" }
    column_tag() { "tag", "тег" }
    column_bytes() { "bytes", "объём" }
    column_sent() { "sent at", "отправлено" }
    column_took() { "took", "заняло" }
    column_send_line() { "line that sends", "строка отправки" }
    column_receive_line() { "line that receives", "строка приёма" }
    column_all() { "bytes", "объём" }
    row_all() { "all", "всего" }
    still() { "The whole run as a still picture.", "Весь запуск неподвижным рисунком." }
    terminal_matrix(count, bytes) {
        "Who sends to whom: a row sends, a column receives; messages {count}, {bytes}.",
        "Кто кому отправляет: строка — отправитель, столбец — получатель; сообщений {count}, {bytes}.",
    }
}
