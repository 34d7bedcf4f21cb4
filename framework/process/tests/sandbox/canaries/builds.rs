//! Attempts of build scripts and macros.
use std::{
    fs,
    net::TcpListener,
    path::Path,
    process::{Command, Output},
};

use wb_process::sandbox::{Sandbox, SandboxLimits, SandboxedCommand};

use crate::{open_folder, text};

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
    sandbox.command(&seen.writable(folder), &cargo).ok()?.output().ok()
}

pub(crate) fn build_scripts_and_procedural_macros_are_in_the_sandbox_too(sandbox: &Sandbox) {
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
        let Some(output) = build(sandbox, folder.path(), kind, &attempt) else {
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
