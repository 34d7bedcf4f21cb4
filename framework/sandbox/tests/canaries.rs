//! What the sandbox stops: one test for each row of the table in `docs/instructor.md`. Each attempt is also made without the
//! sandbox, or on what the sandbox permits, where it must succeed: a check that cannot fail is worth nothing.
#![cfg(target_os = "linux")]
use std::{
    fs,
    net::TcpListener,
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    path::Path,
    process::{Command, Output},
    time::{Duration, Instant},
};

use wb_sandbox::{Sandbox, SandboxLimits, SandboxedCommand};

/// The sandbox of this machine; without one the test is skipped, with the reason.
fn sandbox() -> Option<Sandbox> {
    match Sandbox::find() {
        Ok(sandbox) => Some(sandbox),
        Err(error) => {
            eprintln!("SKIPPED: {error}");
            None
        }
    }
}

fn bash(script: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", script]);
    command
}

/// The output of a script in a sandbox.
fn inside(sandbox: &Sandbox, seen: &SandboxedCommand, script: &str) -> Output {
    sandbox.command(seen, &bash(script)).output().expect("bubblewrap runs")
}

fn run() -> SandboxedCommand {
    SandboxedCommand::new(SandboxLimits::RUN)
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A folder that every user may enter and list.
fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("ours");
    folder
}

#[test]
fn no_connection_leaves_the_sandbox_and_no_server_outside_is_reached() {
    let Some(sandbox) = sandbox() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected");
    assert!(text(&bash(&script).output().expect("bash")).contains("connected"), "outside it connects");
    let tried = inside(&sandbox, &run(), &script);
    assert!(!text(&tried).contains("connected"), "{}", text(&tried));
    let tried = inside(&sandbox, &run(), "exec 3<>/dev/tcp/192.0.2.1/80 && echo connected");
    assert!(text(&tried).contains("unreachable"), "{}", text(&tried));
}

#[test]
fn loopback_works_inside_as_mpi_needs_it() {
    let Some(sandbox) = sandbox() else { return };
    let tried = inside(
        &sandbox,
        &run(),
        "cat /sys/class/net/lo/operstate /proc/net/dev; exec 3<>/dev/tcp/127.0.0.1/9",
    );
    let shown = text(&tried);
    // Refused by the interface itself, and there is no other interface.
    assert!(shown.contains("Connection refused"), "{shown}");
    assert_eq!(shown.lines().filter(|line| line.trim_start().contains(":  ")).count(), 1, "{shown}");
}

#[test]
fn names_of_machines_are_not_resolved() {
    let Some(sandbox) = sandbox() else { return };
    let tried =
        inside(&sandbox, &run(), "ls /etc/resolv.conf /etc/hosts; getent hosts example.org && echo resolved");
    assert!(!text(&tried).contains("resolved"), "{}", text(&tried));
    assert_eq!(text(&tried).matches("cannot access").count(), 2, "{}", text(&tried));
}

#[test]
fn nothing_outside_the_scratch_is_written() {
    let Some(sandbox) = sandbox() else { return };
    let (reports, scratch) = (open_folder(), open_folder());
    fs::write(reports.path().join("records.jsonl"), "true\n").expect("ours");
    let (reports_path, scratch_path) = (reports.path().display(), scratch.path().display());
    sandbox.hand_over(scratch.path()).expect("ours");
    let seen = run().readable(reports.path()).writable(scratch.path());
    let script = format!(
        "for place in {reports_path}/records.jsonl /usr/bin/x /etc/x /x {reports_path}/new /sys/x; do \
         (echo forged > $place) 2>/dev/null && echo wrote $place; done; \
         echo mine > {scratch_path}/file && echo private > /tmp/file && echo done"
    );
    let tried = inside(&sandbox, &seen, &script);
    assert_eq!(text(&tried).trim(), "done");
    assert_eq!(fs::read_to_string(reports.path().join("records.jsonl")).expect("there"), "true\n");
    assert_eq!(fs::read_to_string(scratch.path().join("file")).expect("written"), "mine\n");
}

