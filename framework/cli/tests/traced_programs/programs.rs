//! `cargo wb trace -- COMMAND`: the traces of programs whose messages are known. Without an MPI, a Fortran compiler or mpi4py its tests are
//! skipped.
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use libtest_mimic::{Failed, Trial};
use wb_record::{
    CollectiveShape::{All, From, To},
    Envelope,
    EventKind::{
        self, Collective, Exchange, FinishCollective, FinishReceive, FinishSend, Local, Receive, Send,
        StartCollective, StartReceive, StartSend,
    },
    Trace,
    trace_analysis::analyse,
};

/// A call: its function, its line, its communicator and its event.
type Call<'a> = (&'a str, u32, &'a str, EventKind);

pub(crate) fn trials() -> Vec<Trial> {
    let runs = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
    };
    let mpi = runs("mpicc", &["--version"]);
    let tests: [(&str, bool, fn()); 5] = [
        ("the_calls_of_a_c_program_are_recorded_with_their_lines", mpi, c_program),
        (
            "the_calls_of_a_fortran_program_are_recorded_with_their_lines",
            mpi && runs("mpif90", &["--version"]),
            fortran_program,
        ),
        (
            "the_calls_of_a_python_program_are_recorded_with_their_lines",
            mpi && runs("python3", &["-c", "import mpi4py.MPI"]),
            python_program,
        ),
        ("what_an_aborted_program_has_called_is_in_its_trace", mpi, aborted_program),
        ("a_program_without_mpi_is_refused", mpi, other_program),
    ];
    tests
        .into_iter()
        .map(|(name, is_possible, test)| {
            Trial::test(name, move || {
                test();
                Ok::<(), Failed>(())
            })
            .with_ignored_flag(!is_possible)
        })
        .collect()
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traced_programs").join(name)
}

/// The line of a source that contains this text, and no other line does.
fn line(name: &str, text: &str) -> u32 {
    let all = std::fs::read_to_string(source(name)).expect("a source");
    let lines: Vec<usize> =
        all.lines().enumerate().filter(|(_, line)| line.contains(text)).map(|(at, _)| at + 1).collect();
    assert_eq!(lines.len(), 1, "{text}");
    lines[0] as u32
}

/// `cargo wb --json trace -- mpirun -n 2 PROGRAM`, with the page in `folder`.
fn trace(folder: &Path, program: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    wb_process::remove_launcher_variables(&mut command);
    wb_process::launcher_environment(&mut command, 2);
    command
        .args(["--json", "trace", "--output"])
        .arg(folder.join("trace.html"))
        .args(["--", "mpirun", "-n", "2"]);
    command.args(program).env("WB_LANG", "en").output().expect("starting wb")
}

/// Compiles a source, and runs and traces the program.
fn compiled(compiler: &str, name: &str) -> (Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    let built = Command::new(compiler).arg("-g").arg(source(name)).arg("-o").arg(&program).status();
    assert!(built.expect("a compiler").success());
    (trace(folder.path(), &[&program.to_string_lossy()]), folder)
}

fn parsed(output: &Output) -> Trace {
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Trace::parse_line(text.trim_end()).unwrap_or_else(|error| panic!("{error}: {text}{errors}"))
}

/// The calls of a rank, all of them in the file `name`.
fn calls<'a>(trace: &'a Trace, rank: usize, name: &str) -> Vec<Call<'a>> {
    let trace = &trace.ranks[rank];
    let call = |event: &wb_record::TraceEvent| {
        let call = &trace.calls[event.call as usize];
        assert!(call.file.ends_with(name), "{call:?}");
        let communicator = trace.communicators[event.communicator as usize].name.as_str();
        (call.verb.as_str(), call.line, communicator, event.act.clone())
    };
    trace.events.iter().map(call).collect()
}

fn message(peer: usize, tag: i32, bytes: u64) -> Envelope {
    Envelope { peer: peer as u32, tag, bytes }
}

