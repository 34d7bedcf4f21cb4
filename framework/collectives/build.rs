//! Makes the catalogues from the folders `src/broadcast/catalogue` and `src/shared_memory/catalogue`: each file is a module, and
//! its `ENTRIES` are rows.
//!
//! The generated source declares the modules and lists their entries.
use std::{fmt::Write, io};

fn main() -> io::Result<()> {
    write_catalogue("src/broadcast/catalogue", "Broadcast", "broadcasts.rs")?;
    write_catalogue("src/shared_memory/catalogue", "SharedAlgorithm", "shared_memory.rs")
}

fn write_catalogue(folder: &str, row: &str, name: &str) -> io::Result<()> {
    let (mut modules, mut rows) = (String::new(), String::new());
    for file in wb_gather::files(&wb_gather::in_manifest_dir(folder)?, "rs")? {
        let _ = writeln!(modules, "#[path = {:?}]\npub mod {};", file.path, file.name);
        let _ = writeln!(rows, "    {}::ENTRIES,", file.name);
    }
    let list = format!("/// The entries of every file.\nstatic ENTRIES: &[&[{row}]] = &[\n{rows}];\n");
    wb_gather::write_out(name, &(modules + &list))
}
