//! variants
use andor::*;
use yomikiri_hex::{Board, Hex, Side};
use yomikiri_othello::*;
#[derive(Clone, Copy)]
struct N {
    pn: u32,
    dn: u32,
    parent: u32,
    first: u32,
    count: u16,
    front: u16,
    or: bool,
    m: u8,
    term: u8,
}
fn run<P: Problem>(
    p: &P,
    delayed: bool,
    off: f64,
    r: f64,
    limit: u64,
    deepmode: u8,
    order: bool,
    seed: u64,
) -> (u64, u64, bool) {
    let mut p = p.clone();
    let mut ns: Vec<N> = vec![N {
        pn: 1,
        dn: 1,
        parent: 0,
        first: 0,
        count: 0,
        front: 0,
        or: p.kind() == NodeKind::Or,
        m: 0,
        term: 0,
    }];
    let mut mv: Vec<P::Move> = vec![];
    let mut path: Vec<(P::Move, P::Undo)> = vec![];
    let mut its = 0u64;
    let mut allm: Vec<Option<P::Move>> = vec![None];
    let dpn = |d: u32, f: u16| {
        let dp = 1.0 / ((f as f64 + off).max(1.0));
        (1.0 - 1.0 / d as f64) * r + dp * (1.0 - r)
    };
    loop {
        if ns[0].pn == 0 || ns[0].dn == 0 {
            return (its, ns.len() as u64, true);
        }
        if ns.len() as u64 >= limit {
            return (its, ns.len() as u64, false);
        }
        // select
        let mut at = 0usize;
        while ns[at].count != 0 {
            let n = ns[at];
            let mut b = usize::MAX;
            let mut bv = f64::INFINITY;
            for i in n.first as usize..n.first as usize + n.count as usize {
                let c = ns[i];
                if c.pn == 0 || c.dn == 0 {
                    continue;
                }
                let v = dpn(if n.or { c.pn } else { c.dn }, c.front);
                if v < bv {
                    bv = v;
                    b = i
                }
            }
            let m = allm[b].unwrap();
            let u = p.play(m);
            path.push((m, u));
            at = b;
        }
        its += 1;
        let val = |v: Value| if v == Value::Proven { (0, u32::MAX) } else { (u32::MAX, 0) };
        let depth = path.len() as u16;
        if delayed && p.terminal().is_some() {
            let (a, b) = val(p.terminal().unwrap());
            ns[at].pn = a;
            ns[at].dn = b;
        } else {
            mv.clear();
            p.legal_moves(&mut mv);
            if order {
                // shuffle per position
                let k = p.key().low();
                let here = mix64(k ^ mix64(seed));
                mv.sort_by_key(|&m| mix64(here.wrapping_add(P::encode_move(m) as u64)));
            }
            let first = ns.len() as u32;
            for &m in &mv {
                let u = p.play(m);
                let (a, b) = if delayed { (1, 1) } else { p.terminal().map_or((1, 1), val) };
                ns.push(N {
                    pn: a,
                    dn: b,
                    parent: at as u32,
                    first: 0,
                    count: 0,
                    front: depth + 1,
                    or: p.kind() == NodeKind::Or,
                    m: 0,
                    term: 0,
                });
                allm.push(Some(m));
                p.undo(m, u);
            }
            ns[at].first = first;
            ns[at].count = mv.len() as u16;
        }
        loop {
            let n = ns[at];
            if n.count > 0 {
                let (mut phi, mut del) = (u32::MAX, 0u32);
                let mut bv = f64::INFINITY;
                let mut bf = n.front;
                let mut mxf = 0;
                for c in &ns[n.first as usize..n.first as usize + n.count as usize] {
                    let (s, a) = if n.or { (c.pn, c.dn) } else { (c.dn, c.pn) };
                    phi = phi.min(s);
                    del = add(del, a);
                    if c.pn == 0 || c.dn == 0 {
                        continue;
                    }
                    mxf = mxf.max(c.front);
                    let v = dpn(s, c.front);
                    if v < bv {
                        bv = v;
                        bf = c.front
                    }
                }
                if deepmode == 1 && mxf > 0 {
                    bf = mxf
                }
                let (a, b) = if n.or { (phi, del) } else { (del, phi) };
                ns[at].pn = a;
                ns[at].dn = b;
                ns[at].front = bf;
            }
            if at == 0 {
                break;
            }
            let (m, u) = path.pop().unwrap();
            p.undo(m, u);
            at = n.parent as usize;
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u64 = a[2].parse().unwrap();
    let limit: u64 = a[3].parse().unwrap();
    let delayed = a[4] == "d";
    let off: f64 = a[5].parse().unwrap();
    let dm: u8 = a[6].parse().unwrap();
    let att = a[7] == "w";
    let mut base = 0.0;
    let mut basen = 0.0;
    for r in &a[8..] {
        let r: f64 = r.parse().unwrap();
        let (mut i, mut nd, mut un) = (0.0, 0.0, 0);
        for s in 0..n {
            let (x, y, ok) = if a[1] == "o" {
                run(
                    &Othello::new(random_position(s, 44), Goal::Wins),
                    delayed,
                    off,
                    r,
                    limit,
                    dm,
                    false,
                    s,
                )
            } else {
                let h = Hex::new(Board::empty(4).unwrap(), Side::Black);
                let h = if att { h.with_attacker(Side::White) } else { h };
                run(&h, delayed, off, r, limit, dm, true, s)
            };
            i += x as f64;
            nd += y as f64;
            if !ok {
                un += 1
            }
        }
        if base == 0.0 {
            base = i;
            basen = nd
        }
        println!(
            "r {r:.2} its {:.0} nodes {:.0} unsolved {un} ratio its {:.3} nodes {:.3}",
            i / n as f64,
            nd / n as f64,
            i / base,
            nd / basen
        );
    }
}