fn c_program() {
    let (output, folder) = compiled("mpicc", "messages.c");
    let trace = parsed(&output);
    assert!(output.status.success() && folder.path().join("trace.html").exists());
    for rank in 0..2 {
        let mut calls = calls(&trace, rank, "/messages.c");
        // The number of unsuccessful tests depends on the speed of the other rank.
        calls.retain(|call| call.0 != "MPI_Test" || call.3 != Local);
        // Of the two persistent requests either can be complete first.
        let first = calls.iter().position(|call| call.0 == "MPI_Waitany").expect("a wait");
        let mut completed = [calls[first].3.clone(), calls[first + 1].3.clone()];
        if matches!(completed[0], FinishReceive { .. }) {
            completed.reverse();
        }
        (calls[first].3, calls[first + 1].3) = completed.into();
        assert_eq!(calls, expected_calls(rank));
        let unrecorded =
            trace.ranks[rank].unrecorded.iter().map(|calls| (calls.function.as_str(), calls.count));
        assert_eq!(
            unrecorded.collect::<Vec<_>>(),
            [("MPI_Win_create", 1), ("MPI_Win_fence", 2), ("MPI_Win_free", 1)]
        );
        assert!(!trace.ranks[rank].is_unfinished && trace.ranks[rank].left_out == 0);
    }
    let matching = analyse(&trace.ranks).expect("a sound trace").matching;
    assert!(matching.unreceived.is_empty() && matching.unsent.is_empty(), "{matching:?}");
    assert_eq!(matching.messages.len(), 1 + 2 + 4 + 2);
    assert_eq!(trace.environment.message_passing.thread_level.as_deref(), Some("MPI_THREAD_SINGLE"));
}

fn expected_calls(rank: usize) -> Vec<Call<'static>> {
    [messages(rank), collectives(rank)].concat()
}

fn messages(rank: usize) -> Vec<Call<'static>> {
    let other = 1 - rank;
    let at = |text: &str| line("messages.c", text);
    let wait_all = at("MPI_Waitall(");
    vec![
        match rank {
            0 => ("MPI_Ssend", at("MPI_Ssend("), "world", Send { to: message(1, 7, 24), synchronous: true }),
            _ => ("MPI_Recv", at("MPI_Recv("), "world", Receive { from: message(0, 7, 24) }),
        },
        (
            "MPI_Sendrecv",
            at("MPI_Sendrecv("),
            "world",
            Exchange { to: message(other, 4, 16), from: message(other, 4, 16) },
        ),
        ("MPI_Send", at("MPI_PROC_NULL"), "world", Local),
        ("MPI_Irecv", at("MPI_Irecv(values, "), "world", StartReceive { request: 0 }),
        ("MPI_Irecv", at("MPI_Irecv(values + 4"), "world", StartReceive { request: 1 }),
        ("MPI_Isend", at("MPI_Isend("), "world", StartSend { to: message(other, 2, 16), request: 2 }),
        (
            "MPI_Send",
            at("MPI_Send(values, 1, MPI_DOUBLE, other"),
            "world",
            Send { to: message(other, 1, 8), synchronous: false },
        ),
        ("MPI_Waitall", wait_all, "world", FinishReceive { request: 0, from: message(other, 1, 8) }),
        ("MPI_Waitall", wait_all, "world", FinishReceive { request: 1, from: message(other, 2, 16) }),
        ("MPI_Waitall", wait_all, "world", FinishSend { request: 2 }),
        ("MPI_Send_init", at("MPI_Send_init("), "world", Local),
        ("MPI_Recv_init", at("MPI_Recv_init("), "world", Local),
        ("MPI_Startall", at("MPI_Startall("), "world", StartSend { to: message(other, 3, 8), request: 3 }),
        ("MPI_Startall", at("MPI_Startall("), "world", StartReceive { request: 4 }),
        ("MPI_Waitany", at("MPI_Waitany("), "world", FinishSend { request: 3 }),
        ("MPI_Wait", at("MPI_Wait("), "world", FinishReceive { request: 4, from: message(other, 3, 8) }),
        ("MPI_Request_free", at("MPI_Request_free(&requests[0]"), "world", Local),
        ("MPI_Request_free", at("MPI_Request_free(&requests[1]"), "world", Local),
    ]
}

