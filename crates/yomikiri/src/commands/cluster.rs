//! `yomikiri cluster`: many engines as one.

use std::collections::BTreeSet;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::StreamExt;
use tokio::sync::{mpsc, watch};
use yomikiri_cluster::front::{Front, Setup};
use yomikiri_cluster::{Growth, Pool, Ranks};
use yomikiri_engine::driver::{Ping, Settings};
use yomikiri_engine::nats::{Discovery, SlotEvent, Status};
use yomikiri_engine::protocol::{Dialect, listen, shown};
use yomikiri_files as files;

use super::Exit;
use crate::json;
use crate::nats::NatsArgs;

/// Options of `cluster`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri cluster uci --workers 4 --engine stockfish
  yomikiri cluster usi --nats nats://server:4222                 engines of `yomikiri worker`
  yomikiri cluster status --nats nats://server:4222")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Speak UCI: one engine of chess, made of many
    Uci(FrontArgs),
    /// Speak USI: one engine of shogi, made of many
    Usi(FrontArgs),
    /// Show the workers of a group, and the trees of its masters
    Status(StatusArgs),
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri cluster uci --workers 4                               our own engine, four times
  yomikiri cluster uci --workers 4 --engine stockfish -o Hash=64
  yomikiri cluster usi --workers 2 --engine 'fairy-stockfish'
  yomikiri cluster uci --nats nats://server:4222                 engines of `yomikiri worker`
  yomikiri cluster uci --workers 2 --engine stockfish --engine tcp://host:5000
  yomikiri cluster uci --workers 4 --status-port 8090            the tree, on a page

Register the command as an engine in your user interface and switch pondering on: the workers then
think in the opponent's time too. `tree`, typed by hand, shows what they are on; with --status-port 8090
so does http://127.0.0.1:8090/#cluster.")]
struct FrontArgs {
    /// Engines on this machine, of each --engine [default: 1 for each core; 0 with --nats]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1024))]
    workers: Option<u16>,
    /// The command of an engine, or tcp://host:port [default: our own engine of chess]
    #[arg(long, value_name = "COMMAND")]
    engine: Vec<String>,
    /// Set an option of all engines
    #[arg(long = "option", short, value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// How the tree grows: pgpp, random, gpp or pv
    #[arg(long, value_name = "GROWTH", default_value = "pgpp")]
    growth: Growth,
    /// A table of ranks made by `yomikiri lab ranks --json` [default: the paper's]
    #[arg(long, value_name = "FILE")]
    ranks: Option<std::path::PathBuf>,
    /// An engine may take so long to start, to set an option, to begin a game, or to answer, before
    /// it is started again; others do its part long before that (also the option Patience)
    #[arg(long, value_name = "SECONDS", default_value = "60",
        value_parser = clap::value_parser!(u32).range(1..=86_400))]
    patience: u32,
    /// Show the tree on a web page of this machine, at this port; 0: any that is free, which is printed
    #[arg(long, value_name = "N")]
    status_port: Option<u16>,
    #[command(flatten)]
    nats: NatsArgs,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri cluster status --nats nats://server:4222
  yomikiri cluster status --nats nats://server:4222 --json")]
struct StatusArgs {
    /// One JSON object a worker's slot, and one a master
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    nats: NatsArgs,
}

pub fn run(args: &Args) -> Result<Exit> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = match &args.what {
        What::Uci(args) => runtime.block_on(speak(args, Dialect::Uci)),
        What::Usi(args) => runtime.block_on(speak(args, Dialect::Usi)),
        What::Status(args) => runtime.block_on(status(args)),
    };
    // Engines get a moment to end by themselves.
    runtime.shutdown_timeout(Duration::from_millis(500));
    result
}

/// An option as NAME=VALUE; without `=` a button.
pub fn parse_option(text: &str) -> Result<(String, Option<String>)> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim().to_string())),
        None => (text.trim(), None),
    };
    if name.is_empty() {
        bail!("--option is written NAME=VALUE, not '{text}'");
    }
    Ok((name.into(), value))
}

/// The command of our own engine.
pub fn own_engine() -> Result<String> {
    let path = std::env::current_exe().context("where is this program?")?;
    let path = path.to_str().context("the path of this program is not Unicode")?;
    Ok(format!("'{path}' engine chess"))
}

/// Reads a table that `lab ranks` has made.
pub fn read_ranks(path: &Path) -> Result<Ranks> {
    let text = files::read_to_string(path)?;
    serde_json::from_str(&text).with_context(|| {
        let name = files::name(path, "standard input");
        format!("{name}: no table of ranks; `yomikiri lab ranks` makes one (ranks.json)")
    })
}

