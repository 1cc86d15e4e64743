//! The answer is an interval from the first mate on, whatever ends the search: the shortest mate lies
//! in it, and the line that is shown is as long as its upper end claims.
//!
//! Of our own problems every third, or all of them if YOMIKIRI_ALL_OWN is set.

use crate::own;
use andor::{Stop, Table, Value, certificate};
use yomikiri_shogi::Position;
use yomikiri_tsume::{Answer, Event, Futile, Length, Mate, MateLimits, Phase, Tsume};

/// What is claimed is shown. Is the line complete?
fn assert_claim(answer: &Answer, id: &str) -> bool {
    let Some(found) = &answer.solution else { return true };
    assert_eq!(answer.outcome.plies.bounded(), Some(found.length), "{id}");
    assert!(found.least <= found.length, "{id}: {} to {}", found.least, found.length);
    assert_eq!(found.exact, found.least == found.length, "{id}");
    assert_eq!(found.least % 2, found.length % 2, "{id}");
    assert!(found.least > 0 || found.length == 0, "{id}");
    if !found.complete {
        return false;
    }
    assert_eq!(found.line.len(), usize::from(found.length), "{id}");
    own::assert_mates(&answer.problem, &found.line, id);
    assert_eq!(found.shown_line().len(), usize::from(found.shown_length()), "{id}");
    own::assert_mates(&answer.problem, found.shown_line(), id);
    true
}

/// Certificates of both ends are accepted. How many were there?
fn certify(mate: &Mate<'_>, answer: &Answer, id: &str) -> usize {
    let claims = answer.claims();
    if let Some(found) = &answer.solution {
        let said: Vec<_> =
            claims.iter().map(|claim| (claim.value, claim.plies.bounded())).collect();
        let mut expected = vec![(Value::Proven, Some(found.length))];
        if found.exact && found.length >= 2 || found.least >= 3 {
            expected.push((Value::Disproven, Some(found.least - 2)));
        }
        assert_eq!(said, expected, "{id}");
    }
    for claim in &claims {
        let mut file = Vec::new();
        let written = mate.certify(claim, &Stop::new(), &mut file);
        written.unwrap_or_else(|error| panic!("{id}: {error}"));
        let checked = certificate::check(claim.by_ref(), &mut file.as_slice());
        checked.unwrap_or_else(|error| panic!("{id}: {error}"));
    }
    claims.len()
}

fn solve<'t>(
    table: &'t Table,
    position: &Position,
    futile: Futile,
    (length, nodes): (Length, Option<u64>),
) -> (Mate<'t>, Answer) {
    let mate = Mate::new(table);
    let limits = MateLimits { nodes, length, ..MateLimits::default() };
    let problem = Tsume::new(position.clone()).with_futile(futile);
    let answer = mate.solve(&problem, &limits);
    (mate, answer)
}

#[test]
fn our_own_problems_wherever_they_end() {
    let step = if std::env::var_os("YOMIKIRI_ALL_OWN").is_some() { 1 } else { 3 };
    let limits = [None, Some(20), Some(100), Some(500), Some(2_000), Some(10_000)];
    let (mut open, mut mates) = (0, 0);
    for (i, row) in own::rows().into_iter().step_by(step).enumerate() {
        let futile = if i % 2 == 0 { Futile::Counted } else { Futile::NotCounted };
        for asked in [Length::First, Length::Shortest] {
            for nodes in limits {
                let id = format!("{} {asked:?} {nodes:?}", row.id);
                let table = Table::new(1 << 20).expect("memory");
                let (mate, answer) = solve(&table, &row.position, futile, (asked, nodes));
                assert!(assert_claim(&answer, &id), "{id}: a part of the line");
                let Some(found) = &answer.solution else {
                    assert!(nodes.is_some() && answer.outcome.value().is_none(), "{id}");
                    continue;
                };
                assert!((found.least..=found.length).contains(&row.length), "{id}");
                assert!(found.exact || nodes.is_some() || asked == Length::First, "{id}");
                mates += 1;
                open += usize::from(!found.exact);
                if mates % 16 == 0 {
                    certify(&mate, &answer, &id);
                }
            }
        }
    }
    assert!(open > 100, "{open} of {mates}");
}

/// The stop flag goes up when a mate has just been told, before anything shorter is looked for, or
/// at the second: what is claimed is shown all the same.
#[test]
fn our_own_problems_stopped_by_the_flag() {
    let step = if std::env::var_os("YOMIKIRI_ALL_OWN").is_some() { 1 } else { 3 };
    let (mut open, mut stopped) = (0, 0);
    for (i, row) in own::rows().into_iter().step_by(step).enumerate() {
        let futile = if i % 2 == 0 { Futile::Counted } else { Futile::NotCounted };
        let problem = Tsume::new(row.position.clone()).with_futile(futile);
        for nth in [1, 2] {
            let id = format!("{}, stopped at mate {nth}", row.id);
            let table = Table::new(1 << 20).expect("memory");
            let mate = Mate::new(&table);
            let limits = MateLimits { length: Length::Shortest, ..MateLimits::default() };
            let stop = limits.stop.clone();
            let mut told = 0;
            let answer = mate.solve_watched(&problem, &limits, &mut |event| {
                told += u32::from(matches!(event, Event::Found { .. }));
                if told == nth {
                    stop.raise();
                }
            });
            assert!(assert_claim(&answer, &id), "{id}: a part of the line");
            let found = answer.solution.as_ref().expect("a mate was told, or the search went on");
            assert!((found.least..=found.length).contains(&row.length), "{id}");
            stopped += usize::from(stop.is_raised());
            open += usize::from(!found.exact);
            if stopped % 8 == 1 {
                certify(&mate, &answer, &id);
            }
        }
    }
    assert!(stopped > 100 && open > 50, "{stopped} stopped, {open} open");
}

