//! A host file: a line for each host that runs ranks, in the format of Open MPI (`node1 slots=8`) or of MPICH (`node1:8`).
//!
//! Both libraries get the same hosts, whichever format the file has: a course has one file for both. The number of ranks
//! is required, because without it Open MPI takes the cores of the host and MPICH takes 1.
//!
//! ```
//! use wb_config::HostFile;
//! let file = HostFile::parse("hosts".as_ref(), "# two nodes\nnode1 slots=8\nnode2 slots=4\n")?;
//! assert_eq!(file.slots(), 12);
//! assert_eq!(file.list(), "node1:8,node2:4");
//! # Ok::<(), wb_config::ConfigError>(())
//! ```

use std::path::Path;

use wb_text::{Text, hosts as text};

use crate::{
    error::{ConfigDiagnostic, Result, shown_value},
    source,
};

/// The most ranks of a host.
const SLOTS_MAX: u32 = 4096;

/// The longest name of a host, in bytes (RFC 1035, 2.3.4, without the final dot).
const NAME_BYTES_MAX: usize = 253;

/// The hosts of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFile {
    /// The hosts, in the order of the file: the first one runs the first ranks.
    pub hosts: Vec<HostSettings>,
}

/// One host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostSettings {
    /// Its name in the network.
    pub name: String,
    /// The number of ranks that it runs before the next host gets ranks.
    pub slots: u32,
    /// The line in the file, from 1.
    pub line: usize,
}

/// The format of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineFormat {
    OpenMpi,
    Mpich,
}

impl HostFile {
    /// Reads `file`.
    ///
    /// # Errors
    /// When it cannot be read, and at the first invalid line.
    pub fn load(file: &Path) -> Result<Self> {
        Self::parse(file, &source::load(file)?)
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// At the first invalid line: another format than the first one's, a missing number, a host that is listed twice.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        source::check(file, text, text::no_hosts())?;
        let mut hosts: Vec<HostSettings> = Vec::new();
        let mut first: Option<(LineFormat, usize)> = None;
        for (line, content) in (1..).zip(text.lines()) {
            let error =
                |problem| Box::new(ConfigDiagnostic::new(file, text, (line, indent(content) + 1), problem));
            let content = content.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let (format, name, slots) = parse_line(content).map_err(error)?;
            let (first_format, first_line) = *first.get_or_insert((format, line));
            if format != first_format {
                return Err(error(text::two_formats(first_line)).into());
            }
            if let Some(other) = hosts.iter().find(|host| host.name.eq_ignore_ascii_case(name)) {
                return Err(error(text::host_again(name, other.line)).into());
            }
            hosts.push(HostSettings { name: name.to_owned(), slots, line });
        }
        if hosts.is_empty() {
            return Err(Box::new(ConfigDiagnostic::new(file, text, (1, 1), text::no_hosts())).into());
        }
        Ok(Self { hosts })
    }

    /// The number of ranks that all hosts run together.
    pub fn slots(&self) -> usize {
        self.hosts.iter().map(|host| host.slots as usize).sum()
    }

    /// The list that the launchers of both libraries accept on their command line: `node1:8,node2:4`.
    pub fn list(&self) -> String {
        let hosts: Vec<String> =
            self.hosts.iter().map(|host| format!("{}:{}", host.name, host.slots)).collect();
        hosts.join(",")
    }
}

/// The columns before the first character of a line.
fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).count()
}

/// The format, the name and the slots of a line without comment.
fn parse_line(line: &str) -> std::result::Result<(LineFormat, &str, u32), Text> {
    let (format, name, slots) = split_line(line)?;
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if !starts_well || !name.chars().all(is_name) || name.len() > NAME_BYTES_MAX {
        return Err(text::invalid_name(shown_value(name)));
    }
    let number = slots.parse().ok().filter(|number| (1..=SLOTS_MAX).contains(number));
    let number = number.ok_or_else(|| text::invalid_slots(shown_value(slots), SLOTS_MAX))?;
    Ok((format, name, number))
}

/// The parts of a line as they are written.
fn split_line(line: &str) -> std::result::Result<(LineFormat, &str, &str), Text> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [name, word] if !name.contains(':') => match word.strip_prefix("slots=") {
            Some(slots) => Ok((LineFormat::OpenMpi, name, slots)),
            None => Err(text::invalid_line(shown_value(line))),
        },
        [word] => match word.split_once(':') {
            Some((name, slots)) => Ok((LineFormat::Mpich, name, slots)),
            None => Err(text::no_slots(shown_value(word))),
        },
        _ => Err(text::invalid_line(shown_value(line))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> std::result::Result<String, String> {
        let first_line = |error: crate::ConfigError| error.to_string().lines().next().map(str::to_owned);
        HostFile::parse("hosts".as_ref(), text)
            .map(|file| file.list())
            .map_err(|error| first_line(error).unwrap_or_default())
    }

    #[test]
    fn both_formats_give_the_same_hosts() {
        let expected = Ok("node1:2,node-2.lab:16".to_owned());
        assert_eq!(parse("# nodes\n\n node1 slots=2 # first\r\nnode-2.lab\tslots=16\n"), expected);
        assert_eq!(parse("\u{feff}node1:2\nnode-2.lab:16".trim_start_matches('\u{feff}')), expected);
    }

    #[test]
    fn every_broken_file_has_its_line_and_what_is_allowed() {
        let form = "expected `NAME slots=N` (Open MPI) or `NAME:N` (MPICH)";
        let cases = [
            ("", "hosts:1:1: the file is empty, expected a line for each host".to_owned()),
            ("# none\n", "hosts:1:1: the file is empty, expected a line for each host".into()),
            ("a:1\n\nb\n", "hosts:3:1: `b` without a number of ranks, expected `b slots=N` (Open MPI) or `b:N` (MPICH): the libraries differ in what a missing number means".into()),
            ("a slots=1 max_slots=2\n", format!("hosts:1:1: `a slots=1 max_slots=2`, {form}")),
            ("a cpu=2\n", format!("hosts:1:1: `a cpu=2`, {form}")),
            ("a slots = 2\n", format!("hosts:1:1: `a slots = 2`, {form}")),
            ("  a:0\n", "hosts:1:3: `0` ranks, expected a whole number from 1 to 4096".into()),
            ("a:4097\n", "hosts:1:1: `4097` ranks, expected a whole number from 1 to 4096".into()),
            ("a:-1\n", "hosts:1:1: `-1` ranks, expected a whole number from 1 to 4096".into()),
            ("a slots=\n", "hosts:1:1: `` ranks, expected a whole number from 1 to 4096".into()),
            ("a:2:3\n", "hosts:1:1: `2:3` ranks, expected a whole number from 1 to 4096".into()),
            ("a:1\nb slots=1\n", "hosts:2:1: this line and line 1 have different formats, expected `NAME slots=N` or `NAME:N` in all lines".into()),
            ("a:1\nA:2\n", "hosts:2:1: `A` is in line 1 already, expected each host once with all its ranks".into()),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), Err(expected), "{text:?}");
        }
    }

    #[test]
    fn a_name_is_never_an_option_or_a_command() {
        let long = format!("{}:1", "a".repeat(NAME_BYTES_MAX + 1));
        for name in ["-x:1", "--mca:1", "a;reboot:1", "$(id):1", "узел:1", ".a:1", ":1", "a,b:1", &long] {
            let refused = parse(name).expect_err("not a name");
            assert!(refused.contains("is not the name of a host"), "{name}: {refused}");
        }
    }
}
