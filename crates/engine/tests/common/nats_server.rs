//! A NATS server of our own, on a free port of this machine.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use yomikiri_engine::program::find_program;

pub struct NatsServer {
    program: PathBuf,
    arguments: Vec<String>,
    port: u16,
    child: Option<Child>,
}

impl NatsServer {
    /// `None`, with a word about it, if there is no `nats-server`.
    pub async fn start(arguments: &[&str]) -> Option<NatsServer> {
        let program = yomikiri_needs::program("nats-server", find_program("nats-server"))?;
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("bound").port();
        drop(listener);
        let arguments = arguments.iter().map(|&argument| argument.to_string()).collect();
        let mut server = NatsServer { program, arguments, port, child: None };
        server.restart().await;
        Some(server)
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("it runs");
            child.wait().expect("it ends");
        }
    }

    pub async fn restart(&mut self) {
        self.kill();
        let mut command = Command::new(&self.program);
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]).args(&self.arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = self.child.insert(command.spawn().expect("it starts"));
        while tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            let end = child.try_wait().expect("it can be asked");
            assert!(end.is_none(), "nats-server ends at once: {:?}", self.arguments);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}
