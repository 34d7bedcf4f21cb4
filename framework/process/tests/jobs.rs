//! Jobs end: in time, with their deadline, and with the process that started them, however that ends.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use wb_process::Job;

const LONG_TIMEOUT: Duration = Duration::from_secs(60);

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_job_that_ends_by_itself_reports_its_status() {
    let ended = Job::spawn(shell("exit 3")).expect("a shell").wait(LONG_TIMEOUT).expect("its end");
    assert_eq!(ended.status.code(), Some(3));
    assert!(!ended.has_timed_out && !ended.is_success());
}

#[test]
fn output_goes_to_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, err) = (folder.path().join("out"), folder.path().join("err"));
    let job = Job::spawn_to_files(shell("echo one; echo two >&2"), &out, &err).expect("a shell");
    assert!(job.wait(LONG_TIMEOUT).expect("its end").is_success());
    assert_eq!(fs::read_to_string(out).expect("out"), "one\n");
    assert_eq!(fs::read_to_string(err).expect("err"), "two\n");
}

#[test]
fn the_deadline_ends_the_whole_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let script = format!("sleep 60 & echo $! > {0}; echo $$ >> {0}; wait", pids.display());
    let job = Job::spawn(shell(&script)).expect("a shell");
    let ended = job.wait(Duration::from_millis(500)).expect("its end");
    assert!(ended.has_timed_out && !ended.is_success());
    assert!(ended.elapsed >= Duration::from_millis(500) && ended.elapsed < Duration::from_secs(5));
    assert_all_gone(&read_pids(&pids, 2));
}

#[test]
fn a_job_that_ignores_sigterm_is_killed_after_the_grace() {
    let ended = Job::spawn(shell("trap '' TERM; while :; do sleep 0.1; done")).expect("a shell");
    let ended = ended.wait(Duration::from_millis(200)).expect("its end");
    assert!(ended.has_timed_out);
    assert!(
        ended.elapsed >= wb_process::TERMINATION_GRACE
            && ended.elapsed < wb_process::TERMINATION_GRACE + LONG_TIMEOUT / 12
    );
}

#[test]
fn what_a_finished_command_left_behind_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let job = Job::spawn(shell(&format!("sleep 60 & echo $! > {}", pids.display()))).expect("a shell");
    assert!(job.wait(LONG_TIMEOUT).expect("its end").is_success());
    assert_all_gone(&read_pids(&pids, 1));
}

/// As the `ssh` of a launcher, which is killed before it has ended it.
#[test]
#[cfg(target_os = "linux")]
fn what_a_job_started_in_another_group_ends_with_it_at_the_deadline() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let script = format!("trap '' TERM; setsid sleep 60 & echo $! > {}; wait; wait", pids.display());
    let job = Job::spawn(shell(&script)).expect("a shell");
    let other = read_pids(&pids, 1);
    assert!(job.wait(Duration::from_millis(500)).expect("its end").has_timed_out);
    assert_all_gone(&other);
}

#[test]
fn a_dropped_job_ends() {
    let job = Job::spawn(shell("sleep 60")).expect("a shell");
    let pid = job.id();
    drop(job);
    assert_all_gone(&[pid]);
}

#[test]
fn a_job_outlives_the_thread_that_started_it() {
    let start = || Job::spawn(shell("sleep 0.3; exit 7")).expect("a shell");
    let job = std::thread::spawn(start).join().expect("the thread");
    assert_eq!(job.wait(LONG_TIMEOUT).expect("its end").status.code(), Some(7));
}

/// Starts this binary as a parent that runs one job and waits for it; the job writes its own identifier.
fn start_parent(pids: &Path) -> Child {
    start_parent_of("echo $$ > $WBTEST_PIDS; exec sleep 60", pids)
}

/// Starts this binary as a parent that runs `script` as its job and waits for it.
fn start_parent_of(script: &str, pids: &Path) -> Child {
    let mut parent = Command::new(std::env::current_exe().expect("own path"));
    parent.args(["jobs::parent_process", "--exact", "--ignored"]).env("WBTEST_PIDS", pids);
    parent.env("WBTEST_SCRIPT", script);
    parent.stdout(Stdio::null()).spawn().expect("starting myself")
}

