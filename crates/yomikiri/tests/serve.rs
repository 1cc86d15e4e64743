//! `yomikiri serve`: how it begins, and how it ends. What it serves is tested in `yomikiri-server`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::support::{command, finish, yomikiri};

/// A server that runs, and the address that it has printed.
struct Served {
    child: Child,
    line: String,
    address: String,
}

impl Served {
    fn start(mut command: Command) -> Served {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("no address: {line}")).to_owned();
        Served { child, line, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let host = &self.address;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")
            .expect("to send");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("to read");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Ctrl-C: what it said on standard error.
    fn end(self) -> String {
        let id = self.child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &id]).status();
        assert!(killed.is_ok_and(|status| status.success()), "kill {id}");
        let run = finish(self.child);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stderr
    }
}

#[test]
fn the_page_is_where_it_is_said_to_be_until_ctrl_c() {
    let help = yomikiri(&["serve", "--help"]);
    assert!(help.code == Some(0) && help.stdout.contains("Examples:"), "{}", help.stdout);
    let served = Served::start(command(&["serve", "--port", "0"]));
    assert!(served.address.starts_with("127.0.0.1:") && served.line.contains("Ctrl-C"));
    let page = served.get("/");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Yomikiri"), "{page}");
    assert!(served.get("/../Cargo.toml").starts_with("HTTP/1.1 404"));
    assert_eq!(served.end(), "");
}

/// Its threads give back what they have freed; `crates/web/server/tests/attack.rs` measures that.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn its_allocator_is_set_for_a_server() {
    let served = Served::start(command(&["serve", "--port", "0"]));
    let environment = fs::read(format!("/proc/{}/environ", served.child.id())).expect("it runs");
    let environment = String::from_utf8_lossy(&environment).into_owned();
    for (name, value) in yomikiri_server::FRUGAL {
        assert!(environment.split('\0').any(|set| set == format!("{name}={value}")), "{name}");
    }
    assert_eq!(served.end(), "");
}

#[test]
fn without_a_browser_it_says_so_and_goes_on() {
    let mut command = command(&["serve", "--port", "0", "--open"]);
    command.env("PATH", "");
    let mut served = Served::start(command);
    let mut said = String::new();
    let stderr = served.child.stderr.take().expect("its errors");
    BufReader::new(stderr).read_line(&mut said).expect("a line");
    assert!(said.contains("no browser to open") && said.contains(&served.address), "{said}");
    assert!(served.get("/").starts_with("HTTP/1.1 200"));
    served.end();
}

#[test]
fn a_token_is_needed_for_others_and_shown_to_nobody() {
    let others = ["serve", "--port", "0", "--address", "0.0.0.0"];
    yomikiri(&others).fails_with(&["--address 0.0.0.0", "--token"]);
    let with = |more: [&'static str; 2]| [&others[..], &more].concat();
    let short = yomikiri(&with(["--token", "sesame"]));
    short.fails_with(&["--token", "16 characters"]);
    assert!(!short.stderr.contains("sesame"));
    yomikiri(&with(["--token", "open sesame, open sesame"])).fails_with(&["letters, digits"]);
    yomikiri(&with(["--token-file", "absent.txt"])).fails_with(&["absent.txt"]);
    let folder = crate::support::directory("serve-token");
    let file = folder.join("token.txt");
    fs::write(&file, "open-sesame-open-sesame\n").expect("a file");
    let mut command_with_file = command(&others);
    command_with_file.arg("--token-file").arg(file);
    let served = Served::start(command_with_file);
    assert!(!served.line.contains("sesame") && served.address.starts_with("127.0.0.1:"));
    assert_eq!(served.end(), "");
    let mut named = command(&others);
    named.env("YOMIKIRI_TOKEN", "open-sesame-open-sesame");
    let served = Served::start(named);
    assert!(!served.line.contains("sesame"));
    assert_eq!(served.end(), "");
}

#[test]
fn what_it_cannot_begin_with_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port().to_string();
    let run = yomikiri(&["serve", "--port", &port]);
    run.fails_with(&[&format!("port {port} is in use"), "--port 0"]);
    let run = yomikiri(&["serve", "--port", &port, "--lang", "ja"]);
    run.fails_with(&[&format!("ポート {port} は使われています")]);
    yomikiri(&["serve", "--port", "70000"]).fails_with(&["70000"]);
    yomikiri(&["serve", "--address", "somewhere"]).fails_with(&["expected an IP address"]);
    let elsewhere = ["serve", "--address", "192.0.2.1", "--token", "open-sesame-open-sesame"];
    yomikiri(&elsewhere).fails_with(&["192.0.2.1", "not an address of this machine"]);
    let small = ["serve", "--hash", "64", "--memory", "32"];
    yomikiri(&small).fails_with(&["--memory 32", "--hash 64"]);
    for option in ["--searches", "--visitors", "--hash", "--threads"] {
        yomikiri(&["serve", option, "0"]).fails_with(&["0"]);
    }
    yomikiri(&["serve", "--time", "soon"]).fails_with(&["seconds"]);
}