#[test]
fn no_home_folder_and_nothing_that_was_not_named_is_read() {
    let Some(sandbox) = sandbox() else { return };
    let home = open_folder();
    for file in [".ssh/id_ed25519", ".cargo/credentials.toml", "judge/inputs.json"] {
        let path = home.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("ours");
        fs::write(&path, "SECRET").expect("written");
    }
    let script = format!(
        "cat {0}/.ssh/id_ed25519 {0}/.cargo/credentials.toml {0}/judge/inputs.json",
        home.path().display()
    );
    let outside = bash(&script).output().expect("bash");
    assert_eq!(text(&outside).matches("SECRET").count(), 3, "outside they are read: {}", text(&outside));
    let around = format!("; cat ~/.ssh/* /etc/shadow; grep -rs SECRET /proc/*/root{}", home.path().display());
    let tried = inside(&sandbox, &run(), &(script + &around));
    assert!(!text(&tried).contains("SECRET"), "{}", text(&tried));
}

#[test]
fn only_named_variables_are_left() {
    let Some(sandbox) = sandbox() else { return };
    let mut command = bash("env");
    command.env("GIVEN", "1").env("WB_OWNER", "1:1");
    let tried = sandbox.command(&run(), &command).env("GITHUB_TOKEN", "SECRET").output().expect("it runs");
    let shown = text(&tried);
    assert!(shown.contains("GIVEN=1") && shown.contains("HOME=/tmp"), "{shown}");
    assert!(!shown.contains("SECRET") && !shown.contains("WB_OWNER") && !shown.contains("CARGO"), "{shown}");
}

