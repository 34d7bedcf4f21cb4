//! Captures how the harness is built: every record contains the compiler and its options.
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = variable("RUSTC");
    let version = Command::new(&compiler).arg("--version").output();
    let version = version.unwrap_or_else(|error| panic!("{compiler} --version: {error}"));
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    assert!(!version.is_empty(), "{compiler} does not say its version");
    println!("cargo::rustc-env=WB_RUSTC={version}");
    println!("cargo::rustc-env=WB_PROFILE={}", variable("PROFILE"));
    println!("cargo::rustc-env=WB_OPT_LEVEL={}", variable("OPT_LEVEL"));
    println!("cargo::rustc-env=WB_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=WB_TARGET_CPU={}", target_cpu().unwrap_or_default());
}

/// A variable that cargo sets for every build script.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The processor that the flags select, the last one if there are several.
fn target_cpu() -> Option<String> {
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let chosen =
        |flag: &str| flag.strip_prefix("-C").unwrap_or(flag).strip_prefix("target-cpu=").map(str::to_owned);
    flags.split('\x1f').rev().find_map(chosen)
}
