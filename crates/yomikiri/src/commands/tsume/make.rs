//! `yomikiri tsume make`: makes problems.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use serde_json::json;
use yomikiri_files::{self as files, Growing};
use yomikiri_question::games::shogi;
use yomikiri_question::lang::{Text, text};
use yomikiri_question::{display, games};
use yomikiri_shogi::notation::japanese;
use yomikiri_shogi::{Color, Position};
use yomikiri_tsume::make::{Made, MakeOptions, MakeProgress, Maker, Share};

use crate::commands::Exit;
use crate::commands::options::{SoundName, parse_nodes, parse_time, parse_whole};
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::progress::Bar;
use crate::terminal;

/// Options of `tsume make`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri tsume make                                  ten problems of 3 to 9 plies
  yomikiri tsume make --count 100 --plies 5..13 --seed 7 --out mine.tsv
  yomikiri tsume make --count 1 --plies 21 --time 600
  yomikiri tsume make --count 20 --json
  yomikiri tsume make --sound length --plies 31..101 --count 10 --seed 3 --out hard3.tsv
  yomikiri tsume make --sound length --from hard3.tsv --plies 51..101 --nodes 1k --out longer.tsv

Few pieces are put around a lone king; a sound problem that comes out is extended backwards, by two
plies at a time. Of every family one problem is kept. All are strictly sound: one move alone mates
at each of the attacker's turns, the last one too; nothing is left in hand; no piece can be spared;
no interposition is in vain. That it is mate within the length and not within less is certified and
checked before a problem is written.

With --sound length problems are hard instead of pretty: crowded positions are drawn at random until one
is mate in 17 plies or more, and changed at random (pieces moved, added, taken off, exchanged; hands;
moves taken back) as long as their mates do not become shorter. Three of a family are kept at most.
Only the length is right: exact where interpositions in vain do not count, certified and checked; other
solutions and needless pieces are possible, and the file says so. A first mate takes from 500 to a
million nodes. One core makes about three of 31 plies or more in a minute. Run several seeds at once,
and put what they made together with `yomikiri tsume merge`. With --from families begin with given
problems, one after the other and round again, each time with the longest that came of it so far.

Each line has SFEN, id and length between tabs and is written as soon as it is found. There are more
short problems than long ones: about one of 25 plies in ten minutes. The same options give the same
problems in the same order; --time and Ctrl-C only end the work early, and what was found stays.

Exit code: 0 if all problems were made, 1 if the work ended early, 2 on bad input.")]
pub struct Args {
    /// How many problems
    #[arg(long, short = 'n', value_name = "N", default_value = "10",
        value_parser = parse_whole::<u32>(1, u64::from(u32::MAX)))]
    count: u32,

    /// Their lengths in plies: from..to, or one length
    #[arg(long, value_name = "PLIES", default_value = "3..9", value_parser = parse_lengths)]
    plies: (u16, u16),

    /// Other problems for every seed
    #[arg(long, value_name = "S", default_value = "1",
        value_parser = parse_whole::<u64>(0, u64::MAX))]
    seed: u64,

    /// What a problem has to be
    #[arg(long, value_name = "WHAT", default_value = "strict")]
    sound: SoundName,

    /// Begin with these problems instead of random positions (with --sound length)
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Where to [default: standard output]. What the file held is replaced by the first problem
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// End after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,

    /// About so many nodes for a question about a position (k, M and G are understood)
    #[arg(long, value_name = "N", value_parser = parse_nodes,
        default_value_t = MakeOptions::default().nodes)]
    nodes: u64,

    /// One JSON object a problem, with its solution
    #[arg(long)]
    json: bool,

    /// No progress bar, and no summary
    #[arg(long, short)]
    quiet: bool,
}

/// Lengths such as `3..9` or `7`.
pub fn parse_lengths(text: &str) -> Result<(u16, u16), Text> {
    let ends = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| {
        let number = text.trim().parse::<u16>();
        number.map_err(|_| {
            text!(
                "'{text}' is no number of plies: write 3..9, or 7",
                "'{text}' は手数ではありません。3..9 や 7 のように指定してください"
            )
        })
    };
    let (shortest, longest) = (number(ends.0)?, number(ends.1)?);
    if shortest > longest {
        return Err(text!(
            "{shortest} is more than {longest}: the shorter length comes first",
            "{shortest} は {longest} より長いので、短い手数を先に書いてください"
        ));
    }
    if shortest == longest && shortest % 2 == 0 {
        return Err(text!("the length of a mate is an odd number", "詰将棋の手数は奇数です"));
    }
    Ok((shortest, longest))
}

