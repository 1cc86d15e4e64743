//! Round trips of everything that can be said, odd lines of real programs, and garbage.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;

const DIALECTS: [Dialect; 2] = [Dialect::Uci, Dialect::Usi];

fn dialect() -> impl Strategy<Value = Dialect> {
    prop::sample::select(DIALECTS.to_vec())
}

/// A move, or something that looks like one.
fn move_text() -> impl Strategy<Value = String> {
    "[a-h][1-8][a-h][1-8][qrbn]?|[PLNSGBR]\\*[1-9][a-i]|[1-9][a-i][1-9][a-i]\\+?"
}

fn moves() -> impl Strategy<Value = Vec<String>> {
    vec(move_text(), 0..6)
}

/// A text of words that are no keywords.
fn text() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9_]{0,6}( [A-Z][A-Za-z0-9_./]{0,6}){0,2}"
}

fn position() -> impl Strategy<Value = PositionText> {
    let start = prop_oneof![
        Just(Start::Initial),
        "[rnbqk1-8/]{1,20} [wb] (-|KQkq) - [0-9]{1,2} [1-9]".prop_map(Start::Fen),
    ];
    (start, moves()).prop_map(|(start, moves)| PositionText { start, moves })
}

fn go() -> impl Strategy<Value = Go> {
    let number = || option::of(any::<u64>());
    let pair = || [number(), number()];
    let limits = (number(), number(), number(), number(), number());
    let mate = option::of(any::<u64>().prop_map(Mate::Within));
    (moves(), any::<(bool, bool)>(), pair(), pair(), limits, mate).prop_map(
        |(searchmoves, (ponder, infinite), time, increment, limits, mate)| {
            let (byoyomi, movestogo, depth, nodes, movetime) = limits;
            Go {
                searchmoves,
                ponder,
                time,
                increment,
                byoyomi,
                movestogo,
                depth,
                nodes,
                mate,
                movetime,
                infinite,
            }
        },
    )
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Handshake),
        Just(Command::IsReady),
        Just(Command::NewGame),
        (text(), option::of(prop_oneof![text(), Just(String::new())]))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        position().prop_map(Command::Position),
        go().prop_map(Command::Go),
        Just(Command::Stop),
        Just(Command::PonderHit),
        Just(Command::Quit),
        any::<bool>().prop_map(Command::Debug),
        text().prop_map(Command::Register),
        any::<u64>().prop_map(Command::TableReport),
    ]
}

fn score() -> impl Strategy<Value = Score> {
    let value = prop_oneof![
        any::<i32>().prop_map(Value::Cp),
        any::<i32>().prop_map(Value::Mate),
        Just(Value::Winning),
        Just(Value::Losing),
    ];
    let bound = prop::sample::select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    (value, bound).prop_map(|(value, bound)| Score { value, bound })
}

fn info() -> impl Strategy<Value = Info> {
    let number = || option::of(any::<u64>());
    let numbers = [(); 9].map(|()| number());
    let words = (option::of(move_text()), moves(), option::of(text()));
    (numbers, option::of(score()), option::of(any::<[u64; 3]>()), words).prop_map(
        |(numbers, score, wdl, (currmove, pv, string))| {
            let [depth, seldepth, multipv, nodes, nps, time, hashfull, tbhits, currmovenumber] =
                numbers;
            // Both go to the end of the line.
            let pv = if string.is_some() { Vec::new() } else { pv };
            Info {
                depth,
                seldepth,
                multipv,
                score,
                wdl,
                nodes,
                nps,
                time,
                hashfull,
                tbhits,
                cpuload: None,
                currmove,
                currmovenumber,
                pv,
                string,
            }
        },
    )
}

fn option_spec() -> impl Strategy<Value = OptionSpec> {
    use OptionKind::{Button, Check, Combo, Filename, Spin, String};
    let kind = prop::sample::select(vec![Check, Spin, Combo, Button, String, Filename]);
    let limit = || option::of(any::<i64>());
    (
        text(),
        kind,
        option::of(prop_oneof![text(), Just("".into())]),
        limit(),
        limit(),
        vec(text(), 0..3),
    )
        .prop_map(|(name, kind, default, min, max, vars)| OptionSpec {
            name,
            kind,
            default,
            min,
            max,
            vars,
        })
}

