//! Attempts to get capabilities and memory from the kernel, and what MPI needs of it.
use std::{fs, process::Command};

use wb_process::sandbox::Sandbox;

use crate::{bash, inside, open_folder, run, text};

pub(crate) fn no_namespace_is_made_in_which_there_are_capabilities(sandbox: &Sandbox) {
    // Outside of the sandbox every user may do that.
    let script = "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /tmp && echo mounted'";
    assert!(text(&bash(script).output().expect("bash")).contains("mounted"), "outside it works");
    let shown = text(&inside(sandbox, &run(), script));
    assert!(shown.contains("Function not implemented") && !shown.contains("mounted"), "{shown}");
}

/// Reports each kind of memory that no limit counts, and each call that makes a namespace.
const CALLS: &str = include_str!("calls.c");

pub(crate) fn memory_that_no_limit_counts_and_namespaces_have_no_system_call(sandbox: &Sandbox) {
    let folder = open_folder();
    let (source, program) = (folder.path().join("calls.c"), folder.path().join("calls"));
    fs::write(&source, CALLS).expect("ours");
    let compiled = Command::new("cc").arg("-o").arg(&program).arg(&source).status().expect("a compiler");
    assert!(compiled.success());
    let all = ["memfd", "segment", "shared", "zeros", "space", "clone3", "clone", "trace"];
    let run_program = program.display().to_string();
    let made = |shown: &str, what: &str| shown.lines().any(|line| line == format!("made {what}"));
    let outside = text(&bash(&run_program).output().expect("it runs"));
    for what in all {
        assert!(made(&outside, what), "outside `{what}` works: {outside}");
    }
    let tried = text(&inside(sandbox, &run().readable(folder.path()), &run_program));
    for what in all {
        assert!(!made(&tried, what), "`{what}`: {tried}");
    }
    assert!(made(&tried, "private") && made(&tried, "process"), "{tried}");
}

/// The ranks exchange messages that are longer than any buffer.
const RING: &str = include_str!("ring.c");

pub(crate) fn both_mpi_libraries_run_inside(sandbox: &Sandbox) {
    let folder = open_folder();
    let source = folder.path().join("ring.c");
    fs::write(&source, RING).expect("ours");
    let mut libraries = 0;
    for (compiler, launcher) in
        [("mpicc.openmpi", "mpirun.openmpi --oversubscribe"), ("mpicc.mpich", "mpirun.mpich")]
    {
        let program = folder.path().join(compiler);
        let Ok(compiled) = Command::new(compiler).arg("-o").arg(&program).arg(&source).status() else {
            eprintln!("{compiler} is not installed");
            continue;
        };
        assert!(compiled.success(), "{compiler}");
        let script = format!("{launcher} -n 3 {}", program.display());
        let shown = text(&inside(sandbox, &run().readable(folder.path()), &script));
        assert!(shown.contains("sum 6 of 3"), "{compiler}: {shown}");
        libraries += 1;
    }
    assert!(libraries > 0, "there is an MPI library");
}

pub(crate) fn no_capability_and_no_device_is_left(sandbox: &Sandbox) {
    let script = "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; mount -t tmpfs x /tmp && echo mounted; \
                  ls /dev; unshare -n true && echo unshared";
    let shown = text(&inside(sandbox, &run(), script));
    assert!(shown.contains("CapEff:\t0000000000000000"), "{shown}");
    assert!(!shown.contains("mounted") && !shown.contains("unshared"), "{shown}");
    assert!(!shown.contains("mem\n") && !shown.contains("sda"), "{shown}");
}
