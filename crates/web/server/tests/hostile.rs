//! Those who mean no good: each is refused with a sentence, and the others do not notice.

use std::net::TcpStream;
use std::time::Duration;

use futures_util::StreamExt;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use yomikiri_server::{Pace, Settings, Token};

use crate::{Site, THREE};

#[tokio::test]
async fn ten_megabytes_of_text_are_refused() {
    let site = Site::open(Settings::default());
    let mut page = site.visitor().await;
    let long = "x".repeat(10_000_000);
    let why = page.refused(&json!({"type": "read", "id": 1, "text": long})).await;
    assert!(why.contains("10000000 bytes") && why.contains("at most"), "{why}");
    let why = page.refused(&json!({"type": "solve", "id": 2, "text": long})).await;
    assert!(why.contains("at most"), "{why}");
    page.solves(3).await;
}

#[tokio::test]
async fn a_message_longer_than_any_is_refused_and_ends_the_connection() {
    let site = Site::open(Settings::default());
    let mut page = site.visitor().await;
    // The head of a frame that says it has a gigabyte.
    let mut head = vec![0x81, 0xff];
    head.extend(1_000_000_000u64.to_be_bytes());
    head.extend([0; 4]);
    page.socket.get_mut().write_all(&head).await.expect("to send");
    let why = page.thrown_out().await;
    assert!(why.contains("too long"), "{why}");
    site.wait("it has left", |window| window.census().visitors == 0).await;
    site.visitor().await.solves(1).await;
}

#[tokio::test]
async fn broken_utf_8_is_refused() {
    let site = Site::open(Settings::default());
    let mut page = site.visitor().await;
    let frame = Frame::message(vec![b'{', 0xff, 0xfe, b'}'], OpCode::Data(Data::Text), true);
    page.send(Message::Frame(frame)).await;
    let why = page.thrown_out().await;
    assert!(why.contains("cannot be read"), "{why}");
    let mut page = site.visitor().await;
    page.send(Message::binary(vec![1, 2, 3])).await;
    assert_eq!(page.thrown_out().await, "messages are text");
    site.visitor().await.solves(1).await;
}

#[tokio::test]
async fn forged_messages_are_refused_one_by_one() {
    let site = Site::open(Settings::default());
    let mut page = site.visitor().await;
    let deep = "[".repeat(100_000);
    let forged = [
        "",
        "{",
        "null",
        "\u{0}",
        "{\"type\":\"solve\"}",
        "{\"type\":\"stop\",\"id\":-1}",
        "{\"type\":\"stop\",\"id\":1e400}",
        "{\"type\":\"stop\",\"id\":18446744073709551616}",
        "{\"type\":\"stop\",\"id\":1,\"id\":2}",
        "{\"type\":\"solve\",\"id\":1,\"text\":\"\",\"hash\":18446744073709551615}",
        "{\"type\":\"solve\",\"id\":1,\"text\":\"hex 3 .../.../... B\",\"hash\":18446744073709551615}",
        "{\"type\":\"solve\",\"id\":1,\"text\":\"hex 3 .../.../... B\",\"seconds\":1e300}",
        "{\"type\":\"solve\",\"id\":1,\"text\":\"hex 3 .../.../... B\",\"threads\":100000}",
        "{\"type\":\"open\",\"id\":1,\"certificate\":\"////\"}",
        deep.as_str(),
    ];
    for text in forged {
        page.send(Message::text(text)).await;
        let said = page.hear().await;
        assert_eq!(said["type"], "error", "{}: {said}", &text[..text.len().min(80)]);
    }
    page.solves(1).await;
}

#[tokio::test]
async fn unknown_kinds_and_fields_are_refused() {
    let site = Site::open(Settings::default());
    let mut page = site.visitor().await;
    for message in [
        json!({"type": "dance", "id": 1}),
        json!({"type": "shutdown", "id": 1}),
        json!({"type": "stop", "id": 1, "now": true}),
        json!({"kind": "stop", "id": 1}),
    ] {
        assert!(page.refused(&message).await.contains("not understood"));
    }
    page.solves(1).await;
}

