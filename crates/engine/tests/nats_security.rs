//! What a real NATS server wants to see before it lets anyone in: shown the right things, worker
//! and master find each other and search; shown the wrong ones, both hear soon what is wrong.

mod jwt;
mod tls;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::{Rig, after, depth, hasty, misbehaving};
use crate::nats_server::NatsServer;
use jwt::Operator;
use nkeys::KeyPair;
use tempfile::TempDir;
use tls::Authority;
use tokio::time::timeout;
use yomikiri_engine::nats::{ConnectError, Discovery, Server, SlotEvent, Worker, WorkerSettings};
use yomikiri_engine::protocol::{BestMove, Dialect};

/// Longer than any refusal takes: only a hang takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

fn folder() -> TempDir {
    TempDir::with_prefix("yomikiri-nats-").expect("a folder")
}

/// Writes a file, and tells its path.
fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    path
}

/// A server with this configuration.
async fn serve(folder: &TempDir, configuration: &str) -> Option<NatsServer> {
    let path = write(folder, "server.conf", configuration);
    NatsServer::start(&["-c", &path.to_string_lossy()]).await
}

/// A worker lends an engine, a master finds it, and it searches.
async fn lets_in(server: &Server) {
    let connect = async |name| {
        let connected = timeout(PATIENCE, server.connect(name)).await.expect("no answer");
        connected.unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let mut discovery = Discovery::start(connect("master").await, "safe").await.expect("listens");
    let settings = WorkerSettings {
        group: "safe".into(),
        name: "machine".into(),
        transport: misbehaving(&["good"]),
        dialect: Dialect::Uci,
        slots: 1,
        options: Vec::new(),
        patience: Duration::from_secs(60),
    };
    let worker = Worker::start(connect("worker").await, settings).await.expect("works");
    let event = timeout(PATIENCE, discovery.next()).await.expect("nothing happens");
    let Some(SlotEvent::Appeared(slot)) = event else { panic!("{event:?}") };
    assert_eq!(slot.worker, worker.id());
    let mut rig = Rig::new(slot, hasty(Dialect::Uci));
    rig.ready().await;
    rig.engine.search(1, after(&["a2a3"]), depth(1));
    assert_eq!(rig.bestmove().await, (1, BestMove::Move("a2a3".into())));
}

/// Why nobody gets in.
async fn shuts_out(server: &Server) -> ConnectError {
    let result = timeout(PATIENCE, server.connect("test")).await.expect("no answer");
    result.expect_err("it lets in whom it should not")
}

async fn refuses(server: &Server) {
    let error = shuts_out(server).await;
    assert!(matches!(error, ConnectError::Refused(..)), "{error:?}");
}

async fn is_unsafe(server: &Server) {
    let error = shuts_out(server).await;
    assert!(matches!(error, ConnectError::Tls(..)), "{error:?}");
}

/// The server does not trust our certificate. Its word about it may be lost when it hangs up.
async fn is_not_trusted(server: &Server) {
    let error = shuts_out(server).await;
    assert!(matches!(error, ConnectError::Tls(..) | ConnectError::HungUp(..)), "{error:?}");
}

/// The file does not hold what it should.
async fn is_bad_file(server: &Server, path: &Path) {
    let error = shuts_out(server).await;
    assert!(matches!(&error, ConnectError::File(bad, _) if bad == path), "{error:?}");
}

#[tokio::test]
async fn user_and_password() {
    let folder = folder();
    let users = r#"authorization { users = [{ user: "yomi", password: "r@ght" }] }"#;
    let Some(server) = serve(&folder, users).await else { return };
    let with = |user: &str, password: &str| Server {
        user: Some((user.into(), password.into())),
        ..Server::new(server.url())
    };
    lets_in(&with("yomi", "r@ght")).await;
    let in_url = |secret| Server::new(server.url().replace("://", &format!("://{secret}@")));
    lets_in(&in_url("yomi:r%40ght")).await;
    refuses(&in_url("yomi:wrong")).await;
    refuses(&with("yomi", "wrong")).await;
    refuses(&with("kiri", "r@ght")).await;
    refuses(&Server::new(server.url())).await;
}

#[tokio::test]
async fn nkey() {
    let folder = folder();
    let (known, stranger) = (KeyPair::new_user(), KeyPair::new_user());
    let users = format!("authorization {{ users = [{{ nkey: {} }}] }}", known.public_key());
    let Some(server) = serve(&folder, &users).await else { return };
    let with = |path: &Path| Server { nkey: Some(path.into()), ..Server::new(server.url()) };
    let seed = |key: &KeyPair| key.seed().expect("it has one");
    lets_in(&with(&write(&folder, "known", &format!("# ours\n {}\n", seed(&known))))).await;
    refuses(&with(&write(&folder, "stranger", &seed(&stranger)))).await;
    refuses(&Server::new(server.url())).await;
    let (damaged, empty) = (write(&folder, "damaged", "SUABC\n"), write(&folder, "empty", ""));
    is_bad_file(&with(&damaged), &damaged).await;
    is_bad_file(&with(&empty), &empty).await;
}

#[tokio::test]
async fn credentials() {
    let folder = folder();
    let operator = Operator::new();
    let Some(server) = serve(&folder, &operator.configuration()).await else { return };
    let with = |name: &str, text: &str| Server {
        credentials: Some(write(&folder, name, text)),
        ..Server::new(server.url())
    };
    lets_in(&with("right", &operator.credentials(None))).await;
    refuses(&with("expired", &operator.credentials(Some(1)))).await;
    refuses(&with("stranger", &Operator::new().credentials(None))).await;
    refuses(&Server::new(server.url())).await;
    let damaged = with("damaged", "-----BEGIN NATS USER JWT-----\n");
    is_bad_file(&damaged, &folder.path().join("damaged")).await;
}

#[tokio::test]
async fn tls() {
    let folder = folder();
    let (ours, other) = (Authority::new(), Authority::new());
    let ca = write(&folder, "ca.pem", &ours.certificate);
    let (certificate, key) = ours.issue("127.0.0.1");
    let certificate = write(&folder, "server.pem", &certificate);
    let key = write(&folder, "server.key", &key);
    let configuration =
        format!("tls {{ cert_file: {certificate:?}, key_file: {key:?}, timeout: 30 }}");
    let Some(server) = serve(&folder, &configuration).await else { return };
    let with = |ca: PathBuf| Server { ca: Some(ca), ..Server::new(server.url()) };
    lets_in(&with(ca.clone())).await;
    lets_in(&Server { url: server.url().replace("nats:", "tls:"), ..with(ca.clone()) }).await;
    // Signed by nobody whom this machine knows; by another; by nobody at all.
    is_unsafe(&Server::new(server.url())).await;
    is_unsafe(&with(write(&folder, "other.pem", &other.certificate))).await;
    is_unsafe(&with(write(&folder, "empty.pem", ""))).await;
    // The certificate is for the number, not for the name.
    is_unsafe(&Server { url: server.url().replace("127.0.0.1", "localhost"), ..with(ca.clone()) })
        .await;
    let missing = folder.path().join("missing.pem");
    is_bad_file(&with(missing.clone()), &missing).await;
    // Who asks for TLS does not go on without.
    let Some(plain) = NatsServer::start(&[]).await else { return };
    is_unsafe(&Server { url: plain.url(), ..with(ca) }).await;
}

#[tokio::test]
async fn client_certificate() {
    let folder = folder();
    let (ours, other) = (Authority::new(), Authority::new());
    let ca = write(&folder, "ca.pem", &ours.certificate);
    let issue = |name: &str, authority: &Authority, subject: &str| {
        let (certificate, key) = authority.issue(subject);
        let certificate = write(&folder, &format!("{name}.pem"), &certificate);
        (certificate, write(&folder, &format!("{name}.key"), &key))
    };
    let (certificate, key) = issue("server", &ours, "127.0.0.1");
    let own = format!("cert_file: {certificate:?}, key_file: {key:?}");
    let configuration = format!("tls {{ {own}, ca_file: {ca:?}, verify: true, timeout: 30 }}");
    let Some(server) = serve(&folder, &configuration).await else { return };
    let with = |certificate: Option<(PathBuf, PathBuf)>| Server {
        ca: Some(ca.clone()),
        certificate,
        ..Server::new(server.url())
    };
    lets_in(&with(Some(issue("client", &ours, "client")))).await;
    is_not_trusted(&with(None)).await;
    is_not_trusted(&with(Some(issue("stranger", &other, "client")))).await;
    // A key that does not fit, and none at all.
    let (certificate, key) = issue("third", &ours, "client");
    is_unsafe(&with(Some((certificate.clone(), folder.path().join("client.key"))))).await;
    is_unsafe(&with(Some((certificate.clone(), certificate)))).await;
    is_bad_file(&with(Some((folder.path().join("missing"), key))), &folder.path().join("missing"))
        .await;
}
