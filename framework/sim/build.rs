//! Makes the list of machines from the folder `machines`: each file is a machine under the file's name.
//!
//! So a new machine is one new file, and no list has to be edited.
use std::{env, error::Error, fmt::Write, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("machines");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files = vec![];
    for entry in fs::read_dir(&folder)? {
        files.push(entry?.path());
    }
    files.sort();
    let mut rows = String::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "yaml")) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        writeln!(rows, "    ({name:?}, include_str!({file:?})),")?;
    }
    let list = format!("/// Name and text of every file.\nstatic FILES: &[(&str, &str)] = &[\n{rows}];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("machines.rs"), list)?;
    Ok(())
}
