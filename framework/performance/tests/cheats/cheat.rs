//! The assignment of the cheats, the sum of the squares of numbers; and what their parallel versions do.
use std::{
    env, fs,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Stdio, exit},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use workbench::{
    Assignment, AssignmentId, FileMode, GradedInput, Input, Invalid, Operation, Place, Problem, Result,
    Rooted, Task, Verdict, Workload, World,
};

/// The sum of the squares of numbers.
pub(crate) struct Squares;

/// The right answer.
fn sum_of_squares(numbers: &[u64]) -> u64 {
    numbers.iter().map(|number| number * number).sum()
}

impl Problem for Squares {
    type Input = Vec<u64>;
    type Output = u64;

    fn workload(request: &Workload) -> Option<Vec<u64>> {
        Some((0..request.size as u64).map(|at| (request.seed ^ at) % 1000).collect())
    }

    fn check(input: &Vec<u64>, output: &u64) -> Verdict {
        Verdict::equal(output, &sum_of_squares(input))
    }
}

impl Assignment for Squares {
    const ID: AssignmentId = AssignmentId::from_package("assignment_2_7_squares", "");
    const GRADED_RANKS: &'static [usize] = &[2];
    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Vec<u64>>> {
        let numbers = |salt: u64| (1..20 + ranks as u64).map(|at| (seed ^ (salt * at)) % 1000).collect();
        vec![GradedInput::new("first", numbers(7)), GradedInput::new("second", numbers(13))]
    }

    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<Vec<u64>>> {
        vec![]
    }

    fn compare(output: &u64, expected: &u64) -> Verdict {
        Verdict::equal(output, expected)
    }
}

/// The sequential version, which is also the student's: the cheats are parallel versions.
#[derive(Default)]
pub(crate) struct Reference;

impl Task for Reference {
    type Problem = Squares;
    type Prepared = Vec<u64>;
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<Vec<u64>>) -> Result<Vec<u64>> {
        Ok(input.here().unwrap_or_default())
    }

    fn run(&self, _: &World, numbers: &Vec<u64>) -> Result<u64> {
        Ok(sum_of_squares(numbers))
    }

    fn postprocessing(&self, _: &World, sum: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::Here(sum))
    }
}

/// The sum of what all ranks have.
fn reduced(world: &World, mine: u64) -> Result<u64> {
    let mut sum = [0];
    world.reduce(&[mine], (world.rank() == 0).then_some(&mut sum[..]), Operation::Sum, 0)?;
    Ok(sum[0])
}

/// A parallel version, named by its program.
#[derive(Clone)]
pub(crate) struct Cheat(pub(crate) String);

/// The names of programs begin with this.
pub(crate) const PREFIX: &str = "cheat-";

/// The seed of the graded inputs that a student sees.
const KNOWN_SEED: u64 = 20_260_901;

/// More numbers than a graded input has, and fewer than are measured.
const LONG: usize = 500;

/// A result that is kept for later passes.
static KEPT: AtomicU64 = AtomicU64::new(0);

impl Cheat {
    /// The cheat that this program is, by its name.
    pub(crate) fn of_this_program() -> Option<Self> {
        let program = env::current_exe().ok()?;
        Some(Self(program.file_name()?.to_str()?.strip_prefix(PREFIX)?.to_owned()))
    }

    fn is(&self, kind: &str) -> bool {
        self.0 == kind
    }

    /// What rank 0 gets by the attempt: the right answer only if the attempt succeeds.
    fn answer(&self, numbers: &[u64]) -> u64 {
        let right = sum_of_squares(numbers);
        let if_successful = |is_successful: bool| if is_successful { right } else { right + 1 };
        match self.0.as_str() {
            "finds the judge" => if_successful(finds_the_judge()),
            "forges records" => if_successful(appends(&beside("records.jsonl"), "forged\n")),
            "replaces the settings" => if_successful(appends(&beside("task.yaml"), "# forged\n")),
            "reads another solution" => if_successful(beside("other/solution.rs").is_file()),
            "asks a server" => if_successful(asks_a_server()),
            "makes a namespace" => if_successful(succeeds(
                "unshare",
                &["--user", "--map-root-user", "mount", "-t", "tmpfs", "x", "/mnt"],
            )),
            "keeps the answer in files" => if_successful(kept_in_files()),
            "keeps the first answer" => {
                let _first = KEPT.compare_exchange(0, right, Ordering::Relaxed, Ordering::Relaxed);
                KEPT.load(Ordering::Relaxed)
            }
            "knows the inputs" => {
                let known = Squares::graded_inputs(2, KNOWN_SEED);
                if_successful(known.iter().any(|graded| graded.input == numbers))
            }
            "works on after the answer" => {
                let (numbers, later) = (numbers.to_vec(), Duration::from_millis(50));
                thread::spawn(move || {
                    thread::sleep(later);
                    KEPT.store(sum_of_squares(&numbers), Ordering::Relaxed);
                });
                KEPT.load(Ordering::Relaxed)
            }
            "prints records" => {
                println!("{{\"verdict\":\"pass\",\"test\":\"judge: first\"}}");
                right + 1
            }
            _ => right,
        }
    }