fn collectives(rank: usize) -> Vec<Call<'static>> {
    let at = |text: &str| line("messages.c", text);
    let alone = ["world.0.0:0", "world.0.0:1"][rank];
    vec![
        ("MPI_Comm_dup", at("MPI_Comm_dup("), "world", Collective { sequence: 0, shape: All, bytes: 0 }),
        (
            "MPI_Comm_split",
            at("MPI_Comm_split("),
            "world.0",
            Collective { sequence: 0, shape: All, bytes: 0 },
        ),
        ("MPI_Barrier", at("MPI_Barrier("), alone, Collective { sequence: 0, shape: All, bytes: 0 }),
        (
            "MPI_Gatherv",
            at("MPI_Gatherv("),
            "world.0",
            Collective { sequence: 1, shape: To(1), bytes: [8, 24][rank] },
        ),
        (
            "MPI_Iallreduce",
            at("MPI_Iallreduce("),
            "world.0",
            StartCollective { sequence: 2, shape: All, bytes: 32, request: 5 },
        ),
        ("MPI_Test", at("MPI_Test("), "world.0", FinishCollective { request: 5 }),
        ("MPI_Comm_free", at("MPI_Comm_free(&alone"), alone, Local),
        ("MPI_Comm_free", at("MPI_Comm_free(&copy"), "world.0", Local),
    ]
}

/// The calls of the programs in other languages: a message of 24 bytes from rank 0 to rank 1, and a broadcast of 16 bytes by rank 1.
fn assert_message_and_broadcast(trace: &Trace, name: &str, [send, receive, broadcast]: [&str; 3]) {
    let first = [
        ("MPI_Send", line(name, send), "world", Send { to: message(1, 5, 24), synchronous: false }),
        ("MPI_Recv", line(name, receive), "world", Receive { from: message(0, 5, 24) }),
    ];
    for (rank, first) in first.into_iter().enumerate() {
        let last = (
            "MPI_Bcast",
            line(name, broadcast),
            "world",
            Collective { sequence: 0, shape: From(1), bytes: 16 },
        );
        assert_eq!(calls(trace, rank, name), [first, last]);
    }
}

fn fortran_program() {
    let (output, _folder) = compiled("mpif90", "messages.f90");
    assert_message_and_broadcast(&parsed(&output), "messages.f90", ["MPI_Send", "MPI_Recv", "MPI_Bcast"]);
}

fn python_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = trace(folder.path(), &["python3", &source("messages.py").to_string_lossy()]);
    assert_message_and_broadcast(
        &parsed(&output),
        "messages.py",
        ["world.Send", "world.Recv", "world.Bcast"],
    );
}

fn aborted_program() {
    let (output, folder) = compiled("mpicc", "aborted.c");
    let trace = parsed(&output);
    assert_eq!(output.status.code(), Some(1), "the program has failed");
    assert!(trace.ranks.iter().all(|rank| rank.is_unfinished));
    let barrier = (
        "MPI_Barrier",
        line("aborted.c", "MPI_Barrier("),
        "world",
        Collective { sequence: 0, shape: All, bytes: 0 },
    );
    assert_eq!(calls(&trace, 0, "/aborted.c"), [barrier]);
    let page = std::fs::read_to_string(folder.path().join("trace.html")).expect("a page");
    assert!(page.contains("Ranks that ended without"), "{page}");
}

fn other_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = trace(folder.path(), &["true"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("no process called MPI_Init of "), "{errors}");
}
