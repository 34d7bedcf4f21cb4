//! The messages of `cargo wb broadcasts`.
messages! {
    about() { "Broadcasts: what there is, why it is right, what it would cost", "Рассылки: какие есть, почему верны, сколько бы стоили" }
    about_list() { "List every broadcast, with what it costs", "Показать все рассылки и их стоимость" }
    about_prove() {
        "Prove that broadcasts are broadcasts: every root, every send synchronous",
        "Доказать, что рассылки верны: любой корень, любые отправки синхронные",
    }
    about_simulate() {
        "Predict how long broadcasts take on a machine (a model)",
        "Предсказать время рассылок для машины (модель)",
    }
    help_broadcast() { "The broadcast, by its name in the list; all if there is none", "Рассылка, по имени из списка; без имени — все" }
    help_bytes() { "How long the data is, bytes", "Длина данных, байт" }
    help_segment() { "Bytes of a segment, for broadcasts that have segments", "Длина сегмента в байтах, для рассылок сегментами" }
    unknown(name) {
        "there is no broadcast `{name}`; `cargo wb broadcasts list` shows them all",
        "рассылки `{name}` нет; все показывает `cargo wb broadcasts list`",
    }
    unknown_suggest(name, near) {
        "there is no broadcast `{name}`; did you mean {near}?",
        "рассылки `{name}` нет; возможно, имелось в виду {near}?",
    }
    column_name() { "broadcast", "рассылка" }
    list_total(count, ranks, bytes, segment) {
        "{count} broadcasts; messages, and rounds with one port where a formula gives them, for P = {ranks} ranks and {bytes} bytes in segments of {segment}",
        "рассылок: {count}; сообщения и, где есть формула, раунды при одном порте, для P = {ranks} и {bytes} байт сегментами по {segment}",
    }
    proved(cases) { "proved: {cases} cases", "доказана: случаев {cases}" }
    refused(case, why) { "REFUSED at {case}: {why}", "ОТВЕРГНУТА при {case}: {why}" }
    total(proved, refused, seconds) {
        "proved {proved}, refused {refused}; {seconds} s",
        "доказано {proved}, отвергнуто {refused}; {seconds} с",
    }
    conditions(bytes, segment) {
        "Microseconds until the last rank has all {bytes} bytes of rank 0; segments of {segment}.",
        "Микросекунды, пока у последнего нет всех {bytes} байт процесса 0; сегменты по {segment}.",
    }
    legend(most) { "Nothing is computed above {most} messages.", "Не вычисляется, если сообщений больше {most}." }
}
