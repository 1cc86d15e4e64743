//! A visitor's connection: messages in and out, in time.

use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::{SinkExt, StreamExt};
use tokio::time::{interval, timeout};
use yomikiri_question::lang::{Text, text};
use yomikiri_session::contract::VERSION;
use yomikiri_session::{Place, Reply, Request, Session};

use crate::house::{House, Pace};
use crate::outbox::Outbox;
use crate::room::{Door, Seat};
use crate::visitor::Visitor;

/// What a connection ends with: a number that WebSockets have for it, and what the visitor is told.
struct End(u16, Option<Text>);

/// The visitor has gone by itself.
const LEFT: u16 = 1000;
const GOING_AWAY: u16 = 1001;
const NOT_TEXT: u16 = 1003;
const BROKEN: u16 = 1007;
const REFUSED: u16 = 1008;
const FAULT: u16 = 1011;

/// Receives a visitor, and sees him off.
pub(crate) async fn visit(mut socket: WebSocket, seat: Seat, house: &House) {
    let mut closing = house.closing.subscribe();
    let talk = async {
        match greet(&mut socket, house).await {
            Ok(hello) => talk(&mut socket, seat, hello, house).await,
            Err(end) => end,
        }
    };
    let end = tokio::select! {
        end = talk => end,
        () = async { drop(closing.wait_for(|closing| *closing).await) } => End(GOING_AWAY, None),
    };
    let End(code, said) = end;
    let goodbye = async {
        if let Some(message) = said {
            socket.send(Message::Text(Reply::error(None, message).to_json().into())).await?;
        }
        socket.send(Message::Close(Some(CloseFrame { code, reason: "".into() }))).await?;
        // Until the other side has read that, or it would be lost with what is unread here.
        while let Some(Ok(_)) = socket.recv().await {}
        Ok::<(), axum::Error>(())
    };
    // Who does not listen does not hear it.
    let _ = timeout(house.settings.pace.goodbye, goodbye).await;
}

/// Waits for `hello`, with the token where one is needed.
async fn greet(socket: &mut WebSocket, house: &House) -> Result<Request, End> {
    let said = timeout(house.settings.pace.hello, async {
        loop {
            match socket.recv().await {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => return other,
            }
        }
    });
    let said = match said.await {
        Ok(Some(message)) => text_of(message)?,
        Ok(None) => return Err(End(LEFT, None)),
        Err(_) => {
            return Err(End(
                REFUSED,
                Some(text!("nobody has said hello", "hello がありませんでした")),
            ));
        }
    };
    let request = said.and_then(|said| serde_json::from_str(&said).ok());
    let Some(Request::Hello { version, token }) = request else {
        return Err(End(
            REFUSED,
            Some(text!(
                "the first message must be hello",
                "最初の電文は hello でなければなりません"
            )),
        ));
    };
    let is_let_in = match (&house.settings.token, &token) {
        (None, _) => true,
        (Some(own), Some(guess)) => own.is(guess),
        (Some(_), None) => false,
    };
    if !is_let_in {
        return Err(End(
            REFUSED,
            Some(text!(
                "this server wants its token, and this is not it",
                "このサーバーにはトークンが必要です。トークンがないか、違っています"
            )),
        ));
    }
    if version != VERSION {
        return Err(End(
            REFUSED,
            Some(text!(
                "the page speaks version {version}, the server {VERSION}: load the page again",
                "ページは版{version}、サーバーは版{VERSION}です。ページを読み込み直してください"
            )),
        ));
    }
    Ok(Request::Hello { version, token: None })
}

/// Hands messages on, both ways, until one side has enough.
async fn talk(socket: &mut WebSocket, seat: Seat, hello: Request, house: &House) -> End {
    let (pace, ceilings) = (house.settings.pace, house.settings.ceilings);
    let door = seat.door();
    let outbox = Outbox::default();
    let engine = {
        let (outbox, shelf) = (outbox.clone(), house.settings.shelf.clone());
        move || {
            // Not sent from thread to thread: an open certificate need not be fit for that.
            let session = Session::new(Place::Server, ceilings).with_shelf(shelf);
            Visitor::new(session, seat, outbox, pace.slice).run(hello);
        }
    };
    if std::thread::Builder::new().name("visitor".into()).spawn(engine).is_err() {
        return End(
            FAULT,
            Some(text!(
                "the server has no thread left: try again later",
                "サーバーに余裕がありません。しばらくしてからもう一度試してください"
            )),
        );
    }
    let _leave = Leave(&door, &outbox);
    let (mut sink, mut stream) = socket.split();
    let mut ping = interval(pace.ping);
    let mut heard = Instant::now();
    loop {
        let send = tokio::select! {
            message = stream.next() => {
                heard = Instant::now();
                match message {
                    None => return End(LEFT, None),
                    Some(Ok(Message::Close(_))) => return End(LEFT, None),
                    Some(message) => match text_of(message) {
                        Err(end) => return end,
                        Ok(None) => continue,
                        Ok(Some(message)) if stops(&door, &message) => continue,
                        Ok(Some(message)) => match door.post(message) {
                            Ok(()) => continue,
                            Err(_) => return End(REFUSED, Some(text!(
                                "too many questions at once: wait for the answers",
                                "一度に質問が多すぎます。答えを待ってください"
                            ))),
                        },
                    },
                }
            }
            said = outbox.pop() => match said {
                Some(said) => Message::Text(said.into()),
                None => return End(FAULT, Some(text!(
                    "the engine has failed: this is a fault of the server",
                    "エンジンが異常終了しました。サーバーの不具合です"
                ))),
            },
            _ = ping.tick() => {
                if heard.elapsed() > pace.silence {
                    return End(REFUSED, None);
                }
                Message::Ping(Vec::new().into())
            }
        };
        match timeout(patience(&pace, &send), sink.send(send)).await {
            Ok(Ok(())) => {}
            // Gone, or it reads nothing.
            Ok(Err(_)) | Err(_) => return End(LEFT, None),
        }
    }
}

/// Whatever ends a talk, the engine hears of it.
struct Leave<'a>(&'a Door, &'a Outbox);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.leave();
        self.1.close();
    }
}

/// Does this message stop what runs? Then it has done so, whatever the engine is at.
fn stops(door: &Door, message: &str) -> bool {
    const LONGEST: usize = 256;
    let request = (message.len() <= LONGEST).then(|| serde_json::from_str(message).ok());
    matches!(request.flatten(), Some(Request::Stop { id }) if door.stop(id))
}

/// How long a message may take to be sent: a slow line is no reason to be thrown out.
fn patience(pace: &Pace, message: &Message) -> Duration {
    const BYTES_A_SECOND: usize = 50_000;
    let bytes = if let Message::Text(text) = message { text.len() } else { 0 };
    pace.stall + Duration::from_secs((bytes / BYTES_A_SECOND) as u64)
}

/// The text of a message, if it is one.
fn text_of(message: Result<Message, axum::Error>) -> Result<Option<String>, End> {
    match message {
        Ok(Message::Text(text)) => Ok(Some(text.as_str().to_owned())),
        Ok(Message::Binary(_)) => {
            Err(End(NOT_TEXT, Some(text!("messages are text", "電文は文字列でなければなりません"))))
        }
        Ok(Message::Close(_)) => Err(End(LEFT, None)),
        Ok(Message::Ping(_) | Message::Pong(_)) => Ok(None),
        Err(error) => Err(End(
            BROKEN,
            Some(text!(
                "this cannot be read, or is too long: {error}",
                "読めないか、長すぎます: {error}"
            )),
        )),
    }
}
