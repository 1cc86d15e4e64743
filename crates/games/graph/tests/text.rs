//! The text: what it means, each error with its place, round trips, and that nothing makes it
//! panic.

use andor::{NodeKind, Repetition, Rules, Value};
use proptest::prelude::*;
use yomikiri_graph::{Graph, GraphError, Reason, Role, Tokens, random};

const EXAMPLE: &str = "
graph                       # a comment
repetition attacker
stock 3
root b

a or b c+1 d-2 a a
b and a e?1
c win
d lose # another
e or
";

#[test]
fn the_example_is_read() {
    let graph: Graph = EXAMPLE.parse().unwrap();
    assert_eq!(graph.repetition(), Repetition::FavoursAttacker);
    assert_eq!(graph.stock(), Tokens::new(3));
    assert_eq!(Some(graph.root()), graph.find("b"));
    let roles: Vec<_> = graph.nodes().iter().map(|node| node.role()).collect();
    assert_eq!(roles, [Role::Or, Role::And, Role::Win, Role::Lose, Role::Or]);

    let mut position = graph.start();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves, [0], "e asks for at most 1 token");
    assert_eq!(position.kind(), NodeKind::And);
    let start = position.clone();
    let undo = position.play(0);
    assert_eq!(position.to_string(), "a with stock 3");
    moves.clear();
    position.legal_moves(&mut moves);
    let described: Vec<_> = moves.iter().map(|&m| position.describe_move(m)).collect();
    assert_eq!(described, ["b", "c+1", "d-2", "a", "a"]);
    position.undo(0, undo);
    assert_eq!(position, start);
    position = graph.position(0, Tokens::new(1)).unwrap();
    moves.clear();
    position.legal_moves(&mut moves);
    assert_eq!(moves, [0, 1, 3, 4], "d costs 2 tokens");
    position.play(1);
    assert_eq!((position.identity(), position.stock()), (2, Tokens::new(2)));
    assert_eq!(position.terminal(), Some(Value::Proven));
    assert!(graph.position(5, Tokens::NONE).is_none());
}

#[test]
fn gains_stop_at_the_most() {
    let graph: Graph = "graph\nstock 9\na or a+9".parse().unwrap();
    let mut position = graph.start();
    position.play(0);
    assert_eq!(position.stock(), Tokens::new(15));
}

#[test]
fn tokens_of_two_kinds_are_read() {
    let text = "graph\nrepetition defender\nstock 3 2b\nroot a\na or b-2+1b c+2b a-3b\nb and a?1b c?0\nc win\n";
    let graph: Graph = text.parse().unwrap();
    assert_eq!(graph.to_string(), text);
    assert_eq!(graph.stock(), Tokens::of(3, 2));
    let after = |name: &str, tokens| {
        let position = graph.position(graph.find(name).unwrap(), tokens).unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let play = |&m: &u32| {
            let mut child = position.clone();
            child.play(m);
            (m, child.stock())
        };
        moves.iter().map(play).collect::<Vec<_>>()
    };
    // The third edge costs more of the second kind than there is; gains stop at the most.
    assert_eq!(after("a", Tokens::of(3, 2)), [(0, Tokens::of(1, 3)), (1, Tokens::of(3, 3))]);
    assert_eq!(after("a", Tokens::of(1, 3)), [(1, Tokens::of(1, 3)), (2, Tokens::of(1, 0))]);
    assert_eq!(after("b", Tokens::of(9, 1)), [(0, Tokens::of(9, 1))]);
    assert_eq!(after("b", Tokens::of(0, 2)), [(1, Tokens::of(0, 2))]);
    let only_second: Graph = "graph\nstock 2b\na win".parse().unwrap();
    assert_eq!(only_second.stock(), Tokens::of(0, 2));
}

#[test]
fn defaults() {
    let graph: Graph = "graph\nx or y\ny win".parse().unwrap();
    assert_eq!((graph.root(), graph.stock()), (0, Tokens::NONE));
    assert_eq!(graph.repetition(), Repetition::FavoursDefender);
}

#[test]
fn signs_without_effect_are_dropped() {
    let graph: Graph = "graph\nx or y+0 y-0\ny and x?15 x?0".parse().unwrap();
    let text = "graph\nrepetition defender\nstock 0\nroot x\nx or y y\ny and x x?0\n";
    assert_eq!(graph.to_string(), text);
}

