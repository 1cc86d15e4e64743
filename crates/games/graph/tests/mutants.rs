//! Damaged certificates: a child dropped, a move swapped, a rank changed, the end cut off, any byte
//! changed. The checker must reject each one, unless what is left is itself a certificate. What
//! counts as one is decided by the slow reading.

use andor::certificate::{Proof, check, write};
use andor::{
    Algorithm, Claim, Control, Dfpn, Plies, Pulse, Repetition, SplitMix64, Stop, Table, search,
};
use yomikiri_graph::random;

use crate::reader::{leb, slow, splice};

#[test]
fn damaged_certificates_are_rejected() {
    let mut random = SplitMix64::new(7);
    let mut table = Table::new(1 << 14).expect("a small table");
    let (mut mutants, mut still_valid, mut kinds) = (0, 0, [0; 7]);
    for seed in 0..12_000 {
        let graph = random::any(12, seed);
        if graph.repetition() != Repetition::FavoursDefender {
            continue;
        }
        let root = graph.start();
        table.clear();
        let bound = Plies::from((seed % 3 == 0).then_some(6));
        let dfpn = Dfpn { plies: bound, ..Dfpn::default() };
        let outcome = search(&root, &Algorithm::Dfpn(dfpn), &table, &mut Control::default());
        let value = outcome.value().expect("small graphs are solved");
        let plies = if bound.is_bounded() { bound } else { outcome.plies };
        let mut bytes = Vec::new();
        write(Claim::new(&root, value, plies), dfpn, &table, &Stop::new(), &mut bytes)
            .expect("written");
        let (valid, reader) = slow(&root, value, plies, &bytes);
        assert!(valid, "seed {seed}: the slow reading rejects a certificate\n{graph}");
        let places = reader.places;
        for _ in 0..40 {
            let kind = random.below(7);
            let mut pick = |spans: &[(usize, usize)]| {
                (!spans.is_empty()).then(|| spans[random.below(spans.len())])
            };
            let mutant = match kind {
                0 => pick(&places.children).map(|span| splice(&bytes, span, &[])),
                1 => pick(&places.moves)
                    .map(|span| splice(&bytes, span, &leb(random.below(5) as u64))),
                2 => pick(&places.ranks)
                    .map(|span| splice(&bytes, span, &leb(random.below(12) as u64))),
                3 => Some(bytes[..random.below(bytes.len())].to_vec()),
                4 => pick(&places.children)
                    .map(|span| splice(&bytes, span, &[[0, 2, 4][random.below(3)]])),
                5 => pick(&places.raises)
                    .map(|span| splice(&bytes, span, &leb(random.below(12) as u64))),
                _ => {
                    let mut changed = bytes.clone();
                    let at = random.below(changed.len());
                    changed[at] ^= 1 << random.below(8);
                    Some(changed)
                }
            };
            let Some(mutant) = mutant.filter(|mutant| *mutant != bytes) else { continue };
            kinds[kind] += 1;
            mutants += 1;
            let (valid, _) = slow(&root, value, plies, &mutant);
            let claim = Claim::new(&root, value, plies);
            let checked = check(claim, &mut mutant.as_slice());
            let open = Proof::open(claim, &Pulse::new(Stop::new()), &mut mutant.as_slice());
            let opened = open.map(|proof| proof.checked()).map_err(|error| error.to_string());
            let accepted = checked.is_ok();
            assert_eq!(opened, checked.map_err(|error| error.to_string()), "seed {seed}\n{graph}");
            assert_eq!(accepted, valid, "seed {seed}, mutation {kind}\n{graph}\n{mutant:?}");
            still_valid += u32::from(valid);
        }
    }
    println!("{mutants} mutants, {still_valid} of them certificates themselves; by kind {kinds:?}");
    // Few graphs are large enough to ask for more plies later.
    let least = |kind| if kind == 5 { 200 } else { 1_000 };
    assert!((0..7).all(|kind| kinds[kind] > least(kind)), "{kinds:?}");
    assert!(still_valid * 5 < mutants, "{still_valid} of {mutants}");
}
