//! What the user interface says to the engine, line by line.

use std::time::Duration;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// Who are you?
    Usi,
    /// Get ready.
    IsReady,
    /// Forget what came before.
    NewGame,
    /// Set an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// Take up this position: the whole line.
    Position(&'a str),
    /// Look for a mate.
    GoMate(Budget),
    /// Think of a move.
    Go(Clock),
    /// Answer at once.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// The game is over.
    GameOver,
    /// Show what is known of the position after these moves.
    Debug(Vec<&'a str>),
    /// End.
    Quit,
    /// Nothing was said.
    Nothing,
}

/// What a search for a mate may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// So long.
    pub time: Option<Duration>,
    /// So many nodes.
    pub nodes: Option<u64>,
}

/// The words of a `go` that does not ask for a mate. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What Black and White have left.
    pub left: [Option<u64>; 2],
    /// What each gets for every move.
    pub increment: [u64; 2],
    /// What both get for a move when nothing is left.
    pub byoyomi: Option<u64>,
    /// Exactly so long for this move.
    pub movetime: Option<u64>,
    /// So many nodes.
    pub nodes: Option<u64>,
    /// No answer before `stop`.
    pub infinite: bool,
    /// No answer before `ponderhit` or `stop`.
    pub ponder: bool,
}

impl Clock {
    /// How long the side (0 for Black) may think: something is left for the way of the answer.
    /// Where nothing is said it is five seconds, for an answer must come.
    pub fn time(&self, side: usize) -> Duration {
        /// What is left for the way.
        const MARGIN: u64 = 100;
        /// Where nothing is said.
        const DEFAULT: u64 = 5_000;
        let left = self.left.get(side).copied().flatten();
        let increment = self.increment.get(side).copied().unwrap_or_default();
        let given = match (self.movetime, left, self.byoyomi) {
            (Some(time), ..) => time,
            (None, None, None) if increment == 0 => DEFAULT,
            (None, left, byoyomi) => {
                let now = byoyomi.unwrap_or_default().saturating_add(increment);
                now.saturating_add(left.unwrap_or_default() / 20)
            }
        };
        Duration::from_millis(given - MARGIN.min(given / 2))
    }
}

impl<'a> Command<'a> {
    /// Reads a line. The error says what is wrong with it.
    pub fn parse(line: &'a str) -> Result<Command<'a>, String> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(Command::Nothing) };
        match first {
            "usi" => Ok(Command::Usi),
            "isready" => Ok(Command::IsReady),
            "usinewgame" => Ok(Command::NewGame),
            "setoption" => set_option(words),
            "position" => Ok(Command::Position(line)),
            "go" => go(words),
            "stop" => Ok(Command::Stop),
            "ponderhit" => Ok(Command::PonderHit),
            "gameover" => Ok(Command::GameOver),
            "matedebug" => Ok(Command::Debug(words.filter(|&word| word != "moves").collect())),
            "quit" => Ok(Command::Quit),
            _ => Err(format!("unknown command '{}'", shown(line.trim()))),
        }
    }
}

/// `setoption name NAME value VALUE`; both may be of several words, or of none.
fn set_option<'a>(words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, String> {
    let words: Vec<&str> = words.collect();
    let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let name = match words[..value_at].split_first() {
        Some((&"name", name)) if !name.is_empty() => name.join(" "),
        _ => return Err("setoption is written 'setoption name NAME value VALUE'".into()),
    };
    let value = words.get(value_at + 1..).unwrap_or_default().join(" ");
    Ok(Command::SetOption { name, value })
}

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, String> {
    let mut words = words.peekable();
    if words.next_if_eq(&"mate").is_some() {
        return go_mate(words).map(Command::GoMate);
    }
    let mut clock = Clock::default();
    while let Some(word) = words.next() {
        let mut number = || -> Result<u64, String> {
            let text = words.next().unwrap_or_default();
            // Some interfaces say -1 or the like when time has run out.
            let number: i64 = text
                .parse()
                .map_err(|_| format!("go {word}: a number is expected, not '{}'", shown(text)))?;
            Ok(number.max(0) as u64)
        };
        match word {
            "btime" => clock.left[0] = Some(number()?),
            "wtime" => clock.left[1] = Some(number()?),
            "binc" => clock.increment[0] = number()?,
            "winc" => clock.increment[1] = number()?,
            "byoyomi" => clock.byoyomi = Some(number()?),
            "movetime" => clock.movetime = Some(number()?),
            "nodes" => clock.nodes = Some(number()?),
            "depth" | "movestogo" | "rtime" => drop(number()?),
            "infinite" => clock.infinite = true,
            "ponder" => clock.ponder = true,
            _ => return Err(format!("go: '{}' is not understood", shown(word))),
        }
    }
    Ok(Command::Go(clock))
}

