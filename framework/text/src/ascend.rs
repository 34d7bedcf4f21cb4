//! The errors of a core or a host of an Ascend machine.
texts! {
    no_cores(pes, vector) {
        "a machine needs at least 1 PE with at least 1 vector core, not {pes} with {vector}",
        "машине нужен хотя бы 1 процессор хотя бы с 1 векторным ядром, а задано процессоров {pes}, ядер {vector}",
    }
    memory(got, needed) {
        "the memory between the PEs has {got} cells, {needed} needed",
        "в общей памяти процессоров ячеек: {got}, нужно: {needed}",
    }
    not_in_set(core, pe, set) {
        "core {core} of PE {pe} is a cube core: it must not call a barrier of {set}",
        "ядро {core} процессора {pe} матричное: ему нельзя вызывать барьер, в котором {set}",
    }
    mixed(now, set, was) {
        "{now} on the state of {set}, which {was} uses: the two must not be mixed",
        "{now} вызван на состоянии, которое использует {was} ({set}): смешивать их нельзя",
    }
    vector_cores() { "the vector cores", "векторные ядра" }
    all_cores() { "all cores", "все ядра" }
    software_barrier() { "the software barrier", "программный барьер" }
    not_member(pe, team) {
        "PE {pe} is not a member of the team {team}",
        "процессор {pe} не входит в команду {team}",
    }
    destroyed(team) { "the team {team} has been destroyed", "команда {team} уже уничтожена" }
    hosts(hosts, pes) {
        "{hosts} hosts are named for {pes} PEs: one for each",
        "названо узлов: {hosts}, а процессоров {pes}: нужен один узел на каждый",
    }
    panicked(core, pe) { "core {core} of PE {pe} panicked", "ядро {core} процессора {pe} упало (panic)" }
    limit(pe, limit) {
        "PE {pe}: its cores did not finish within {limit}",
        "процессор {pe}: его ядра не завершили работу за {limit}",
    }
    not_started(core, error) { "core {core} does not start: {error}", "ядро {core} не запускается: {error}" }
}
