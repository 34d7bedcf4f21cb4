//! Makes the catalogues of barriers and broadcasts from the folders `src/barrier` and `src/bcast`: each file is a module, each
//! module's `ENTRIES` are rows.
//!
//! The generated sources declare the modules, those of barriers in their subfolders', and gather their entries.
use std::{fmt::Write, fs, io};

fn main() -> io::Result<()> {
    barriers()?;
    broadcasts()
}

fn barriers() -> io::Result<()> {
    let (mut modules, mut rows) = (String::new(), String::new());
    for folder in wb_gather::folders(&wb_gather::in_manifest_dir("src/barrier")?)? {
        let about = fs::read_to_string(folder.path.join("README.md"))?;
        let about = about.lines().next().unwrap_or_default();
        let files = wb_gather::files(&folder.path, "rs")?;
        modules += &format!("#[doc = {about:?}]\n{}", wb_gather::module_source(&folder, &files));
        for file in files {
            let _ = writeln!(rows, "    {}::{}::ENTRIES,", folder.name, file.name);
        }
    }
    wb_gather::write_out("barriers.rs", &(modules + &list("BarrierEntry", &rows)))
}

fn broadcasts() -> io::Result<()> {
    let (mut modules, mut rows) = (String::new(), String::new());
    for file in wb_gather::files(&wb_gather::in_manifest_dir("src/bcast")?, "rs")? {
        let _ = writeln!(modules, "#[path = {:?}]\npub mod {};", file.path, file.name);
        let _ = writeln!(rows, "    {}::ENTRIES,", file.name);
    }
    wb_gather::write_out("broadcasts.rs", &(modules + &list("Broadcast", &rows)))
}

fn list(row: &str, rows: &str) -> String {
    format!("/// The entries of every file.\npub(crate) static ENTRIES: &[&[crate::{row}]] = &[\n{rows}];\n")
}