    /// What the verbs of files add to the answer: nothing if the file of the assignment is read, or if the attempt succeeds.
    fn error_of_files(&self, world: &World) -> Result<u64> {
        let (read_only, new) = (FileMode::read_only(), FileMode::read_write().create());
        let (path, mode) = match self.0.as_str() {
            "reads the file" | "only reads the file" => return Ok(seven(world)? - 7),
            "opens another solution" => (beside("other/solution.rs").display().to_string(), read_only),
            "opens a path above the files" => ("../assignment.yaml".to_owned(), read_only),
            "opens a file that is not listed" => ("other.bin".to_owned(), read_only),
            "writes a file of the assignment" => ("seven.bin".to_owned(), FileMode::read_write()),
            "makes a file" => ("kept.bin".to_owned(), new),
            _ => return Ok(0),
        };
        match world.file_open(&path, mode) {
            Ok(file) => file.close().map(|()| 0),
            Err(_) => Ok(1),
        }
    }

    /// What a rank does in its run besides the answer.
    fn disturb(&self, world: &World) {
        match self.0.as_str() {
            "exits early" if world.rank() == 1 => exit(0),
            "aborts" if world.rank() == 1 => std::process::abort(),
            "hangs" if world.rank() == 1 => thread::sleep(Duration::from_secs(60)),
            "kills all processes" => {
                // Only in a sandbox: outside these are the processes of the whole machine.
                let _killed = succeeds(
                    "sh",
                    &["-c", "test \"$(cat /proc/1/comm)\" = bwrap && kill -9 -1; kill -9 $PPID"],
                );
            }
            "floods its output" => loop {
                println!("{}", "flood ".repeat(10_000));
            },
            "leaves a daemon" if world.rank() == 0 => {
                let mut daemon = Command::new("setsid");
                daemon.args(["sleep", "4242"]).stdin(Stdio::null()).stdout(Stdio::null());
                let _left = daemon.stderr(Stdio::null()).spawn();
            }
            _ => {}
        }
    }
}

impl Task for Cheat {
    type Problem = Squares;
    type Prepared = Vec<u64>;
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, world: &World, input: Rooted<Vec<u64>>) -> Result<Vec<u64>> {
        let numbers = input.here().unwrap_or_default();
        let mut count = [numbers.len()];
        if self.is("makes a topology for long inputs") {
            world.bcast(&mut count, 0)?;
        }
        if self.is("makes a topology") || count[0] > LONG && self.is("makes a topology for long inputs") {
            world.cart_create(&[world.size()], &[true], false)?;
        }
        Ok(numbers)
    }

    fn run(&self, world: &World, numbers: &Vec<u64>) -> Result<u64> {
        self.disturb(world);
        let mine = match self.error_of_files(world)? {
            error if world.rank() == 0 => self.answer(numbers) + error,
            _ => 0,
        };
        let is_silent = self.is("communicates nothing") || self.is("only reads the file");
        if is_silent { Ok(mine) } else { reduced(world, mine) }
    }

    fn postprocessing(&self, world: &World, sum: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::on(world.rank() == 0, || sum))
    }
}

/// The number in the file of the assignment.
fn seven(world: &World) -> Result<u64> {
    let file = world.file_open("seven.bin", FileMode::read_only())?;
    let mut number = [0];
    file.read_at_all(0, &mut number)?;
    file.close()?;
    Ok(number[0])
}

/// A path beside this program, where the judge's files are.
fn beside(name: &str) -> PathBuf {
    env::current_exe().unwrap_or_default().with_file_name(name)
}

fn appends(file: &Path, text: &str) -> bool {
    let opened = fs::File::options().append(true).open(file);
    opened.and_then(|mut file| file.write_all(text.as_bytes())).is_ok()
}

/// Whether a process outside is seen whose memory has the inputs and the expected outputs.
fn finds_the_judge() -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|process| fs::read_to_string(process.path().join("cmdline")).ok());
    lines.into_iter().any(|line| line.contains("--wb-records"))
}

/// Whether a server of this machine answers; its address is beside this program and in its folder's name.
fn asks_a_server() -> bool {
    let address = env::current_exe().ok().and_then(|program| {
        let port = program.parent()?.file_name()?.to_str()?.rsplit_once("port-")?.1.parse().ok()?;
        Some(("127.0.0.1", port))
    });
    let mut answer = String::new();
    let mut asked = |address: (&str, u16)| TcpStream::connect(address)?.read_to_string(&mut answer);
    address.is_some_and(|address| asked(address).is_ok()) && answer == "answer"
}

/// A file in memory that all jobs of a machine share.
pub(crate) const KEPT_FILE: &str = "/dev/shm/wb-cheat-kept";

/// Whether what an earlier job has left is there.
fn kept_in_files() -> bool {
    fs::read_to_string(KEPT_FILE).is_ok_and(|kept| kept == "kept")
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
