//! Arguments of topologies that cannot be: reasons of `wb_comm::Error::CommunicatorArgument`.
texts! {
    indivisible(call, ranks, dims) {
        "{call}: {ranks} rank(s) cannot be divided by the product of the given dimensions [{dims}]",
        "{call}: число процессов ({ranks}) не делится на произведение заданных размеров [{dims}]",
    }
    nothing_free(call, ranks, product) {
        "{call}: the given dimensions have {product} place(s) for {ranks} rank(s), and none is free (0)",
        "{call}: мест в заданных размерах: {product}, процессов: {ranks}, а свободных размеров (0) нет",
    }
    no_ranks(call) { "{call}: the number of ranks is 0", "{call}: число процессов равно 0" }
    no_dimension(dims) {
        "cart_create: dims [{dims}] must name at least one dimension, each of them at least 1",
        "cart_create: в dims [{dims}] должен быть хотя бы один размер, и каждый не меньше 1",
    }
    lengths(verb, name, got, expected) {
        "{verb}: {name} has {got} element(s), one for each of the {expected} dimension(s) is needed",
        "{verb}: в {name} элементов: {got}, а нужно по одному на каждое измерение: {expected}",
    }
    too_large(dims, cells, ranks) {
        "cart_create: dims [{dims}] have {cells} places, but this communicator has {ranks} rank(s)",
        "cart_create: в решётке [{dims}] мест: {cells}, а процессов в коммуникаторе: {ranks}",
    }
    no_neighbours(verb) {
        "{verb}: the neighbours are not those of the communicator",
        "{verb}: это не соседи из топологии коммуникатора",
    }
    too_many_ranks(nodes, ranks) {
        "graph_create: the graph has {nodes} ranks, but this communicator has {ranks} rank(s)",
        "graph_create: в графе рангов: {nodes}, а процессов в коммуникаторе: {ranks}",
    }
    one_way(rank, neighbour, there, back) {
        "graph_create: rank {rank} names rank {neighbour} {there} time(s), rank {neighbour} names rank {rank} {back} time(s), and both must be equal",
        "graph_create: ранг {rank} называет ранг {neighbour} столько раз: {there}, ранг {neighbour} называет ранг {rank} столько раз: {back}, а должно быть поровну",
    }
    outside(call, coords, dimension, last) {
        "{call}: coordinates [{coords}] are outside of the grid: dimension {dimension} is not periodic, 0..={last} is allowed",
        "{call}: координаты [{coords}] вне решётки: измерение {dimension} не периодическое, разрешено 0..={last}",
    }
    other_dimension(call, dimension, last) {
        "{call}: dimension {dimension} does not exist: 0..={last} is allowed",
        "{call}: измерения {dimension} нет, разрешено 0..={last}",
    }
}
