//! The connection to a NATS server, on the command line.

use std::path::PathBuf;

use anyhow::{Result, bail};
use tokio::sync::mpsc;
use yomikiri_engine::nats::{Client, Connection, Server, tree_subject};

/// Options that say which server, and what it wants to see.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "NATS server")]
pub struct NatsArgs {
    /// The server: nats://host:port or tls://host:port; several with commas between them
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,
    /// The group of machines that work together; several may share a server
    #[arg(long, value_name = "NAME", default_value = "default", requires = "nats")]
    pub group: String,
    /// A token [default: $YOMIKIRI_NATS_TOKEN]
    #[arg(long, value_name = "TOKEN", requires = "nats")]
    token: Option<String>,
    /// A user, with its password in $YOMIKIRI_NATS_PASSWORD
    #[arg(long, value_name = "USER", requires = "nats", conflicts_with = "token")]
    user: Option<String>,
    /// A file with the seed of an nkey
    #[arg(long, value_name = "FILE", requires = "nats")]
    nkey: Option<PathBuf>,
    /// A credentials file
    #[arg(long, value_name = "FILE", requires = "nats")]
    credentials: Option<PathBuf>,
    /// The certificates that are trusted; asks for TLS
    #[arg(long, value_name = "FILE", requires = "nats")]
    ca: Option<PathBuf>,
    /// Our certificate, for servers that ask for one
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,
    /// The key of our certificate
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,
}

impl NatsArgs {
    /// The server, if one was named.
    pub fn server(&self) -> Result<Option<Server>> {
        let Some(url) = &self.nats else { return Ok(None) };
        let secret = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
        let user = match &self.user {
            None => None,
            Some(user) => match secret("YOMIKIRI_NATS_PASSWORD") {
                Some(password) => Some((user.clone(), password)),
                None => bail!("--user: put the password into $YOMIKIRI_NATS_PASSWORD"),
            },
        };
        let token = self.token.clone().or_else(|| secret("YOMIKIRI_NATS_TOKEN"));
        Ok(Some(Server {
            url: url.clone(),
            token: token.filter(|_| user.is_none()),
            user,
            nkey: self.nkey.clone(),
            credentials: self.credentials.clone(),
            ca: self.ca.clone(),
            certificate: self.certificate.clone().zip(self.key.clone()),
        }))
    }

    /// Connects to the server that was named.
    pub async fn connect(&self, name: &str) -> Result<Client> {
        Ok(self.named()?.connect(name).await?)
    }

    /// The same, and tells when it is lost and when it is back.
    pub async fn connect_watched(
        &self,
        name: &str,
    ) -> Result<(Client, mpsc::UnboundedReceiver<Connection>)> {
        Ok(self.named()?.connect_watched(name).await?)
    }

    /// Where the server is, without secrets.
    pub fn address(&self) -> Result<String> {
        Ok(self.named()?.address())
    }

    fn named(&self) -> Result<Server> {
        match self.server()? {
            Some(server) => Ok(server),
            None => bail!("--nats URL is needed"),
        }
    }

    /// Where masters of the group show their trees.
    pub fn tree_subject(&self) -> String {
        tree_subject(&self.group)
    }
}
