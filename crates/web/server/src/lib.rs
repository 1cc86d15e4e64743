//! Yomikiri's page and its engine, over HTTP: what `yomikiri serve` runs.
//!
//! The page is a list of files inside the program ([`files`]). Its engine is a WebSocket at `/engine`,
//! one [`Session`](yomikiri_session::Session) a visitor, on a thread of its own; few of them work at a
//! time, the others wait in line ([`room`]). Everything that a visitor can take is limited: memory,
//! threads, time, the length of messages, how many of them wait, how long anything may stand still.
//!
//! ```
//! use yomikiri_server::{Ender, Settings, serve};
//!
//! # fn main() -> std::io::Result<()> {
//! let settings = Settings { address: ([127, 0, 0, 1], 0).into(), ..Settings::default() };
//! let ender = Ender::default();
//! serve(settings, &ender, |address| {
//!     println!("http://{address}/");
//!     ender.end(); // from anywhere, at any time
//! })
//! # }
//! ```

pub mod files;
mod guard;
mod house;
mod outbox;
pub mod room;
mod sets;
mod socket;
mod status;
mod token;
mod visitor;
mod words;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri};
use axum::routing::any;
use axum::{Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::{sleep, timeout};
use yomikiri_session::Ceilings;

use house::House;
pub use house::{News, Pace, Settings};
pub use room::Census;
use room::{Room, Size};
pub use sets::Sets;
pub use token::{Token, TokenError};
use words::plain;

/// Connections that are no WebSockets, at a time.
const CONNECTIONS: usize = 256;
/// Bytes of a message around the certificate or text in it.
const AROUND: usize = 64 << 10;
/// Messages that wait for one engine.
const WAITING: usize = 256;

/// A server that listens.
pub struct Server {
    house: Arc<House>,
    listener: TcpListener,
    address: SocketAddr,
}

/// Ends a server, from any thread.
#[derive(Clone, Default)]
pub struct Ender(Arc<Notify>);

impl Ender {
    /// It has to end.
    pub fn end(&self) {
        self.0.notify_one();
    }
}

/// Serves on this thread until somebody ends it; says before where it listens.
pub fn serve(settings: Settings, ender: &Ender, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(settings).await?;
        ready(server.address());
        server.run(ender.0.notified()).await;
        Ok(())
    })
}

/// Looks into a server while it runs.
#[derive(Clone)]
pub struct Window(Arc<House>);

impl Window {
    /// How many visitors there are.
    pub fn census(&self) -> Census {
        self.0.room.census()
    }
}

impl Server {
    /// Listens, but does not answer yet.
    pub async fn bind(settings: Settings) -> io::Result<Server> {
        let listener = TcpListener::bind(settings.address).await?;
        let address = listener.local_addr()?;
        let room = Room::new(Size {
            visitors: settings.visitors,
            slots: settings.searches,
            memory: settings.memory,
            shelf: settings.memory / 4,
            turn: settings.pace.turn,
            inbox: (WAITING, longest(&settings.ceilings)),
        });
        let house = Arc::new(House { settings, room, closing: watch::Sender::new(false) });
        Ok(Server { house, listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// To look into it while it runs.
    pub fn window(&self) -> Window {
        Window(self.house.clone())
    }

    /// Answers until told to end; then takes leave of all visitors, whose searches stop at once.
    pub async fn run(self, until: impl Future<Output = ()>) {
        let Server { house, listener, .. } = self;
        let router = Router::new()
            .route("/engine", any(engine))
            .route("/cluster", any(cluster))
            .fallback(file)
            .layer(middleware::map_response(secured))
            .with_state(house.clone());
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        let accept = async {
            loop {
                let Ok((stream, _)) = listener.accept().await else {
                    // Too many files are open, perhaps: some will be closed.
                    sleep(Duration::from_millis(50)).await;
                    continue;
                };
                match places.clone().try_acquire_owned() {
                    Ok(place) => {
                        let answer = answer(stream, router.clone(), house.settings.pace);
                        tokio::spawn(async move {
                            answer.await;
                            drop(place);
                        });
                    }
                    Err(_) => turn_away(stream),
                }
            }
        };
        tokio::select! {
            () = accept => {}
            () = until => {}
        }
        drop(listener);
        house.closing.send_replace(true);
        house.room.close();
        // A search looks at its flag every few microseconds; a slow disk or a debugger may not.
        for _ in 0..200 {
            if house.room.census().visitors == 0 {
                break;
            }
            sleep(Duration::from_millis(10)).await;
        }
    }
}

/// Bytes of the longest message that a visitor may send.
fn longest(ceilings: &Ceilings) -> usize {
    // Letters may be written as \u1234.
    (ceilings.certificate.div_ceil(3) * 4).max(6 * ceilings.text) + AROUND
}

/// Answers the requests of one connection, until it becomes a WebSocket or its time is over.
async fn answer(stream: TcpStream, router: Router, pace: Pace) {
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(pace.request)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    // What goes wrong on the other side is its own business.
    let _ = timeout(pace.connection, connection).await;
}

/// Says to one connection too many that it is one.
fn turn_away(mut stream: TcpStream) {
    const WORDS: &str = "There are too many connections: try again later.\n";
    let said = format!(
        "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-type: text/plain\r\n\
         x-content-type-options: nosniff\r\ncontent-length: {}\r\n\r\n{WORDS}",
        WORDS.len()
    );
    tokio::spawn(async move {
        let _ = timeout(Duration::from_secs(1), stream.write_all(said.as_bytes())).await;
    });
}

async fn secured(mut response: Response<Body>) -> Response<Body> {
    guard::secure(response.headers_mut());
    response
}

async fn file(method: Method, uri: Uri, headers: HeaderMap) -> Response<Body> {
    files::get(&method, uri.path(), &headers)
}

async fn engine(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response<Body> {
    if !guard::is_own(&headers, house.settings.token.is_some()) {
        return plain(
            StatusCode::FORBIDDEN,
            "Only the page of this server may speak to its engine. このサーバーのページ以外は、エンジンと通信できません。",
        );
    }
    let Ok(upgrade) = upgrade else {
        return plain(
            StatusCode::UPGRADE_REQUIRED,
            "This is a WebSocket; the page is at /. ここは WebSocket です。ページは / にあります。",
        );
    };
    let Some(seat) = house.room.sit() else {
        return plain(
            StatusCode::SERVICE_UNAVAILABLE,
            "All places are taken: try again later. 満席です。しばらくしてからもう一度試してください。",
        );
    };
    let most = longest(&house.settings.ceilings);
    upgrade
        .max_message_size(most)
        .max_frame_size(most)
        .on_upgrade(move |socket| async move { socket::visit(socket, seat, &house).await })
}

async fn cluster(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response<Body> {
    // Who would have to know the token cannot say it here.
    let news = house.settings.cluster.clone().filter(|_| house.settings.token.is_none());
    let (Some(news), Ok(upgrade)) = (news, upgrade) else {
        return plain(
            StatusCode::NOT_FOUND,
            "No cluster is shown here. ここではクラスタを表示していません。",
        );
    };
    if !guard::is_own(&headers, false) {
        return plain(
            StatusCode::FORBIDDEN,
            "Only the page of this server may look at the cluster. このサーバーのページ以外は、クラスタを見られません。",
        );
    }
    // Nobody has anything to say here.
    const MOST: usize = 1 << 10;
    upgrade
        .max_message_size(MOST)
        .max_frame_size(MOST)
        .on_upgrade(move |socket| async move { status::tell(socket, news, &house).await })
}