fn reply() -> impl Strategy<Value = Reply> {
    let best = prop_oneof![
        move_text().prop_map(BestMove::Move),
        Just(BestMove::Resign),
        Just(BestMove::Win)
    ];
    let checkmate = prop_oneof![
        moves().prop_map(Checkmate::Moves),
        Just(Checkmate::NoMate),
        Just(Checkmate::Timeout),
        Just(Checkmate::NotImplemented),
    ];
    let entry = (any::<u64>(), score(), vec(move_text(), 1..5));
    prop_oneof![
        text().prop_map(|name| Reply::Id(Id::Name(name))),
        text().prop_map(|author| Reply::Id(Id::Author(author))),
        option_spec().prop_map(Reply::Option),
        Just(Reply::HandshakeOk),
        Just(Reply::ReadyOk),
        info().prop_map(|info| Reply::Info(Box::new(info))),
        (best, option::of(move_text())).prop_map(|(best, ponder)| Reply::BestMove { best, ponder }),
        checkmate.prop_map(Reply::Checkmate),
        entry.prop_map(|(depth, score, moves)| Reply::TableEntry(TableEntry {
            depth,
            score,
            moves
        })),
        Just(Reply::TableEnd),
        Just(Reply::CopyProtection("ok".into())),
        Just(Reply::Registration("checking".into())),
    ]
}

/// Words of both protocols and things that are none, in any order.
fn nonsense() -> impl Strategy<Value = String> {
    let words = "info|score|cp|mate|[+-]|depth|pv|string|option|name|type|spin|default|min|max|var|\
                 bestmove|ponder|go|searchmoves|wtime|position|fen|moves|setoption|value|wdl|\
                 tableentry|tablereport|lowerbound|-?[0-9]{1,30}|\\PC{0,4}";
    vec(words, 0..20).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn commands_survive_the_line(command in command(), dialect in dialect()) {
        let line = command.to_line(dialect);
        prop_assert_eq!(Command::parse(&line, dialect), command, "{}", line);
    }

    #[test]
    fn replies_survive_the_line(reply in reply(), dialect in dialect()) {
        let line = reply.to_line(dialect);
        prop_assert_eq!(Reply::parse(&line, dialect), reply, "{}", line);
    }

    /// Whatever is read once is read again as the same.
    #[test]
    fn reading_is_stable(line in nonsense(), dialect in dialect()) {
        let reply = Reply::parse(&line, dialect);
        if !matches!(reply, Reply::BestMove { best: BestMove::None, .. }) {
            prop_assert_eq!(Reply::parse(&reply.to_line(dialect), dialect), reply);
        }
        let command = Command::parse(&line, dialect);
        prop_assert_eq!(Command::parse(&command.to_line(dialect), dialect), command);
    }

    #[test]
    fn garbage_is_read(bytes in vec(any::<u8>(), 0..300), dialect in dialect()) {
        let line = String::from_utf8_lossy(&bytes);
        for line in [line.to_string(), format!("info {line}"), format!("go {line}")] {
            let _ = (Command::parse(&line, dialect), Reply::parse(&line, dialect));
        }
    }
}

/// What would end a line for an engine written in C is a blank here too.
#[test]
fn null_characters_are_blanks() {
    for line in
        ["position fen a\0\0b \0c moves e2\0e4", "setoption name a\0 b value c\0", "no\0such\0"]
    {
        for dialect in [Dialect::Uci, Dialect::Usi] {
            let written = Command::parse(line, dialect).to_line(dialect);
            assert_eq!(Command::parse(&written, dialect).to_line(dialect), written);
        }
    }
    let Command::Position(position) = Command::parse("position\0startpos moves a\0b", Dialect::Uci)
    else {
        panic!("a position")
    };
    assert_eq!(position.moves, ["a", "b"]);
}

fn info_of(line: &str) -> Info {
    match Reply::parse(line, Dialect::Uci) {
        Reply::Info(info) => *info,
        reply => panic!("{line}: {reply:?}"),
    }
}

#[test]
fn odd_infos() {
    let info = info_of(
        "info depth 24 seldepth 33 multipv 1 score cp 31 wdl 80 880 40 upperbound nodes 1 \
         nps 99999999999999999999999 hashfull -7 foo bar 12 tbhits x time 3 pv e2e4  e7e5\t",
    );
    assert_eq!(info.score, Some(Score { value: Value::Cp(31), bound: Bound::Upper }));
    assert_eq!(
        (info.nps, info.hashfull, info.tbhits, info.time),
        (Some(u64::MAX), Some(0), None, Some(3))
    );
    assert_eq!(info.pv, ["e2e4", "e7e5"]);
    assert_eq!(info_of("info score mate +").score.map(|s| s.value), Some(Value::Winning));
    assert_eq!(info_of("info score mate - pv x").score.map(|s| s.value), Some(Value::Losing));
    assert_eq!(info_of("info score mate +5").score, Some(Score::mate(5)));
    assert_eq!(info_of("info score cp -99999999999").score, Some(Score::cp(i32::MIN)));
    assert_eq!(info_of("info score cp 0.35 depth 4").depth, Some(4));
    assert_eq!(info_of("info score depth 4").depth, Some(4));
    assert_eq!(info_of("info depth score cp 4").score, Some(Score::cp(4)));
    assert_eq!(
        info_of("info string depth 3  bestmove").string.as_deref(),
        Some("depth 3  bestmove")
    );
    assert_eq!(info_of("info string depth 3").depth, None);
    assert_eq!(info_of("info"), Info::default());
    assert!(info_of("info depth 1 pv").pv.is_empty());
}

