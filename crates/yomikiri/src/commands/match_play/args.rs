//! The options of `match`.

use std::path::PathBuf;

use clap::ValueEnum;
use yomikiri_cluster::Game;
use yomikiri_cluster::match_play::Adjudication;
use yomikiri_cluster::tally::Sprt;

/// Options of `match`.
#[derive(clap::Args)]
#[command(after_help = "\
An engine is written as parts with commas between them; quotes keep commas together:

  cmd=COMMAND        what to start, or tcp://host:port; a first part without = is this too
  name=NAME          what to call it (otherwise the program's name)
  option.NAME=VALUE  an option of the engine; a button has no value
  nodes= movetime= depth= tc= byoyomi=
                     limits of its own, instead of those of the match

Every opening is played twice with sides exchanged, and intervals are taken over pairs of games.
Elo depends on how many games are drawn, and so on the book; normalized Elo (nElo) is the difference
over the noise of a game, and says how many games it takes to see it. LOS, the likelihood of
superiority, is how likely it is that the engine is the stronger one, over pairs, too.
Three engines or more play a tournament: everybody against everybody or, with --gauntlet, the first
against each of the others; every pairing plays all openings, and Elo is against the field.
An engine that dies, hangs, is late or plays an illegal move loses that game and is started again;
one that cannot be started ends the match. Ctrl-C keeps the games that have ended; with --out they
are in a file, and the same command with --resume goes on: with the same terms, build of this
program, engines' programs, and where time counts machine, for games of others are not mixed in.

Examples:
  yomikiri match --engine stockfish,nodes=2000,name=strong --engine stockfish,nodes=500,name=weak \\
      --openings openings.epd --seed 1 --pairs 50 --concurrency 2 --pgn games.pgn
  yomikiri match --engine 'name=new,cmd=./engine --fast,option.Hash=64' --engine ./old \\
      --tc 10+0.1 --openings book.pgn --pairs 20000 --sprt elo0=0,elo1=5 --out match.jsonl --resume
  yomikiri match --game shogi --engine 'fairy-stockfish,name=a' --engine 'gpsusi,name=b' \\
      --byoyomi 1000 --pairs 10 --csa games.csa
  yomikiri match --engine ./new --engine ./old --engine stockfish,nodes=1000 --tc 5+0.05 \\
      --openings book.pgn --pairs 100 --gauntlet --out gauntlet.jsonl
  yomikiri match --engine 'name=four,cmd=yomikiri cluster uci --workers 4' \\
      --engine 'name=one,cmd=yomikiri cluster uci --workers 1' --movetime 100 --ponder --pairs 100")]
pub struct Args {
    /// An engine; give two of them, or more for a tournament
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    pub engines: Vec<String>,
    /// Of more than two, only the first plays, against each of the others
    #[arg(long)]
    pub gauntlet: bool,
    /// What they play, and so which protocol they speak: chess is UCI, shogi USI
    #[arg(long, value_enum, default_value_t = Rules::Chess)]
    pub game: Rules,
    /// Openings: EPD, FEN, PGN or SFEN; without it all games begin at the beginning
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Take the openings in a random order, which depends on this number alone
    #[arg(long, value_name = "N", requires = "openings")]
    pub seed: Option<u64>,
    /// Play so many openings, each twice; in a tournament by every pairing
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = above_zero())]
    pub pairs: Option<u64>,
    /// Play so many games of every pairing, an even number [default: 100]
    #[arg(long, value_name = "N", value_parser = above_zero())]
    pub games: Option<u64>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS")]
    pub movetime: Option<String>,
    /// Nodes a move
    #[arg(long, value_name = "N")]
    pub nodes: Option<String>,
    /// Plies a move
    #[arg(long, value_name = "N")]
    pub depth: Option<String>,
    /// A clock in seconds: 10+0.1 adds 0.1 after every move, 40/60 gives 60 for every 40 moves
    #[arg(long, value_name = "[MOVES/]BASE[+INC]")]
    pub tc: Option<String>,
    /// Milliseconds for a move when the clock is at 0
    #[arg(long, value_name = "MS")]
    pub byoyomi: Option<String>,
    /// A move may come so much later before the game is lost on time
    #[arg(long, value_name = "MS", default_value_t = 100)]
    pub margin: u64,
    /// An engine without a limit of time is hung when a move takes longer
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub patience: u64,
    /// Let engines think in the opponent's time
    #[arg(long)]
    pub ponder: bool,
    /// Play so many games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub concurrency: usize,
    /// End games early: both say ±900 for 4 moves; both say within 10 for 8 moves, from move 40
    /// on; a draw after 400 plies
    #[arg(long, value_name = "resign=900:4,draw=10:8:40,plies=400")]
    pub adjudicate: Option<Adjudication>,
    /// End a match of two when a sequential test decides between two differences in Elo
    #[arg(long, value_name = "elo0=0,elo1=10,alpha=0.05,beta=0.05", value_parser = parse_sprt)]
    pub sprt: Option<Sprt>,
    /// Write the games of chess here, with scores, depths and times
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write the games of shogi here, with scores, depths and times
    #[arg(long, value_name = "FILE", conflicts_with = "pgn")]
    pub csa: Option<PathBuf>,
    /// Write a line of JSON here for every game when it ends
    #[arg(long, value_name = "FILE.jsonl")]
    pub out: Option<PathBuf>,
    /// Go on with the match in the file of --out, if it was begun with the same
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Print nothing before the result
    #[arg(long, short)]
    pub quiet: bool,
}

fn above_zero() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..)
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rules {
    Chess,
    Shogi,
}

impl From<Rules> for Game {
    fn from(rules: Rules) -> Game {
        match rules {
            Rules::Chess => Game::Chess,
            Rules::Shogi => Game::Shogi,
        }
    }
}

/// Reads `elo0=0,elo1=10,alpha=0.05,beta=0.05`; the risks may be left out.
fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    for part in text.split(',') {
        let (key, value) = part.split_once('=').ok_or(format!("'{part}': write KEY=NUMBER"))?;
        let number = value.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let number = number.ok_or(format!("'{value}' is no number"))?;
        match key.trim() {
            "elo0" => elo0 = Some(number),
            "elo1" => elo1 = Some(number),
            "alpha" => alpha = number,
            "beta" => beta = number,
            other => return Err(format!("'{other}' is none of elo0, elo1, alpha and beta")),
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        return Err("elo0 and elo1 are needed".into());
    };
    let is_risk = |risk: f64| risk > 0.0 && risk < 0.5;
    match elo0 < elo1 && is_risk(alpha) && is_risk(beta) {
        true => Ok(Sprt { elo0, elo1, alpha, beta }),
        false => Err("elo0 must be below elo1, and the risks between 0 and 0.5".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequential_test_is_read() {
        let sprt = parse_sprt("elo0=-1.5,elo1=3,beta=0.1").unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta), (-1.5, 3.0, 0.05, 0.1));
        for text in ["", "elo0=1", "elo0=5,elo1=5", "elo0=0,elo1=x", "elo0=0,elo1=1,alpha=0.5"] {
            assert!(parse_sprt(text).is_err(), "{text}");
        }
    }
}
