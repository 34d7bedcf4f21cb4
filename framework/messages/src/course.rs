//! The messages of `cargo wb course`.
messages! {
    about() {
        "The course: check its files, assign variants, write its scoreboard",
        "Курс: проверить файлы, распределить варианты, записать таблицу результатов",
    }
    about_demo() {
        "Write a synthetic course into a folder: students, tasks, evidence and grades, all invented",
        "Записать в папку синтетический курс: студенты, задачи, свидетельства и оценки, всё вымышлено",
    }
    help_demo_out() { "The folder of the course; it must be empty or new", "Папка курса; она должна быть пустой или новой" }
    help_demo_students() { "The number of students", "Число студентов" }
    help_demo_seed() { "The same seed gives the same course", "Одно и то же начальное значение даёт один и тот же курс" }
    demo_folder_used(folder) {
        "{folder} is not empty: it is left as it is; choose another folder",
        "{folder} не пуста: она оставлена как есть; укажите другую папку",
    }
    demo_written(folder, students, tasks) {
        "written: {folder} ({students} students, {tasks} tasks); README.md there has the next commands",
        "записано: {folder} (студентов: {students}, задач: {tasks}); дальнейшие команды в README.md этой папки",
    }
    about_scoreboard() {
        "Write the scoreboard of all students: pages, scoreboard.json and a table for a gradebook",
        "Записать таблицу результатов всех студентов: страницы, scoreboard.json и таблицу для журнала",
    }
    help_grades() { "The grades, as `cargo wb grade --all` writes them", "Оценки, как их записывает `cargo wb grade --all`" }
    help_public() { "Pseudonyms instead of names; this is the default", "Псевдонимы вместо имён; так по умолчанию" }
    help_export() {
        "Only write the data of the public scoreboard, which can be committed and published, such as grades/public.json",
        "Только записать данные публичной таблицы, которые можно сохранить в git и опубликовать, например grades/public.json",
    }
    help_from() {
        "Make the pages of this exported file; no grades, roster and secret are read",
        "Построить страницы по этому выгруженному файлу; оценки, список и секрет не читаются",
    }
    help_private() { "With names and logins, for instructors only", "С именами и логинами, только для преподавателей" }
    help_scoreboard_out() {
        "The folder of the scoreboard; pages of an earlier one in it are replaced",
        "Папка таблицы; страницы прежней таблицы в ней заменяются",
    }
    help_pseudonym() { "Only print the pseudonym of this student", "Только показать псевдоним этого студента" }
    no_grades(file) {
        "there are no grades: {file} does not exist; `cargo wb grade --all` writes grades/grades.json",
        "оценок нет: файла {file} не существует; `cargo wb grade --all` записывает grades/grades.json",
    }
    scoreboard_written(folder, students, pages) {
        "written: {folder} ({students} students, {pages} pages); open {folder}/index.html",
        "записано: {folder} (студентов: {students}, страниц: {pages}); откройте {folder}/index.html",
    }
    exported(file, students) {
        "written: {file} ({students} students under pseudonyms); it can be committed",
        "записано: {file} (студентов под псевдонимами: {students}); его можно сохранить в git",
    }
    not_public(file) {
        "{file} has names: only an exported public scoreboard is published; make one with --export",
        "в {file} есть имена: публикуется только выгруженная публичная таблица; создайте её ключом --export",
    }
    not_an_export(file) {
        "{file} is not an exported scoreboard: it is left as it is; choose another file",
        "{file} — не выгруженная таблица: файл оставлен как есть; укажите другой",
    }
    private_folder(folder) {
        "{folder} has a private scoreboard: it is left as it is; remove it, or choose another folder with --out",
        "в {folder} закрытая таблица: она оставлена как есть; удалите её или укажите другую папку через --out",
    }
    public_folder(folder) {
        "{folder} has a public scoreboard: it is left as it is; remove it, or choose another folder with --out",
        "в {folder} публичная таблица: она оставлена как есть; удалите её или укажите другую папку через --out",
    }
    short_secret(path, bytes, least) {
        "{path} has {bytes} bytes, at least {least} are needed: write the secret of the course into it, or delete it for a new one",
        "{path} содержит {bytes} байт, нужно не меньше {least}: запишите в него секрет курса или удалите его, чтобы создать новый",
    }
    secret_made(path) {
        "made {path}: pseudonyms follow from it. Keep it, and do not publish it",
        "создан {path}: из него получаются псевдонимы. Сохраните его и не публикуйте",
    }
    secret_not_ignored(path) {
        "git has {path} or would add it, and with it pseudonyms can be traced back: add it to .gitignore, and if it is committed run `git rm --cached {path}` and change the secret",
        "{path} есть в git или может туда попасть, а с ним псевдонимы раскрываются: добавьте его в .gitignore, а если он уже сохранён, выполните `git rm --cached {path}` и смените секрет",
    }
    no_roster() {
        "the course has no tasks/roster.csv, so it has no students to show",
        "у курса нет tasks/roster.csv, показывать некого",
    }
    foreign_folder(folder) {
        "{folder} is not empty and has no scoreboard.json: it is left as it is; choose another folder with --out",
        "{folder} не пуста, и в ней нет scoreboard.json: она оставлена как есть; укажите другую папку через --out",
    }
}
