//! Broken input, over all commands: exit code 2 (3 for certificates that are rejected), one clear line,
//! and nothing written.
//!
//! A row is a command line, what stands on standard input, and words that the message must have, with
//! `|` between them. Arguments are set apart by blanks, `''` is an empty one, `~` within one is a blank,
//! and a few names stand for problems. The files that rows name are made before the first and must be
//! as they were after each. A message about a text may show the place in it on the lines after the first.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Run, command, directory, finish, yomikiri};

const HEX: &str = "hex 3 .../.../... B";
const SHOGI: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
const CHESS: &str = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
const GRAPH: &str = "graph\na or b\nb win\n";
const ROUND: &str = "graph\nrepetition attacker\na and b c\nb or a\nc or a d\nd lose\n";

/// Names in the table, and what they stand for.
const NAMES: [(&str, &str); 5] =
    [("HEX", HEX), ("SHOGI", SHOGI), ("CHESS", CHESS), ("GRAPH", GRAPH), ("ROUND", ROUND)];

/// Files that the table names.
const FILES: &[(&str, &str)] = &[
    ("precious", "precious"),
    ("empty", ""),
    ("comments", "# nothing\n\n# here\n"),
    ("two.txt", "hex 3 .../.../... B\nhex 3 .../.../... W\n"),
    (
        "two.sfen",
        "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1\n9/5+p2k/9/5+B3/8S/9/9/9/9 b Rrb4g3s4n4l17p 1\n",
    ),
    ("bad.txt", "hex 3 .../.Q./... B\n"),
    ("bad.kif", "手合割：平手\n手数----指手--\n   1 ７六歩(77)\n   2 ５五角(33)\n"),
    ("bad.ki2", "手合割：平手\n▲７六歩 △６六歩\n"),
    ("bad.csa", "V2.2\nPI\n+\n+7776FU\n-3334KI\n"),
    ("bad.jkf", "{\"header\":{},\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7}}}"),
    ("game.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n"),
    ("bad.pgn", "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n"),
    ("game.pgn", "[White \"A\"]\n\n1. e4 e5 *\n"),
    ("no-moves.pgn", "[White \"A\"]\n\n*\n"),
    ("bad.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq -\n"),
    ("no-bm.epd", "7k/8/5KQ1/8/8/8/8/8 w - - id \"x\";\n"),
    ("none.cert", "hello\n"),
    ("ranks.json", "{\"ranks\": \"many\"}"),
    ("many-ranks.json", "{\"ranks\": [0.9, 0.9]}"),
    ("match.jsonl", "not a match\n"),
    ("folder/file", "in a folder"),
];

