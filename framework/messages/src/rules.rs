//! The messages of `cargo wb rules`.
messages! {
    about() { "Check the sources of tasks against the rules of the course and of their variants", "Проверить исходники задач по правилам курса и вариантов" }
    help_all() { "All tasks; the same as without `-p`", "Все задачи; то же, что без `-p`" }
    clean(task) { "{task}: no rule is broken", "{task}: нарушений нет" }
    broken(task, count) { "{task}: places that break a rule: {count}", "{task}: мест с нарушением правил: {count}" }
    title(rule, file, line, column) { "rule {rule}: {file}, line {line}, column {column}", "правило {rule}: {file}, строка {line}, столбец {column}" }
    settings_refused(task) { "{task}: its settings are refused, so the rules of its variant are not known", "{task}: настройки отклонены, поэтому правила варианта неизвестны" }
    help_runs() { "Also decide the rules that need runs, in virtual time; builds the task", "Проверить и правила, для которых нужны запуски, в виртуальном времени; задача собирается" }
    help_seed() { "Draw the numbers of ranks of these runs from this number, to repeat a decision", "Выбрать числа процессов для этих запусков по этому числу, чтобы повторить проверку" }
    run_ranks(task, rule, ranks, seed) { "{task}: the rule {rule} runs at P = {ranks} (--seed {seed})", "{task}: правило {rule} проверяется при P = {ranks} (--seed {seed})" }
    broken_by_run(rule, task, reason) { "rule {rule}: {task}: {reason}", "правило {rule}: {task}: {reason}" }
    remedy(text) { "do instead: {text}", "что сделать: {text}" }
    run_time(rules) { "decided by tests and measurements, not by syntax: {rules}", "решают тесты и измерения, а не синтаксис: {rules}" }
}
