//! What is wrong with a layout, or with the slice that it is used on.
texts! {
    outside(position, length, last) {
        "the layout contains element {position}, but the slice has {length} element(s): positions 0..={last} are allowed",
        "раскладка содержит элемент {position}, а длина среза — {length}: допустимы позиции 0..={last}",
    }
    outside_of_nothing(position) {
        "the layout contains element {position}, but the slice is empty: no position is allowed",
        "раскладка содержит элемент {position}, а срез пуст: ни одна позиция не допустима",
    }
    repeated(position) {
        "the layout contains element {position} twice: a receive may fill each element once",
        "раскладка содержит элемент {position} дважды: приём может заполнить каждый элемент только один раз",
    }
    shared(position) {
        "element {position} is in the layout that is sent and in the layout that is received: they may share no element",
        "элемент {position} входит и в отправляемую, и в принимаемую раскладку: общих элементов быть не должно",
    }
    lengths(what, got, expected) {
        "the layout's argument `{what}` has {got} number(s), {expected} are required",
        "в аргументе `{what}` раскладки чисел: {got}, а требуется {expected}",
    }
    no_dimension() {
        "a part of an array needs at least one dimension",
        "у части массива должно быть хотя бы одно измерение",
    }
    part(dimension, start, end, size) {
        "dimension {dimension}: the part has elements {start}..{end}, the array has {size}",
        "измерение {dimension}: часть содержит элементы {start}..{end}, а в массиве их {size}",
    }
    block_outside(buffer, rank, start, end, length) {
        "{buffer}: the block of rank {rank} has elements {start}..{end}, but the buffer has {length} element(s)",
        "{buffer}: блок процесса {rank} содержит элементы {start}..{end}, а элементов в буфере: {length}",
    }
    blocks_overlap(one, other, start, end) {
        "the blocks of ranks {one} and {other} share elements {start}..{end}: a receive may fill each element once",
        "блоки процессов {one} и {other} имеют общие элементы {start}..{end}: приём может заполнить каждый элемент только один раз",
    }
}
