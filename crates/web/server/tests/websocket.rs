//! Frames, as another implementation reads and writes them, and as nobody should.

use std::cell::Cell;

use andor::SplitMix64;
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, duplex, split};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use yomikiri_server::websocket::{Broken, Kind, Reader, Writer};

/// Around all lengths at which something changes.
const LENGTHS: [usize; 12] = [0, 1, 3, 125, 126, 127, 16383, 16384, 16385, 65535, 65536, 1_000_000];

/// All frames until one cannot be read, each with what followed its head.
async fn frames(from: impl AsyncRead + Unpin) -> (Vec<(Kind, bool, Vec<u8>)>, Broken) {
    let (mut reader, mut frames) = (Reader::new(from), Vec::new());
    loop {
        let mut head = match reader.head().await {
            Ok(head) => head,
            Err(broken) => return (frames, broken),
        };
        let (kind, is_last, mut contents) = (head.kind, head.is_last, Vec::new());
        if head.length > 1 << 21 {
            // Nobody would make room for that.
            return (frames, Broken::Gone);
        }
        while head.length > 0 {
            if let Err(broken) = reader.read(&mut head, &mut contents).await {
                return (frames, broken);
            }
        }
        frames.push((kind, is_last, contents));
    }
}

#[tokio::test]
async fn what_another_client_sends_is_read() {
    let (theirs, ours) = duplex(1000);
    let mut client = WebSocketStream::from_raw_socket(theirs, Role::Client, None).await;
    let mut sent = Vec::new();
    let mut random = SplitMix64::new(1);
    let mut messages = Vec::new();
    for length in LENGTHS {
        let contents: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        let is_last = random.percent(50);
        sent.push((Kind::Binary, is_last, contents.clone()));
        messages.push(Frame::message(contents, OpCode::Data(Data::Binary), is_last));
        if !is_last {
            sent.push((Kind::More, true, b"the end".to_vec()));
            let end = &b"the end"[..];
            messages.push(Frame::message(end, OpCode::Data(Data::Continue), true));
        }
        sent.push((Kind::Ping, true, vec![7; length % 126]));
        messages.push(Frame::ping(vec![7; length % 126]));
    }
    let sending = async {
        for frame in messages {
            client.send(Message::Frame(frame)).await.expect("to send");
        }
        drop(client);
    };
    let (_, (read, broken)) = tokio::join!(sending, frames(ours));
    assert!(read == sent, "{} of {} frames", read.len(), sent.len());
    assert_eq!(broken, Broken::Gone);
}

#[tokio::test]
async fn another_client_reads_what_is_sent() {
    let (theirs, ours) = duplex(1000);
    let (read, write) = split(ours);
    let mut client = WebSocketStream::from_raw_socket(theirs, Role::Client, None).await;
    let texts: Vec<String> = LENGTHS.iter().map(|&length| "あいう".repeat(length / 3)).collect();
    let sending = async {
        let mut writer = Writer::new(write);
        for text in &texts {
            let sent = Cell::new(0);
            writer.text(text, |bytes| sent.set(sent.get() + bytes)).await.expect("to send");
            assert_eq!(sent.get(), text.len());
            writer.ping().await.expect("to send");
            writer.pong(&[7; 125]).await.expect("to send");
        }
        writer.close(1001).await.expect("to send");
    };
    let reading = async {
        for text in &texts {
            let next = client.next().await.expect("a message").expect("a message");
            assert!(next == Message::text(text.as_str()), "{} bytes", text.len());
            assert!(client.next().await.expect("a ping").expect("a ping").is_ping());
            let pong = client.next().await.expect("a pong").expect("a pong");
            assert_eq!(pong, Message::Pong(vec![7; 125].into()));
        }
        let close = client.next().await.expect("a farewell").expect("a farewell");
        assert!(matches!(close, Message::Close(Some(frame)) if u16::from(frame.code) == 1001));
        while client.next().await.is_some() {}
    };
    // Pings are answered, and so is the farewell.
    let hearing = async {
        let (mut heard, mut reader) = (Vec::new(), Reader::new(read));
        while heard.last() != Some(&Kind::Close) {
            let mut head = reader.head().await.expect("a frame");
            heard.push(head.kind);
            while head.length > 0 {
                reader.read(&mut head, &mut Vec::new()).await.expect("the rest");
            }
        }
        assert!(heard.contains(&Kind::Pong));
    };
    tokio::join!(async { tokio::join!(sending, hearing) }, reading);
}

#[tokio::test]
async fn bytes_of_any_kind_are_read_alike_however_they_come() {
    let mut random = SplitMix64::new(2);
    let mut read = 0;
    for _ in 0..20_000 {
        let mut bytes: Vec<u8> = (0..random.below(60)).map(|_| random.next_u64() as u8).collect();
        // Mostly something that begins like a frame.
        if random.percent(90) && bytes.len() > 2 {
            bytes[0] = [0x81, 0x82, 0x01, 0x00, 0x80, 0x88, 0x89, 0x8a][random.below(8)];
            bytes[1] = 0x80 | random.below(20) as u8;
        }
        let whole = frames(&bytes[..]).await;
        let (mut writer, reader) = duplex(1 + random.below(8));
        let sending = async {
            use tokio::io::AsyncWriteExt;
            // Who has seen enough does not read the rest.
            let _ = writer.write_all(&bytes).await;
            drop(writer);
        };
        let (_, parts) = tokio::join!(sending, frames(reader));
        assert!(whole == parts, "{bytes:?}: {whole:?} {parts:?}");
        read += whole.0.len();
    }
    assert!(read > 5_000, "only {read} frames");
}
