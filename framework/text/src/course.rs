//! Contradictions within the files of the course: what `cargo wb course check` finds.
texts! {
    points_do_not_add_up(total, sum) {
        "the course has {total} points, but the assignments add up to {sum}",
        "в курсе {total} баллов, а сумма по заданиям {sum}",
    }
    no_total() {
        "the key `total_points` is missing, expected the points of the whole course",
        "нет ключа `total_points`, ожидаются баллы всего курса",
    }
    no_title(language) { "the title in {language} is missing", "нет названия на языке {language}" }
    no_variants() { "the list is empty, expected at least one variant", "список пуст, ожидается хотя бы один вариант" }
    word_again(word, assignment, variant) {
        "`{word}` is the word of variant {variant} of assignment {assignment} already, expected each one once",
        "`{word}` — уже слово варианта {variant} задания {assignment}, каждое указывается один раз",
    }
    no_marks() { "the list is empty, expected at least one mark", "список пуст, ожидается хотя бы одна оценка" }
    marks_order() {
        "expected a smaller share of the points than the mark before",
        "доля баллов должна быть меньше, чем у предыдущей оценки",
    }
    mark_again(mark) {
        "the mark `{mark}` is listed already, expected each one once",
        "оценка `{mark}` уже есть в списке, каждая указывается один раз",
    }
    bands_without_points() {
        "no assignment has points for performance, so the bands have no effect",
        "ни в одном задании нет баллов за производительность, шкала ни на что не влияет",
    }
    no_streams() { "the list is empty, expected at least one stream", "список пуст, ожидается хотя бы один поток" }
    stream_again(name) {
        "the stream `{name}` is listed already, expected each one once",
        "поток `{name}` уже есть в списке, каждый указывается один раз",
    }
    no_groups() { "the list is empty, expected at least one group", "список пуст, ожидается хотя бы одна группа" }
    group_again(group, stream) {
        "the group `{group}` is in the stream `{stream}` already, expected each one once",
        "группа `{group}` уже есть в потоке `{stream}`, каждая указывается один раз",
    }
    group_without_students(group) {
        "no student of tasks/roster.csv is in the group `{group}`",
        "в tasks/roster.csv нет ни одного студента из группы `{group}`",
    }
    unknown_group(group, known) {
        "the group `{group}` is in no stream of tasks/course.yaml, expected one of {known}",
        "группы `{group}` нет ни в одном потоке tasks/course.yaml, допустимы {known}",
    }
    name_again(name, group, line) {
        "`{name}` of the group `{group}` is in line {line} already; if they are two, add what distinguishes them to the name",
        "`{name}` из группы `{group}` уже есть в строке {line}; если это разные люди, дополните имя",
    }
    same_deadline() {
        "the deadline of the assignment is the same, so this one has no effect",
        "срок задания такой же, этот ни на что не влияет",
    }
    deadlines_order(group, assignment, deadline, before) {
        "for the group `{group}` assignment {assignment} ends on {deadline}, not after the assignment before it ({before})",
        "для группы `{group}` срок задания {assignment} ({deadline}) не позже срока предыдущего ({before})",
    }
    general_deadlines_order(assignment, deadline, before) {
        "assignment {assignment} ends on {deadline}, not after the assignment before it ({before})",
        "срок задания {assignment} ({deadline}) не позже срока предыдущего ({before})",
    }
    rule_again(rule) {
        "the rule `{rule}` is listed already, expected each one once",
        "правило `{rule}` уже есть в списке, каждое указывается один раз",
    }
    rule_of_communication(rule) {
        "the rule `{rule}` is one of `kind: communication`, and this variant is a computation",
        "правило `{rule}` относится к `kind: communication`, а этот вариант — вычисление",
    }
    rule_of_computation(rule) {
        "the rule `{rule}` is one of `kind: computation`, and this variant is a communication",
        "правило `{rule}` относится к `kind: computation`, а этот вариант — передача данных",
    }
    same_rules() {
        "the rules of the assignment are the same, so these have no effect",
        "правила задания такие же, эти ни на что не влияют",
    }
    unused_rules() {
        "every variant has rules of its own, so these have no effect",
        "у каждого варианта свои правила, эти ни на что не влияют",
    }
    extension_again(login, assignment) {
        "`{login}` has an extension for assignment {assignment} already, expected one",
        "у `{login}` уже есть продление для задания {assignment}, ожидается одно",
    }
    extension_without_effect(until, deadline) {
        "{until} is not after the deadline {deadline} of the group, so the extension has no effect",
        "{until} не позже срока группы {deadline}, продление ни на что не влияет",
    }
    same_three_variants(login, line) {
        "`{login}` has the same variants of all three assignments as the student in line {line} of tasks/roster.csv",
        "у `{login}` те же варианты всех трёх заданий, что у студента в строке {line} файла tasks/roster.csv",
    }
    points_of_letter(letter, min, max) {
        "the letter {letter} of this assignment has points from {min} to {max}",
        "буква {letter} в этом задании даёт баллы от {min} до {max}",
    }
}
