//! The defaults of jobs on a cluster: the key `cluster` of the course, and the user's own file.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{RankMap, error::Result, source, value, yaml};

/// The user's file, below the folder of settings of all programs.
const USER_FILE: &str = "workbench/cluster.yaml";

/// The placement of jobs for which the command line has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterSettings {
    /// Slurm's partition.
    #[serde(default, deserialize_with = "value::optional_text")]
    pub partition: Option<String>,
    /// Slurm's account.
    #[serde(default, deserialize_with = "value::optional_text")]
    pub account: Option<String>,
    /// The time limit of a job in minutes.
    #[serde(default, deserialize_with = "value::optional_whole::<_, _, 1, 43_200>")]
    pub minutes: Option<u32>,
    /// The number of nodes.
    #[serde(default, deserialize_with = "value::optional_whole::<_, _, 1, 4096>")]
    pub nodes: Option<u32>,
    /// The number of ranks on a node.
    #[serde(default, deserialize_with = "value::optional_whole::<_, _, 1, 4096>")]
    pub ranks_per_node: Option<u32>,
    /// Further options of `sbatch`.
    #[serde(default)]
    pub sbatch: Vec<String>,
    /// The host file of `--hosts` without a file; a relative path begins at the file of these settings.
    #[serde(default)]
    pub hosts: Option<PathBuf>,
    /// How ranks are placed on several hosts.
    #[serde(default)]
    pub map: Option<RankMap>,
}

impl ClusterSettings {
    /// What the user's file sets; nothing where there is none.
    ///
    /// # Errors
    /// When the file is invalid.
    pub fn of_user() -> Result<Self> {
        match user_file().filter(|file| file.exists()) {
            Some(file) => Self::parse(&file, &source::load(&file)?),
            None => Ok(Self::default()),
        }
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// When a value in it is invalid.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        Ok(yaml::read::<Self>(file, text)?.relative_to(file))
    }

    /// The settings with the path of the host file relative to the folder of `file`.
    pub(crate) fn relative_to(mut self, file: &Path) -> Self {
        self.hosts = self.hosts.map(|hosts| file.parent().unwrap_or(file).join(hosts));
        self
    }

    /// These settings, and those of `other` where these set nothing.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            partition: self.partition.or(other.partition),
            account: self.account.or(other.account),
            minutes: self.minutes.or(other.minutes),
            nodes: self.nodes.or(other.nodes),
            ranks_per_node: self.ranks_per_node.or(other.ranks_per_node),
            sbatch: if self.sbatch.is_empty() { other.sbatch } else { self.sbatch },
            hosts: self.hosts.or(other.hosts),
            map: self.map.or(other.map),
        }
    }
}

/// `$XDG_CONFIG_HOME/workbench/cluster.yaml`, by default in `~/.config`.
fn user_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let settings = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))?;
    Some(settings.join(USER_FILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> std::result::Result<ClusterSettings, String> {
        ClusterSettings::parse("/etc/x/cluster.yaml".as_ref(), text).map_err(|error| error.to_string())
    }

    #[test]
    fn the_users_settings_come_before_those_of_the_course() {
        let own = parse("partition: long\nhosts: nodes.txt\nmap: node\n").expect("valid");
        let course =
            parse("partition: short\naccount: course\nsbatch: [--exclusive]\nminutes: 30\n").expect("valid");
        let found = own.or(course);
        assert_eq!((found.partition.as_deref(), found.account.as_deref()), (Some("long"), Some("course")));
        assert_eq!((found.minutes, found.map), (Some(30), Some(RankMap::Node)));
        assert_eq!(found.sbatch, ["--exclusive"]);
        assert_eq!(found.hosts.as_deref(), Some(Path::new("/etc/x/nodes.txt")));
    }

    #[test]
    fn an_invalid_value_is_named_with_its_line() {
        for (text, expected) in [
            ("minutes: 0\n", "/etc/x/cluster.yaml:1:10: minutes: "),
            ("nodes: two\n", "/etc/x/cluster.yaml:1:8: nodes: "),
            ("partitoin: short\n", "/etc/x/cluster.yaml:1:1: "),
            ("map: ring\n", "/etc/x/cluster.yaml:1:6: map: "),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
