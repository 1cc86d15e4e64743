//! `yomikiri worker`: lends engines of this machine to masters elsewhere.

use std::time::Duration;

use anyhow::{Context, Result};
use yomikiri_engine::nats::{Connection, Worker, WorkerSettings};
use yomikiri_engine::protocol::Dialect;
use yomikiri_engine::transport::parse_modest;

use super::Exit;
use super::cluster::{own_engine, parse_option};
use crate::nats::NatsArgs;

/// Options of `worker`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri worker --nats nats://server:4222 --slots 8                       our own engine
  yomikiri worker --nats nats://server:4222 --engine stockfish --slots 4 -o Hash=256
  yomikiri worker --nats nats://server:4222 --engine fairy-stockfish --usi

The command is set here alone: nothing that comes over the network can make this machine run another
one, or set an option that is a text or a file. Ctrl-C takes the slots back.")]
pub struct Args {
    /// The command of the engine [default: our own engine of chess]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// How many engines may run at a time [default: 1 for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    slots: Option<u16>,
    /// The engine speaks USI, not UCI
    #[arg(long)]
    usi: bool,
    /// Set an option of the engine
    #[arg(long = "option", short, value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The name of this machine in messages [default: its host name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The engine may take so long to start and to set its options
    #[arg(long, value_name = "SECONDS", default_value = "60",
        value_parser = clap::value_parser!(u32).range(1..=86_400))]
    patience: u32,
    #[command(flatten)]
    nats: NatsArgs,
}

pub fn run(args: &Args) -> Result<Exit> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(serve(args));
    // Engines get a moment to end by themselves.
    runtime.shutdown_timeout(Duration::from_millis(500));
    result
}

async fn serve(args: &Args) -> Result<Exit> {
    let engine = match &args.engine {
        Some(engine) => engine.clone(),
        None => own_engine()?,
    };
    let transport = parse_modest(&engine).with_context(|| format!("--engine {engine}"))?;
    let options = args.options.iter().map(|text| parse_option(text)).collect::<Result<_>>()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (client, mut connection) = args.nats.connect_watched("yomikiri worker").await?;
    let server = args.nats.address()?;
    let settings = WorkerSettings {
        group: args.nats.group.clone(),
        name: args.name.clone().unwrap_or_else(host_name),
        transport,
        dialect: if args.usi { Dialect::Usi } else { Dialect::Uci },
        slots: args.slots.map_or(cores, usize::from),
        options,
        patience: Duration::from_secs(args.patience.into()),
    };
    let slots = settings.slots;
    let worker = Worker::start(client, settings).await?;
    for warning in worker.warnings() {
        eprintln!("{warning}");
    }
    eprintln!(
        "{}: {slots} slots of {} in group '{}'",
        worker.id(),
        worker.engine(),
        args.nats.group
    );
    loop {
        tokio::select! {
            interrupt = tokio::signal::ctrl_c() => break interrupt?,
            Some(news) = connection.recv() => match news {
                Connection::Lost => {
                    eprintln!("the NATS server at {server} is lost; trying again");
                }
                Connection::Back => eprintln!("the NATS server at {server} is back"),
            },
        }
    }
    eprintln!("leaving");
    worker.stop().await;
    Ok(Exit::Done)
}

/// The name of this machine, as far as it can be a part of a subject.
fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let plain: String =
        name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(32).collect();
    if plain.is_empty() { "worker".into() } else { plain }
}