#[test]
fn a_fork_bomb_is_stopped_by_the_limit_of_processes() {
    let Some(sandbox) = sandbox() else { return };
    let few = SandboxedCommand::new(SandboxLimits { processes: 64, ..SandboxLimits::RUN });
    let script = "for i in $(seq 200); do sleep 30 & done; echo all started";
    let start = Instant::now();
    let tried = inside(&sandbox, &few, script);
    let shown = text(&tried);
    assert!(shown.contains("Resource temporarily unavailable") && !shown.contains("all started"), "{shown}");
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn memory_is_limited_in_processes_and_in_files() {
    let Some(sandbox) = sandbox() else { return };
    let small = SandboxLimits { process_memory: 256 << 20, file_memory: 16 << 20, ..SandboxLimits::RUN };
    let small = SandboxedCommand::new(small);
    let fits = inside(&sandbox, &small, "head -c 8M /dev/zero | tail > /dev/null && echo fits");
    assert!(text(&fits).contains("fits"), "{}", text(&fits));
    // `tail` keeps a line that does not end in memory.
    let tried = inside(&sandbox, &small, "head -c 1G /dev/zero | tail > /dev/null && echo fits");
    assert!(!text(&tried).contains("fits") && text(&tried).contains("memory exhausted"), "{}", text(&tried));
    for folder in ["/tmp", "/dev/shm"] {
        let tried = inside(&sandbox, &small, &format!("head -c 64M /dev/zero > {folder}/file && echo fits"));
        assert!(text(&tried).contains("No space left"), "{}", text(&tried));
    }
}

#[test]
fn an_endless_loop_ends_at_the_limit_of_processor_time() {
    let Some(sandbox) = sandbox() else { return };
    let short =
        SandboxedCommand::new(SandboxLimits { cpu_time: Duration::from_secs(1), ..SandboxLimits::RUN });
    let start = Instant::now();
    let tried = inside(&sandbox, &short, "while true; do :; done");
    assert!(!tried.status.success(), "{:?} {:?}", tried.status, tried.status.signal());
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn other_processes_are_neither_seen_nor_signalled() {
    let Some(sandbox) = sandbox() else { return };
    let mut victim = Command::new("sleep").arg("60").spawn().expect("a process");
    let script = format!(
        "kill -9 {0} && echo killed; kill -9 -1; ls /proc/{0}/mem && echo seen; echo end",
        victim.id()
    );
    let tried = inside(&sandbox, &run(), &script);
    assert!(!text(&tried).contains("killed") && !text(&tried).contains("seen"), "{}", text(&tried));
    assert!(victim.try_wait().expect("ours").is_none(), "it still runs");
    victim.kill().expect("ours");
    victim.wait().expect("ours");
}

#[test]
fn a_daemon_ends_with_the_sandbox() {
    let Some(sandbox) = sandbox() else { return };
    let scratch = open_folder();
    sandbox.hand_over(scratch.path()).expect("ours");
    let beat = scratch.path().join("beat");
    let script = format!(
        "setsid bash -c 'while true; do date +%N > {0}; sleep 0.05; done' > /dev/null 2>&1 & sleep 0.5; cat {0}",
        beat.display()
    );
    let tried = inside(&sandbox, &run().writable(scratch.path()), &script);
    assert!(!tried.stdout.is_empty(), "the daemon ran: {}", text(&tried));
    let read = || fs::read_to_string(&beat).expect("there");
    let last = read();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(read(), last, "the daemon is gone");
}

#[test]
fn no_capability_and_no_device_is_left() {
    let Some(sandbox) = sandbox() else { return };
    let script = "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; mount -t tmpfs x /tmp && echo mounted; \
                  ls /dev; unshare -n true && echo unshared";
    let shown = text(&inside(&sandbox, &run(), script));
    assert!(shown.contains("CapEff:\t0000000000000000"), "{shown}");
    assert!(!shown.contains("mounted") && !shown.contains("unshared"), "{shown}");
    assert!(!shown.contains("mem\n") && !shown.contains("sda"), "{shown}");
}

/// The compiler of this machine, as a build in the sandbox sees it.
fn rust() -> Option<(SandboxedCommand, String)> {
    let print = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let sysroot = String::from_utf8(print.stdout).ok()?.trim().to_owned();
    let seen = SandboxedCommand::new(SandboxLimits::BUILD).readable(&sysroot);
    Some((seen, sysroot))
}

/// Builds a package whose build script or procedural macro executes `attempt`, in the sandbox; its output.
fn build(sandbox: &Sandbox, folder: &Path, kind: &str, attempt: &str) -> Option<Output> {
    let (seen, sysroot) = rust()?;
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("ours");
        fs::write(path, text).expect("written");
    };
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{more}")
    };
    let act = format!(
        "let ended = std::process::Command::new(\"bash\").args([\"-c\", {attempt:?}]).output().unwrap(); \
         panic!(\"{{}}\", String::from_utf8_lossy(&ended.stdout));"
    );
    match kind {
        "build script" => {
            write("Cargo.toml", &(package("task", "build = \"build.rs\"\n") + "[workspace]\n"));
            write("build.rs", &format!("fn main() {{ {act} }}"));
            write("src/lib.rs", "");
        }
        _ => {
            let dependency = "[workspace]\n[dependencies]\nforge = { path = \"forge\" }\n";
            write("Cargo.toml", &package("task", dependency));
            write("src/lib.rs", "forge::forge!();");
            write("forge/Cargo.toml", &package("forge", "[lib]\nproc-macro = true\n"));
            let header =
                "use proc_macro::TokenStream; #[proc_macro] pub fn forge(_: TokenStream) -> TokenStream";
            write("forge/src/lib.rs", &format!("{header} {{ {act} }}"));
        }
    }
    sandbox.hand_over(folder).expect("ours");
    let mut cargo = Command::new(format!("{sysroot}/bin/cargo"));
    cargo.args(["build", "--offline"]).current_dir(folder).env("CARGO_HOME", folder.join("cargo"));
    cargo.env("RUSTC", format!("{sysroot}/bin/rustc"));
    sandbox.command(&seen.writable(folder), &cargo).output().ok()
}

#[test]
fn build_scripts_and_procedural_macros_are_in_the_sandbox_too() {
    let Some(sandbox) = sandbox() else { return };
    let outside = open_folder();
    fs::write(outside.path().join("secret"), "SECRET").expect("written");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let attempt = format!(
        "cat {0}/secret; echo forged > {0}/forged && echo WROTE; exec 3<>/dev/tcp/127.0.0.1/{port} && echo CONNECTED; echo TRIED",
        outside.path().display()
    );
    for kind in ["build script", "procedural macro"] {
        let folder = open_folder();
        let Some(output) = build(&sandbox, folder.path(), kind, &attempt) else {
            eprintln!("SKIPPED: no compiler");
            return;
        };
        let shown = text(&output);
        assert!(shown.contains("TRIED"), "the {kind} ran: {shown}");
        for mark in ["SECRET\n", "WROTE", "CONNECTED"] {
            let printed = shown.lines().any(|line| line.trim() == mark.trim());
            assert!(!printed, "{kind}: {shown}");
        }
        assert!(!outside.path().join("forged").exists());
    }
}
