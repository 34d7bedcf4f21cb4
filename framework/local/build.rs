//! Generates the list of machines from the folder `machines`: each file is a machine with the file's name.
use std::io;

fn main() -> io::Result<()> {
    let files = wb_gather::files(&wb_gather::in_manifest_dir("machines")?, "yaml")?;
    let row =
        |file: &wb_gather::FolderEntry| format!("    ({:?}, include_str!({:?})),\n", file.name, file.path);
    let rows: String = files.iter().map(row).collect();
    let list = format!("/// Name and text of every file.\nstatic FILES: &[(&str, &str)] = &[\n{rows}];\n");
    wb_gather::write_out("machines.rs", &list)
}
