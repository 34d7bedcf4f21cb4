//! The texts of `cargo wb book` and of the book's own pages.
messages! {
    about() {
        "Build the documents as a book in English and Russian, with the reports beside it",
        "Собрать документацию в книгу на русском и английском, рядом с ней отчёты",
    }
    help_out() {
        "The folder of the site; without this option target/wb/book",
        "Папка сайта; без этого параметра target/wb/book",
    }
    title() { "Workbench for MPI courses", "Рабочее место курса по MPI" }
    other_language() { "Русский", "English" }
    other_language_title() { "This page in Russian", "Эта страница на английском" }
    site_book() { "The book in English", "Книга на русском языке" }
    site_reports() { "Reports", "Отчёты" }
    site_scoreboard() { "Scoreboard", "Таблица результатов" }
    cannot_use(path, error) { "cannot read or write {path}: {error}", "не удалось прочитать или записать {path}: {error}" }
    link_leaves(page, line, link) {
        "{page}, line {line}: the link `{link}` does not lead to a page of this book. Allowed: a page in docs/SUMMARY.md (of a Russian page: in docs/ru/SUMMARY.md), a picture in docs/, a file in reports/, an address with https://",
        "{page}, строка {line}: ссылка `{link}` не ведёт ни на одну страницу этой книги. Допустимо: страница из docs/ru/SUMMARY.md (для английской страницы — из docs/SUMMARY.md), рисунок в docs/, файл в reports/, адрес с https://",
    }
    foreign_folder(folder) {
        "{folder} exists and was not made by `cargo wb book`: it is left as it is. Name another folder by --out",
        "{folder} уже существует, и создана она не командой `cargo wb book`: она оставлена как есть. Укажите другую папку в --out",
    }
    renderer_refused(reason) { "mdBook refused the pages: {reason}", "mdBook не принял страницы: {reason}" }
    broken_links(links) {
        "links of the rendered pages that lead nowhere:\n  {links}",
        "ссылки готовых страниц, которые никуда не ведут:\n  {links}",
    }
    report_left_out(task, reason) { "no report of {task} is published: {reason}", "отчёт задачи {task} не опубликован: {reason}" }
    not_published(path, reason) { "{path} is not published: {reason}", "{path} не публикуется: {reason}" }
    linked() { "it is a symbolic link, or is in a linked folder", "это символическая ссылка, или файл в папке по такой ссылке" }
    not_ours() { "it was not made by `cargo wb`", "этот файл сделан не командой `cargo wb`" }
    /// Of the program that `cargo wb book` starts.
    usage(given) { "wb-book ROOT REPORTS OUT en|ru, but it was given: {given}", "wb-book ROOT REPORTS OUT en|ru, а задано: {given}" }
    written(path) { "written: {path}", "записано: {path}" }
    /// What mdBook writes into its pages, in the language of the reader.
    toggle_contents() { "Toggle Table of Contents", "Показать или скрыть оглавление" }
    change_theme() { "Change theme", "Сменить оформление" }
    next_chapter() { "Next chapter", "Следующая страница" }
    previous_chapter() { "Previous chapter", "Предыдущая страница" }
    keyboard_shortcuts() { "Keyboard shortcuts", "Сочетания клавиш" }
    navigate_keys() {
        "Press <kbd>←</kbd> or <kbd>→</kbd> to navigate between chapters",
        "<kbd>←</kbd> и <kbd>→</kbd>: предыдущая и следующая страница",
    }
    help_key() { "Press <kbd>?</kbd> to show this help", "<kbd>?</kbd>: показать эту справку" }
    hide_key() { "Press <kbd>Esc</kbd> to hide this help", "<kbd>Esc</kbd>: скрыть эту справку" }
    table_of_contents() { "Table of contents", "Оглавление" }
    themes() { "Themes", "Оформление" }
    page_navigation() { "Page navigation", "Переход по страницам" }
    theme_auto() { "Auto", "Как в системе" }
    theme_light() { "Light", "Светлое" }
    theme_rust() { "Rust", "Ржавчина" }
    theme_coal() { "Coal", "Уголь" }
    theme_navy() { "Navy", "Тёмно-синее" }
    theme_ayu() { "Ayu", "Тёмное (Ayu)" }
}
