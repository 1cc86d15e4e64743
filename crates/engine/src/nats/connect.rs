//! The connection to a NATS server.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use async_nats::{
    Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, ServerError, rustls,
};
use percent_encoding::percent_decode_str;
use tokio::sync::mpsc;

/// Where the server is, and what it wants to see.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Server {
    /// `nats://host:port` or `tls://host:port`; several with commas between them. A token, or user
    /// and password, may be in front of the host (`nats://user:password@host:port`).
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

/// What becomes of a connection. The client itself goes on trying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// The server is lost.
    Lost,
    /// It is back.
    Back,
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
    /// Somebody was there, and went without a word.
    #[error(
        "the NATS server at {0} hangs up on us ({1}): check the certificates, and that it is a \
         NATS server"
    )]
    HungUp(String, String),
    /// The server does not want us.
    #[error(
        "the NATS server at {0} refuses us ({1}): check token, user and password, nkey or \
         credentials"
    )]
    Refused(String, String),
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
        self.connect_with(self.options()?.name(name)).await
    }

    /// Connects, and tells when the server is lost and when it is back.
    pub async fn connect_watched(
        &self,
        name: &str,
    ) -> Result<(Client, mpsc::UnboundedReceiver<Connection>), ConnectError> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let was_lost = Arc::new(AtomicBool::new(false));
        let options = self.options()?.name(name).event_callback(move |event| {
            let news = match event {
                Event::Disconnected | Event::Closed if !was_lost.swap(true, Relaxed) => {
                    Some(Connection::Lost)
                }
                Event::Connected if was_lost.swap(false, Relaxed) => Some(Connection::Back),
                _ => None,
            };
            // If nobody listens any more, nobody wants to know.
            let _ = news.map(|news| sender.send(news));
            async {}
        });
        Ok((self.connect_with(options).await?, receiver))
    }

    async fn connect_with(&self, options: ConnectOptions) -> Result<Client, ConnectError> {
        let urls: Vec<&str> = self.url.split(',').map(str::trim).collect();
        options.connect(urls).await.map_err(|error| self.explain(&error))
    }

    /// Whose fault it is. The client calls most of what goes wrong an error of input or output.
    fn explain(&self, error: &async_nats::ConnectError) -> ConnectError {
        let (address, text) = (self.address(), error.to_string());
        let cause = error.source();
        let broken = cause.and_then(|cause| cause.downcast_ref::<io::Error>());
        let inner = broken.and_then(io::Error::get_ref);
        match (error.kind(), &self.nkey) {
            (ConnectErrorKind::ServerParse, _) => ConnectError::Url(address),
            (ConnectErrorKind::Authentication, Some(path)) => {
                ConnectError::File(path.clone(), "its seed is no nkey".into())
            }
            (ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation, _) => {
                ConnectError::Refused(address, text)
            }
            _ if cause.is_some_and(|cause| cause.is::<ServerError>()) => {
                ConnectError::Refused(address, text)
            }
            (ConnectErrorKind::Tls, _) => ConnectError::Tls(address, text),
            _ if inner.is_some_and(|inner| inner.is::<rustls::Error>()) => {
                ConnectError::Tls(address, text)
            }
            (ConnectErrorKind::Io, _) if broken.is_none_or(is_hang_up) => {
                ConnectError::HungUp(address, text)
            }
            _ => ConnectError::Nobody(address, text),
        }
    }

    fn options(&self) -> Result<ConnectOptions, ConnectError> {
        let read = |path: &PathBuf| {
            let failed = |error: io::Error| ConnectError::File(path.clone(), error.to_string());
            std::fs::read_to_string(path).map_err(failed)
        };
        let mut options = self.with_secret_of_url(ConnectOptions::new());
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
            let failed = |error: io::Error| ConnectError::File(path.clone(), error.to_string());
            options = options.credentials(&read(path)?).map_err(failed)?;
        }
        if let Some(path) = &self.ca {
            read(path)?;
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.certificate {
            read(certificate)?;
            read(key)?;
            let (certificate, key) = (certificate.clone(), key.clone());
            options = options.add_client_certificate(certificate, key).require_tls(true);
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

    /// The client itself pays no heed to what is before `@`.
    fn with_secret_of_url(&self, options: ConnectOptions) -> ConnectOptions {
        let mut urls = self.url.split(',').filter_map(|url| url.trim().parse::<ServerAddr>().ok());
        let Some(url) = urls.find(ServerAddr::has_user_pass) else { return options };
        let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        match (url.username().map(decode), url.password().map(decode)) {
            (Some(user), Some(password)) => options.user_and_password(user, password),
            (Some(token), None) => options.token(token),
            (None, _) => options,
        }
    }

    /// The URL without what is before `@`: for messages.
    pub fn address(&self) -> String {
        let hide = |url: &str| match (url.split_once("://"), url.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            (None, Some((_, host))) => host.into(),
            _ => url.into(),
        };
        self.url.split(',').map(|url| hide(url.trim())).collect::<Vec<_>>().join(",")
    }
}

/// Has the other side ended the connection?
fn is_hang_up(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}
