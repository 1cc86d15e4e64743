//! `yomikiri serve`: the page and its engine.

use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use yomikiri_files as files;
use yomikiri_question::lang::{Lang, Text, text};
use yomikiri_server::{Ender, FRUGAL, Sets, Settings, Token, TokenError, serve};
use yomikiri_session::Ceilings;

use super::Exit;
use super::options::{parse_hash, parse_time};
use crate::memory;
use crate::terminal;

/// Options of `serve`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri serve --open
  yomikiri serve --port 0
  yomikiri serve --address 0.0.0.0 --token-file token.txt --searches 4 --time 120

Open the address that is printed in a browser. Unless told otherwise, only this machine can reach it.
For others, choose a token and tell them: the page asks for it, or takes it from a link that ends in `#token=…`. It is
given by --token, --token-file or the environment variable YOMIKIRI_TOKEN. Nothing is encrypted: on the internet, put
a proxy that speaks TLS before it.
Where many want to search, they wait in line and see their place. A long search lets others work every 3 seconds. The
table of an answered or resting search is kept until somebody needs the memory.

Ctrl-C ends it. Exit code: 0, or 2 if it cannot begin (the port is in use, say).")]
pub struct Args {
    /// Port; 0: any that is free, which is printed
    #[arg(long, value_name = "N", default_value_t = 8080)]
    port: u16,

    /// Address to listen at; one that other machines reach needs a token
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = parse_address)]
    address: IpAddr,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// What visitors have to know: 16 or more letters, digits and -._~ (other users may see it in `ps`)
    #[arg(long, value_name = "TOKEN", conflicts_with = "token_file")]
    token: Option<String>,

    /// A file with the token in it
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Searches that run at a time; others wait in line [default: 1 for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    searches: Option<u16>,

    /// Visitors (connections) at a time
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=4096))]
    visitors: u16,

    /// Most memory for the table of one search, in MiB
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = parse_hash)]
    hash: usize,

    /// Most memory for the work of all, in MiB; small things take up to a quarter more [default: 8 times --hash, up to half of what is free]
    #[arg(long, value_name = "MIB", value_parser = parse_hash)]
    memory: Option<usize>,

    /// Most threads of one search [default: all cores on loopback, else 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,

    /// Most seconds of one search [default: no limit on loopback, else 600]
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,
}

fn parse_address(text: &str) -> Result<IpAddr, Text> {
    let expected = || {
        text!(
            "expected an IP address, such as 127.0.0.1 or 0.0.0.0",
            "127.0.0.1 や 0.0.0.0 のような IP アドレスを指定してください"
        )
    };
    match text {
        "localhost" => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => text.parse().map_err(|_| expected()),
    }
}

/// The limit on the time of a search where others come in.
const OTHERS_TIME: Duration = Duration::from_secs(600);

pub fn run(args: &Args) -> Result<Exit> {
    let settings = settings(args)?;
    begin_again();
    let ender = Ender::default();
    let ctrl_c = ender.clone();
    ctrlc::set_handler(move || ctrl_c.end())
        .with_context(|| text!("cannot listen for Ctrl-C", "Ctrl-C を受け取れません"))?;
    let asked = settings.address;
    let lang = Lang::current();
    serve(settings, &ender, |address| announce(address, args.open, lang))
        .map_err(|error| refused(asked, &error))?;
    Ok(Exit::Done)
}

/// Starts this program again with the allocator's settings for a server ([`FRUGAL`]) in its environment: the allocator
/// reads them at its start, and only there. If that fails the server runs without them, and takes more memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn begin_again() {
    use std::os::unix::process::CommandExt;
    let is_set = |(name, _): &(&str, &str)| std::env::var_os(name).is_some();
    if FRUGAL.iter().any(is_set) {
        return;
    }
    let (Ok(program), mut words) = (std::env::current_exe(), std::env::args_os()) else { return };
    let mut command = Command::new(program);
    if let Some(name) = words.next() {
        command.arg0(name);
    }
    // It comes back only with an error.
    let _ = command.args(words).envs(FRUGAL).exec();
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn begin_again() {}