#[tokio::test]
async fn a_thousand_visitors_get_as_many_places_as_there_are() {
    let settings = Settings { visitors: 20, ..Settings::default() };
    let site = Site::open(settings);
    let mut pages = Vec::new();
    for _ in 0..20 {
        pages.push(site.visitor().await);
    }
    for _ in 20..1000 {
        let (status, words) = site.connect(&[]).await.err().expect("to be refused");
        assert_eq!(status, 503);
        assert!(words.contains("All places are taken"), "{words}");
    }
    // Those that have a place are not harmed, and a place is free when one leaves.
    let mut page = pages.swap_remove(0);
    page.solves(1).await;
    drop(page);
    site.wait("one has left", |window| window.census().visitors < 20).await;
    site.visitor().await.solves(1).await;
}

#[tokio::test]
async fn who_has_not_said_hello_takes_no_place() {
    let site = Site::open(Settings { visitors: 1, ..Settings::default() });
    let mut silent = Vec::new();
    for _ in 0..400 {
        silent.push(site.connect(&[]).await.expect("a connection"));
    }
    assert_eq!(site.window.census().visitors, 0);
    // The last of them is still there, the first is not.
    assert!(silent.swap_remove(0).listen().await.is_none());
    let mut page = silent.pop().expect("the last");
    page.say(&json!({"type": "hello", "version": 1})).await;
    assert_eq!(page.hear().await["type"], "welcome");
    page.solves(1).await;
    // Of two who say it, one gets the place.
    drop(page);
    site.wait("it has left", |window| window.census().visitors == 0).await;
    let (mut first, mut second) = (site.connect(&[]).await, site.connect(&[]).await);
    let mut heard = Vec::new();
    for page in [&mut first, &mut second] {
        let page = page.as_mut().expect("a connection");
        page.say(&json!({"type": "hello", "version": 1})).await;
        heard.push(page.listen().await.is_some());
    }
    assert_eq!(heard, [true, false]);
}

#[tokio::test]
async fn a_long_hello_is_refused() {
    let site = Site::open(Settings::default());
    let mut page = site.connect(&[]).await.expect("a connection");
    page.say(&json!({"type": "hello", "version": 1, "token": "x".repeat(10_000)})).await;
    let why = page.thrown_out().await;
    assert!(why.contains("too long") && why.contains("4096 bytes"), "{why}");
    // Nor may it come in many parts.
    let mut page = site.connect(&[]).await.expect("a connection");
    for part in 0..5 {
        let code = if part == 0 { Data::Text } else { Data::Continue };
        let frame = Frame::message(vec![b' '; 1000], OpCode::Data(code), false);
        page.send(Message::Frame(frame)).await;
    }
    assert!(page.thrown_out().await.contains("too long"));
}

#[tokio::test]
async fn a_request_without_end_is_refused() {
    let site = Site::open(Settings::default());
    let head = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "x".repeat(100_000));
    assert!(site.raw(head.as_bytes()).starts_with("HTTP/1.1 431"));
    site.visitor().await.solves(1).await;
}

#[tokio::test]
async fn a_message_of_too_many_values_is_refused() {
    let site = Site::open(Settings::default());
    let mut page = site.visitor().await;
    let played = vec!["a"; 20_000];
    let ask = json!({"type": "moves", "id": 1, "text": "graph\na or a\n", "played": played});
    let why = page.refused(&ask).await;
    assert!(why.contains("more than 10000 values"), "{why}");
    // What is in a text does not count.
    let text = format!("{}{THREE}", "# \",[{ \\\n".repeat(20_000));
    page.say(&json!({"type": "read", "id": 2, "text": text})).await;
    assert_eq!(page.hear().await["id"], 2);
    page.solves(3).await;
}

