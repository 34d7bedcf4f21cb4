//! Makes the catalogues from their folders: each file is a module, and its `ENTRIES` are rows.
//!
//! The generated sources declare the modules and list their entries.
use std::{fmt::Write, fs, io};

fn main() -> io::Result<()> {
    wb_gather::write_out("barriers.rs", &barriers()?)?;
    wb_gather::write_out("broadcasts.rs", &files("src/collectives/broadcast/catalogue", "Broadcast")?)?;
    let shared_memory = files("src/collectives/shared_memory/catalogue", "SharedAlgorithm")?;
    wb_gather::write_out("shared_memory.rs", &shared_memory)
}

/// The catalogue of barriers: a module for each subfolder, which contains the modules of its files.
fn barriers() -> io::Result<String> {
    let (mut modules, mut rows) = (String::new(), String::new());
    for folder in wb_gather::folders(&wb_gather::in_manifest_dir("src/barriers/catalogue")?)? {
        let about = fs::read_to_string(folder.path.join("README.md"))?;
        let about = about.lines().next().unwrap_or_default();
        let files = wb_gather::files(&folder.path, "rs")?;
        modules += &format!("#[doc = {about:?}]\n{}", wb_gather::module_source(&folder, &files));
        for file in files {
            let _ = writeln!(rows, "    {}::{}::ENTRIES,", folder.name, file.name);
        }
    }
    Ok(modules + &list("BarrierEntry", &rows))
}

/// A catalogue whose files are in one folder.
fn files(folder: &str, entry: &str) -> io::Result<String> {
    let (mut modules, mut rows) = (String::new(), String::new());
    for file in wb_gather::files(&wb_gather::in_manifest_dir(folder)?, "rs")? {
        let _ = writeln!(modules, "#[path = {:?}]\npub mod {};", file.path, file.name);
        let _ = writeln!(rows, "    {}::ENTRIES,", file.name);
    }
    Ok(modules + &list(entry, &rows))
}

fn list(entry: &str, rows: &str) -> String {
    format!("/// The entries of every file.\nstatic ENTRIES: &[&[{entry}]] = &[\n{rows}];\n")
}
