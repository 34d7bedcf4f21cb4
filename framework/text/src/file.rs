//! What is wrong with a file, or with a call on it.
texts! {
    exclusive(mode) {
        "a file cannot be opened as \"{mode}\": `exclusive` needs `create`",
        "файл нельзя открыть в режиме «{mode}»: `exclusive` допустим только вместе с `create`",
    }
    create_read_only(mode) {
        "a file cannot be opened as \"{mode}\": a file that is created must be writable",
        "файл нельзя открыть в режиме «{mode}»: создаваемый файл должен быть доступен для записи",
    }
    not_found(path) {
        "the file {path} or its folder does not exist (`create` makes a file)",
        "файла {path} или его каталога нет (режим `create` создаёт файл)",
    }
    not_found_below(path, folder) {
        "the file {path} or its folder does not exist in {folder}, the working folder of the job (`create` makes a file)",
        "файла {path} или его каталога нет в {folder}, рабочем каталоге задания (режим `create` создаёт файл)",
    }
    exists(path) {
        "the file {path} exists, and `exclusive` allows only a new one",
        "файл {path} уже существует, а режим `exclusive` допускает только новый",
    }
    not_regular(path) {
        "{path} is not the path of a file: it must name a regular file, not a folder, a device or a pipe",
        "{path} не является путём к файлу: он должен указывать на обычный файл, а не на каталог, устройство или канал",
    }
    not_same(file) {
        "the ranks do not open one file in one mode; this rank opens {file}",
        "процессы открывают не один и тот же файл в одном режиме; этот процесс открывает {file}",
    }
    not_input(path, names) {
        "{path} is not a file of the assignment, expected one of {names}",
        "{path} не входит в файлы задания, допустимы {names}",
    }
    no_input(path) {
        "{path} cannot be opened: the assignment has no files, and a task of it computes from its input only",
        "{path} открыть нельзя: у задания нет файлов, и его решение вычисляет только по входным данным",
    }
    input_mode(mode) {
        "a file of the assignment cannot be opened as \"{mode}\", expected read_only without other modes",
        "файл задания нельзя открыть в режиме «{mode}», допустим только read_only без других режимов",
    }
    permission(path) {
        "the operating system does not permit to open the file {path} in this mode",
        "операционная система не разрешает открыть файл {path} в этом режиме",
    }
    not_readable(verb, mode) {
        "{verb}: the file was opened as \"{mode}\"; reading needs read_only or read_write",
        "{verb}: файл открыт в режиме «{mode}»; для чтения нужен read_only или read_write",
    }
    not_writable(verb, mode) {
        "{verb}: the file was opened as \"{mode}\"; writing needs write_only or read_write",
        "{verb}: файл открыт в режиме «{mode}»; для записи нужен write_only или read_write",
    }
    element_type(given, view) {
        "elements of type {given} in a view of type {view}: the types must be the same, or the view one of bytes (u8)",
        "элементы типа {given}, а тип представления файла — {view}: типы должны совпадать, либо представление должно состоять из байтов (u8)",
    }
    falling_view(position, last) {
        "the layout of a view names element {position} after element {last}: the positions must rise",
        "раскладка представления файла содержит элемент {position} после элемента {last}: позиции должны возрастать",
    }
    empty_view(count) {
        "{count} element(s) of a view whose layout is empty: only 0 are allowed",
        "элементов: {count}, а раскладка представления файла пуста: допустимо только 0",
    }
    offset(offset, count) {
        "{count} element(s) of the view from offset {offset} on are beyond the largest offset of a file, 2^63 - 1 bytes",
        "элементы представления (число: {count}) начиная со смещения {offset} лежат за наибольшим смещением в файле, 2^63 - 1 байт",
    }
    too_long(path, bytes, max) {
        "the file {path} would have {bytes} bytes; a checked run keeps files in memory, up to {max} bytes",
        "длина файла {path} составила бы {bytes} байт; при проверке файлы хранятся в памяти, не более {max} байт",
    }
    closed(path) { "the file {path} is closed", "файл {path} закрыт" }
    in_use(path) {
        "the file {path} was not closed, and a rank still has it",
        "файл {path} не был закрыт, и один из процессов ещё использует его",
    }
    system(path, why) { "the file {path}: {why}", "файл {path}: {why}" }
}
