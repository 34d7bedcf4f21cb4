//! A program in C with the library and without it, by the launcher of the MPI that this crate was built for.
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;
use wb_comm::ProcessRanks as _;
use wb_mpi::MPI;

/// Seconds after which a job has hung. A rank that waits for another one must end long before.
const DEADLINE: &str = "240";

/// Calls on a communicator before its memory is made: few, so that most calls of the program are taken.
const AFTER: &str = "3";

/// All lengths of all operations by our algorithms, but very long broadcasts.
const TABLE: &str = "
barrier max barrier_one_hop
bcast 1048576 bcast_flat
bcast max library
reduce max reduce_flat
allreduce 4096 allreduce_one_hop
allreduce max allreduce_two_hops
allgather max allgather_one_hop
gather max gather_flat
scatter max scatter_flat
alltoall max alltoall_one_hop
";

/// The same rules for up to 16 ranks, whether they have cores of their own or not.
fn table() -> String {
    let rules = |cores: &'static str| {
        let rows = TABLE.lines().filter_map(|row| row.split_once(' '));
        rows.map(move |(verb, rule)| format!("{verb} 16 {cores} {rule}\n")).collect::<String>()
    };
    rules("own") + &rules("shared")
}

struct Program {
    folder: TempDir,
    launcher: String,
}

impl Program {
    fn compile() -> Self {
        let folder = tempfile::tempdir().expect("a folder of our own");
        let compiler = env::var("MPICC").unwrap_or_else(|_| "mpicc".into());
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program.c");
        let mut command = Command::new(&compiler);
        command.args(["-O1", "-Wall", "-Werror", "-o"]).arg(folder.path().join("program")).arg(source);
        let output = command.output().unwrap_or_else(|error| panic!("{compiler}: {error}"));
        assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
        fs::write(folder.path().join("table"), table()).expect("a folder of our own");
        let launcher = MPI.library().launchers.first().expect("a launcher of the linked library").clone();
        Self { folder, launcher }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the program on a number of ranks, with the library or without it.
    fn run(&self, size: usize, words: &[&str], is_preloaded: bool) -> Output {
        let mut command = Command::new("timeout");
        command.args(["--kill-after=10", DEADLINE, &*self.launcher, "-n", &size.to_string(), "env"]);
        if is_preloaded {
            command.arg(format!("LD_PRELOAD={}", library().display()));
        }
        command.arg(self.file("program")).args(words).current_dir(self.folder.path()).envs([
            ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
            ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
            ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
            ("OMPI_MCA_mpi_yield_when_idle", "1"),
            ("WB_PRELOAD_AFTER", AFTER),
            ("WB_LANG", "en"),
        ]);
        command.env("WB_COLLECTIVE_TABLE", self.file("table")).env("WB_PRELOAD_REPORT", self.file("report"));
        command.output().expect("coreutils has `timeout`")
    }

    /// Runs it, and returns the report: the calls of each function that were taken and passed on, and why.
    fn report(&self, size: usize, words: &[&str]) -> Vec<(String, [u64; 2], String)> {
        let output = self.run(size, words, true);
        assert!(output.status.success(), "P = {size}: {}", text(&output));
        let report = fs::read_to_string(self.file("report")).expect("rank 0 writes it");
        let row = |line: &str| {
            let mut words = line.split_whitespace();
            let name = words.next().expect("a function").to_owned();
            let counts = [(); 2].map(|()| words.next().expect("a count").parse().expect("a number"));
            (name, counts, words.collect::<Vec<_>>().join(" "))
        };
        report.lines().skip(1).map(row).collect()
    }

    fn results(&self, name: &str, size: usize) -> Vec<String> {
        let read = |rank| fs::read_to_string(self.file(&format!("{name}.{rank}"))).expect("a rank writes it");
        (0..size).map(read).collect()
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&*output.stdout, &*output.stderr].concat()).into_owned()
}

/// Beside this program.
fn library() -> PathBuf {
    let folder = env::current_exe().expect("this program");
    let library = folder.with_file_name("libwb_preload.so");
    assert!(library.exists(), "{} was not built", library.display());
    library
}

#[test]
fn every_call_has_the_result_of_the_library() {
    let program = Program::compile();
    for size in [2, 3, 5] {
        let output = program.run(size, &["results", "library"], false);
        assert!(output.status.success(), "P = {size}: {}", text(&output));
        let report = program.report(size, &["results", "ours"]);
        let (library, ours) = (program.results("library", size), program.results("ours", size));
        for (rank, (library, ours)) in library.iter().zip(&ours).enumerate() {
            let differing = library.lines().zip(ours.lines()).find(|(library, ours)| library != ours);
            assert_eq!(differing, None, "P = {size}, rank {rank}");
            assert!(library.lines().count() > 3000 && library.len() == ours.len(), "P = {size}, rank {rank}");
        }
        assert_eq!(report.len(), 8, "{report:?}");
        for (function, [taken, passed_on], reasons) in &report {
            assert!(*taken >= 28 && *passed_on > 0, "{function}: {taken} taken, {passed_on} passed on");
            assert!(*function != "MPI_Reduce" || reasons.contains("operation or type"), "{reasons}");
            assert!(*function != "MPI_Bcast" || reasons.contains("inter-communicator: 5"), "{reasons}");
        }
    }
}

#[test]
fn communicators_that_end_leave_nothing() {
    let program = Program::compile();
    let output = program.run(2, &["leaks"], true);
    assert!(output.status.success(), "{}", text(&output));
    let text = text(&output);
    let numbers: Vec<i64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [maps, files, kib] = numbers[..] else { panic!("{text}") };
    // 1,960 communicators had memory: one map and 264 KiB each.
    assert!(maps < 20 && files < 3 && kib < 8192, "{text}");
    let report = fs::read_to_string(program.file("report")).expect("rank 0 writes it");
    assert!(report.lines().any(|line| line.split_whitespace().take(2).eq(["MPI_Bcast", "2000"])), "{report}");
}

#[test]
fn ranks_that_disagree_end_the_job_with_both_calls() {
    let program = Program::compile();
    let cases = [
        ("root", "MPI_Bcast: root 0", "MPI_Bcast: root 1"),
        ("count", "MPI_Allreduce: 4 element(s)", "MPI_Allreduce: 5 element(s)"),
        ("operation", "MPI_Allreduce: sum", "MPI_Allreduce: max"),
        ("length", "MPI_Bcast: 32 element(s)", "MPI_Bcast: 8388608 element(s)"),
        ("verb", "MPI_Allgather", "MPI_Barrier"),
    ];
    for (what, first, other) in cases {
        let output = program.run(2, &["differ", what], true);
        let text = text(&output);
        assert!(!output.status.success() && output.status.code() != Some(124), "{what}: {text}");
        assert!(text.contains("cannot complete MPI_"), "{what}: {text}");
        assert!(text.contains(first) && text.contains(other), "{what}: {text}");
    }
}

#[test]
fn a_rank_that_ends_ends_the_waits_of_the_others() {
    let program = Program::compile();
    let output = program.run(3, &["exit"], true);
    assert!(!output.status.success() && output.status.code() != Some(124), "{}", text(&output));
}

#[test]
fn without_room_for_memory_all_ranks_pass_their_calls_on() {
    let report = Program::compile().report(3, &["no_room", "ours"]);
    assert!(!report.is_empty());
    for (function, [taken, _], reasons) in report {
        assert!(taken == 0 && reasons.contains("no room for memory"), "{function}: {taken} taken, {reasons}");
    }
}
