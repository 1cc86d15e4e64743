//! Attacks on a server that is a process of its own, so that its memory and its threads can be counted.

use std::io::{BufRead, BufReader, Lines};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::SinkExt;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::{Mutex, MutexGuard};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use yomikiri_server::{Ender, FRUGAL, Settings, Token, serve};
use yomikiri_session::Ceilings;

use crate::{Page, THREE};

const TOKEN: &str = "correct-horse-battery";
/// What another visitor waits for a small answer at most.
const PROMPTLY: Duration = Duration::from_secs(5);
/// So long after the last visitor has left all threads have ended.
const LEAVING: Duration = Duration::from_secs(30);

/// If this is set, `server` is the server, with so many MiB.
const SERVER: &str = "YOMIKIRI_ATTACKED";

/// Not a test: what [`Fort::with`] starts.
#[test]
fn server() {
    let Ok(memory) = std::env::var(SERVER) else { return };
    let memory = memory.parse::<usize>().expect("a number");
    let ceilings = Ceilings { hash: memory.min(256), ..Settings::default().ceilings };
    let settings = Settings {
        address: ([127, 0, 0, 1], 0).into(),
        token: Token::new(TOKEN).ok(),
        memory: memory << 20,
        ceilings,
        ..Settings::default()
    };
    serve(settings, &Ender::default(), |address| println!("\nat {address}")).expect("a server");
}

/// A server under attack.
pub struct Fort {
    child: Child,
    /// As `--memory` says.
    memory: usize,
    /// One attack at a time, so that none is measured by another's.
    _turn: MutexGuard<'static, ()>,
    /// It would end if nobody held this.
    _output: Lines<BufReader<ChildStdout>>,
    address: SocketAddr,
    threads: usize,
}

impl Fort {
    /// With so many MiB for the tables of all.
    pub async fn with(memory: usize) -> Fort {
        static TURN: Mutex<()> = Mutex::const_new(());
        let turn = TURN.lock().await;
        let own = std::env::current_exe().expect("this program");
        let mut command = Command::new(own);
        command.args(["--exact", "attack::server", "--nocapture"]);
        command.env(SERVER, memory.to_string()).envs(FRUGAL);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a server");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let address = loop {
            let line = lines.next().expect("an address").expect("a line");
            if let Some(address) = line.strip_prefix("at ") {
                break address.parse().expect("an address");
            }
        };
        let mut fort = Fort { child, memory, _turn: turn, _output: lines, address, threads: 0 };
        fort.threads = fort.status("Threads");
        fort
    }

    pub async fn visitor(&self) -> Page {
        Page::welcomed(self.address, Some(TOKEN)).await
    }

    /// A number of the kernel's.
    fn status(&self, name: &str) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.expect("a number")
    }

    /// Another visitor is answered meanwhile.
    pub async fn answers(&self) {
        let start = Instant::now();
        let mut page = self.visitor().await;
        page.say(&json!({"type": "solve", "id": 1, "text": THREE, "hash": 64})).await;
        let answer = timeout(10 * PROMPTLY, page.find("answer")).await.expect("an answer");
        assert_eq!(answer["verdict"], "proven");
        eprintln!("answered in {:?}", start.elapsed());
        assert!(start.elapsed() < PROMPTLY, "{:?}", start.elapsed());
    }

    /// Everybody has left: so have their threads; and it never took more memory than it may.
    pub async fn stands(&self) {
        let start = Instant::now();
        while self.status("Threads") > self.threads {
            assert!(start.elapsed() < LEAVING, "{} threads", self.status("Threads"));
            sleep(Duration::from_millis(20)).await;
        }
        let (peak, now) = (self.status("VmHWM") >> 10, self.status("VmRSS") >> 10);
        eprintln!("peak {peak} MiB, now {now} MiB, threads back after {:?}", start.elapsed());
        assert!(peak <= self.memory * 5 / 4, "{peak} MiB");
    }
}