/// What families are to begin with.
fn begin(args: &Args) -> Result<Vec<Position>> {
    let Some(path) = &args.from else { return Ok(Vec::new()) };
    if args.sound == SoundName::Strict {
        bail!(text!(
            "--from needs --sound length: strict problems grow by backward play from random positions",
            "--from には --sound length が必要です（厳密な作図は無作為な局面からの逆算です）"
        ));
    }
    let items = input::collect(&[], std::slice::from_ref(path), games::find("shogi"))?;
    let read = |item: &Item| {
        let (record, format) = item.read(shogi::read).map_err(|error| anyhow!(error))?;
        let (position, id) = (shogi::position(&record, format), &item.id);
        match position.turn() == Color::Black && position.king(Color::Black).is_none() {
            true => Ok(position),
            false => bail!(text!(
                "{id}: the attacker is to be Black, to move and without a king",
                "{id}: 攻方は先手番で玉なしにしてください"
            )),
        }
    };
    items.iter().map(read).collect()
}

pub fn run(args: &Args) -> Result<Exit> {
    let options = MakeOptions {
        count: args.count as usize,
        shortest: args.plies.0,
        longest: args.plies.1,
        seed: args.seed,
        nodes: args.nodes,
        sound: args.sound.into(),
        from: begin(args)?,
    };
    let mut maker = Maker::new(options)?;
    let mut out = Output::new(args)?;
    let stop = stop_on_interrupt()?;
    let start = Instant::now();
    let mut bar = Bar::counting(
        args.quiet,
        &text!("making problems", "作図中").to_string(),
        u64::from(args.count),
    );
    let mut made = 0;
    loop {
        let problem = maker.make(&stop, &mut |progress| {
            if args.time.is_some_and(|limit| start.elapsed() >= limit) {
                stop.raise();
            }
            if let Some(bar) = &mut bar {
                show(bar, progress);
            }
        })?;
        let Some(problem) = problem else { break };
        made += 1;
        let mut write = || out.write(&problem, start.elapsed());
        match &bar {
            Some(bar) => bar.aside(write)?,
            None => write()?,
        }
    }
    drop(bar);
    for sfen in maker.contradictions() {
        terminal::tell(&text!(
            "warning: the search contradicted itself, please report it: {sfen}",
            "警告: 探索結果が矛盾しました。この局面を作者に知らせてください: {sfen}"
        ));
    }
    if !args.quiet {
        terminal::tell(&summary(&maker, made, start.elapsed()));
    }
    Ok(if made < args.count { Exit::Unknown } else { Exit::Done })
}

fn show(bar: &mut Bar, progress: &MakeProgress) {
    let MakeProgress { made, families, length, positions, .. } = *progress;
    bar.show_count(made as u64, || {
        let positions = display::count(positions);
        text!(
            "family {families}, {length} plies, {positions} positions",
            "{families}系列、{length}手、{positions}局面"
        )
        .to_string()
    });
}

/// What is said at the head of a file of such problems.
pub fn head(sound: SoundName) -> &'static str {
    match sound {
        SoundName::Strict => "",
        SoundName::Length => {
            "# sound: length (exact and certified, futile interpositions not counted; other solutions are possible)\n"
        }
    }
}

/// The name of a problem.
fn id(made: &Made, sound: SoundName) -> String {
    let set = match sound {
        SoundName::Strict => "own",
        SoundName::Length => "hard",
    };
    format!("{set}-{:03}-{:03}", made.length(), made.number)
}

/// The line of a problem in a table.
pub fn row(made: &Made, sound: SoundName) -> String {
    format!("{}\t{}\t{}\n", made.position, id(made, sound), made.length())
}

