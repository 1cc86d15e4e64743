//! On a large board a single look at a position takes long, and a node takes a look at every cell.
//! Limits on time hold all the same, whatever the algorithm, and a stop holds inside a look.

use std::time::{Duration, Instant};

use andor::certificate::{WriteError, check, write};
use andor::{
    Agents, Algorithm, Claim, Control, Dfpn, Interrupted, Limits, Paths, PnSearch, Problem, Pulse,
    Reason, Scheme, Stop, Table, Value, Verdict, search,
};
use yomikiri_hex::{Hex, StrongHex};

/// What is given on top of a limit: other programs may have the cores.
const SLACK: Duration = Duration::from_secs(1);

fn hex(text: &str) -> StrongHex {
    StrongHex::new(text.parse::<Hex>().expect("a position"))
}

fn algorithms() -> Vec<Algorithm> {
    let dfpn = Dfpn::default();
    let paths = |text: &str| Scheme::Paths(Paths::new(text.parse().expect("an assignment")));
    vec![
        Algorithm::Dfpn(dfpn),
        Algorithm::Pn(PnSearch::default()),
        Algorithm::Team(dfpn, Scheme::Virtual(Agents::on_threads(2))),
        Algorithm::Team(dfpn, paths("L,S,S")),
        Algorithm::Team(dfpn, paths("L|S")),
    ]
}

#[test]
fn a_limit_on_time_holds_on_large_boards() {
    const TIME: Duration = Duration::from_millis(100);
    let table = Table::new(1 << 20).expect("a small table");
    for text in ["hex 8 moves", "hex 11 moves"] {
        for algorithm in algorithms() {
            let start = Instant::now();
            let mut control = Control::new(Limits { nodes: None, time: Some(TIME) });
            let outcome = search(&hex(text), &algorithm, &table, &mut control);
            let took = start.elapsed();
            assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Time), "{text}, {algorithm:?}");
            assert!(took < TIME + SLACK, "{text}, {algorithm:?}: {took:?}");
        }
    }
}

/// A look that is interrupted at any moment leaves nothing behind: the next one sees the same as if
/// there had been none before.
#[test]
fn an_interrupted_look_is_as_if_it_had_not_begun() {
    let mut interrupted = 0;
    for text in ["hex 7 moves", "hex 7 moves c3 d4 e5", "hex 11 moves"] {
        let expected = (hex(text).look(), hex(text).evaluate());
        // By how long a whole look takes here: machines differ.
        let start = Instant::now();
        assert_eq!(hex(text).prepare(&Pulse::new(Stop::new())), Ok(()));
        let whole = start.elapsed();
        let mut strong = hex(text);
        for share in [0.0, 0.03, 0.06, 0.12, 0.25, 0.5] {
            let deadline = Instant::now() + whole.mul_f64(share);
            let pulse = Pulse::new(Stop::new()).with_deadline(Some(deadline));
            interrupted += usize::from(strong.prepare(&pulse) == Err(Interrupted));
        }
        assert_eq!((strong.look(), strong.evaluate()), expected, "{text}");
    }
    assert!(interrupted >= 9, "{interrupted}");
}

/// The writer of a certificate searches and looks again: a stop holds there too.
#[test]
fn a_certificate_is_stopped_at_once() {
    let (problem, dfpn) = (hex("hex 5 moves c1"), Dfpn::default());
    let table = Table::new(4 << 20).expect("a table");
    let outcome = search(&problem, &Algorithm::Dfpn(dfpn), &table, &mut Control::default());
    let value = outcome.value().expect("it is solved");
    let forgetful = Table::new(1 << 14).expect("a small table");
    let (mut stopped, mut wait) = (0, Duration::ZERO);
    loop {
        let (stop, mut file) = (Stop::new(), Vec::new());
        let raise = stop.clone();
        let (written, took) = std::thread::scope(|scope| {
            let raised = scope.spawn(move || {
                std::thread::sleep(wait);
                raise.raise();
                Instant::now()
            });
            let written = write(
                Claim::new(&problem, value, outcome.plies),
                dfpn,
                &forgetful,
                &stop,
                &mut file,
            );
            let end = Instant::now();
            (written, end.saturating_duration_since(raised.join().expect("the flag is raised")))
        });
        assert!(took < SLACK, "it went on for {took:?} after the stop");
        match written {
            Err(WriteError::Stopped) => stopped += 1,
            Err(error) => panic!("{error}"),
            Ok(_) => {
                check(Claim::new(problem.hex(), value, outcome.plies), &mut file.as_slice())
                    .expect("accepted");
                break;
            }
        }
        wait = wait * 2 + Duration::from_millis(1);
    }
    assert!(stopped > 1, "{stopped}");
    assert_eq!(value, Value::Proven);
}