type Row = (&'static str, &'static str, &'static str);

const GENERAL: &[Row] = &[
    ("nonsense", "", "nonsense|--help"),
    ("--nonsense", "", "--nonsense"),
    ("tsume", "", "a command is missing"),
    ("tsume nonsense", "", "nonsense"),
    ("engine", "", "a command is missing"),
    ("engine go", "", "'go'"),
    ("bench nonsense", "", "nonsense"),
    ("bench tsume --suite weakness", "", "weakness|strength"),
    ("bench tsume --time x", "", "number of seconds|see `yomikiri bench tsume --help`"),
    ("--nodes -1", "", "'--nodes'"),
    ("usi -1", "", "'-1'"),
    ("tsume make --seed -1", "", "'-1'|--seed|whole number"),
    ("bench tsume --time -1", "", "'-1'|--time|number of seconds"),
    ("games hex", "", "'hex'"),
    ("games --all", "", "--all"),
    ("algorithms dfpn", "", "'dfpn'"),
    ("algorithms --all", "", "--all"),
    ("check", "", "<FILE>"),
    ("check none.cert --time x", "", "number of seconds"),
    ("usi extra", "", "'extra'"),
    ("completions", "", "<SHELL>"),
    ("completions sh", "", "'sh'|bash|zsh"),
    ("completions bash zsh", "", "'zsh'"),
    ("man solve", "", "'solve'"),
    ("man --out precious", "", "cannot make the directory precious"),
    ("man --out ''", "", "--out"),
    ("man --out -", "", "--out -|folder"),
];

const SOLVE: &[Row] = &[
    ("solve", "", "there is no problem in the input"),
    ("solve", "what is this", "no game is recognised here"),
    ("solve empty", "", "no game is recognised|--file"),
    ("solve --file empty", "", "there is no problem in empty"),
    ("solve --file comments", "", "there is no problem in comments"),
    ("solve --file missing", "", "cannot read missing"),
    ("solve --file folder", "", "cannot read folder"),
    ("solve --file - --file -", "x", "standard input|once only"),
    ("solve --file bytes", "", "bytes"),
    ("solve HEX --nonsense", "", "--nonsense"),
    ("solve HEX --color", "", "--color"),
    ("solve HEX --color sometimes", "", "sometimes|never"),
    ("solve HEX --hash 0", "", "--hash|at least 1 MiB"),
    ("solve HEX --hash x", "", "--hash|whole number of MiB|see `yomikiri solve --help`"),
    ("solve HEX --hash -5", "", "'-5'|--hash|whole number of MiB"),
    ("solve HEX --nodes -1", "", "'-1'|--nodes|whole number"),
    ("solve HEX --epsilon -0.5", "", "'-0.5'|--epsilon|0 or more"),
    ("solve -1", "", "no game is recognised"),
    ("solve HEX --hash 1.5", "", "--hash|whole number of MiB"),
    ("solve HEX --hash 99999999", "", "--hash 99999999|memory"),
    ("solve HEX --hash 99999999999999999999", "", "--hash"),
    ("solve HEX --nodes x", "", "--nodes|500k"),
    ("solve HEX --nodes 1.5", "", "--nodes|whole number"),
    ("solve HEX --nodes ''", "", "--nodes"),
    ("solve HEX --nodes 99999999999G", "", "--nodes|whole number"),
    ("solve HEX --time x", "", "--time|number of seconds"),
    ("solve HEX --time=-1", "", "--time|number of seconds"),
    ("solve HEX --time nan", "", "--time|number of seconds"),
    ("solve HEX --time inf", "", "--time|number of seconds"),
    ("solve HEX --algorithm magic", "", "magic|dfpn"),
    ("solve HEX --algorithm", "", "--algorithm"),
    ("solve HEX -a deep-pn --r 2", "", "--r|0 to 1"),
    ("solve HEX -a deep-pn --r x", "", "--r|0 to 1"),
    ("solve HEX -a pn --r 0.5", "", "--r is for"),
    ("solve HEX --epsilon=-1", "", "--epsilon|0 or more"),
    ("solve HEX --epsilon nan", "", "--epsilon|0 or more"),
    ("solve HEX --sums some", "", "some|weak"),
    ("solve HEX -a pn --sums dag", "", "--sums is for"),
    ("solve HEX --plies 65535", "", "--plies|65535"),
    ("solve HEX --plies x", "", "--plies"),
    ("solve ROUND --plies 3", "", "--plies"),
    ("solve HEX -a pn --plies 3", "", "--plies is for"),
    ("solve HEX --game checkers", "", "checkers|othello"),
    ("solve HEX --goal score", "", "no such goal"),
    (
        "solve --goal score",
        "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X goal win",
        "the text asks for goal `win`, the option for `score`",
    ),
    ("solve HEX --goal draw", "", "no such goal|win, B and W"),
    ("solve SHOGI --goal mate:green", "", "no such goal|:black or :white"),
    ("solve SHOGI --goal win", "", "no such goal|mate-counted"),
    ("solve CHESS --goal win", "", "no such goal|mate and checks"),
    ("solve GRAPH --goal win", "", "a graph has no goals"),
    ("solve --goal W", "hex 3 .../.../... B goal B", "the text asks for goal `B`"),
    (
        "solve --goal score>=99",
        "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X",
        "no score from -64 to 64",
    ),
    ("solve SHOGI --futile sometimes", "", "sometimes|not-counted"),
    ("solve SHOGI --futile counted --goal mate", "", "--futile|--goal"),
    ("solve SHOGI --attacker green", "", "green|black"),
    ("solve HEX --any-mate", "", "--any-mate is for shogi, not for hex"),
    ("solve HEX --shortest", "", "--shortest: hex is searched without moves|--plain"),
    ("solve SHOGI --shortest --any-mate", "", "--any-mate|--shortest|only one"),
    ("solve CHESS --shortest --any-mate", "", "--any-mate|--shortest|only one"),
    ("solve CHESS --kif new", "", "--kif is for shogi, not for chess"),
    ("solve HEX --threads 0", "", "--threads|at least one thread"),
    ("solve HEX --threads 65", "", "--threads|64 threads at most"),
    ("solve HEX --threads two", "", "--threads|from 1 to 64"),
    ("solve HEX -a pn --threads 2", "", "--threads is for"),
    ("solve HEX -a mps --threads 2", "", "mps runs on one thread"),
    ("solve HEX --turns 10 --threads 2", "", "--turns is for virtual"),
    ("solve HEX -a virtual --turns 0", "", "--turns|at least one node"),
    ("solve HEX --virtual 2 --threads 2", "", "--virtual is for virtual"),
    ("solve HEX -a virtual --virtual -1", "", "--virtual|0 to 1000, or `paper`"),
    ("solve HEX -a virtual --virtual 1001", "", "--virtual|0 to 1000, or `paper`"),
    ("solve HEX -a mps --quantum ten", "", "--quantum|whole number"),
    ("solve HEX -a mps --quanta weight:0", "", "--quanta|tenth"),
    ("solve HEX -a mps --cover all", "", "--cover|least, branch or solved"),
    ("solve HEX -a mps --pseudo-threads 0", "", "--pseudo-threads"),
    ("solve HEX -a pmps --assignment S|S", "", "--assignment|exactly one L"),
    ("solve HEX -a mps --assignment L,S", "", "--assignment is for pmps"),
    ("solve HEX --certificate missing/a.cert", "", "cannot write missing/a.cert"),
    ("solve HEX --certificate folder", "", "cannot write folder"),
    ("solve HEX --certificate ''", "", "--certificate"),
    ("solve HEX HEX --certificate precious", "", "--certificate precious|need a directory"),
    ("solve HEX HEX --certificate -", "", "--certificate -|need a directory"),
    ("solve SHOGI --kif missing/a.kif", "", "cannot write missing/a.kif"),
    ("solve SHOGI --kif folder", "", "cannot write folder"),
    ("solve SHOGI --kif new --certificate new", "", "new is being written already"),
    ("solve SHOGI --kif - --certificate -", "", "two outputs go to standard output"),
    ("solve --certificate precious", "hex 3 .../.Q./... B", "'Q' is no cell"),
    ("solve --kif precious", "8k/9/9/9/9/9/9/9/9 b X 1", "X"),
    ("solve --file bad.txt --certificate new", "", "bad.txt, line 1|'Q' is no cell"),
    ("solve HEX --save-table missing/a", "", "cannot write missing/a"),
    ("solve HEX HEX --save-table new", "", "one problem at a time"),
    ("solve HEX -a pn --save-table new", "", "for the df-pn algorithms"),
    ("solve HEX --load-table missing", "", "cannot load the table missing"),
    ("solve HEX --load-table precious", "", "not a saved table"),
    (
        "solve HEX --load-table precious --save-table new --certificate new.cert",
        "",
        "not a saved table",
    ),
    ("solve HEX --at 1", "", "--at is for records"),
    ("solve HEX --last", "", "--last is for records"),
    ("solve HEX --every", "", "--every is for records"),
    ("solve --file game.csa --at 3", "", "--at 3: the record has 2 moves"),
    ("solve --file game.csa --at x", "", "--at"),
    ("solve --file game.csa --at 1 --last", "", "--at|--last"),
    ("solve --file game.csa --every --kif new", "", "--every|--kif"),
    ("solve --file game.csa --every --attacker black", "", "--every|--attacker"),
    ("solve --file game.csa --every --goal mate:black", "", "leave the side out of --goal"),
    ("solve --file game.csa --every --certificate precious", "", "precious|directory"),
    ("solve --file bad.csa --every", "", "bad.csa, line 5"),
    ("solve --file bad.kif", "", "bad.kif, line 4"),
    ("solve --file bad.ki2", "", "bad.ki2, line 2"),
    ("solve --file bad.csa", "", "bad.csa, line 5"),
    ("solve --file bad.jkf", "", "bad.jkf, line 1"),
    ("solve --file bad.pgn", "", "bad.pgn, line 3|game 1"),
    ("solve", "[White \"A\"\n\n1. e4 *\n", "tag"),
    ("solve", "[White \"A\"]\n\n1. e4 {open *\n", "comment"),
    ("solve", "[White \"A\"]\n\n1. e4 ) e5 *\n", "`)`"),
];

/// Positions that are none.
const POSITIONS: &[Row] = &[
    ("solve", "hex", "size"),
    ("solve", "hex 0 . B", "size"),
    ("solve", "hex 12 moves", "column 5|size"),
    ("solve", "hex 3 .../... B", "row"),
    ("solve", "hex 3 .../.../.../... B", "row"),
    ("solve", "hex 3 ..../.../... B", "row"),
    ("solve", "hex 3 ../.../... B", "row"),
    ("solve", "hex 3 .../.../...", "side"),
    ("solve", "hex 3 .../.../... X", "side"),
    ("solve", "hex 3 .../.../... B B", "column"),
    ("solve", "hex 3 moves z9", "column 13"),
    ("solve", "hex 3 moves a1 a1", "column 16"),
    ("solve", "OOOOO----XXOOO--XXOXXOO- X", "25 of 64 squares"),
    ("solve", "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO-", "side to move"),
    ("solve", "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- B", "column 66"),
    ("solve", "OOOOO-?--XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X", "column 7"),
    ("solve", "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X X", "column 68"),
    ("solve", "7k/8/5KQ1/8/8/8/8 w - - 0 1", "rank"),
    ("solve", "7k/8/5KQ1/9/8/8/8/8 w - - 0 1", "no run of empty squares"),
    ("solve", "7k/8/5KX1/8/8/8/8/8 w - - 0 1", "X"),
    ("solve", "7k/8/5KQ1/8/8/8/8/8 x - - 0 1", "column 21"),
    ("solve", "7k/8/5KQ1/8/8/8/8/8 w Z - 0 1", "column 23"),
    ("solve", "7k/8/5KQ1/8/8/8/8/8 w - e9 0 1", "column 25"),
    ("solve", "7k/8/5KQ1/8/8/8/8/8 w - - x 1", "halfmoves"),
    ("solve", "8/8/5KQ1/8/8/8/8/8 w - - 0 1", "kings"),
    ("solve", "7k/8/5KQ1/8/8/8/8/7K w - - 0 1", "kings"),
    ("solve", "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "Black is mated already"),
    ("solve", "7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "stalemate"),
    ("solve", "7k/8/8/8/8/8/8/K6R w - - 0 1", "check"),
    ("solve", "8k/9/9/9/9/9/9/9 b G 1", "rank"),
    ("solve", "8k/9/9/9/9/9/9/9/8 b G 1", "rank"),
    ("solve", "8k/9/9/9/9/9/9/9/91 b G 1", "rank"),
    ("solve", "8k/9/9/9/9/9/9/9/4x4 b G 1", "x"),
    ("solve", "8k/9/9/9/9/9/9/9/9 x G 1", "x"),
    ("solve", "8k/9/9/9/9/9/9/9/9 b 19P 1", "19"),
    ("solve", "8k/9/9/9/9/9/9/9/9 b 5G 1", "gold"),
    ("solve", "7kk/9/9/9/9/9/9/9/9 b G 1", "king"),
    ("solve", "9/9/9/9/9/9/9/9/9 b G 1", "king"),
    ("solve", "P7k/9/9/9/9/9/9/9/9 b G 1", "move"),
    ("solve", "8k/9/P8/P8/9/9/9/9/9 b G 1", "pawn"),
    ("solve", "8k/8G/9/9/9/9/9/9/9 b - 1", "could take the king"),
    ("solve", "sfen 8k/9/9/9/9/9/9/9/9 b G 1 moves 1a1b", "1a1b"),
    ("solve", "startpos moves 7g7f nonsense", "nonsense"),
    ("solve", "graph\n", "node"),
    ("solve", "graph\na or zzz\n", "line 2|successor `zzz` is not defined"),
    ("solve", "graph\na or b\na win\nb win\n", "line 3"),
    ("solve", "graph\na maybe b\nb win\n", "line 2"),
    ("solve", "graph\nstock 99\na or b\nb win\n", "line 2"),
    ("solve", "graph\nrepetition nobody\na or b\nb win\n", "line 2"),
    ("solve", "graph\nroot zzz\na or b\nb win\n", "line 2"),
    ("solve", "graph\na or b+99\nb win\n", "line 2"),
    ("solve --game hex", "OOOOO", "hex"),
    ("solve --game shogi", "hex 3 .../.../... B", "line 1, column 1"),
];

/// Certificates that can be read, and are wrong: exit code 3.
const REJECTED: &[Row] = &[
    ("check cut.cert", "", "cut.cert|truncated"),
    ("check longer.cert", "", "longer.cert"),
    ("check other.cert", "", "other.cert"),
    ("check game.cert", "", "the certificate is about `chequers`"),
    ("check good.cert --problem SHOGI", "", "about another problem"),
];

const CHECK: &[Row] = &[
    ("check missing.cert", "", "missing.cert|cannot read"),
    ("check folder", "", "folder"),
    ("check empty", "", "empty|not a certificate"),
    ("check none.cert", "", "none.cert|not a certificate"),
    ("check -", "hello", "standard input: this is not a certificate"),
    ("check good.cert --problem nonsense", "", "no game is recognised"),
    ("check good.cert --goal B", "", "--problem"),
    ("check good.cert --problem HEX --goal draw", "", "no such goal"),
    ("check good.cert --nonsense", "", "--nonsense"),
];

const TSUME: &[Row] = &[
    ("tsume check", "", "there is no problem"),
    ("tsume check HEX", "", "line 1, column 1"),
    ("tsume check --file missing", "", "cannot read missing"),
    ("tsume check --file bad.kif", "", "bad.kif, line 4"),
    ("tsume check SHOGI --time x", "", "--time"),
    ("tsume check SHOGI --hash 0", "", "--hash"),
    ("tsume check SHOGI --certificates precious", "", "precious"),
    ("tsume check SHOGI --nonsense", "", "--nonsense"),
    ("tsume convert", "", "there is no problem"),
    ("tsume convert --file missing", "", "cannot read missing"),
    ("tsume convert --file bad.csa --out new.kif", "", "bad.csa, line 5"),
    ("tsume convert --file bad.jkf --out precious", "", "bad.jkf"),
    ("tsume convert SHOGI --to pdf", "", "pdf|kif|svg|png|html"),
    ("tsume convert --file bad.kif --to svg --out new.svg", "", "bad.kif, line 4"),
    ("tsume convert --file bad.kif --to html --out precious", "", "bad.kif, line 4"),
    ("tsume convert HEX --to html --out new.html", "", "line 1, column 1"),
    ("tsume convert SHOGI --to svg --out folder", "", "cannot write folder"),
    ("tsume convert SHOGI --to svg --out missing/a.svg", "", "cannot write missing/a.svg"),
    ("tsume convert SHOGI --to html --out folder", "", "cannot write folder"),
    ("tsume convert SHOGI --to html --out missing/a.html", "", "cannot write missing/a.html"),
    ("tsume convert SHOGI --to html --encoding sjis", "", "--encoding|UTF-8"),
    ("tsume convert SHOGI --to html --time x", "", "--time"),
    ("tsume convert SHOGI --to svg --time 1", "", "--time is for --to html"),
    ("tsume convert SHOGI --to svg --hash 1", "", "--hash is for --to html"),
    ("tsume convert SHOGI --to html --hash 99999999", "", "memory"),
    ("tsume convert --file two.sfen --to svg", "", "pictures|give a directory"),
    ("tsume convert --file two.sfen --to png --out -", "", "pictures|give a directory"),
    ("tsume convert --file two.sfen --to svg --out precious", "", "precious"),
    ("tsume convert SHOGI --encoding ebcdic", "", "ebcdic|utf8"),
    ("tsume convert SHOGI --to kif --out folder", "", "cannot write folder"),
    ("tsume convert SHOGI --to kif --out missing/a.kif", "", "cannot write missing/a.kif"),
    ("tsume convert --file two.sfen --to kif", "", "give a directory"),
    ("tsume convert --file two.sfen --to kif --out -", "", "give a directory"),
    ("tsume convert --file two.sfen --to kif --out precious", "", "precious"),
    ("tsume show", "", "there is no problem"),
    ("tsume show --file bad.ki2", "", "bad.ki2, line 2"),
    ("tsume show --file bytes", "", "bytes"),
    ("tsume show HEX", "", "line 1, column 1"),
    ("tsume show HEX --to svg", "", "line 1, column 1"),
    ("tsume show SHOGI --to kif", "", "kif|svg"),
    ("tsume show SHOGI --out new.svg", "", "--to"),
    ("tsume show SHOGI --to svg --json", "", "--json"),
    ("tsume show --file bad.ki2 --to html --out new.html", "", "bad.ki2, line 2"),
    ("tsume show SHOGI --time 1", "", "--to"),
    ("tsume show SHOGI --hash 1", "", "--to"),
    ("tsume show SHOGI --to svg --time 1", "", "--time is for --to html"),
    ("tsume show SHOGI --to html --hash 0", "", "at least 1 MiB"),
    ("tsume make --from nowhere.tsv", "", "--sound length"),
    ("tsume make --sound length --from nowhere.tsv", "", "nowhere.tsv"),
    ("tsume make --count 0", "", "--count"),
    ("tsume make --count x", "", "--count"),
    ("tsume make --plies 4", "", "--plies|odd number"),
    ("tsume make --plies 9..3", "", "--plies|the shorter length comes first"),
    ("tsume make --plies x", "", "--plies|3..9, or 7"),
    ("tsume make --plies 3..99999", "", "--plies|99999"),
    ("tsume make --plies 2..2", "", "--plies|odd number"),
    ("tsume make --seed x", "", "--seed"),
    ("tsume make --nodes x", "", "--nodes"),
    ("tsume make --time x", "", "--time"),
    ("tsume make --out missing/a.tsv", "", "cannot write missing/a.tsv"),
    ("tsume make --out folder", "", "cannot write folder"),
    ("tsume make --plies 1..1 --count 99999999999", "", "--count"),
    ("tsume make --sound nice", "", "nice|strict"),
    ("tsume merge", "", "--file"),
    ("tsume merge --file missing.tsv", "", "cannot read missing.tsv"),
    ("tsume merge --file bad.ki2 --quiet", "", "bad.ki2, line 2"),
    ("tsume merge --file two.sfen --out folder", "", "cannot write folder"),
    ("tsume merge --file two.sfen --plies 4", "", "--plies|odd number"),
    ("tsume merge --file two.sfen --jobs 0", "", "--jobs"),
];

const BENCH: &[Row] = &[
    ("bench --nonsense", "", "--nonsense"),
    ("bench tsume missing", "", "'missing' is neither a file nor one of zuko"),
    ("bench tsume empty", "", "there is no problem in empty"),
    ("bench tsume --time x", "", "--time"),
    ("bench tsume --hash 0", "", "--hash"),
    ("bench tsume --step 0", "", "--step"),
    ("bench tsume --scheme magic", "", "--scheme|virtual"),
    ("bench tsume --scheme pmps:S|S", "", "--scheme|exactly one L"),
    ("bench tsume --threads 0", "", "--threads"),
    ("bench tsume --futile maybe", "", "maybe"),
    ("bench tsume two.sfen --hash 99999999", "", "99999999"),
    ("bench mates missing", "", "cannot read missing"),
    ("bench mates empty", "", "there is no problem in empty"),
    ("bench mates bad.epd", "", "bad.epd, line 1"),
    ("bench mates no-bm.epd", "", "no-bm.epd, line 1|`bm #N;` is missing"),
    ("bench mates bytes", "", "bytes"),
    ("bench mates --goal win", "", "win|checks"),
    ("bench mates --json --csv", "", "--json|--csv"),
    ("bench mates --step 0", "", "--step"),
    ("bench table --threads 0", "", "--threads"),
    ("bench table --threads x", "", "--threads"),
    ("bench table --hash 0", "", "--hash"),
    ("bench table --nonsense", "", "--nonsense"),
    ("bench calls --threads 0", "", "--threads"),
    ("bench calls --nodes x", "", "--nodes"),
    ("bench calls --positions 0", "", "--positions"),
    ("bench calls --hash 0", "", "--hash"),
    ("bench calls --seed x", "", "--seed"),
];

const LAB: &[Row] = &[
    ("lab", "", "a command is missing"),
    ("lab nonsense", "", "nonsense"),
    ("lab deep --quick --threads 0 --out new", "", "--threads 0"),
    ("lab deep --quick --only checkers --out new", "", "checkers"),
    ("lab deep --quick --positions x --out new", "", "--positions"),
    ("lab deep --quick --orders x --out new", "", "--orders"),
    ("lab deep --quick --out precious", "", "precious"),
    ("lab deep --quick --out precious/below", "", "precious/below"),
    ("lab parallel --threads-list x --out new", "", "--threads-list"),
    ("lab parallel --threads-list 0 --out new", "", "thread"),
    ("lab parallel --threads-list 2,65 --out new", "", "65 threads|1 to 64"),
    ("lab parallel --turns 0 --out new", "", "--turns"),
    ("lab parallel --at-once 2 --out new", "", "--turns"),
    ("lab parallel --only nothing --out new", "", "nothing"),
    ("lab parallel --problems missing --out new", "", "missing"),
    ("lab parallel --only zuko --problems two.txt --out new", "", "--only|--problems"),
    ("lab parallel --game go --out new", "", "go"),
    ("lab parallel --runs 0 --out new", "", "--runs"),
    ("lab parallel --hash 0 --out new", "", "--hash"),
    ("lab parallel --nodes x --out new", "", "--nodes"),
    ("lab parallel --time x --out new", "", "--time"),
    ("lab paths --base magic --out new", "", "magic"),
    ("lab paths --quick --threads 0 --out new", "", "--threads 0"),
    ("lab pmps --base magic --out new", "", "magic"),
    ("lab pmps --runs 0 --out new", "", "--runs"),
    ("lab pgpp --arms nobody --out new", "", "nobody"),
    ("lab pgpp --arms pgpp-0 --out new", "", "pgpp-0"),
    ("lab pgpp --pairs x --out new", "", "--pairs"),
    ("lab pgpp --penalty 100 --out new", "", "--penalty"),
    ("lab pgpp --table 0 --out new", "", "--table"),
    ("lab pgpp --threads 0 --out new", "", "--threads"),
    ("lab pgpp --nodes x --out new", "", "--nodes"),
    ("lab ranks --out new", "", "<FILE>"),
    ("lab ranks missing --out new", "", "missing"),
    ("lab ranks bad.pgn --out new", "", "bad.pgn|line 3"),
    ("lab ranks bad.csa --engine x --out new", "", "bad.csa|line 5"),
    ("lab ranks no-moves.pgn --out new", "", "no moves"),
    ("lab ranks game.csa --out new", "", "--engine"),
    ("lab ranks game.pgn game.csa --out new", "", "game.csa|not of the same game"),
    ("lab ranks game.pgn --depth 0 --out new", "", "--depth"),
    ("lab ranks game.pgn --depth 999 --out new", "", "--depth"),
    ("lab ranks game.pgn --threads 0 --out new", "", "--threads"),
    ("lab ranks game.pgn --option =1 --out new", "", "--option|NAME=VALUE"),
    ("lab ranks game.pgn --engine no-such-engine --depth 1 --out new", "", "no-such-engine"),
    ("lab ranks game.pgn --depth 1 --out precious", "", "precious"),
];

const MATCH: &[Row] = &[
    ("match", "", "--engine"),
    ("match --engine a", "", "at least two engines"),
    ("match --engine a --engine b", "", "has no limit"),
    (
        "match --engine no-such-a --engine no-such-b --nodes 1 --pgn new --out new.jsonl",
        "",
        "no-such-a",
    ),
    ("match --engine '' --engine b --nodes 1", "", "no command"),
    ("match --engine cmd=a,speed=3 --engine b --nodes 1", "", "'speed' means nothing"),
    ("match --engine a,nodes --engine b --nodes 1", "", "nodes"),
    ("match --engine a,nodes=0 --engine b --nodes 1", "", "nodes=0"),
    ("match --engine a,name=x --engine b,name=x~2 --engine c,name=x --nodes 1", "", "x 2"),
    ("match --engine a --engine b --nodes 0", "", "--nodes"),
    ("match --engine a --engine b --movetime x", "", "--movetime"),
    ("match --engine a --engine b --depth x", "", "--depth"),
    ("match --engine a --engine b --tc x", "", "--tc"),
    ("match --engine a --engine b --tc 0", "", "--tc"),
    ("match --engine a --engine b --byoyomi x", "", "--byoyomi"),
    ("match --engine a --engine b --nodes 1 --games 3", "", "--games 3|even number"),
    ("match --engine a --engine b --nodes 1 --games 0", "", "--games"),
    ("match --engine a --engine b --nodes 1 --pairs 0", "", "--pairs"),
    ("match --engine a --engine b --nodes 1 --pairs 1 --games 2", "", "--pairs|--games"),
    ("match --engine a --engine b --nodes 1 --sprt elo0=0", "", "--sprt|elo0 and elo1"),
    ("match --engine a --engine b --nodes 1 --sprt elo0=5,elo1=0", "", "--sprt|below elo1"),
    ("match --engine a --engine b --nodes 1 --sprt x", "", "--sprt|KEY=NUMBER"),
    (
        "match --engine a --engine b --engine c --nodes 1 --sprt elo0=0,elo1=5",
        "",
        "--sprt|two engines",
    ),
    ("match --engine a --engine b --nodes 1 --game go", "", "go"),
    ("match --engine true --engine true --nodes 1 --game shogi --pgn new", "", "PGN is for chess"),
    ("match --engine true --engine true --nodes 1 --csa new", "", "CSA is for shogi"),
    ("match --engine true --engine true --nodes 1 --pgn new --csa new", "", "--pgn|--csa"),
    ("match --engine true --engine true --nodes 1 --pgn precious", "", "precious exists"),
    ("match --engine true --engine true --nodes 1 --pgn missing/a", "", "missing/a"),
    ("match --engine true --engine true --nodes 1 --out missing/a --pgn new", "", "missing/a"),
    ("match --engine true --engine true --nodes 1 --out new --pgn missing/a", "", "missing/a"),
    ("match --engine true --engine true --nodes 1 --out match.jsonl", "", "match.jsonl exists"),
    (
        "match --engine true --engine true --nodes 1 --out match.jsonl --resume",
        "",
        "match.jsonl, line 1",
    ),
    ("match --engine true --engine true --nodes 1 --resume", "", "--out"),
    (
        "match --engine true --engine true --nodes 1 --out - --pgn -",
        "",
        "two outputs go to standard output",
    ),
    ("match --engine a --engine b --nodes 1 --openings missing", "", "cannot read missing"),
    ("match --engine a --engine b --nodes 1 --openings empty", "", "empty|no openings"),
    ("match --engine a --engine b --nodes 1 --openings bad.epd", "", "bad.epd|line 1"),
    ("match --engine a --engine b --nodes 1 --openings bad.pgn", "", "bad.pgn|line 3"),
    ("match --engine a --engine b --nodes 1 --seed 1", "", "--openings"),
    ("match --engine a --engine b --nodes 1 --adjudicate x", "", "--adjudicate"),
    ("match --engine a --engine b --nodes 1 --concurrency x", "", "--concurrency"),
    ("match --engine a --engine b --nodes 1 --margin x", "", "--margin"),
    ("match --engine a --engine b --nodes 1 --nonsense", "", "--nonsense"),
];

const CLUSTER: &[Row] = &[
    ("bench stops --stops 0", "", "--stops"),
    ("bench stops --local --nats nats://x", "", "--local|--nats"),
    ("cluster", "", "a command is missing"),
    ("cluster nonsense", "", "nonsense"),
    ("worker", "", "--nats"),
    ("bench stops --workers 0", "", "--workers"),
    ("cluster uci --workers 0", "", "--workers 0"),
    ("cluster uci --workers 9999", "", "--workers"),
    ("cluster uci --growth magic", "", "magic"),
    ("cluster uci --ranks missing", "", "missing"),
    ("cluster uci --ranks -", "", "--ranks -"),
    ("cluster uci --ranks precious", "", "precious|no table of ranks"),
    ("cluster uci --ranks ranks.json", "", "ranks.json"),
    ("cluster uci --ranks many-ranks.json", "", "many-ranks.json"),
    ("cluster uci --option =1", "", "--option|NAME=VALUE"),
    ("cluster uci --engine no-such-engine", "", "no-such-engine"),
    ("cluster uci --engine 'open", "", "--engine"),
    ("cluster uci --engine tcp://", "", "--engine"),
    ("cluster uci --group x", "", "--nats"),
    ("cluster uci --token x", "", "--nats"),
    ("cluster uci --nats http://x", "", "no NATS URL"),
    ("cluster uci --nats nats://127.0.0.1:1", "", "no NATS server answers"),
    ("cluster uci --nats nats://127.0.0.1:1 --user x", "", "--user|YOMIKIRI_NATS_PASSWORD"),
    ("cluster uci --nats nats://127.0.0.1:1 --certificate x", "", "--key"),
    ("cluster usi", "", "--engine"),
    ("cluster status", "", "--nats"),
    ("cluster status --nats nats://127.0.0.1:1", "", "no NATS server answers"),
    ("worker --nats http://x", "", "no NATS URL"),
    ("worker --nats nats://127.0.0.1:1 --slots 0", "", "--slots"),
    ("worker --nats nats://127.0.0.1:1 --option =1", "", "--option"),
    ("worker --nats nats://127.0.0.1:1 --engine no-such-engine", "", "no-such-engine"),
    ("worker --nats nats://127.0.0.1:1", "", "no NATS server answers"),
    ("worker --nats nats://127.0.0.1:1 --nkey missing", "", "missing"),
    ("engine bench --depth x", "", "--depth"),
    ("engine bench --depth 0", "", "--depth"),
    ("engine bench --hash x", "", "--hash"),
    ("engine bench --hash 0", "", "--hash"),
    ("engine bench --hash 99999999999", "", "--hash"),
    ("engine chess extra", "", "'extra'"),
    ("usi --option nonsense", "", "NAME=VALUE"),
    ("usi --option Nonsense=1", "", "Nonsense"),
    ("usi --option USI_Hash=x", "", "USI_Hash"),
    ("usi --option PostSearchLevel=Best", "", "PostSearchLevel"),
    ("usi --nonsense", "", "--nonsense"),
];

/// All that is in a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(contents(&path));
            found.insert(path, None);
        } else {
            let bytes = fs::read(&path).expect("a file");
            found.insert(path, Some(bytes));
        }
    }
    found
}