#[test]
fn every_error_has_its_place() {
    use Reason::*;
    let name = |text: &str| text.to_owned();
    let cases = [
        ("", 1, 1, KeywordMissing),
        ("  # graph", 1, 10, KeywordMissing),
        ("\n  a or b", 2, 3, KeywordMissing),
        ("graph", 1, 6, EmptyGraph),
        ("graph\nstock 1\n# end", 3, 6, EmptyGraph),
        ("graph a", 1, 7, Unexpected(name("a"))),
        ("graph\na win\ngraph", 3, 1, SetTwice(name("graph"))),
        ("graph\nstock", 2, 6, Expected("a number of tokens")),
        ("graph\nstock 1 2", 2, 9, Unexpected(name("2"))),
        ("graph\nstock 1\n stock 1", 3, 2, SetTwice(name("stock"))),
        ("graph\nstock 16", 2, 7, BadTokens(name("16"))),
        ("graph\nstock +1", 2, 7, BadTokens(name("+1"))),
        ("graph\nrepetition", 2, 11, Expected("`defender` or `attacker`")),
        ("graph\nrepetition nobody", 2, 12, UnknownRepetition(name("nobody"))),
        ("graph\nroot", 2, 5, Expected("a node")),
        ("graph\na win\nroot  b", 3, 7, MissingRoot(name("b"))),
        ("graph\na", 2, 2, Expected("`or`, `and`, `win` or `lose`")),
        ("graph\na  xor b", 2, 4, UnknownKind(name("xor"))),
        ("graph\na win a", 2, 7, Unexpected(name("a"))),
        ("graph\na-b win", 2, 1, BadName(name("a-b"))),
        ("graph\na or +1", 2, 6, BadName(name(""))),
        ("graph\na or a! a", 2, 6, BadName(name("a!"))),
        ("graph\na or a a+x", 2, 10, BadTokens(name("x"))),
        ("graph\na or a++1", 2, 8, BadTokens(name("+1"))),
        ("graph\na or a-", 2, 8, BadTokens(name(""))),
        ("graph\na or a-1-1", 2, 9, SignTwice('-')),
        ("graph\na or a-1b+x", 2, 11, BadTokens(name("x"))),
        ("graph\na or a-4b", 2, 8, BadTokens(name("4b"))),
        ("graph\na or a-b", 2, 8, BadTokens(name("b"))),
        ("graph\na or a-1c", 2, 8, BadTokens(name("1c"))),
        ("graph\na and a?1?1b", 2, 10, SignTwice('?')),
        ("graph\nstock 1 4b", 2, 9, BadTokens(name("4b"))),
        ("graph\nstock 1b 1b", 2, 10, Unexpected(name("1b"))),
        ("graph\na or a-999", 2, 8, BadTokens(name("999"))),
        ("graph\na and a+1", 2, 8, Misplaced('+')),
        ("graph\na and a-1", 2, 8, Misplaced('-')),
        ("graph\na or a?1", 2, 7, Misplaced('?')),
        ("graph\na win\n a lose", 3, 2, DefinedTwice(name("a"))),
        ("graph\na or a\tb+1", 2, 8, Dangling(name("b"))),
        ("graph\n王 or 王+x", 2, 8, BadTokens(name("x"))),
        ("graph\n王\u{3000}or 玉 金", 2, 6, Dangling(name("玉"))),
    ];
    for (text, line, column, reason) in cases {
        let error = GraphError { line, column, reason };
        assert_eq!(text.parse::<Graph>(), Err(error), "{text:?}");
    }
}

#[test]
fn random_graphs_survive_a_round_trip() {
    for seed in 0..2_000 {
        let graph = random::any(14, seed);
        assert_eq!(graph.to_string().parse(), Ok(graph), "seed {seed}");
    }
}

/// Lines made of the words of the language, and of some that are not.
fn soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "graph",
        "repetition",
        "defender",
        "attacker",
        "stock",
        "root",
        "or",
        "and",
        "win",
        "lose",
        "a",
        "b",
        "c",
        "a+1",
        "b-2",
        "c?3",
        "c?1b",
        "a-1+2b",
        "2b",
        "b+16",
        "+",
        "a-",
        "0",
        "15",
        "王",
        "#",
        " ",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\t",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| format!("graph\n{}", words.join(" ")))
}

/// Reading must not panic, and what was read must survive a round trip.
fn read(text: &str) {
    if let Ok(graph) = text.parse::<Graph>() {
        assert_eq!(graph.to_string().parse(), Ok(graph));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>()) {
        read(&text);
        read(&format!("graph\n{text}"));
    }

    #[test]
    fn any_soup_of_words_is_read_without_panic(text in soup()) {
        read(&text);
    }

    #[test]
    fn a_damaged_graph_is_read_without_panic(seed in any::<u64>(), at in any::<prop::sample::Index>(), new in any::<char>()) {
        let mut chars: Vec<char> = random::any(8, seed).to_string().chars().collect();
        let at = at.index(chars.len());
        chars[at] = new;
        read(&chars.into_iter().collect::<String>());
    }
}