#[tokio::test]
async fn pings_are_answered_and_do_not_pile_up() {
    let site = Site::open(Settings::default());
    let mut page = site.visitor().await;
    page.send(Message::Ping("are you there?".into())).await;
    loop {
        match page.socket.next().await.expect("a frame").expect("a frame") {
            Message::Pong(contents) => break assert_eq!(contents, "are you there?"),
            other => assert!(other.is_ping(), "{other}"),
        }
    }
    // Between the parts of a message, too.
    let part = |code, text: &str, is_last| {
        Message::Frame(Frame::message(text.to_owned(), OpCode::Data(code), is_last))
    };
    page.send(part(Data::Text, "{\"type\":", false)).await;
    page.send(Message::Ping("and now?".into())).await;
    page.send(part(Data::Continue, "\"sets\",\"id\":7}", true)).await;
    assert_eq!(page.find("sets").await["id"], 7);
    // Of many, the newest is enough.
    let ping = Message::Ping(vec![0; 125].into());
    for _ in 0..20_000 {
        page.send(ping.clone()).await;
    }
    page.send(Message::Ping("the last".into())).await;
    let mut pongs = 1;
    while page.socket.next().await.expect("a frame").expect("a frame")
        != Message::Pong("the last".into())
    {
        pongs += 1;
    }
    assert!(pongs < 20_000, "{pongs} pongs");
    page.solves(8).await;
}

#[tokio::test]
async fn what_are_no_frames_is_refused() {
    let site = Site::open(Settings::default());
    let mask = [0x80, 1, 2, 3, 4];
    for (first, why) in [
        (0x83, "unknown kind"),
        (0xc1, "extension"),
        (0x80, "none to go on with"),
        (0x09, "control frame"),
    ] {
        let mut page = site.visitor().await;
        let frame = [&[first], &mask[..]].concat();
        page.socket.get_mut().write_all(&frame).await.expect("to send");
        let said = page.thrown_out().await;
        assert!(said.contains(why), "{said}");
    }
    let mut page = site.visitor().await;
    page.socket.get_mut().write_all(&[0x81, 0]).await.expect("to send");
    assert!(page.thrown_out().await.contains("without a mask"));
    site.visitor().await.solves(1).await;
}

