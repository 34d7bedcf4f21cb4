//! The texts of the pages of algorithms that play; a word in braces is replaced by the page.
use crate::Lang;

messages! {
    /// The pages of the book.
    title(operation, name) { "`{operation}`: {name}", "`{operation}`: {name}" }
    source(source) { "Source: {source}.", "Источник: {source}." }
    refuted(ranks, why) { "The proof refuses it at P = {ranks}: {why}", "Доказательство отвергает его при P = {ranks}: {why}" }
    refuted_on(ranks, nodes, why) {
        "The proof refuses it at P = {ranks} with the ranks on nodes {nodes}: {why}",
        "Доказательство отвергает его при P = {ranks}, узлы процессов {nodes}: {why}",
    }
    cannot_play(ranks) { "This plan cannot be run, so it does not play at P = {ranks}.", "Такой план нельзя выполнить, поэтому при P = {ranks} он не показан." }
    nodes(count) { "The ranks are on nodes of {count}; messages cost the same everywhere.", "Процессы размещены на узлах по {count}; все сообщения стоят одинаково." }
    how() {
        "Choose the number of ranks, who is late and the machine, then play it or step through it. All times are computed in this page, from the plan that the proof checks, and are those of the simulator.",
        "Выберите число процессов, опоздавший процесс и машину, затем запустите показ или идите по шагам. Все времена вычисляет эта страница по плану, который проверяет доказательство; они совпадают с временами симулятора.",
    }
    needs_script() { "This page needs JavaScript.", "Для этой страницы нужен JavaScript." }
    heading_algorithm() { "The algorithm", "Алгоритм" }
    text_of(file) { "Its text is `{file}`:", "Его текст — `{file}` (пояснения в нём на английском языке):" }
    column_name() { "page", "страница" }
    column_summary() { "what it does", "что делает" }
    without_plan() { "Without a plan", "Без плана" }
    why_no_plan() {
        "These barriers count in memory or call a library. They do not send fixed signals, so they have no plan:",
        "Эти барьеры считают в памяти или вызывают библиотеку. Постоянных сигналов у них нет, поэтому нет и плана:",
    }
    barriers() { "Barriers", "Барьеры" }
    wrong_barriers() { "Wrong barriers", "Неверные барьеры" }
    broadcasts() { "Broadcasts", "Рассылки" }
    other_operations() { "Other collective operations", "Другие коллективные операции" }
}

macro_rules! page_texts {
    ($($key:ident { $en:literal, $ru:literal $(,)? })*) => {
        /// The texts of the script by their keys.
        pub fn page_texts(lang: Lang) -> Vec<(&'static str, &'static str)> {
            match lang {
                Lang::En => vec![$((stringify!($key), $en)),*],
                Lang::Ru => vec![$((stringify!($key), $ru)),*],
            }
        }
    };
}

page_texts! {
    call { "The call", "Вызов" }
    machine { "The machine", "Машина" }
    ranks { "ranks P", "процессов P" }
    root { "root", "корневой процесс" }
    bytes { "bytes of data", "байт данных" }
    block { "bytes of a block", "байт в блоке" }
    segments { "segments", "сегментов" }
    late { "late rank", "опоздавший процесс" }
    delay { "late by, ns", "опоздание, нс" }
    latency { "latency L, ns", "задержка L, нс" }
    overhead { "overhead o, ns", "накладные расходы o, нс" }
    gap { "gap g, ns", "промежуток g, нс" }
    perByte { "time per byte G, ps", "время на байт G, пс" }
    with { "beside it", "рядом" }
    alone { "nothing", "ничего" }
    steps { "Play and steps", "Показ и шаги" }
    begin { "begin", "начало" }
    round_back { "round back", "раунд назад" }
    event_back { "event back", "событие назад" }
    play { "play", "показать" }
    pause { "pause", "пауза" }
    event_next { "next event", "следующее событие" }
    round_next { "next round", "следующий раунд" }
    end { "end", "конец" }
    time { "Time", "Время" }
    ns { "{time} ns", "{time} нс" }
    now { "{time} of {end}", "{time} из {end}" }
    more { " and {count} more", " и ещё {count}" }
    legend_send { "sends", "отправляет" }
    legend_receive { "receives", "принимает" }
    legend_wait { "waits", "ждёт" }
    legend_message { "message", "сообщение" }
    legend_critical { "critical path", "критический путь" }
    legend_heard { "has heard of this rank", "знает об этом процессе" }
    legend_unheard { "left without having heard of it", "вышел, не узнав о нём" }
    heard_of { "has heard of", "знает о процессах" }
    picture { "Space-time diagram of {ranks} ranks. {result}", "Пространственно-временная диаграмма, процессов {ranks}. {result}" }
    known { "At {time}, {count} of {ranks} ranks have heard of all.", "В момент {time} обо всех знают {count} из {ranks} процессов." }
    outside { "has not entered", "ещё не вошёл" }
    left { "has left", "вышел" }
    unaware { "left, unaware of {ranks}", "вышел, не зная о {ranks}" }
    stuck { "waits for ever: {ranks}", "ждёт вечно: {ranks}" }
    state_send { "sends to {ranks}", "отправляет: {ranks}" }
    state_receive { "receives from {ranks}", "принимает от: {ranks}" }
    state_wait { "waits for {ranks}", "ждёт: {ranks}" }
    done { "The last rank leaves at {time}; {messages} messages; critical path {path}.", "Последний процесс выходит в {time}; сообщений {messages}; критический путь {path}." }
    early { "No barrier: rank {rank} leaves without having heard of rank {other}.", "Не барьер: процесс {rank} выходит, не узнав о процессе {other}." }
    deadlock { "Deadlock: these ranks wait for ever: {ranks}.", "Взаимная блокировка; вечно ждут процессы: {ranks}." }
    unmatched { "A signal of rank {rank} to rank {other} is left over.", "Сигнал процесса {rank} процессу {other} никто не принимает." }
    undefined { "It is not defined for {ranks} ranks.", "Для {ranks} процессов он не определён." }
    faster { "{name} is faster by {by}: the other one takes {ratio} times as long.", "{name} быстрее на {by}: другой занимает в {ratio} раза больше времени." }
    equal { "Both end at {time}.", "Оба завершаются в {time}." }
    nothing { "no event", "событий нет" }
    event_enter { "rank {rank} enters", "процесс {rank} входит" }
    event_leave { "rank {rank} leaves", "процесс {rank} выходит" }
    event_send { "{from} begins to send to {to}", "{from} начинает отправку процессу {to}" }
    event_arrive { "the message of {from} is at {to}", "сообщение от {from} дошло до {to}" }
    event_receive { "{to} has received from {from}", "{to} принял сообщение от {from}" }
    table { "All {count} messages as a table", "Все сообщения таблицей: {count}" }
    messages { "Messages", "Сообщения" }
    column_from { "from", "от" }
    column_to { "to", "кому" }
    column_length { "bytes", "байт" }
    column_called { "called, ns", "вызов, нс" }
    column_injected { "leaves, ns", "отправлено, нс" }
    column_arrives { "arrives, ns", "прибыло, нс" }
    column_received { "received, ns", "принято, нс" }
}
