//! The connection to a NATS server.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions};

/// Where the server is, and what it wants to see.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Server {
    /// `nats://host:port` or `tls://host:port`; several with commas between them.
    pub url: String,
    /// A token.
    pub token: Option<String>,
    /// A user and a password.
    pub user: Option<(String, String)>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// A credentials file.
    pub credentials: Option<PathBuf>,
    /// A file with the certificates that are trusted.
    pub ca: Option<PathBuf>,
    /// Our certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl std::fmt::Debug for Server {
    /// Without the secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("url", &self.address()).finish_non_exhaustive()
    }
}

/// There is no connection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// The URL is none.
    #[error("{0:?} is no NATS URL: write nats://host:port")]
    Url(String),
    /// Nobody is there.
    #[error("no NATS server answers at {0} ({1}): start nats-server there, or mend the URL")]
    Nobody(String, String),
    /// The server does not want us.
    #[error(
        "the NATS server at {0} refuses us: check token, user and password, nkey or credentials"
    )]
    Refused(String),
    /// No safe connection.
    #[error("no TLS connection to the NATS server at {0} ({1}): check the certificates")]
    Tls(String, String),
    /// A file cannot be read.
    #[error("cannot read {0}: {1}")]
    File(PathBuf, String),
}

impl Server {
    /// A server that wants to see nothing.
    pub fn new(url: impl Into<String>) -> Server {
        Server { url: url.into(), ..Server::default() }
    }

    /// Connects. From then on the client comes back by itself when the server was away.
    pub async fn connect(&self, name: &str) -> Result<Client, ConnectError> {
        let options = self.options()?.name(name);
        let urls: Vec<&str> = self.url.split(',').map(str::trim).collect();
        options.connect(urls).await.map_err(|error| {
            let (address, text) = (self.address(), error.to_string());
            match error.kind() {
                ConnectErrorKind::ServerParse => ConnectError::Url(address),
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    ConnectError::Refused(address)
                }
                ConnectErrorKind::Tls => ConnectError::Tls(address, text),
                _ => ConnectError::Nobody(address, text),
            }
        })
    }

    fn options(&self) -> Result<ConnectOptions, ConnectError> {
        let read = |path: &PathBuf| {
            let failed =
                |error: std::io::Error| ConnectError::File(path.clone(), error.to_string());
            std::fs::read_to_string(path).map_err(failed)
        };
        let mut options = ConnectOptions::new();
        if let Some(token) = &self.token {
            options = options.token(token.clone());
        }
        if let Some((user, password)) = &self.user {
            options = options.user_and_password(user.clone(), password.clone());
        }
        if let Some(path) = &self.nkey {
            let text = read(path)?;
            let seed = text.lines().map(str::trim).find(|line| line.starts_with('S'));
            let missing = || ConnectError::File(path.clone(), "it has no nkey seed".into());
            options = options.nkey(seed.ok_or_else(missing)?.into());
        }
        if let Some(path) = &self.credentials {
            let failed =
                |error: std::io::Error| ConnectError::File(path.clone(), error.to_string());
            options = options.credentials(&read(path)?).map_err(failed)?;
        }
        if let Some(path) = &self.ca {
            read(path)?;
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.certificate {
            read(certificate)?;
            read(key)?;
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        // Back soon after a restart of the server, and soon aware of one that is dead.
        let delay = |attempt: usize| {
            Duration::from_millis(50)
                .saturating_mul(attempt.try_into().unwrap_or(20))
                .min(Duration::from_secs(1))
        };
        Ok(options
            .reconnect_delay_callback(delay)
            .ping_interval(Duration::from_secs(2))
            .connection_timeout(Duration::from_secs(5)))
    }

    /// The URL without what is before `@`.
    fn address(&self) -> String {
        let hide = |url: &str| match (url.split_once("://"), url.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            (None, Some((_, host))) => host.into(),
            _ => url.into(),
        };
        self.url.split(',').map(|url| hide(url.trim())).collect::<Vec<_>>().join(",")
    }
}