#[test]
#[ignore = "a stand-in that the other tests start"]
fn parent_process() {
    wb_process::at_exit(|| {
        let pids = std::env::var("WBTEST_PIDS").expect("where to write");
        let how = if wb_process::is_interrupted() { "interrupted" } else { "ended" };
        fs::write(format!("{pids}.hook"), how).expect("writing");
    });
    let script = std::env::var("WBTEST_SCRIPT").expect("what to run");
    let job = Job::spawn(shell(&script)).expect("a shell");
    job.wait(LONG_TIMEOUT).expect("its end");
}

#[test]
#[cfg(target_os = "linux")]
fn no_orphan_survives_a_killed_parent() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let mut parent = start_parent(&pids);
    let job = read_pids(&pids, 1);
    parent.kill().expect("killing the parent");
    parent.wait().expect("its end");
    assert_all_gone(&job);
}

/// A process of ours below one that is not (as a benchmark is below cargo) ends with the owner, and ends its own job first.
#[test]
#[cfg(target_os = "linux")]
fn no_descendant_survives_a_killed_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    // The shell between the two represents cargo: it forwards no signal.
    let own = std::env::current_exe().expect("own path").display().to_string();
    let script = format!("echo $$ > $WBTEST_PIDS; {own} jobs::descendant_process --exact --ignored; true");
    let mut parent = start_parent_of(&script, &pids);
    let all = read_pids(&pids, 3);
    parent.kill().expect("killing the parent");
    parent.wait().expect("its end");
    assert_all_gone(&all);
}

#[test]
#[ignore = "a stand-in that the other tests start"]
fn descendant_process() {
    wb_process::end_with_owner().expect("a thread");
    let job =
        Job::spawn(shell("echo $$ $PPID | tr ' ' '\\n' >> $WBTEST_PIDS; exec sleep 60")).expect("a shell");
    job.wait(LONG_TIMEOUT).expect("its end");
}

#[test]
#[ignore = "a stand-in that the other tests start"]
fn owned_rank_process() {
    wb_process::end_with_owner().expect("a thread");
    rank_process();
}

/// A launcher that starts one rank and runs `on_sigterm` when it gets the signal. Both write their numbers, the rank first.
#[cfg(target_os = "linux")]
fn launcher(on_sigterm: &str) -> String {
    let own = std::env::current_exe().expect("own path").display().to_string();
    format!(
        "trap '{on_sigterm}' TERM; {own} jobs::owned_rank_process --exact --ignored & rank=$!; \
         until test -s $WBTEST_PIDS; do sleep 0.01; done; echo $$ >> $WBTEST_PIDS; \
         for turn in $(seq 1000); do sleep 0.05; done"
    )
}

/// A rank that ended at once would leave a launcher that ends nothing, or would end while the launcher ends it.
#[test]
#[cfg(target_os = "linux")]
fn a_launcher_ends_its_rank_before_the_rank_ends_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let mut parent =
        start_parent_of(&launcher("sleep 1; kill -0 $rank && echo $rank > $WBTEST_PIDS.alive; exit"), &pids);
    let both = read_pids(&pids, 2);
    parent.kill().expect("killing the parent");
    parent.wait().expect("its end");
    assert_eq!(read_pids(&folder.path().join("pids.alive"), 1), both[..1]);
    assert_all_gone(&both);
}

#[test]
#[cfg(target_os = "linux")]
fn a_launcher_that_does_not_end_after_its_owner_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let mut parent = start_parent_of(&launcher(":"), &pids);
    let both = read_pids(&pids, 2);
    let start = Instant::now();
    parent.kill().expect("killing the parent");
    parent.wait().expect("its end");
    assert_all_gone_within(&both, Duration::from_secs(20));
    assert!(start.elapsed() > Duration::from_secs(4), "it had time to end by itself");
}

