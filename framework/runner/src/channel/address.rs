//! Where a runner listens, and the secret that it asks for.
use std::{
    fmt, fs, io,
    net::{SocketAddr, TcpStream},
    os::{
        fd::OwnedFd,
        unix::net::{self as unix, UnixStream},
    },
    path::{Path, PathBuf},
    process::Command,
    str::FromStr,
    time::Duration,
};

use rustix::net::sockopt;
use wb_process::before_main::RUNNER_VARIABLE;

/// The time for a connection to one address.
const CONNECT_MAX: Duration = Duration::from_secs(3);

/// A connection between hosts whose other end does not answer for this time is lost.
pub const SILENCE_MAX: Duration = Duration::from_secs(20);

/// The address of a runner. As text it is a part of the environment: `local:SECRET@NAME`, `folder:PATH`, or `tcp:SECRET@ADDRESS,ADDRESS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunnerAddress {
    /// A socket on this host whose name is no file.
    Local {
        /// The name.
        name: String,
        /// The secret.
        secret: String,
    },
    /// A folder on this host with the socket and the file of the secret.
    Folder(PathBuf),
    /// Addresses of the runner's host, of which a member takes the first one that it reaches.
    Network {
        /// The addresses.
        addresses: Vec<SocketAddr>,
        /// The secret.
        secret: String,
    },
}

impl RunnerAddress {
    /// The runner of this process; `None` if it has none.
    ///
    /// # Errors
    /// When the variable is not an address.
    pub fn from_environment() -> io::Result<Option<Self>> {
        let Some(text) = std::env::var_os(RUNNER_VARIABLE) else { return Ok(None) };
        text.to_string_lossy().parse().map(Some)
    }

    /// Whether this process has a runner.
    pub fn is_set() -> bool {
        std::env::var_os(RUNNER_VARIABLE).is_some()
    }

    /// Names the runner to the program that `command` starts.
    pub fn add_to(&self, command: &mut Command) {
        command.env(RUNNER_VARIABLE, self.to_string());
    }

    /// A new connection, and the secret to show there.
    pub(super) fn connect(&self) -> io::Result<(UnixStream, String)> {
        match self {
            Self::Local { name, secret } => {
                Ok((UnixStream::connect_addr(&local_address(name)?)?, secret.clone()))
            }
            Self::Folder(folder) => {
                let secret = fs::read_to_string(secret_path(folder))?;
                Ok((UnixStream::connect(socket_path(folder))?, secret))
            }
            Self::Network { addresses, secret } => {
                let mut reason = io::Error::other("a runner without an address");
                for address in addresses {
                    match TcpStream::connect_timeout(address, CONNECT_MAX) {
                        Ok(stream) => return Ok((stream_between_hosts(stream)?, secret.clone())),
                        Err(error) => reason = io::Error::new(error.kind(), format!("{address}: {error}")),
                    }
                }
                Err(reason)
            }
        }
    }

    /// Whether members may be on other hosts.
    pub(super) fn is_between_hosts(&self) -> bool {
        matches!(self, Self::Network { .. })
    }
}

impl fmt::Display for RunnerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local { name, secret } => write!(f, "local:{secret}@{name}"),
            Self::Folder(folder) => write!(f, "folder:{}", folder.display()),
            Self::Network { addresses, secret } => {
                let addresses: Vec<_> = addresses.iter().map(ToString::to_string).collect();
                write!(f, "tcp:{secret}@{}", addresses.join(","))
            }
        }
    }
}

impl FromStr for RunnerAddress {
    type Err = io::Error;

    fn from_str(text: &str) -> io::Result<Self> {
        let parse = || match text.split_once(':')? {
            ("local", rest) => {
                let (secret, name) = rest.split_once('@')?;
                Some(Self::Local { name: name.to_owned(), secret: secret.to_owned() })
            }
            ("folder", folder) if !folder.is_empty() => Some(Self::Folder(folder.into())),
            ("tcp", rest) => {
                let (secret, addresses) = rest.split_once('@')?;
                let addresses = addresses.split(',').map(|address| address.parse().ok());
                Some(Self::Network {
                    addresses: addresses.collect::<Option<_>>()?,
                    secret: secret.to_owned(),
                })
            }
            _ => None,
        };
        // The text is not shown: it may contain a secret.
        let form = || {
            format!(
                "{RUNNER_VARIABLE} is not `local:SECRET@NAME`, `folder:PATH` or `tcp:SECRET@ADDRESS,ADDRESS`"
            )
        };
        parse().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, form()))
    }
}

/// A connection between hosts that ends when the other host does not answer any more. To the system it is a stream of bytes like that of a
/// Unix socket, so one type is both.
pub(super) fn stream_between_hosts(stream: TcpStream) -> io::Result<UnixStream> {
    stream.set_nodelay(true)?;
    sockopt::set_socket_keepalive(&stream, true)?;
    sockopt::set_tcp_keepidle(&stream, SILENCE_MAX / 4)?;
    sockopt::set_tcp_keepintvl(&stream, SILENCE_MAX / 8)?;
    sockopt::set_tcp_keepcnt(&stream, 6)?;
    #[cfg(target_os = "linux")]
    sockopt::set_tcp_user_timeout(&stream, u32::try_from(SILENCE_MAX.as_millis()).unwrap_or(u32::MAX))?;
    Ok(UnixStream::from(OwnedFd::from(stream)))
}

/// The address of a socket whose name is no file.
#[cfg(target_os = "linux")]
pub(super) fn local_address(name: &str) -> io::Result<unix::SocketAddr> {
    <unix::SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(name)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn local_address(_: &str) -> io::Result<unix::SocketAddr> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn socket_path(folder: &Path) -> PathBuf {
    folder.join("socket")
}

pub(super) fn secret_path(folder: &Path) -> PathBuf {
    folder.join("secret")
}
