//! A certificate cannot make its checker take more memory than its own size accounts for.

use andor::{NodeKind, Pulse, Solvable, Stop, Value};
use peak_alloc::PeakAlloc;
use yomikiri_question::certificate::{CheckLimits, Error, check};
use yomikiri_question::games::{self, AnyProblem, Visitor};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes of memory for each byte of a certificate at the most, beside what its problem takes.
const EACH: usize = 128;

/// A body that claims a proof and goes down, record by record, never to come back: each position is
/// expanded, and at the defender's turn the first of his moves is followed.
struct Deep(usize);

fn moves<P: Solvable>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    if position.terminal().is_none() {
        position.legal_moves(&mut moves);
        moves.sort_by_key(|&m| P::encode_move(m));
    }
    moves
}

fn after<P: Solvable>(position: &P, m: P::Move) -> P {
    let mut after = position.clone();
    after.play(m);
    after
}

impl Visitor for Deep {
    type Output = Vec<u8>;

    fn visit<P: Solvable>(self, problem: &P) -> Vec<u8> {
        let (mut position, mut body) = (problem.clone(), Vec::new());
        while body.len() < self.0 {
            body.push(1);
            if position.kind() == NodeKind::And {
                position = after(&position, moves(&position)[0]);
                continue;
            }
            // A move after which the defender's first leaves the attacker one.
            let next = moves(&position).into_iter().find(|&m| {
                let replied = after(&position, m);
                let reply = moves(&replied).first().map(|&reply| after(&replied, reply));
                reply.is_some_and(|position| !moves(&position).is_empty())
            });
            let next = next.expect("the play goes on");
            let mut code = P::encode_move(next);
            while code > 0x7f {
                body.push(code as u8 & 0x7f | 0x80);
                code >>= 7;
            }
            body.push(code as u8);
            position = after(&position, next);
        }
        body
    }
}

fn certificate(any: &AnyProblem, value: Value, body: &[u8]) -> Vec<u8> {
    let text = any.text().replace('\n', "\\n");
    let game = any.game().name;
    let head = format!(
        "yomikiri certificate 3\ngame: {game}\nproblem: {text}\nverdict: {value}\nplies: -\n\n"
    );
    [head.as_bytes(), body].concat()
}

/// Checks a certificate: what comes of it, and the bytes that it took at the most.
fn measured(bytes: &[u8], limits: CheckLimits) -> (Option<Error>, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let error = check(bytes, None, limits, &Pulse::new(Stop::new())).err();
    (error, MEMORY.peak_usage() - before)
}

#[test]
fn memory_is_bounded_by_the_size_and_by_what_is_allowed() {
    // Rooms to move in, where nobody ever loses.
    let chess = "3qk3/1q3q2/8/8/8/8/1Q3Q2/3QK3 w - - 0 1";
    for text in [chess, "graph\na or b\nb and a a a a a a a a", "graph\na or b\nb and a"] {
        let any = games::parse(text, None, None).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let body = any.visit(true, Deep(300_000));
        let bytes = certificate(&any, Value::Proven, &body);
        let known = CheckLimits { length: Some(bytes.len() as u64), memory: None };
        let (error, took) = measured(&bytes, known);
        assert!(error.is_some_and(|error| error.is_rejection()));
        println!("{text}: {:.1} a byte", took as f64 / bytes.len() as f64);
        assert!(took < EACH * bytes.len(), "{text}: {took} for {}", bytes.len());
        // From a pipe nobody knows how much there is to come: so much as is allowed, and no more.
        let limit = 8 << 20;
        let (error, took) = measured(&bytes, CheckLimits { length: None, memory: Some(limit) });
        let error = error.expect("too large for so little memory").to_string();
        assert!(error.contains("takes more than 8 MiB"), "{text}: {error}");
        assert!(took < limit + (1 << 20), "{text}: {took}");
    }
}