fn settings(args: &Args) -> Result<Settings> {
    let is_own = args.address.is_loopback();
    let token = token(args)?;
    if !is_own && token.is_none() {
        let address = args.address;
        bail!(text!(
            "--address {address} lets other machines in: give a --token-file (or --token) that visitors have to know",
            "--address {address} はほかのコンピューターからも使えます。訪問者に求めるトークンを --token-file（または --token）で指定してください"
        ));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    memory::check(args.hash)?;
    let free = memory::available().map_or(usize::MAX, |bytes| bytes as usize);
    let most = args.hash.saturating_mul(8).min(free / 2).max(args.hash);
    let memory = args.memory.unwrap_or(most);
    if memory < args.hash {
        let (memory, hash) = (memory >> 20, args.hash >> 20);
        bail!(text!(
            "--memory {memory} has no room for one table of --hash {hash}",
            "--memory {memory} には --hash {hash} の置換表が一つも入りません"
        ));
    }
    let defaults = Settings::default();
    let ceilings = Ceilings {
        hash: args.hash >> 20,
        threads: args.threads.map_or(if is_own { cores.min(64) } else { 1 }, usize::from),
        time: args.time.or((!is_own).then_some(OTHERS_TIME)),
        ..defaults.ceilings
    };
    Ok(Settings {
        address: SocketAddr::new(args.address, args.port),
        token,
        searches: args.searches.map_or(cores, usize::from),
        visitors: args.visitors.into(),
        memory,
        ceilings,
        shelf: Arc::new(Sets::find()),
        ..defaults
    })
}

/// The token, wherever it is given. It is not a part of any message.
fn token(args: &Args) -> Result<Option<Token>> {
    let (given, place) = if let Some(token) = &args.token {
        (token.clone(), "--token".to_owned())
    } else if let Some(file) = &args.token_file {
        let bytes = files::read(file)?;
        let place = format!("--token-file {}", file.display());
        (String::from_utf8_lossy(&bytes).trim().to_owned(), place)
    } else if let Ok(token) = std::env::var("YOMIKIRI_TOKEN") {
        (token, "YOMIKIRI_TOKEN".to_owned())
    } else {
        return Ok(None);
    };
    let fewest = Token::SHORTEST;
    let token = Token::new(&given).map_err(|error| match error {
        TokenError::Short => text!(
            "{place}: a token has {fewest} characters at least",
            "{place}: トークンは{fewest}文字以上にしてください"
        ),
        TokenError::Characters => text!(
            "{place}: a token has letters, digits and -._~ only",
            "{place}: トークンに使えるのは英数字と -._~ だけです"
        ),
    });
    Ok(Some(token.map_err(|text| anyhow!(text))?))
}

/// Why it cannot listen, and what to do.
fn refused(address: SocketAddr, error: &io::Error) -> anyhow::Error {
    let port = address.port();
    anyhow!(match error.kind() {
        ErrorKind::AddrInUse => text!(
            "port {port} is in use: choose another with --port, or --port 0 for any that is free",
            "ポート {port} は使われています。--port で別のものを選ぶか、空いているものを選ぶ --port 0 を指定してください"
        ),
        ErrorKind::PermissionDenied => text!(
            "port {port} may not be used: choose one from 1024 on with --port",
            "ポート {port} は使えません。--port で 1024 以上のものを選んでください"
        ),
        ErrorKind::AddrNotAvailable => {
            let address = address.ip();
            text!(
                "--address {address} is not an address of this machine",
                "--address {address} はこのコンピューターのアドレスではありません"
            )
        }
        _ =>
            text!("cannot listen at {address}: {error}", "{address} で待ち受けられません: {error}"),
    })
}

/// Says where the page is, and opens it.
fn announce(address: SocketAddr, opens: bool, lang: Lang) {
    // Where it listens at all addresses, this machine has one that can be opened.
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    let url = format!("http://{}/", SocketAddr::new(ip, address.port()));
    // Whoever closed standard output does not want to know.
    let mut out = io::stdout();
    let _ = writeln!(
        out,
        "{}",
        text!(
            "The page is at {url} (Ctrl-C ends it)",
            "ページは {url} です（Ctrl-C で終わります）"
        )
    );
    let _ = out.flush();
    if opens {
        std::thread::spawn(move || lang.speak(|| open(&url)));
    }
}

/// Opens an address in the browser, as this system does it.
fn open(url: &str) {
    let words: &[&str] = match () {
        () if cfg!(target_os = "macos") => &["open"],
        () if cfg!(windows) => &["cmd", "/c", "start", ""],
        () => &["xdg-open"],
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(url);
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !ended.is_ok_and(|status| status.success()) {
        terminal::note(&text!(
            "there is no browser to open: open {url} yourself",
            "開けるブラウザがありません。{url} をご自分で開いてください"
        ));
    }
}
