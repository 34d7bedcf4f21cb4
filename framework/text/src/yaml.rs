//! The errors of reading YAML: the sentences of `serde` and of the parser, and what the types of settings expect.
//!
//! The libraries give their sentences in English only; [`recognise`] finds the entry that a sentence is made from.
use crate::{Text, recognition};

texts! {
    /// `serde`.
    invalid_type(found, expected) { "invalid type: {found}, expected {expected}", "неверный тип: {found}; ожидается {expected}" }
    /// `serde`.
    invalid_value(found, expected) {
        "invalid value: {found}, expected {expected}",
        "недопустимое значение: {found}; ожидается {expected}",
    }
    /// `serde`.
    missing_field(name) { "missing field `{name}`", "нет обязательного ключа `{name}`" }
    /// `serde`.
    unknown_field_of(name, known) {
        "unknown field `{name}`, expected one of {known}",
        "неизвестный ключ `{name}`, допустимы {known}",
    }
    /// `serde`.
    unknown_field(name, known) { "unknown field `{name}`, expected {known}", "неизвестный ключ `{name}`, допустимо {known}" }
    /// `serde`.
    unknown_variant_of(name, known) {
        "unknown variant `{name}`, expected one of {known}",
        "неизвестное значение `{name}`, допустимы {known}",
    }
    /// `serde`.
    unknown_variant(name, known) {
        "unknown variant `{name}`, expected {known}",
        "неизвестное значение `{name}`, допустимо {known}",
    }
    /// `serde`.
    duplicate_field(name) { "duplicate field `{name}`", "ключ `{name}` указан повторно" }
    /// `serde`.
    invalid_length(length, expected) {
        "invalid length {length}, expected {expected}",
        "недопустимая длина {length}; ожидается {expected}",
    }
    an_array(length) { "an array of length {length}", "список из {length} элементов" }
    one_of_two(one, other) { "`{one}` or `{other}`", "`{one}` или `{other}`" }
    key_again(key) {
        "the key `{key}` is here a second time; keep one of the two",
        "ключ `{key}` указан повторно; оставьте один из двух",
    }
    tag() { "a YAML tag (`!name`) has no meaning here", "тег YAML (`!name`) здесь не имеет смысла" }
    string(text) { "string \"{text}\"", "строка \"{text}\"" }
    integer(number) { "integer `{number}`", "целое число `{number}`" }
    float(number) { "floating point `{number}`", "вещественное число `{number}`" }
    boolean(value) { "boolean `{value}`", "логическое значение `{value}`" }
    unit() { "unit value", "пустое значение" }
    map() { "map", "отображение" }
    sequence() { "sequence", "список" }
    structure(name) { "struct {name}", "отображение с ключами `{name}`" }
    a_sequence() { "a sequence", "список" }
    a_string() { "a string", "строка" }
    a_key() { "a key", "ключ" }
    any_value() { "a mapping, a sequence or a value", "отображение, список или значение" }
    a_tag() { "a YAML tag starting with '!'", "одно из допустимых слов" }
    whole(min, max) { "a whole number from {min} to {max}", "целое число от {min} до {max}" }
    name() {
        "a text that is not empty (quote it if it looks like a number)",
        "непустой текст (похожий на число заключите в кавычки)",
    }
    name_too_long(chars, max) {
        "the text has {chars} characters; expected 1 to {max} visible characters in one line",
        "символов: {chars}; ожидается от 1 до {max} видимых символов в одной строке",
    }
    name_hidden(at, code, max) {
        "character {at} is U+{code}, which is not visible; expected 1 to {max} visible characters in one line",
        "символ {at} — U+{code}, он не виден; ожидается от 1 до {max} видимых символов в одной строке",
    }
    name_blank(max) {
        "the text has neither a letter nor a digit; expected 1 to {max} visible characters in one line",
        "нет ни буквы, ни цифры; ожидается от 1 до {max} видимых символов в одной строке",
    }
    seconds() { "seconds, from 0.001 to 3600", "число секунд от 0.001 до 3600" }
    number(min, max) { "a number from {min} to {max}", "число от {min} до {max}" }
    day(example) { "a day that exists, written like {example}", "существующий день, например {example}" }
    day_or_moment(day, moment) {
        "a day or a moment that exists, in the course's time zone, written like {day} or {moment}",
        "существующий день или момент в часовом поясе курса, например {day} или {moment}",
    }
    time_zone(example) {
        "a name of the IANA database of time zones such as {example}",
        "название часового пояса из базы IANA, например {example}",
    }
    login() {
        "a login of 1 to 64 Latin letters, digits, `-`, `_` and `.` that begins with a letter or a digit",
        "логин из 1-64 латинских букв, цифр и знаков `-`, `_`, `.`, который начинается с буквы или цифры",
    }
    word_of_task() {
        "a word of at most 32 small Latin letters, digits and `_` that begins with a letter",
        "слово не длиннее 32 знаков из строчных латинских букв, цифр и `_`, которое начинается с буквы",
    }
    letter() { "one of the letters S, P, D, C, R", "одна из букв S, P, D, C, R" }
    amount() {
        "points from -1000 to 1000 with at most two digits after the point",
        "баллы от -1000 до 1000, после точки не больше двух цифр",
    }
    end_of_document() { "EOF while parsing a value", "документ заканчивается раньше значения" }
    several_documents() {
        "deserializing from YAML containing more than one document is not supported",
        "в файле несколько документов YAML, разрешён один",
    }
    too_deep() { "recursion limit exceeded", "слишком большая вложенность" }
    too_many_repetitions() { "repetition limit exceeded", "слишком много повторений по ссылкам" }
    unknown_anchor() { "unknown anchor", "ссылка на неизвестный якорь" }
    expected_comma_or_bracket() { "did not find expected ',' or ']'", "нет ожидаемых ',' или ']'" }
    expected_comma_or_brace() { "did not find expected ',' or '}}'", "нет ожидаемых ',' или '}}'" }
    expected_key() { "did not find expected key", "нет ожидаемого ключа" }
    expected_dash() { "did not find expected '-' indicator", "нет ожидаемого '-'" }
    expected_colon() { "could not find expected ':'", "нет ожидаемого ':'" }
    expected_node() { "did not find expected node content", "нет ожидаемого значения" }
    expected_document() { "did not find expected <document start>", "нет ожидаемого начала документа" }
    expected_letter() {
        "did not find expected alphabetic or numeric character",
        "нет ожидаемой буквы или цифры",
    }
    expected_line_break() { "did not find expected comment or line break", "нет ожидаемых комментария или конца строки" }
    value_not_allowed() { "mapping values are not allowed in this context", "значение с ключом здесь недопустимо" }
    key_not_allowed() { "mapping keys are not allowed in this context", "ключ здесь недопустим" }
    entry_not_allowed() { "block sequence entries are not allowed in this context", "элемент списка здесь недопустим" }
    unexpected_end() { "found unexpected end of stream", "неожиданный конец файла" }
    unexpected_document() { "found unexpected document indicator", "неожиданная граница документа" }
    unexpected_colon() { "found unexpected ':'", "неожиданное ':'" }
    unknown_escape() { "found unknown escape character", "неизвестный символ после обратной косой черты" }
    bad_start() { "found character that cannot start any token", "с этого символа значение начинаться не может" }
    tab_indent() {
        "found a tab character where an indentation space is expected",
        "табуляция вместо пробелов отступа",
    }
    tab() { "found a tab character that violates indentation", "табуляция нарушает отступ" }
    undefined_tag() { "found undefined tag handle", "неизвестный тег" }
    parsing(what) { "while parsing a {what}", "при разборе {what}" }
    scanning(what) { "while scanning a {what}", "при чтении {what}" }
    scanning_an(what) { "while scanning an {what}", "при чтении {what}" }
    scanning_next() { "while scanning for the next token", "при чтении следующего элемента" }
    of_block_mapping() { "block mapping", "отображения" }
    of_flow_mapping() { "flow mapping", "отображения в скобках" }
    of_block_collection() { "block collection", "списка" }
    of_flow_sequence() { "flow sequence", "списка в скобках" }
    of_node() { "node", "значения" }
    of_block_node() { "block node", "значения" }
    of_flow_node() { "flow node", "значения в скобках" }
    of_quoted_scalar() { "quoted scalar", "текста в кавычках" }
    of_plain_scalar() { "plain scalar", "текста без кавычек" }
    of_block_scalar() { "block scalar", "текста из нескольких строк" }
    of_simple_key() { "simple key", "ключа" }
    of_tag() { "tag", "тега" }
    of_directive() { "directive", "директивы" }
    of_anchor() { "anchor", "якоря" }
    of_alias() { "alias", "ссылки" }
    syntax_since(problem, line, column, context, first, at) {
        "{problem} at line {line} column {column}, {context} at line {first} column {at}",
        "{problem} (строка {line}, столбец {column}), {context} (строка {first}, столбец {at})",
    }
    syntax_in(problem, line, column, context) {
        "{problem} at line {line} column {column}, {context}",
        "{problem} (строка {line}, столбец {column}), {context}",
    }
}

/// The text whose English is `english`, if it is one of this module. `shown` makes a user's value in it visible.
pub fn recognise(english: &str, shown: &dyn Fn(&str) -> String) -> Option<Text> {
    recognition::recognise(TEMPLATES, english, shown)
}
