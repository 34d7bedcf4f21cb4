//! Errors in the arguments of a command line.
messages! {
    no_value(argument) {
        "`{argument}` needs a value",
        "после `{argument}` нужно значение",
    }
    bad_lang(code) {
        "language `{code}` is not known. Allowed: en, ru",
        "язык `{code}` неизвестен. Допустимо: en, ru",
    }
    bad_seed(number) {
        "seed `{number}` is not a whole number from 0",
        "`{number}` не годится как начальное значение генератора: нужно целое число от 0",
    }
    bad_ranks(list, item, most) {
        "`{item}` in the list of ranks `{list}` is not allowed: whole numbers from 1 to {most}, each once, with commas",
        "`{item}` в списке чисел процессов `{list}` недопустимо: целые числа от 1 до {most}, каждое один раз, через запятую",
    }
}
