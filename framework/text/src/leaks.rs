//! Resources that a run has leaked, and unordered accesses.
texts! {
    leftover(source, to, tag, bytes, communicator) {
        "from rank {source} to rank {to}, tag {tag}, {bytes} bytes, communicator {communicator}",
        "от процесса {source} процессу {to}, тег {tag}, байт: {bytes}, коммуникатор {communicator}",
    }
    matched_message(source, tag, bytes, communicator) {
        "from rank {source}, tag {tag}, {bytes} bytes, communicator {communicator}: a matched probe has taken it",
        "от процесса {source}, тег {tag}, байт: {bytes}, коммуникатор {communicator}: его забрала проверка с захватом",
    }
    request(call, communicator) { "{call}, communicator {communicator}", "{call}, коммуникатор {communicator}" }
    race_of_elements(one, other, start, end, target) {
        "ranks {one} and {other} both touch elements {start}..{end} of rank {target}, and nothing orders the two calls",
        "процессы {one} и {other} обращаются к элементам {start}..{end} процесса {target}, и порядок этих двух вызовов ничем не задан",
    }
    race_of_bytes(one, other, start, end, path) {
        "ranks {one} and {other} both access bytes {start}..{end} of the file {path}, at least one of them writes, and no sync - barrier - sync is between the two calls",
        "процессы {one} и {other} обращаются к байтам {start}..{end} файла {path}, хотя бы один из них пишет, а между этими двумя вызовами нет последовательности sync - barrier - sync",
    }
    race_of_size(one, other, path) {
        "rank {one} or {other} extends the file {path}, the other one depends on its size, and no sync - barrier - sync is between the two calls",
        "один из процессов {one} и {other} удлиняет файл {path}, другой зависит от его длины, а между этими двумя вызовами нет последовательности sync - barrier - sync",
    }
    race_of_copies(one, other, target) {
        "ranks {one} and {other} both change the part of rank {target}, which may have two copies, and nothing orders the two calls",
        "процессы {one} и {other} изменяют часть окна процесса {target}, у которой может быть две копии, и порядок этих двух вызовов ничем не задан",
    }
}
