//! Tests of the server: over real sockets, as browsers and as others who mean no good.

#[cfg(target_os = "linux")]
mod attack;
#[cfg(target_os = "linux")]
mod certificates;
mod cluster;
mod dialogue;
mod hostile;
mod many;
mod pages;
mod room;
mod websocket;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use yomikiri_server::{Server, Settings, Window};

/// A problem of three plies.
const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";

/// A search that does not end.
const ENDLESS: &str = "hex 9 ........./........./........./........./........./........./........./........./......... B";

/// Nothing here takes so long, on any machine.
const LONG: Duration = Duration::from_secs(300);

/// A server on a thread of its own.
struct Site {
    address: SocketAddr,
    window: Window,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Site {
    fn open(settings: Settings) -> Site {
        let settings = Settings { address: ([127, 0, 0, 1], 0).into(), ..settings };
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let server = Server::bind(settings).await.expect("a port");
                tell.send((server.address(), server.window())).expect("a test");
                server.run(async { drop(stopped.await) }).await;
            });
        });
        let (address, window) = told.recv().expect("a server");
        Site { address, window, stop: Some(stop), thread: Some(thread) }
    }

    /// Waits until it is so.
    async fn wait(&self, what: &str, is_so: impl Fn(&Window) -> bool) {
        let start = Instant::now();
        while !is_so(&self.window) {
            assert!(start.elapsed() < LONG, "{what}: {:?}", self.window.census());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// A visitor who has said hello.
    async fn visitor(&self) -> Page {
        Page::welcomed(self.address, None).await
    }

    /// A connection, with these headers.
    async fn connect(&self, headers: &[(&'static str, &str)]) -> Result<Page, (u16, String)> {
        self.connect_to("engine", headers).await
    }

    /// The same with another path.
    async fn connect_to(
        &self,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Page, (u16, String)> {
        Page::connect(self.address, path, headers).await
    }

    /// Sends bytes, and hears all that is answered.
    fn raw(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(LONG)).expect("a time limit");
        stream.write_all(request).expect("to send");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("to read");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Asks for a path: the answer's first line and headers, and its body.
    fn get(&self, path: &str) -> (String, String) {
        let host = self.address;
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        let answer = self.raw(request.as_bytes());
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        (head.to_ascii_lowercase(), body.to_owned())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        drop(self.stop.take());
        let thread = self.thread.take().expect("it is dropped once");
        let ended = thread.join();
        if !std::thread::panicking() {
            ended.expect("the server ends by itself");
            assert_eq!(self.window.census().visitors, 0, "all have left");
        }
    }
}

/// A page that is open in a browser.
struct Page {
    socket: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
}

impl Page {
    async fn connect(
        address: SocketAddr,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Page, (u16, String)> {
        let url = format!("ws://{address}/{path}");
        let mut request = url.into_client_request().expect("a request");
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).expect("a header"));
        }
        match timeout(LONG, tokio_tungstenite::connect_async(request)).await.expect("in time") {
            Ok((socket, _)) => Ok(Page { socket }),
            Err(Error::Http(response)) => {
                let body = response.body().clone().unwrap_or_default();
                Err((response.status().as_u16(), String::from_utf8_lossy(&body).into_owned()))
            }
            Err(error) => Err((0, error.to_string())),
        }
    }

    /// Of a visitor who has said hello.
    async fn welcomed(address: SocketAddr, token: Option<&str>) -> Page {
        let mut page = Page::connect(address, "engine", &[]).await.expect("a connection");
        page.say(&json!({"type": "hello", "version": 1, "token": token})).await;
        assert_eq!(page.hear().await["type"], "welcome");
        page
    }

    async fn say(&mut self, message: &Value) {
        self.send(Message::text(message.to_string())).await;
    }

    async fn send(&mut self, message: Message) {
        timeout(LONG, self.socket.send(message)).await.expect("in time").expect("to send");
    }

    /// The next message; none after the connection was closed.
    async fn listen(&mut self) -> Option<Value> {
        loop {
            match timeout(LONG, self.socket.next()).await.expect("in time")? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    async fn hear(&mut self) -> Value {
        self.listen().await.expect("a message")
    }

    /// What comes until one of this kind, with it.
    async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut heard = Vec::new();
        loop {
            let message = self.hear().await;
            let is_last = message["type"] == kind;
            heard.push(message);
            if is_last {
                return heard;
            }
        }
    }

    /// The last of these.
    async fn find(&mut self, kind: &str) -> Value {
        self.until(kind).await.pop().expect("one at least")
    }

    /// Is told why it is not so, in both languages, and goes on.
    async fn refused(&mut self, message: &Value) -> String {
        self.say(message).await;
        let said = self.hear().await;
        assert_eq!(said["type"], "error", "{said}");
        assert!(said["message"]["ja"].as_str().is_some_and(|ja| !ja.is_empty()));
        said["message"]["en"].as_str().expect("words").to_owned()
    }

    /// Is told why not, and the connection ends.
    async fn thrown_out(mut self) -> String {
        let said = self.hear().await;
        assert_eq!(said["type"], "error", "{said}");
        assert_eq!(self.listen().await, None);
        said["message"]["en"].as_str().expect("words").to_owned()
    }

    /// A small search is answered: the server is unharmed.
    async fn solves(&mut self, id: u64) {
        self.say(&json!({"type": "solve", "id": id, "text": THREE, "hash": 1})).await;
        let answer = self.find("answer").await;
        assert_eq!((&answer["id"], &answer["verdict"]), (&json!(id), &json!("proven")));
    }

    /// Begins a search that does not end.
    async fn begins(&mut self, id: u64) {
        self.say(&json!({"type": "solve", "id": id, "text": ENDLESS, "hash": 1})).await;
    }
}
