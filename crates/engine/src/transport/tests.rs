use super::*;

async fn lines(bytes: &[u8]) -> Vec<Incoming> {
    let mut reader = LineReader::new(bytes);
    let mut lines = Vec::new();
    while let Ok(Some(line)) = reader.next().await {
        lines.push(line);
    }
    lines
}

#[tokio::test]
async fn lines_end_in_many_ways() {
    let line = |text: &str| Incoming::Line(text.into());
    assert_eq!(
        lines(b"a\r\nb\n\nc\xffd\nlast").await,
        [line("a"), line("b"), line(""), line("c\u{fffd}d"), line("last")]
    );
    assert_eq!(lines(b"").await, []);
}

#[tokio::test]
async fn long_lines_are_cut() {
    let mut bytes = vec![b'x'; MAX_LINE];
    bytes.push(b'\n');
    bytes.extend(vec![b'y'; 1_000_000]);
    bytes.extend(b"\nz\n");
    let lines = lines(&bytes).await;
    assert_eq!(lines[0], Incoming::Line("x".repeat(MAX_LINE)));
    assert_eq!(lines[1], Incoming::Cut("y".repeat(MAX_LINE)));
    assert_eq!(lines[2..], [Incoming::Line("z".into())]);
}

#[test]
fn bad_addresses_have_reasons() {
    let reason = |address| parse(address).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(reason("no-such-program-here").contains("there is no program no-such-program-here"));
    assert!(reason("").contains("empty"));
    assert!(reason("tcp://nowhere").contains("needs a host and a port"));
    assert!(reason("'a").contains("closing"));
}
