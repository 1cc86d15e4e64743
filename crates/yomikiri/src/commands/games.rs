//! `yomikiri games`: what can be solved, and how to write it down.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::json;
use yomikiri_question::games::GAMES;

use super::Exit;
use crate::json;

/// Options of `games`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri games
  yomikiri games --json")]
pub struct Args {
    /// One JSON object a game
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let mut out = io::stdout().lock();
    if args.json {
        for game in GAMES {
            let goals: Vec<_> =
                game.goals.iter().map(|(goal, what)| json!({"goal": goal, "what": what})).collect();
            let line = json!({
                "name": game.name, "what": game.what, "form": game.form, "goals": goals,
                "example": game.example,
            });
            json::line(&mut out, "games", &line)?;
        }
    } else {
        write!(out, "{}", describe())?;
    }
    Ok(Exit::Done)
}

/// All games for people.
pub fn describe() -> String {
    let mut text = String::new();
    for game in GAMES {
        text += &format!("{}: {}\n", game.name, game.what);
        for line in game.form.lines() {
            text += &format!("    {line}\n");
        }
        for (goal, what) in game.goals {
            text += &format!("    --goal {goal:<12} {what}\n");
        }
        let example = game.example.replace('\n', "\\n");
        let quoted =
            if example.contains('\\') { format!("$'{example}'") } else { format!("'{example}'") };
        text += &format!("    yomikiri solve {quoted}\n\n");
    }
    text + "A problem may end in `goal GOAL` instead of the option.\n"
}