#[tokio::test]
async fn a_thousand_connections_that_say_nothing_are_closed() {
    let pace = Pace { request: Duration::from_millis(300), ..Pace::default() };
    let site = Site::open(Settings { pace, ..Settings::default() });
    let connect = || TcpStream::connect(site.address).expect("a connection");
    let silent: Vec<TcpStream> = (0..1000).map(|_| connect()).collect();
    // They are held open here, but not there.
    let mut page = loop {
        match site.connect(&[]).await {
            Ok(page) => break page,
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    };
    page.say(&json!({"type": "hello", "version": 1})).await;
    assert_eq!(page.hear().await["type"], "welcome");
    page.solves(1).await;
    drop(silent);
}

#[tokio::test]
async fn pages_from_elsewhere_do_not_reach_the_engine() {
    let site = Site::open(Settings::default());
    let own = format!("http://{}", site.address);
    assert!(site.connect(&[("origin", &own)]).await.is_ok());
    let port = site.address.port();
    let foreign = [
        vec![("origin", "https://evil.example".to_owned())],
        vec![("origin", "null".to_owned())],
        vec![("origin", format!("http://localhost:{port}"))],
        vec![("origin", format!("http://127.0.0.1:{}", port ^ 1))],
        // A foreign name for this machine's address.
        vec![("host", format!("evil.example:{port}"))],
        vec![
            ("host", format!("evil.example:{port}")),
            ("origin", format!("http://evil.example:{port}")),
        ],
    ];
    for headers in foreign {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let (status, words) = site.connect(&headers).await.err().expect("to be refused");
        assert_eq!(status, 403, "{headers:?}");
        assert!(words.contains("Only the page of this server"), "{words}");
    }
}

#[tokio::test]
async fn a_reader_that_does_not_read_is_left_alone() {
    let pace = Pace { stall: Duration::from_millis(300), ..Pace::default() };
    let site = Site::open(Settings { pace, ..Settings::default() });
    let mut slow = site.visitor().await;
    // Two rooks that go to and fro: short to ask, and long to answer.
    let mut csa = String::from("V2.2\nPI\n+\n");
    for _ in 0..500 {
        csa += "+2838HI\n-8272HI\n+3828HI\n-7282HI\n";
    }
    for id in 1..=100 {
        slow.say(&json!({"type": "read", "id": id, "text": csa})).await;
    }
    // Another one is answered before, and after that.
    site.visitor().await.solves(1).await;
    site.wait("it is closed", |window| window.census().visitors == 0).await;
    site.visitor().await.solves(1).await;
    drop(slow);
}

#[tokio::test]
async fn questions_without_end_are_refused() {
    let pace = Pace { turn: crate::LONG, ..Pace::default() };
    let site = Site::open(Settings { searches: 1, pace, ..Settings::default() });
    let mut busy = site.visitor().await;
    busy.begins(1).await;
    busy.find("started").await;
    let mut page = site.visitor().await;
    // The first waits for a slot, the others for the first.
    let check = |id: u64| json!({"type": "check", "id": id, "certificate": "AAAA"});
    page.say(&check(1)).await;
    assert_eq!(page.hear().await["type"], "queued");
    for id in 2..=300 {
        page.say(&check(id)).await;
    }
    assert!(page.thrown_out().await.contains("too many questions"));
    site.wait("it has left", |window| window.census().visitors == 1).await;
}

#[tokio::test]
async fn who_does_not_say_hello_is_sent_away() {
    let pace = Pace { hello: Duration::from_millis(200), ..Pace::default() };
    let site = Site::open(Settings { pace, ..Settings::default() });
    let silent = site.connect(&[]).await.expect("a connection");
    assert_eq!(silent.thrown_out().await, "nobody has said hello");
    for first in [
        json!({"type": "solve", "id": 1, "text": THREE}),
        json!({"type": "hello"}),
        json!({"type": "hello", "version": "1"}),
    ] {
        let mut page = site.connect(&[]).await.expect("a connection");
        page.say(&first).await;
        assert_eq!(page.thrown_out().await, "the first message must be hello");
    }
    let mut page = site.connect(&[]).await.expect("a connection");
    page.say(&json!({"type": "hello", "version": 99})).await;
    assert!(page.thrown_out().await.contains("version 99"));
    site.wait("they have left", |window| window.census().visitors == 0).await;
}

#[tokio::test]
async fn a_wrong_token_is_refused() {
    let token = Token::new("correct-horse-battery").ok();
    let site = Site::open(Settings { token, ..Settings::default() });
    for token in
        [json!(null), json!(""), json!("correct-horse-batterz"), json!("correct-horse-battery-")]
    {
        let mut page = site.connect(&[]).await.expect("a connection");
        page.say(&json!({"type": "hello", "version": 1, "token": token})).await;
        let why = page.thrown_out().await;
        assert!(why.contains("wants its token") && !why.contains("horse"), "{why}");
    }
    site.wait("they have left", |window| window.census().visitors == 0).await;
}

#[tokio::test]
async fn who_shows_no_sign_of_life_is_given_up() {
    let pace = Pace {
        ping: Duration::from_millis(50),
        silence: Duration::from_millis(500),
        goodbye: Duration::from_millis(50),
        ..Pace::default()
    };
    let site = Site::open(Settings { pace, ..Settings::default() });
    // It answers pings only while it reads.
    let page = site.visitor().await;
    site.wait("it is given up", |window| window.census().visitors == 0).await;
    drop(page);
}
