//! Makes the catalogue of barriers from the folder `src/barrier`: each file is a module, each module's `ENTRIES` are rows.
//!
//! So a new barrier is one new file, and no list has to be edited. The generated source declares the modules of each
//! subfolder and gathers their entries.
use std::{env, error::Error, fmt::Write, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let barriers = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src/barrier");
    println!("cargo:rerun-if-changed={}", barriers.display());
    let (mut modules, mut rows) = (String::new(), String::new());
    for folder in names(&barriers, Path::is_dir)? {
        let about = fs::read_to_string(barriers.join(&folder).join("README.md"))?;
        let about = about.lines().next().unwrap_or_default();
        writeln!(modules, "#[doc = {about:?}]\npub mod {folder} {{")?;
        for file in names(&barriers.join(&folder), Path::is_file)? {
            let Some(module) = file.strip_suffix(".rs") else { continue };
            let path = barriers.join(&folder).join(&file);
            writeln!(modules, "    #[path = {path:?}]\n    pub mod {module};")?;
            writeln!(rows, "    {folder}::{module}::ENTRIES,")?;
        }
        writeln!(modules, "}}")?;
    }
    let list = format!(
        "/// The entries of every file.\npub(crate) static ENTRIES: &[&[crate::Entry]] = &[\n{rows}];\n"
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("barriers.rs"), modules + &list)?;
    Ok(())
}

/// The names of what lies in a folder and is of that kind, sorted.
fn names(folder: &Path, kind: fn(&Path) -> bool) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if kind(&path) {
            names.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}
