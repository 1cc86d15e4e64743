//! An engine that listens on a socket: `tcp://host:port`.

use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::line::{read_lines, write_lines};
use super::link::{Incoming, Link, OpenError, Opening, QUEUE, Transport};

/// So long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);

/// An engine at the other end of a TCP connection.
#[derive(Clone, Debug)]
pub struct Tcp {
    address: String,
}

impl Tcp {
    /// At `host:port`.
    pub fn new(address: &str) -> Result<Tcp, OpenError> {
        let port = address.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        match port {
            Some(_) => Ok(Tcp { address: address.into() }),
            None => Err(OpenError(format!("tcp://{address} needs a host and a port"))),
        }
    }

    async fn connect(&self) -> Result<Link, OpenError> {
        let failed = |why: String| OpenError(format!("cannot connect to {}: {why}", self.name()));
        let stream = match timeout(CONNECT, TcpStream::connect(&self.address)).await {
            Ok(connected) => connected.map_err(|error| failed(error.to_string()))?,
            Err(_) => return Err(failed("no answer".into())),
        };
        // A line that waits for more to send with it comes late.
        let _ = stream.set_nodelay(true);
        let (input, output) = stream.into_split();
        let (sender, to_engine) = mpsc::channel(QUEUE);
        let (from_engine, receiver) = mpsc::channel(QUEUE);
        let writer = tokio::spawn(write_lines(to_engine, output));
        let name = self.name();
        let reader = tokio::spawn(async move {
            if read_lines(input, &from_engine).await {
                let reason = format!("{name} has closed the connection");
                let _ = from_engine.send(Incoming::Closed(reason)).await;
            }
        });
        Ok(Link::new(sender, receiver, Tasks(vec![writer.abort_handle(), reader.abort_handle()])))
    }
}

impl Transport for Tcp {
    fn open(&self) -> Opening<'_> {
        Box::pin(self.connect())
    }

    fn name(&self) -> String {
        format!("tcp://{}", self.address)
    }
}

/// Tasks that end when this is dropped.
pub(crate) struct Tasks(pub Vec<tokio::task::AbortHandle>);

impl Drop for Tasks {
    fn drop(&mut self) {
        for task in &self.0 {
            task.abort();
        }
    }
}