async fn speak(args: &FrontArgs, dialect: Dialect) -> Result<Exit> {
    let mut settings = Settings::new(dialect);
    settings.throttle = Some(Duration::from_millis(10));
    // What a silent worker has to do is given to others within a second; whether it is slow or hung
    // is nobody's concern before its patience is over. Engines of shogi may forget their tables at a
    // ping: there it is noticed when it is to stop.
    let patience = Duration::from_secs(args.patience.into());
    settings.late = Some(Duration::from_millis(600));
    let ping = Ping { every: Duration::from_millis(250), timeout: patience };
    settings.ping = Some(ping).filter(|_| dialect == Dialect::Uci);
    settings.set_patience(patience);
    for option in &args.options {
        settings.options.push(parse_option(option)?);
    }
    let mut pool = Pool::new(settings);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let remote = args.nats.nats.is_some();
    let default = if remote && args.engine.is_empty() { 0 } else { cores };
    let workers = args.workers.map_or(default, usize::from);
    let mut engines = args.engine.clone();
    if engines.is_empty() && workers > 0 {
        if dialect == Dialect::Usi {
            bail!("which engine of shogi? Use --engine COMMAND, or --nats URL");
        }
        engines.push(own_engine()?);
    }
    if workers == 0 && !remote {
        bail!("--workers 0: at least one worker is needed, or --nats URL");
    }
    for engine in &engines {
        // One engine is at the other end of a connection, not many.
        let count = if engine.trim().starts_with("tcp://") { 1 } else { workers };
        pool.add_local(engine, count).with_context(|| format!("--engine {engine}"))?;
    }
    let name = format!("master-{}", std::process::id());
    let mut nats = None;
    if remote {
        let (client, connection) = args.nats.connect_watched("yomikiri cluster").await?;
        let discovery = Discovery::start(client.clone(), &args.nats.group).await?;
        pool.follow(discovery, connection, args.nats.address()?);
        nats = Some((client, args.nats.tree_subject()));
    }
    let page = match args.status_port {
        Some(port) => Some(show(port).await?),
        None => None,
    };
    let mut publish = None;
    if nats.is_some() || page.is_some() {
        let (sender, mut trees) = mpsc::channel::<Vec<u8>>(1);
        tokio::spawn(async move {
            while let Some(tree) = trees.recv().await {
                if let Some(page) = &page {
                    page.send_replace(String::from_utf8_lossy(&tree).into_owned());
                }
                if let Some((client, subject)) = &nats {
                    let _ = client.publish(subject.clone(), tree.into()).await;
                }
            }
        });
        publish = Some(sender);
    }
    let ranks = match &args.ranks {
        Some(path) if files::is_standard(path) => {
            bail!("--ranks -: standard input is for the dialogue, so give a file")
        }
        Some(path) => read_ranks(path)?,
        None => Ranks::paper(),
    };
    let setup = Setup { dialect, growth: args.growth, ranks, name, publish };
    let (output, mut lines) = mpsc::unbounded_channel::<String>();
    let writer = std::thread::spawn(move || {
        let mut out = std::io::stdout().lock();
        while let Some(line) = lines.blocking_recv() {
            if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
                return;
            }
        }
    });
    let (sender, input) = mpsc::channel(64);
    let hear = move |line| match line {
        Ok(Some(line)) => sender.blocking_send(line).is_ok(),
        _ => false,
    };
    listen(std::io::BufReader::new(std::io::stdin()), hear).context("cannot start the reader")?;
    Front::new(setup, pool, output).run(input).await;
    let _ = writer.join();
    Ok(Exit::Done)
}

/// Serves the page that shows the tree; where the tree is put for it.
async fn show(port: u16) -> Result<watch::Sender<String>> {
    let (sender, news) = watch::channel(String::new());
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    // The machine is the engines': one search beside them is enough.
    let settings = yomikiri_server::Settings {
        address,
        searches: 1,
        cluster: Some(news),
        ..yomikiri_server::Settings::default()
    };
    let server = yomikiri_server::Server::bind(settings).await.with_context(|| {
        format!("--status-port {port}: cannot listen at {address}; 0 takes any port that is free")
    })?;
    eprintln!("the cluster is shown at http://{}/#cluster", server.address());
    tokio::spawn(server.run(std::future::pending()));
    Ok(sender)
}

/// Listens for a moment, and shows what was heard.
async fn status(args: &StatusArgs) -> Result<Exit> {
    /// Workers say hello, and masters show their trees, twice in this time.
    const LISTEN: Duration = Duration::from_millis(1200);
    let client = args.nats.connect("yomikiri cluster status").await?;
    let mut discovery = Discovery::start(client.clone(), &args.nats.group).await?;
    let mut trees = client.subscribe(args.nats.tree_subject()).await?;
    let mut slots = Vec::new();
    let mut masters: Vec<Status> = Vec::new();
    let mut strangers = BTreeSet::new();
    let end = tokio::time::sleep(LISTEN);
    tokio::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => break,
            Some(event) = discovery.next() => slots.push(event),
            Some(message) = trees.next() => {
                match Status::read(&message.payload) {
                    Some(Ok(status)) => {
                        masters.retain(|other| other.master != status.master);
                        masters.push(status);
                    }
                    Some(Err((master, error))) if strangers.insert(master.clone()) => {
                        eprintln!("master {} is not shown: it speaks {error}", shown(&master));
                    }
                    _ => {}
                }
            }
        }
    }
    let mut out = std::io::stdout().lock();
    let mut found = 0;
    for event in &slots {
        match event {
            SlotEvent::Appeared(slot) if args.json => {
                let (id, worker, engine) = (&slot.id, &slot.worker, &slot.engine);
                let dialect = slot.dialect.name();
                let slot = serde_json::json!({
                    "slot": id, "worker": worker, "engine": engine, "dialect": dialect
                });
                json::line(&mut out, "cluster-slot", &slot)?;
                found += 1;
            }
            SlotEvent::Appeared(slot) => {
                writeln!(out, "slot {}: {} ({})", slot.id, slot.engine, slot.dialect)?;
                found += 1;
            }
            SlotEvent::Refused { worker, reason } => {
                eprintln!("worker {worker} is refused: {reason}");
            }
            SlotEvent::Vanished { .. } => {}
        }
    }
    for master in &masters {
        match args.json {
            true => json::line(&mut out, "cluster-master", master)?,
            false => write!(out, "{master}")?,
        }
    }
    if found == 0 && masters.is_empty() {
        eprintln!(
            "nobody in group '{}': start `yomikiri worker` with the same --nats and --group",
            args.nats.group
        );
        return Ok(Exit::Unknown);
    }
    Ok(Exit::Done)
}
