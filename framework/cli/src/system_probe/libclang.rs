//! libclang, which reads `mpi.h` when the crate `mpi` is built: searched where its loader (the crate `clang-sys`) searches.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use wb_process::output_of;

/// What was found of libclang.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Libclang {
    /// A library with the compiler's own headers.
    Usable(PathBuf),
    /// A library that cannot read C, because the compiler's own headers are not installed.
    NoHeaders(PathBuf),
    /// None.
    Missing,
}

impl Libclang {
    /// Looks in `LIBCLANG_PATH`, which alone counts when it is set, and else in every usual folder.
    pub(crate) fn find() -> Self {
        let folders = match std::env::var_os("LIBCLANG_PATH") {
            Some(wanted) => vec![PathBuf::from(wanted)],
            None => default_folders(),
        };
        let libraries: Vec<PathBuf> = folders.iter().flat_map(|folder| libraries_in(folder)).collect();
        match libraries.first() {
            None => Self::Missing,
            Some(_) if has_builtin_headers(&libraries) => Self::Usable(libraries[0].clone()),
            Some(library) => Self::NoHeaders(library.clone()),
        }
    }
}

fn default_folders() -> Vec<PathBuf> {
    let mut llvm_config = Command::new("llvm-config");
    llvm_config.arg("--libdir");
    let folder = output_of(llvm_config, Duration::from_secs(10));
    let mut folders: Vec<PathBuf> = folder.map(|folder| PathBuf::from(folder.trim())).into_iter().collect();
    folders.extend(
        matching_entries("/usr/lib", |name| name.starts_with("llvm")).map(|folder| folder.join("lib")),
    );
    folders.extend(matching_entries("/usr/lib", |name| name.contains("-linux-gnu")));
    folders.extend(["/usr/lib64", "/usr/lib", "/usr/local/lib"].map(PathBuf::from));
    folders.extend(["/opt/homebrew/opt/llvm/lib", "/usr/local/opt/llvm/lib"].map(PathBuf::from));
    folders.push("/Library/Developer/CommandLineTools/usr/lib".into());
    folders
}

/// The entries of `folder` whose name is `wanted`, newest version last in name and so first here.
fn matching_entries(folder: &str, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(&wanted);
    let mut found: Vec<PathBuf> = entries.filter(named).collect();
    found.sort();
    found.into_iter().rev()
}

/// The libraries in `place`, which may also be the library itself.
fn libraries_in(place: &Path) -> Vec<PathBuf> {
    let is_library =
        |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(is_libclang);
    if place.is_file() {
        return vec![place.to_owned()];
    }
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_library).collect()
}

/// `libclang.so`, `libclang.so.1`, `libclang-14.so.1`, `libclang.dylib`, but not `libclang-cpp.so.14`.
fn is_libclang(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("libclang") else { return false };
    let version = rest.strip_prefix('-').unwrap_or("");
    let numbered = version.starts_with(|c: char| c.is_ascii_digit());
    let shared = rest.contains(".so") || rest.ends_with(".dylib");
    shared && (rest.starts_with('.') || numbered)
}

/// Whether `stddef.h` of the compiler lies where one of the libraries looks for it.
fn has_builtin_headers(libraries: &[PathBuf]) -> bool {
    let real = libraries.iter().filter_map(|library| library.canonicalize().ok());
    let beside = real.filter_map(|library| Some(library.parent()?.join("clang")));
    let places = beside.chain(["/usr/lib/clang".into(), "/usr/local/lib/clang".into()]);
    places
        .flat_map(|place| std::fs::read_dir(place).into_iter().flatten().flatten())
        .any(|version| version.path().join("include/stddef.h").is_file())
}

#[cfg(test)]
mod tests {
    use super::is_libclang;

    #[test]
    fn names_of_the_library() {
        for name in
            ["libclang.so", "libclang.so.1", "libclang-14.so.1", "libclang-14.0.6.so", "libclang.dylib"]
        {
            assert!(is_libclang(name), "{name}");
        }
        for name in ["libclang-cpp.so.14", "libclangAST.a", "libclang_rt.so", "libc.so"] {
            assert!(!is_libclang(name), "{name}");
        }
    }
}
