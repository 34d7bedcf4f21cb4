//! Starts this program under a launcher; success requires exit code 0 and a result file of every rank.
use std::{
    env, fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{self, Child, Command},
    thread,
    time::{Duration, Instant},
};

use wb_comm::{ProcessRanks, Rank};
use wb_mpi::MPI;

/// The variable that makes a process a rank: the folder for its result.
pub(crate) const FOLDER: &str = "WBTEST_MPI_RANKS_FOLDER";
const SIZE: &str = "WBTEST_MPI_RANKS_SIZE";
/// A generous limit: where ranks share a core, MPICH spends a time slice on every remote operation, more on a busy
/// machine.
const DEADLINE: Duration = Duration::from_secs(600);

/// The sizes of jobs.
const JOBS: [usize; 4] = [1, 2, 4, 5];

/// Runs every job, or ends the process with the reason.
pub(crate) fn run_all_jobs() {
    let library = MPI.library();
    println!("{}; launchers: {}", library.version, library.launchers.join(", "));
    let launcher = library.launchers.first().expect("a launcher of the linked library on PATH");
    for size in JOBS {
        let started = Instant::now();
        if let Err(reason) = run_job(launcher, size) {
            eprintln!("ranks at P = {size}: FAILED: {reason}");
            process::exit(1);
        }
        println!("ranks at P = {size}: ok, {:.2} s", started.elapsed().as_secs_f64());
    }
}

fn run_job(launcher: &str, size: usize) -> Result<(), String> {
    let folder = Folder::new(size);
    let program = env::current_exe().expect("this program");
    let mut command = Command::new(launcher);
    for (name, _) in env::vars_os().filter(|(name, _)| belongs_to_an_outer_job(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    let child = command
        .args(["-n", &size.to_string()])
        .arg(program)
        .env(FOLDER, &folder.0)
        .env(SIZE, size.to_string())
        .envs([
            ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
            ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
            ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
            ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
            ("OMPI_MCA_mpi_yield_when_idle", "1"),
            ("OMPI_MCA_pml", "ob1"),
        ])
        .process_group(0)
        .spawn()
        .map_err(|error| format!("{launcher}: {error}"))?;
    let code = wait(child);
    let reported = (0..size).filter(|&rank| folder.result(rank).exists()).count();
    match code {
        Some(0) if reported == size => Ok(()),
        code => Err(format!(
            "exit code {code:?}, {reported} of {size} ranks reported; last steps: {}",
            folder.steps(size).join(", ")
        )),
    }
}

/// Variables of a surrounding launcher; the user's own settings (`OMPI_MCA_...`) are kept.
fn belongs_to_an_outer_job(name: &str) -> bool {
    let internal = ["OMPI_", "PMIX_", "PMI_", "HYDI_", "HYDRA_", "MPI_LOCAL"];
    let settings = ["OMPI_MCA_", "OMPI_ALLOW_"];
    let launcher_s_own = ["OMPI_MCA_orte_", "OMPI_MCA_ess_", "OMPI_MCA_pmix_"];
    let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    is(&internal) && (!is(&settings) || is(&launcher_s_own))
}

fn wait(mut child: Child) -> Option<i32> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("our own child") {
            return status.code();
        }
        if started.elapsed() > DEADLINE {
            let group = libc::pid_t::try_from(child.id()).expect("a pid");
            // SAFETY: a signal to the process group that we made; it exists until its leader is waited for.
            unsafe { libc::kill(-group, libc::SIGKILL) };
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new(size: usize) -> Self {
        let folder = env::temp_dir().join(format!("wb-mpi-ranks-{}-{size}", process::id()));
        fs::create_dir_all(&folder).expect("a folder of our own");
        Self(folder)
    }

    fn result(&self, rank: Rank) -> PathBuf {
        self.0.join(format!("rank-{rank}.ok"))
    }

    fn steps(&self, size: usize) -> Vec<String> {
        let step = |rank| fs::read_to_string(self.0.join(format!("rank-{rank}.step"))).unwrap_or_default();
        (0..size).map(|rank| format!("rank {rank}: {:?}", step(rank))).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// On a rank: the size of the job that the parent started.
pub(crate) fn job_size() -> Option<usize> {
    env::var(SIZE).ok()?.parse().ok()
}

/// On a rank: its current step, for the parent's report.
pub(crate) fn record_step(folder: &Path, rank: Rank, step: &str) {
    fs::write(folder.join(format!("rank-{rank}.step")), step).expect("written");
}

/// On a rank: all checks passed.
pub(crate) fn record_success(folder: &Path, rank: Rank) {
    fs::write(folder.join(format!("rank-{rank}.ok")), "").expect("written");
}

/// On a rank: reports where it hangs before the parent's deadline.
pub(crate) fn die_at_the_deadline() {
    thread::spawn(|| {
        thread::sleep(DEADLINE / 2);
        match MPI.blocked_call() {
            Some(blocked) => eprintln!("HANG {blocked}"),
            None => eprintln!("HANG outside of any blocking call"),
        }
        // SAFETY: ends the process immediately, without handlers: another thread may be inside the library.
        unsafe { libc::_exit(124) };
    });
}
