//! Makes the list of the zoo from the folder `zoo`: each file is a module with a `program`, and its text is kept beside it.
//!
//! So another program is another file, and no list has to be edited.
use std::{env, error::Error, fmt::Write, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let zoo = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("zoo");
    println!("cargo:rerun-if-changed={}", zoo.display());
    let (mut modules, mut rows) = (String::new(), String::new());
    for class in names(&zoo, Path::is_dir)? {
        println!("cargo:rerun-if-changed={}", zoo.join(&class).display());
        writeln!(modules, "pub(crate) mod {class} {{")?;
        for file in names(&zoo.join(&class), Path::is_file)? {
            let Some(module) = file.strip_suffix(".rs") else { continue };
            let path = zoo.join(&class).join(&file);
            writeln!(modules, "    #[path = {path:?}]\n    pub(crate) mod {module};")?;
            writeln!(
                rows,
                "    (\"{class}\", \"{module}\", include_str!({path:?}), programs::{class}::{module}::program),"
            )?;
        }
        writeln!(modules, "}}")?;
    }
    let allowed = "#[allow(missing_docs, unreachable_pub, reason = \"programs as students write them\")]";
    let list = format!(
        "{allowed}\nmod programs {{\n{modules}}}\n\n/// Class, name, text and program of every file.\n\
         static FILES: &[(&str, &str, &str, Program)] = &[\n{rows}];\n"
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("zoo.rs"), list)?;
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