/// What was made, by length.
fn summary(maker: &Maker, made: u32, elapsed: Duration) -> Text {
    let progress = maker.progress();
    let wanted: usize = maker.shares().iter().map(|share| share.wanted).sum();
    let lengths = maker.shares().iter().filter(|share| share.wanted > 0).map(|share| {
        let Share { length, wanted, made } = *share;
        let made = if made < wanted { format!("{made}/{wanted}") } else { made.to_string() };
        text!("{length}: {made}", "{length}手: {made}")
    });
    let lengths: Vec<Text> = lengths.collect();
    let lengths = Text::joined(&lengths, ", ");
    let (seconds, families) = (elapsed.as_secs_f64(), progress.families);
    let (positions, nodes) = (display::count(progress.positions), display::count(progress.nodes));
    text!(
        "{made} of {wanted} problems in {seconds:.1} s; {families} families, {positions} positions, {nodes} nodes\n\
         plies {lengths}",
        "{wanted}題中{made}題を作図（{seconds:.1}秒）。{families}系列、{positions}局面、{nodes}ノード\n\
         手数別: {lengths}"
    )
}

/// Where problems are written to, one line each.
struct Output<'a> {
    args: &'a Args,
    file: Option<Growing>,
    is_begun: bool,
}

impl<'a> Output<'a> {
    /// Fails early where nothing can be written.
    fn new(args: &'a Args) -> Result<Output<'a>> {
        // It is emptied when there is something to put into it.
        let file = args.out.as_deref().map(Growing::open).transpose()?;
        if let Some(file) = file.as_ref().filter(|file| !file.lock()) {
            return Err(files::Error::InUse(file.path().into()).into());
        }
        Ok(Output { args, file, is_begun: false })
    }

    fn write(&mut self, made: &Made, elapsed: Duration) -> Result<()> {
        let mut text = String::new();
        if !self.is_begun && !self.args.json {
            let command = self.command();
            text += &text!("# made by: {command}\n", "# 作成: {command}\n").to_string();
            text += head(self.args.sound);
        }
        text += &self.line(made, elapsed)?;
        match &mut self.file {
            Some(file) => {
                if !self.is_begun {
                    file.cut(0)?;
                }
                file.add(&text)?;
            }
            None => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
        }
        self.is_begun = true;
        Ok(())
    }

    /// What to type for the same problems.
    fn command(&self) -> String {
        let Args { count, plies: (shortest, longest), seed, nodes, .. } = self.args;
        let nodes = match *nodes == MakeOptions::default().nodes {
            true => String::new(),
            false => format!(" --nodes {nodes}"),
        };
        let plies = format!("--plies {shortest}..{longest}");
        let sound = match self.args.sound {
            SoundName::Strict => "",
            SoundName::Length => " --sound length",
        };
        let from = self.args.from.as_ref().and_then(|path| path.file_name());
        let from = from.map_or(String::new(), |name| format!(" --from {}", name.display()));
        format!("yomikiri tsume make --count {count} {plies} --seed {seed}{sound}{nodes}{from}")
    }

    fn line(&self, made: &Made, elapsed: Duration) -> Result<String> {
        if !self.args.json {
            return Ok(row(made, self.args.sound));
        }
        let Made { position, line, certificates, .. } = made;
        let (id, length) = (id(made, self.args.sound), made.length());
        let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
        let object = json!({
            "id": id, "sfen": position.to_string(), "length": length, "moves": moves,
            "japanese": japanese::line_names(position, line),
            "pieces_on_board": position.occupied().count(),
            "certificate_bytes": {"mate": certificates[0], "no_shorter_mate": certificates[1]},
            "seconds": elapsed.as_secs_f64(), "seed": self.args.seed,
        });
        Ok(json::text("tsume-make", &object)? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_a_range_or_a_number() {
        assert_eq!(parse_lengths("3..25"), Ok((3, 25)));
        assert_eq!(parse_lengths("7"), Ok((7, 7)));
        assert_eq!(parse_lengths("2 .. 4"), Ok((2, 4)));
        for bad in ["", "x", "3..", "..9", "9..3", "4", "4..4", "-1..3", "3..99999"] {
            assert!(parse_lengths(bad).is_err(), "{bad}");
        }
    }
}