/// With the defender to move: two plies at least.
#[test]
fn the_defender_may_be_to_move() {
    let mut open = 0;
    for row in own::rows().into_iter().step_by(10) {
        let table = Table::new(1 << 20).expect("memory");
        let (_, answer) = solve(&table, &row.position, Futile::Counted, (Length::Shortest, None));
        let first = answer.solution.and_then(|found| found.line.first().copied());
        let mut position = row.position.clone();
        position.play(first.expect("a move"));
        for asked in [(Length::First, None), (Length::First, Some(50)), (Length::Shortest, None)] {
            let id = format!("{} after a move, {asked:?}", row.id);
            let table = Table::new(1 << 20).expect("memory");
            let (mate, answer) = solve(&table, &position, Futile::Counted, asked);
            assert!(assert_claim(&answer, &id), "{id}: a part of the line");
            let Some(found) = &answer.solution else { continue };
            assert!(found.least >= 2, "{id}");
            assert!((found.least..=found.length).contains(&(row.length - 1)), "{id}");
            open += usize::from(!found.exact);
            certify(&mate, &answer, &id);
        }
    }
    assert!(open > 0);
}

/// A mate that is found in a moment, and takes long to be proven the shortest.
const LONG: &str = "4k4/9/9/9/9/9/9/9/9 b RB2G2SNLPrb2g2s3n3l17p 1";

/// The interval never grows, and every line told on the way is as long as it says.
#[test]
fn the_interval_shrinks_while_it_searches() {
    let position = Position::from_sfen(LONG).expect("the test's SFEN is right");
    let problem = Tsume::new(position);
    let table = Table::new(1 << 24).expect("memory");
    let limits =
        MateLimits { nodes: Some(400_000), length: Length::Shortest, ..MateLimits::default() };
    let (mut told, mut lines) = (Vec::new(), 0);
    let answer = Mate::new(&table).solve_watched(&problem, &limits, &mut |event| match event {
        Event::Progress(progress) => {
            if let Phase::Shortest { least, known, .. } = progress.phase {
                told.push((least, known));
            }
        }
        Event::Found { least, plies, solution, .. } => {
            let found = solution();
            assert_eq!((found.least, found.length), (least, plies));
            assert!(found.complete && found.line.len() == usize::from(plies));
            own::assert_mates(&problem, &found.line, "long");
            lines += 1;
        }
        Event::NotShorter { .. } => {}
    });
    assert!(assert_claim(&answer, "long") && lines > 0);
    let found = answer.solution.as_ref().expect("a mate");
    told.push((found.least, found.length));
    assert!(told.is_sorted_by(|a, b| a.0 <= b.0 && a.1 >= b.1), "{told:?}");
    assert!(!found.exact && found.least >= 3, "{} to {}", found.least, found.length);
    assert_eq!(certify(&Mate::new(&table), &answer, "long"), 2);
}

/// Long problems with few nodes: every other one, within seconds.
#[test]
fn hard_problems_with_few_nodes() {
    let (mut mates, mut cut, mut both) = (0, 0, 0);
    for set in ["zuko.tsv", "muso.tsv", "famous.tsv"] {
        let Some(text) = yomikiri_needs::problem_set(set) else { return };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for (i, line) in lines.enumerate().step_by(2) {
            let mut columns = line.split('\t');
            let (Some(sfen), Some(id)) = (columns.next(), columns.next()) else { continue };
            let Ok(position) = Position::from_sfen(sfen) else { continue };
            let asked = if i % 4 == 0 { Length::First } else { Length::Shortest };
            for nodes in [2_000, 20_000] {
                let id = format!("{id} {asked:?} {nodes}");
                let table = Table::new(1 << 22).expect("memory");
                let (mate, answer) =
                    solve(&table, &position, Futile::NotCounted, (asked, Some(nodes)));
                cut += usize::from(!assert_claim(&answer, &id));
                let Some(found) = &answer.solution else { continue };
                mates += 1;
                if !found.exact && found.least >= 3 && found.length < 40 {
                    both += certify(&mate, &answer, &id) / 2;
                }
            }
        }
    }
    assert!(mates > 30 && cut * 20 <= mates && both > 0, "{mates} mates, {cut} cut, {both} open");
}