#[test]
fn a_parent_that_gets_sigterm_ends_its_jobs_and_dies_of_it() {
    use std::os::unix::process::ExitStatusExt;
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let mut parent = start_parent(&pids);
    let job = read_pids(&pids, 1);
    let leader = rustix::process::Pid::from_child(&parent);
    rustix::process::kill_process(leader, rustix::process::Signal::TERM).expect("the signal");
    let status = parent.wait().expect("its end");
    assert_eq!(status.signal(), Some(15), "{status:?}");
    assert_all_gone(&job);
    let hook = fs::read_to_string(folder.path().join("pids.hook"));
    assert_eq!(hook.expect("exit hooks are called on the way out"), "interrupted");
}

/// As cargo does: it dies of SIGTERM immediately, and the test program below it takes its time to end its own jobs.
#[test]
fn whoever_a_job_left_in_its_group_may_tidy_up_before_the_parent_dies() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let tidying = "trap 'sleep 0.5; echo tidy > $WBTEST_PIDS.tidy; exit' TERM; sh -c 'echo $PPID' >> $WBTEST_PIDS; \
                   while :; do sleep 0.05; done";
    let script = format!("({tidying}) & echo $$ >> $WBTEST_PIDS; wait");
    let mut parent = start_parent_of(&script, &pids);
    let both = read_pids(&pids, 2);
    let parent_id = rustix::process::Pid::from_child(&parent);
    rustix::process::kill_process(parent_id, rustix::process::Signal::TERM).expect("the signal");
    parent.wait().expect("its end");
    let tidied = fs::read_to_string(folder.path().join("pids.tidy"));
    assert_eq!(tidied.expect("it was given the time to tidy up"), "tidy\n");
    assert_all_gone(&both);
}

#[test]
#[ignore = "a stand-in that the other tests start"]
fn rank_process() {
    wb_process::die_with_parent().expect("the kernel's consent");
    fs::write(std::env::var("WBTEST_PIDS").expect("where to write"), format!("{}\n", std::process::id()))
        .expect("writing");
    std::thread::sleep(LONG_TIMEOUT);
}

/// The launcher is a shell that starts the rank in a session, and so a group, of its own.
#[test]
#[cfg(target_os = "linux")]
fn a_rank_in_another_group_ends_with_its_launcher() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let rank = std::env::current_exe().expect("own path");
    let mut launcher =
        shell(&format!("setsid {} jobs::rank_process --exact --ignored & wait", rank.to_string_lossy()));
    let mut launcher = launcher.env("WBTEST_PIDS", &pids).spawn().expect("a shell");
    let rank = read_pids(&pids, 1);
    launcher.kill().expect("killing the launcher");
    launcher.wait().expect("its end");
    assert_all_gone(&rank);
}

/// The `count` process identifiers in the file, as soon as they are there.
fn read_pids(path: &Path, count: usize) -> Vec<u32> {
    let deadline = Instant::now() + Duration::from_secs(20);
    while Instant::now() < deadline {
        let text = fs::read_to_string(path).unwrap_or_default();
        let complete: Vec<u32> = text.split_inclusive('\n').filter_map(complete_number).collect();
        if complete.len() == count {
            return complete;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{} never had {count} process identifiers", path.display());
}

fn complete_number(line: &str) -> Option<u32> {
    line.strip_suffix('\n')?.parse().ok()
}

fn assert_all_gone(pids: &[u32]) {
    assert_all_gone_within(pids, Duration::from_secs(10));
}

fn assert_all_gone_within(pids: &[u32], limit: Duration) {
    let deadline = Instant::now() + limit;
    while pids.iter().any(|&pid| is_running(pid)) {
        assert!(Instant::now() < deadline, "still running: {pids:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether the process exists and is not merely waiting to be reaped. A small machine has no `ps`: Linux itself is
/// asked.
#[cfg(target_os = "linux")]
fn is_running(pid: u32) -> bool {
    let about = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = about.rsplit_once(") ").and_then(|(_, fields)| fields.chars().next());
    state.is_some_and(|state| state != 'Z')
}

/// Whether the process exists and is not merely waiting to be reaped.
#[cfg(not(target_os = "linux"))]
fn is_running(pid: u32) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().expect("ps");
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}