#[test]
fn odd_ends() {
    let end = |line: &str| match Reply::parse(line, Dialect::Uci) {
        Reply::BestMove { best, ponder } => (best, ponder),
        reply => panic!("{line}: {reply:?}"),
    };
    for line in ["bestmove (none)", "bestmove 0000", "bestmove", "bestmove NULL ponder (none)"] {
        assert_eq!(end(line), (BestMove::None, None), "{line}");
    }
    let e2e4 = BestMove::Move("e2e4".into());
    assert_eq!(end("  bestmove  e2e4 "), (e2e4.clone(), None));
    assert_eq!(end("bestmove e2e4 ponder"), (e2e4.clone(), None));
    assert_eq!(end("bestmove e2e4 eval 12 ponder e7e5 "), (e2e4, Some("e7e5".into())));
    assert_eq!(end("bestmove resign").0, BestMove::Resign);
}

#[test]
fn options_of_real_engines() {
    let option = |line: &str| match Reply::parse(line, Dialect::Uci) {
        Reply::Option(option) => option,
        reply => panic!("{line}: {reply:?}"),
    };
    let combo =
        option("option name Analysis Contempt type combo default Both var Off var White var Both");
    assert_eq!((combo.name.as_str(), combo.vars.len()), ("Analysis Contempt", 3));
    assert!(combo.accepts(Some("Off")) && !combo.accepts(Some("Black")));
    let hash = option("option name Hash type spin default 16 min 1 max 33554432");
    assert!(hash.accepts(Some("33554432")) && !hash.accepts(Some("0")) && !hash.accepts(None));
    let log = option("option name Debug Log File type string default ");
    assert_eq!(log.default.as_deref(), Some(""));
    let path = option("option name SyzygyPath type string default <empty>");
    assert_eq!(path.default.as_deref(), Some(""));
    assert!(option("option name Clear Hash type button").accepts(None));
    for line in
        ["option", "option name", "option name X", "option name X type", "option name type spin"]
    {
        assert!(matches!(Reply::parse(line, Dialect::Uci), Reply::Other(_)), "{line}");
    }
}

#[test]
fn odd_commands() {
    let parse = |line| Command::parse(line, Dialect::Uci);
    assert_eq!(parse("joho debug on"), Command::Debug(true));
    assert_eq!(parse("debug joho on"), Command::Unknown("debug joho on".into()));
    assert_eq!(parse("\u{feff}uci stop"), Command::Stop);
    assert_eq!(parse(" \t\r"), Command::Nothing);
    assert_eq!(parse("usi"), Command::Unknown("usi".into()));
    assert_eq!(parse("position"), Command::Unknown("position".into()));
    assert_eq!(parse("position startpos moves"), Command::Position(PositionText::initial()));
    let Command::Go(go) = parse("go infinite searchmoves e2e4 d2d4 wtime -5 depth") else {
        panic!()
    };
    assert_eq!(go.searchmoves, ["e2e4", "d2d4"]);
    assert_eq!((go.time, go.infinite, go.depth), ([Some(0), None], true, None));
    let value = "/a b  c/d".to_string();
    let set = Command::SetOption { name: "Book File".into(), value: Some(value) };
    assert_eq!(parse("setoption  name Book  File value /a b  c/d "), set);
}

#[test]
fn the_side_that_moves_first_comes_first() {
    for (dialect, line) in
        [(Dialect::Uci, "go wtime 1 btime 2"), (Dialect::Usi, "go btime 1 wtime 2")]
    {
        let Command::Go(go) = Command::parse(line, dialect) else { panic!() };
        assert_eq!(go.time, [Some(1), Some(2)]);
        assert_eq!(Command::Go(go).to_line(dialect), line);
    }
    let Command::Go(go) = Command::parse("go mate infinite", Dialect::Usi) else { panic!() };
    assert_eq!((go.mate, go.infinite), (Some(Mate::Infinite), false));
}

