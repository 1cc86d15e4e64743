//! Yomikiri's page and its engine, over HTTP: what `yomikiri serve` runs.
//!
//! The page is a list of files inside the program ([`files`]). Its engine is a WebSocket at `/engine`,
//! one [`Session`](yomikiri_session::Session) a visitor, on a thread of its own; few of them work at a
//! time, the others wait in line ([`room`]). Everything that a visitor can take is limited: memory,
//! threads, time, the length of messages, how many of them wait, how long anything may stand still. Who
//! has not said hello has no seat, and gives way to others.
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

mod entrance;
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
pub mod websocket;
mod words;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri};
use axum::routing::any;
use axum::{Extension, Router, middleware};
use hyper::server::conn::http1;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};

use entrance::{Entrance, Guest};
use house::House;
pub use house::{News, Pace, Settings};
pub use room::Census;
use room::{Room, Size};
pub use sets::Sets;
pub use token::{Token, TokenError};
use words::plain;

/// Settings of glibc's allocator for a server, as environment variables of its process. Without them each
/// thread keeps many megabytes of what it has freed, and a server with many visitors takes several times
/// the memory that is in use.
pub const FRUGAL: [(&str, &str); 2] =
    [("MALLOC_ARENA_MAX", "4"), ("MALLOC_MMAP_THRESHOLD_", "131072")];

/// Connections that have not said hello, at a time.
const CONNECTIONS: usize = 256;
/// Bytes of the head of a request: its line, and all headers.
const REQUEST: usize = 16 << 10;
/// Short messages that wait for one engine, and bytes of them.
const WAITING: (usize, usize) = (256, 64 << 10);

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
        let Settings { visitors, searches, memory, pace, .. } = &settings;
        let room = Room::new(Size {
            visitors: *visitors,
            slots: *searches,
            memory: *memory,
            // These make a quarter of it, with what small things take.
            shelf: memory / 16 * 3,
            moment: memory / 32 / searches.max(&1),
            mail: (memory / 32).max(settings.longest()),
            turn: pace.turn,
            grace: pace.grace,
            inbox: WAITING,
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
        let entrance = Entrance::new(CONNECTIONS);
        let accept = async {
            loop {
                let Ok((stream, from)) = listener.accept().await else {
                    // Too many files are open, perhaps: some will be closed.
                    sleep(Duration::from_millis(50)).await;
                    continue;
                };
                let guest = entrance.enter(from.ip());
                tokio::spawn(answer(stream, router.clone(), guest, house.settings.pace));
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

/// Answers the requests of one connection, until it becomes a WebSocket, its time is over, or others need
/// its place.
async fn answer(stream: TcpStream, router: Router, guest: Guest, pace: Pace) {
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(pace.request)
        .max_buf_size(REQUEST)
        .serve_connection(
            TokioIo::new(stream),
            TowerToHyperService::new(router.layer(Extension(guest.clone()))),
        )
        .with_upgrades();
    tokio::select! {
        // What goes wrong on the other side is its own business.
        _ = timeout(pace.connection, connection) => {}
        () = guest.displaced() => {}
    }
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
    Extension(guest): Extension<Guest>,
    request: Request,
) -> Response<Body> {
    if !guard::is_own(request.headers(), house.settings.token.is_some()) {
        return plain(
            StatusCode::FORBIDDEN,
            "Only the page of this server may speak to its engine. このサーバーのページ以外は、エンジンと通信できません。",
        );
    }
    if !house.room.has_seat() {
        return plain(
            StatusCode::SERVICE_UNAVAILABLE,
            "All places are taken: try again later. 満席です。しばらくしてからもう一度試してください。",
        );
    }
    let socket = move |socket| async move { socket::visit(socket, guest, &house).await };
    upgrade(request, socket).unwrap_or_else(|| {
        plain(
            StatusCode::UPGRADE_REQUIRED,
            "This is a WebSocket; the page is at /. ここは WebSocket です。ページは / にあります。",
        )
    })
}

async fn cluster(
    State(house): State<Arc<House>>,
    Extension(guest): Extension<Guest>,
    request: Request,
) -> Response<Body> {
    // Who would have to know the token cannot say it here.
    let news = house.settings.cluster.clone().filter(|_| house.settings.token.is_none());
    let is_own = guard::is_own(request.headers(), false);
    let is_shown = news.is_some();
    let answer = news.filter(|_| is_own).and_then(|news| {
        upgrade(
            request,
            move |socket| async move { status::tell(socket, guest, news, &house).await },
        )
    });
    answer.unwrap_or_else(|| match is_shown && !is_own {
        true => plain(
            StatusCode::FORBIDDEN,
            "Only the page of this server may look at the cluster. このサーバーのページ以外は、クラスタを見られません。",
        ),
        false => plain(
            StatusCode::NOT_FOUND,
            "No cluster is shown here. ここではクラスタを表示していません。",
        ),
    })
}

/// Makes a WebSocket of a connection and has somebody talk over it, if that is what is asked for.
fn upgrade<T: Future<Output = ()> + Send + 'static>(
    mut request: Request,
    talk: impl FnOnce(TokioIo<Upgraded>) -> T + Send + 'static,
) -> Option<Response<Body>> {
    let headers = websocket::accept(request.method(), request.headers())?;
    let socket: OnUpgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        if let Ok(socket) = socket.await {
            talk(TokioIo::new(socket)).await;
        }
    });
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    response.headers_mut().extend(headers);
    Some(response)
}
