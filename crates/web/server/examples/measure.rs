//! What watching costs, and what many visitors take: the figures of BENCHMARKS.md.
//!
//! `cargo run --release -p yomikiri-server --example measure -- PROGRAM SFEN [NODES [PAIRS]]`, where PROGRAM is
//! `yomikiri` as it was built for release. In turns the command line and a server's visitor search the
//! position for as many nodes, on one thread and with tables of one size; the visitor is told ten times a second
//! how it gets on. Time is the processor's, of all threads of both programs (Linux counts it), so that what else
//! the machine does matters little. Then 50 visitors want to search it at once.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// MiB for each table.
const HASH: u32 = 256;
const VISITORS: usize = 50;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [program, text, rest @ ..] = &words[..] else {
        return Err("usage: measure PROGRAM SFEN [NODES [PAIRS]]".into());
    };
    let nodes = rest.first().map_or(Ok(3_000_000), |nodes| nodes.parse())?;
    let pairs = rest.get(1).map_or(Ok(5), |pairs| pairs.parse())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        watching(program, text, nodes, pairs).await?;
        visitors(program, text, nodes / 10).await
    })
}

/// Nodes a second, watched and not.
async fn watching(program: &str, text: &str, nodes: u64, pairs: usize) -> Result<()> {
    let site = Site::start(program)?;
    let (mut ratios, mut outside) = (Vec::new(), Vec::new());
    for pair in 1..=pairs {
        let alone = command_line(program, text, nodes)?;
        let mut page = Page::open(&site.address).await?;
        let before = site.cpu()?;
        page.solve(text, nodes).await?;
        page.until("started").await?;
        let start = Instant::now();
        let answer = page.until("answer").await?;
        // What is not inside of slices: telling, listening, and once the making of the table.
        let inside = answer["seconds"].as_f64().ok_or("no seconds")?;
        outside.push(1.0 - inside / start.elapsed().as_secs_f64());
        let searched = answer["nodes"].as_f64().ok_or("no nodes")?;
        let watched = searched / (site.cpu()? - before);
        println!("pair {pair}: command line {alone:.0} nodes/s, watched {watched:.0} nodes/s");
        ratios.push(watched / alone);
    }
    ratios.sort_by(f64::total_cmp);
    let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
    let median = ratios[ratios.len() / 2];
    outside.sort_by(f64::total_cmp);
    println!("between slices: {:.2} % of the time", 100.0 * outside[outside.len() / 2]);
    println!("watched / command line: median {median:.3}, from {least:.3} to {most:.3}");
    Ok(())
}

/// Nodes a second of `yomikiri solve`.
fn command_line(program: &str, text: &str, nodes: u64) -> Result<f64> {
    let (nodes, hash) = (nodes.to_string(), HASH.to_string());
    let options = ["--any-mate", "--hash", &hash, "--nodes", &nodes, "--json", "--quiet"];
    // What ended children have used is counted together.
    let before = cpu_seconds("self", 15)?;
    let output = Command::new(program).arg("solve").arg(text).args(options).output()?;
    let seconds = cpu_seconds("self", 15)? - before;
    let said: Value = serde_json::from_slice(&output.stdout)?;
    Ok(said["nodes"].as_f64().ok_or("no nodes")? / seconds)
}

/// Processor time, of a process (from field 13 of its `stat`, counted from 0) or of its ended children (from 15).
fn cpu_seconds(process: &str, field: usize) -> Result<f64> {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The program's name, in parentheses, may hold anything.
    let (_, fields) = stat.rsplit_once(") ").ok_or("no fields")?;
    let ticks = fields.split(' ').skip(field - 2).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<std::result::Result<f64, _>>()? / TICKS_A_SECOND)
}

/// How 50 visitors fare, and what the server takes.
async fn visitors(program: &str, text: &str, nodes: u64) -> Result<()> {
    let site = Site::start(program)?;
    let start = Instant::now();
    let mut pages = Vec::new();
    for _ in 0..VISITORS {
        let mut page = Page::open(&site.address).await?;
        page.solve(text, nodes).await?;
        pages.push(page);
    }
    let idle = start.elapsed();
    let mut waited = 0;
    for page in &mut pages {
        page.until("answer").await?;
        waited += usize::from(page.has_waited);
    }
    println!(
        "{VISITORS} visitors: connected in {:.2} s, {waited} told their place, all answered in {:.1} s; \
         the server's peak memory {} MiB",
        idle.as_secs_f64(),
        start.elapsed().as_secs_f64(),
        site.peak().map_or_else(|| "?".into(), |kib| (kib >> 10).to_string())
    );
    Ok(())
}

/// A server, as a program of its own.
struct Site {
    child: Child,
    address: String,
}

impl Site {
    fn start(program: &str) -> Result<Site> {
        let hash = HASH.to_string();
        let mut command = Command::new(program);
        command.args(["serve", "--port", "0", "--lang", "en", "--hash", &hash]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.ok_or("no address")?.to_owned();
        Ok(Site { child, address })
    }

    /// Processor time so far.
    fn cpu(&self) -> Result<f64> {
        cpu_seconds(&self.child.id().to_string(), 13)
    }

    /// The most memory that it has had, in KiB.
    fn peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.split_whitespace().next()?.parse().ok()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    has_waited: bool,
}

impl Page {
    async fn open(address: &str) -> Result<Page> {
        let (socket, _) = connect_async(format!("ws://{address}/engine")).await?;
        let mut page = Page { socket, has_waited: false };
        page.say(&json!({"type": "hello", "version": 1})).await?;
        page.until("welcome").await?;
        Ok(page)
    }

    async fn solve(&mut self, text: &str, nodes: u64) -> Result<()> {
        self.say(&json!({
            "type": "solve", "id": 1, "text": text, "hash": HASH, "nodes": nodes, "length": "first"
        }))
        .await
    }

    async fn say(&mut self, message: &Value) -> Result<()> {
        Ok(self.socket.send(Message::text(message.to_string())).await?)
    }

    async fn until(&mut self, kind: &str) -> Result<Value> {
        while let Some(message) = self.socket.next().await {
            let Message::Text(text) = message? else { continue };
            let said: Value = serde_json::from_str(&text)?;
            self.has_waited |= said["type"] == "queued";
            if said["type"] == kind {
                return Ok(said);
            }
            if said["type"] == "error" {
                return Err(text.as_str().into());
            }
        }
        Err("the server has gone".into())
    }
}