/// The files of the table, and certificates that are broken in several ways.
fn prepare() -> PathBuf {
    let folder = directory("broken");
    fs::create_dir(folder.join("folder")).expect("made");
    for (name, text) in FILES {
        fs::write(folder.join(name), text).expect("written");
    }
    fs::write(folder.join("bytes"), [0xff, 0xfe, 0x81, 0x20, 0xfd]).expect("written");
    let good = folder.join("good.cert");
    let run = yomikiri(&["solve", HEX, "--certificate", good.to_str().expect("UTF-8")]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let bytes = fs::read(&good).expect("a certificate");
    let replaced = |from: &str, to: &str| {
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes());
        let at = at.unwrap_or_else(|| panic!("no {from}"));
        [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
    };
    for (name, bytes) in [
        ("cut.cert", bytes[..bytes.len() - 1].to_vec()),
        ("longer.cert", [&bytes[..], b"more"].concat()),
        ("other.cert", replaced(".../.../... B", ".../.../... W")),
        ("game.cert", replaced("hex", "chequers")),
    ] {
        fs::write(folder.join(name), bytes).expect("written");
    }
    folder
}

fn arguments(line: &str) -> Vec<String> {
    line.split(' ')
        .map(|word| match NAMES.iter().find(|(name, _)| *name == word) {
            Some((_, text)) => (*text).to_owned(),
            None if word == "''" => String::new(),
            None => word.replace('~', " "),
        })
        .collect()
}

/// Runs a row; it must end by itself, and soon.
fn run(folder: &Path, line: &str, input: &str) -> Run {
    let arguments = arguments(line);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = command(&arguments);
    command.current_dir(folder).stdin(Stdio::piped());
    for variable in ["YOMIKIRI_NATS_TOKEN", "YOMIKIRI_NATS_PASSWORD"] {
        command.env_remove(variable);
    }
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // Who does not read its input may have ended by now.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let end = Instant::now() + Duration::from_secs(60);
    while child.try_wait().expect("its state").is_none() {
        if Instant::now() > end {
            child.kill().expect("killed");
            let run = finish(child);
            panic!("`{line}` does not end: {}{}", run.stdout, run.stderr);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    finish(child)
}

/// What is wrong with the answer to a row.
fn faults(run: &Run, code: i32, words: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if run.code != Some(code) {
        faults.push(format!("exit code {:?}", run.code));
    }
    if !run.stdout.is_empty() {
        faults.push(format!("standard output: {}", run.stdout));
    }
    let first = run.stderr.lines().next().unwrap_or_default();
    if !first.starts_with("error: ") || run.stderr.matches("\nerror: ").count() != 0 {
        faults.push("not one line of error".into());
    }
    // After the first line there may be the text and a caret, or a hint in brackets.
    let is_picture = |line: &str| line.starts_with("  ");
    if !run.stderr.lines().skip(1).all(is_picture) || run.stderr.lines().count() > 4 {
        faults.push("more than one line".into());
    }
    let all = if words.contains("--file") { run.stderr.as_str() } else { first };
    faults.extend(words.split('|').filter(|w| !all.contains(w)).map(|w| format!("no `{w}`")));
    faults
}

#[test]
fn broken_input_gets_one_clear_line_and_writes_nothing() {
    let folder = prepare();
    let before = contents(&folder);
    let mut groups = vec![GENERAL, SOLVE, POSITIONS, CHECK, TSUME, BENCH];
    if cfg!(feature = "cluster") {
        groups.extend([MATCH, CLUSTER]);
    }
    if cfg!(feature = "lab") {
        groups.push(LAB);
    }
    let rows = groups.into_iter().flatten().map(|row| (2, row));
    let (mut count, mut wrong) = (0, Vec::new());
    for (code, (line, input, words)) in rows.chain(REJECTED.iter().map(|row| (3, row))) {
        count += 1;
        let run = run(&folder, line, input);
        let mut faults = faults(&run, code, words);
        let after = contents(&folder);
        if after != before {
            let new: Vec<_> = after.keys().filter(|path| !before.contains_key(*path)).collect();
            faults.push(format!("the folder has changed: {new:?}"));
            prepare();
        }
        if !faults.is_empty() {
            wrong.push(format!("`{line}` < {input:?}: {}\n    {}", faults.join(", "), run.stderr));
        }
    }
    assert!(count >= 200, "{count}");
    assert!(wrong.is_empty(), "{} of {count} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// clap's tips do not run on from what is wrong.
#[test]
fn a_tip_stands_on_a_line_of_its_own() {
    for (line, error) in [
        (
            "solve -x",
            "error: unexpected argument '-x' found (see `yomikiri solve --help`)\n  \
             tip: to pass '-x' as a value, use '-- -x'\n",
        ),
        (
            "tsume chek",
            "error: unrecognized subcommand 'chek' (see `yomikiri tsume --help`)\n  \
             tip: a similar subcommand exists: 'check'\n",
        ),
        (
            "solve -x --lang ja",
            "エラー: `-x` という引数はありません。`yomikiri solve --help` を見てください\n  \
             ヒント: 値として渡すには `-- -x` と書きます\n",
        ),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        assert_eq!(yomikiri(&arguments).stderr, error);
    }
}