impl Drop for Fort {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A graph of about so many bytes, all of it moves of the root.
fn broad(bytes: usize) -> String {
    format!("graph\na or{}\nb win\n", " b".repeat(bytes / 2))
}

/// Visitors who ask one thing again and again, and never read an answer.
pub async fn deaf(fort: &Fort, visitors: usize, questions: usize, question: &str) -> JoinSet<Page> {
    let mut all = JoinSet::new();
    let question: Arc<str> = question.into();
    for _ in 0..visitors {
        let (mut page, question) = (fort.visitor().await, question.clone());
        all.spawn(async move {
            for id in 1..=questions {
                let question = question.replacen("\"id\":0", &format!("\"id\":{id}"), 1);
                // The server may have had enough.
                if page.socket.send(Message::text(question)).await.is_err() {
                    break;
                }
            }
            page
        });
    }
    all
}

#[tokio::test]
async fn answers_that_nobody_reads() {
    let fort = Fort::with(256).await;
    let text = broad(1_000_000);
    // A position with so many moves is shown, but they are not listed.
    let mut page = fort.visitor().await;
    page.say(&json!({"type": "moves", "id": 1, "text": text})).await;
    assert_eq!(page.find("error").await["id"], 1);
    drop(page);
    let reads = json!({"type": "read", "id": 0, "text": text}).to_string();
    let moves = json!({"type": "moves", "id": 0, "text": text}).to_string();
    let silent = (deaf(&fort, 4, 12, &reads).await, deaf(&fort, 4, 12, &moves).await);
    fort.answers().await;
    sleep(Duration::from_secs(2)).await;
    fort.answers().await;
    drop(silent);
    fort.stands().await;
}

/// A record of about so many bytes: pieces that go to and fro.
fn long_game(bytes: usize) -> String {
    format!("startpos moves{}", " 2h3h 8b7b 3h2h 7b8b".repeat(bytes / 20))
}

/// A message of about so many bytes, small things of which each takes many.
fn bomb(bytes: usize) -> String {
    format!(r#"{{"id":0,"type":"stop","now":[{}[]]}}"#, "[],".repeat(bytes / 3))
}

#[tokio::test]
async fn long_records_whose_positions_nobody_reads() {
    let fort = Fort::with(256).await;
    let reads = json!({"type": "read", "id": 0, "text": long_game(200_000)}).to_string();
    // As many as would take twice the memory if all were answered.
    let all = deaf(&fort, 16, 12, &reads).await;
    fort.answers().await;
    sleep(Duration::from_secs(12)).await;
    fort.answers().await;
    drop(all);
    fort.stands().await;
}

#[tokio::test]
async fn messages_that_take_many_times_their_size() {
    let fort = Fort::with(256).await;
    let all = deaf(&fort, 8, 10, &bomb(15 << 20)).await;
    fort.answers().await;
    sleep(Duration::from_secs(2)).await;
    fort.answers().await;
    drop(all);
    fort.stands().await;
}

#[tokio::test]
async fn plays_without_end() {
    let fort = Fort::with(256).await;
    let text = format!("graph\na or{}\n", " a".repeat(200_000));
    let played = vec!["a"; 100_000];
    let all = deaf(
        &fort,
        8,
        1,
        &json!({"type": "moves", "id": 0, "text": text, "played": played}).to_string(),
    )
    .await;
    fort.answers().await;
    drop(all);
    fort.stands().await;
}

#[tokio::test]
async fn large_messages_that_do_not_end() {
    let fort = Fort::with(256).await;
    let mut all = JoinSet::new();
    for _ in 0..6 {
        let mut page = fort.visitor().await;
        all.spawn(async move {
            stuff(&mut page, 15 << 20).await;
            page
        });
    }
    sleep(Duration::from_secs(2)).await;
    fort.answers().await;
    // Who has a long message of his own gets through, too: those who send nothing more are sent away.
    let mut page = fort.visitor().await;
    let text = long_game(50_000);
    let read = async {
        page.say(&json!({"type": "read", "id": 1, "text": text})).await;
        page.find("position").await
    };
    timeout(60 * PROMPTLY, read).await.expect("an answer");
    drop((all, page));
    fort.stands().await;
}

/// Begins a message of so many bytes, and sends all but the last of them.
async fn stuff(page: &mut Page, bytes: usize) {
    let mut frame = vec![0x81, 0xff];
    frame.extend((bytes as u64).to_be_bytes());
    frame.extend([0; 4]);
    frame.resize(frame.len() + bytes - 1, b' ');
    let _ = page.socket.get_mut().write_all(&frame).await;
}

#[tokio::test]
async fn megabytes_without_the_token() {
    let fort = Fort::with(256).await;
    let mut all = JoinSet::new();
    for _ in 0..60 {
        let mut page = Page::connect(fort.address, "engine", &[]).await.expect("a connection");
        all.spawn(async move {
            stuff(&mut page, 15 << 20).await;
            page
        });
    }
    sleep(Duration::from_secs(2)).await;
    fort.answers().await;
    drop(all);
    fort.stands().await;
}

#[tokio::test]
async fn seats_without_the_token() {
    let fort = Fort::with(256).await;
    let mut all = Vec::new();
    for _ in 0..400 {
        all.push(Page::connect(fort.address, "engine", &[]).await);
    }
    fort.answers().await;
    drop(all);
    fort.stands().await;
}

#[tokio::test]
async fn connections_that_say_little() {
    let fort = Fort::with(256).await;
    let mut all = Vec::new();
    for number in 0..600 {
        let mut stream = TcpStream::connect(fort.address).await.expect("a connection");
        if number % 2 == 0 {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nx: ").await;
        }
        all.push(stream);
    }
    fort.answers().await;
    drop(all);
    fort.stands().await;
}
