//! Compiles the C shim with the compiler that `mpi-sys` uses.
//!
//! Both use `build-probe-mpi`, so the shim's handles and the linked library cannot differ. Once built, `mpi-sys` itself
//! does not read `MPICC` again: use one target directory for each MPI implementation.

fn main() {
    println!("cargo:rerun-if-changed=shim/handles.c");
    for variable in ["MPICC", "MPI_PKG_CONFIG", "CRAY_MPICH_DIR"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    // Without it, `build-probe-mpi` takes another library and says nothing.
    if let Ok(mpicc) = std::env::var("MPICC")
        && let Err(error) = std::process::Command::new(&mpicc).arg("-show").output()
    {
        panic!(
            "MPICC names `{mpicc}`, which cannot be started ({error}): install it (MPICH: `sudo apt-get install libmpich-dev`), or \
             `unset MPICC` for the default library; then `cargo clean -p mpi-sys`, which may have been built with another one"
        );
    }
    let library = build_probe_mpi::probe().unwrap_or_else(|reasons| {
        let reasons = reasons.iter().map(|reason| format!("  {reason}\n")).collect::<String>();
        panic!("no MPI library was found:\n{reasons}");
    });
    let mut shim = cc::Build::new();
    shim.file("shim/handles.c");
    if let Some(mpicc) = &library.mpicc {
        shim.compiler(mpicc);
    }
    for folder in &library.include_paths {
        shim.include(folder);
    }
    shim.compile("wb_mpi_handles");
}
