//! Why a file of evidence is not read.
texts! {
    in_line(line, problem) { "line {line}: {problem}", "строка {line}: {problem}" }
    newer_schema(found, known) {
        "schema {found} is newer than {known}, the newest that this program reads",
        "схема {found} новее, чем {known}, последняя из тех, что читает эта программа",
    }
    empty(field) { "{field} is empty", "поле {field} пусто" }
    number_of(field) { "the number of {field}", "число элементов {field}" }
    out_of_range(field, value, least, most) {
        "{field} is {value}, expected a whole number from {least} to {most}",
        "{field}: {value}, нужно целое число от {least} до {most}",
    }
    disordered(field, ends) {
        "{field} is {ends}; expected three numbers from 0 to 1e9 in ascending order",
        "{field}: {ends}; нужны три числа от 0 до 1e9 по возрастанию",
    }
}
