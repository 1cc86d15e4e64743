//! Tic-tac-toe: can the first player force a win? Audited, solved, certified, checked.
use andor::simple::{Game, Simple};
use andor::{Algorithm, Control, Dfpn, NodeKind, Stop, Table, Value, audit, certificate, search};

/// The squares of the first player and of the second, a bit each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Board([u16; 2]);
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game for Board {
    type Move = u16;
    fn kind(&self) -> NodeKind {
        let [first, second] = self.0.map(u16::count_ones);
        if first == second { NodeKind::Or } else { NodeKind::And }
    }
    fn over(&self) -> Option<Value> {
        let [first, second] = self.0.map(|own| LINES.iter().any(|line| own & line == *line));
        let is_lost = second || self.moves().is_empty();
        if first { Some(Value::Proven) } else { is_lost.then_some(Value::Disproven) }
    }
    fn moves(&self) -> Vec<u16> {
        (0..9).filter(|square| (self.0[0] | self.0[1]) >> square & 1 == 0).collect()
    }
    fn after(&self, square: u16) -> Board {
        let mut squares = self.0;
        squares[usize::from(self.kind() == NodeKind::And)] |= 1 << square;
        Board(squares)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (start, table, dfpn) = (Simple(Board([0, 0])), Table::new(1 << 20)?, Dfpn::default());
    println!("{}", audit(&start, 100)?);
    let outcome = search(&start, &Algorithm::Dfpn(dfpn), &table, &mut Control::default());
    let (claim, mut file) = (outcome.claim(&start).ok_or("not solved")?, Vec::new());
    certificate::write(claim, dfpn, &table, &Stop::new(), &mut file)?;
    let checked = certificate::check(claim, &mut file.as_slice())?;
    println!("{:?}: a certificate of {} positions", claim.value, checked.positions);
    Ok(())
}