#[test]
fn searchmoves_come_last() {
    let go = Go { searchmoves: vec!["a2a3".into()], depth: Some(3), ..Go::infinite() };
    assert_eq!(Command::Go(go).to_line(Dialect::Uci), "go depth 3 infinite searchmoves a2a3");
}

#[test]
fn no_text_ends_the_line() {
    let set = Command::SetOption { name: "A".into(), value: Some("1\nquit\r\n".into()) };
    assert!(!set.to_line(Dialect::Uci).contains(['\n', '\r']));
    assert!(!Reply::Info(Box::new(Info::string("a\nb"))).to_line(Dialect::Usi).contains('\n'));
}

fn strictly(line: &str) -> Result<Command, Misread> {
    Command::parse_strictly(line, Dialect::Usi)
}

fn strict_go(line: &str) -> Go {
    match strictly(line) {
        Ok(Command::Go(go)) => go,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_search_for_a_mate_may_be_limited() {
    let limits = |line| {
        let go = strict_go(line);
        (go.mate, go.nodes)
    };
    assert_eq!(limits("go mate infinite"), (Some(Mate::Infinite), None));
    assert_eq!(limits("go mate"), (Some(Mate::Infinite), None));
    assert_eq!(limits(" go  mate 5000 "), (Some(Mate::Within(5000)), None));
    assert_eq!(limits("go mate nodes 70"), (Some(Mate::Infinite), Some(70)));
    assert_eq!(limits("go mate 5000 nodes 70"), (Some(Mate::Within(5000)), Some(70)));
    for (bad, found) in [
        ("go mate now", "now"),
        ("go mate -1", "-1"),
        ("go mate nodes", ""),
        ("go mate nodes x", "x"),
        ("go mate 1e9", "1e9"),
    ] {
        assert_eq!(strictly(bad), Err(Misread::GoMate(found.into())), "{bad}");
        assert!(matches!(Command::parse(bad, Dialect::Usi), Command::Go(_)), "{bad}");
    }
    let uci = Command::parse_strictly("go mate", Dialect::Uci);
    assert_eq!(uci, Err(Misread::GoNumber { word: "mate".into(), found: String::new() }));
}

/// Who reads strictly hears of every word that would be skipped.
#[test]
fn what_is_wrong_is_said() {
    let reason = |line: &str| strictly(line).map_err(|error| error.to_string());
    for (line, expected) in [
        ("hello", "unknown command 'hello'"),
        ("hello usi", "unknown command 'hello usi'"),
        ("uci", "unknown command 'uci'"),
        ("debug", "unknown command 'debug'"),
        ("setoption", "setoption is written 'setoption name NAME value VALUE'"),
        ("setoption name value 3", "setoption is written"),
        ("setoption value 3", "setoption is written"),
        ("position", "position is written 'position startpos' or 'position sfen …'"),
        ("position sfen moves 7g7f", "position is written"),
        ("position startpos 7g7f", "position is written"),
        ("go btime", "go btime: a number is expected, not ''"),
        ("go btime soon wtime 5", "go btime: a number is expected, not 'soon'"),
        ("go sideways", "go: 'sideways' is not understood"),
        ("go depth 3 7", "go: '7' is not understood"),
    ] {
        let error = reason(line).expect_err(line);
        assert!(error.starts_with(expected), "{line}: {error}");
        // Whoever reads as UCI demands makes the best of it.
        let _ = Command::parse(line, Dialect::Usi);
    }
    let line = format!("wh\u{7}at {}", "x".repeat(500));
    let error = reason(&line).expect_err("no command");
    assert!(error.chars().count() < 90 && !error.contains('\u{7}'), "{error}");
    for line in [
        "usi",
        "go btime -5 wtime 0 byoyomi 1000 rtime 3",
        "go ponder binc 1 winc 1 searchmoves 7g7f",
        "position startpos",
        "position startpos moves 7g7f",
        "position sfen 4k4/9/9/9/9/9/9/9/9 b - 1 moves 7g7f",
        "setoption name A b value c D",
        "setoption name Clear",
        "gameover win",
        "  \t ",
    ] {
        assert_eq!(reason(line), Ok(Command::parse(line, Dialect::Usi)), "{line}");
    }
}

#[test]
fn a_position_is_written_in_its_dialect() {
    let line = "position fen a b moves c d";
    let Command::Position(position) = Command::parse(line, Dialect::Uci) else { panic!() };
    assert_eq!(position.to_text(Dialect::Uci), "fen a b moves c d");
    assert_eq!(position.to_text(Dialect::Usi), "sfen a b moves c d");
    assert_eq!(PositionText::initial().to_text(Dialect::Usi), "startpos");
}