/// `infinite`, a number of milliseconds, or `nodes N`.
fn go_mate<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Budget, String> {
    let wrong = |word: &str| {
        let word = shown(word);
        format!("go mate takes 'infinite', milliseconds, or 'nodes' and a number, not '{word}'")
    };
    let mut budget = Budget::default();
    while let Some(word) = words.next() {
        match word {
            "infinite" => budget.time = None,
            "nodes" => {
                let number = words.next().unwrap_or_default();
                budget.nodes = Some(number.parse().map_err(|_| wrong(number))?);
            }
            _ => {
                let time = word.parse().map_err(|_| wrong(word))?;
                budget.time = Some(Duration::from_millis(time));
            }
        }
    }
    Ok(budget)
}

/// A text from outside as it may stand in a line of ours: short, and without control characters.
pub fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String =
        text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(line: &str) -> Budget {
        match Command::parse(line) {
            Ok(Command::GoMate(budget)) => budget,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_search_for_a_mate_may_be_limited() {
        assert_eq!(mate("go mate infinite"), Budget::default());
        assert_eq!(mate("go mate"), Budget::default());
        assert_eq!(mate(" go  mate 5000 ").time, Some(Duration::from_secs(5)));
        assert_eq!(mate("go mate nodes 70").nodes, Some(70));
        for bad in ["go mate now", "go mate -1", "go mate nodes", "go mate nodes x", "go mate 1e9"]
        {
            assert!(Command::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_clock_leaves_time_for_the_answer() {
        let time = |line: &str, side| match Command::parse(line) {
            Ok(Command::Go(clock)) => clock.time(side).as_millis(),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(time("go btime 60000 wtime 0 byoyomi 10000", 0), 12_900);
        assert_eq!(time("go btime 60000 wtime 0 byoyomi 10000", 1), 9_900);
        assert_eq!(time("go btime 0 wtime 0 binc 2000 winc 1000", 1), 900);
        assert_eq!(time("go movetime 50", 0), 25);
        assert_eq!(time("go btime -5 wtime 0", 0), 0);
        assert_eq!(time("go", 0), 4_900);
        assert!(Command::parse("go btime").is_err());
        assert!(Command::parse("go sideways").is_err());
    }

    #[test]
    fn options_may_have_names_of_several_words() {
        let option = |name: &str, value: &str| {
            Ok(Command::SetOption { name: name.into(), value: value.into() })
        };
        assert_eq!(Command::parse("setoption name A b value c D"), option("A b", "c D"));
        assert_eq!(Command::parse("setoption name Clear"), option("Clear", ""));
        assert_eq!(Command::parse("setoption name A value"), option("A", ""));
        assert!(Command::parse("setoption").is_err());
        assert!(Command::parse("setoption name value 3").is_err());
        assert!(Command::parse("setoption value 3").is_err());
    }

    #[test]
    fn what_is_not_understood_is_shown_short_and_clean() {
        let line = format!("wh\u{7}at {}", "x".repeat(500));
        let error = Command::parse(&line).expect_err("no command");
        assert!(error.chars().count() < 90 && !error.contains('\u{7}'), "{error}");
        assert_eq!(Command::parse("  \t "), Ok(Command::Nothing));
    }
}
