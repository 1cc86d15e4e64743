//! Figures of other runs: tables with a line of names first and tabs between the columns.
//!
//! Three shapes are understood, by the names of their columns: what `--tsv` writes (`peer`, `set`,
//! `id`, …, `status`, `time_s`, …, `cpu_s`); the same with `wall_s` and `threads` for runs of
//! several threads; and one problem a line with columns for several engines, `NAME_status` and
//! `NAME_cpu_s` each. Other columns do not matter.
//!
//! Problems of different sets may have the same id. Then it is the set that tells which one is meant.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// What another run says of a problem.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// Is there a mate, if it was decided?
    pub is_mate: Option<bool>,
    /// What it took.
    pub seconds: f64,
}

/// The figures of one engine.
#[derive(Debug)]
pub struct Run {
    /// The engine.
    pub name: String,
    /// Of every problem, by its id, with its set, if the table names one.
    figures: HashMap<String, Vec<(String, Figure)>>,
}

impl Run {
    /// What it says of a problem. If it has the id once, the name of the set does not matter.
    pub fn figure(&self, set: &str, id: &str) -> Option<Figure> {
        let known = self.figures.get(id)?;
        let of_set = known.iter().find(|(known, _)| known == set);
        let only = known.first().filter(|_| known.len() == 1);
        of_set.or(only).map(|(_, figure)| *figure)
    }
}

/// Reads the runs of a file.
pub fn read(path: &Path) -> Result<Vec<Run>> {
    let place = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {place}"))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    parse(&text, &stem).with_context(|| format!("--against {place}"))
}

/// The columns of one engine.
struct Columns {
    name: Option<String>,
    status: usize,
    /// The first of these that is filled counts.
    seconds: Vec<usize>,
}

/// The columns of all engines in a line of names; `stem` is for an engine without one.
fn columns(names: &[&str]) -> Vec<Columns> {
    let find = |wanted: &str| names.iter().position(|&name| name == wanted);
    let seconds = |before: &str| -> Vec<usize> {
        ["cpu_s", "time_s", "wall_s"].iter().filter_map(|s| find(&format!("{before}{s}"))).collect()
    };
    if let Some(status) = find("status") {
        return vec![Columns { name: None, status, seconds: seconds("") }];
    }
    let engines = names.iter().enumerate().filter_map(|(status, name)| {
        let name = name.strip_suffix("_status")?;
        let seconds = seconds(&format!("{name}_"));
        Some(Columns { name: Some(name.into()), status, seconds })
    });
    engines.collect()
}

fn parse(text: &str, stem: &str) -> Result<Vec<Run>> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let Some((_, first)) = lines.next() else { bail!("there is nothing in it") };
    let names: Vec<&str> =
        first.trim_start_matches('\u{feff}').split('\t').map(str::trim).collect();
    let find = |wanted: &str| names.iter().position(|&name| name == wanted);
    let engines = columns(&names);
    let (Some(id), false) = (find("id"), engines.is_empty()) else {
        bail!(
            "line 1 does not name the columns id and status (or NAME_status) between tabs: bench \
             usi --tsv writes such a table"
        );
    };
    if engines.iter().any(|engine| engine.seconds.is_empty()) {
        bail!("line 1 names no column of seconds: cpu_s, time_s or wall_s");
    }
    let (peer, set, threads) = (find("peer"), find("set"), find("threads"));
    let mut runs: Vec<Run> = Vec::new();
    for (number, line) in lines {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let cell = |column: usize| cells.get(column).copied().unwrap_or_default();
        if cell(id).is_empty() {
            bail!("line {number} has no id");
        }
        for engine in &engines {
            let status = cell(engine.status);
            if status.is_empty() {
                continue;
            }
            let told = engine.seconds.iter().map(|&column| cell(column)).find(|s| !s.is_empty());
            let seconds = told.and_then(|s| s.parse::<f64>().ok()).filter(|s| *s >= 0.0);
            let Some(seconds) = seconds else {
                bail!("line {number}: '{}' is no number of seconds", told.unwrap_or_default());
            };
            let peer = engine.name.as_deref().or(peer.map(cell)).filter(|name| !name.is_empty());
            let mut name = peer.unwrap_or(stem).to_owned();
            if let Some(threads) = threads.map(cell).filter(|threads| !threads.is_empty()) {
                name += &format!(" ({threads} threads)");
            }
            let is_mate = match status {
                "mate" => Some(true),
                "nomate" => Some(false),
                _ => None,
            };
            let at = runs.iter().position(|run| run.name == name).unwrap_or_else(|| {
                runs.push(Run { name, figures: HashMap::new() });
                runs.len() - 1
            });
            let figure = Figure { is_mate, seconds };
            let set = set.map(cell).unwrap_or_default();
            let known = runs[at].figures.entry(cell(id).into()).or_default();
            if known.iter().any(|(known, _)| known == set) {
                bail!("line {number}: {} is there twice for {}", cell(id), runs[at].name);
            }
            known.push((set.to_owned(), figure));
        }
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(run: &Run, id: &str) -> (Option<bool>, f64) {
        let Figure { is_mate, seconds } = run.figure("any", id).expect("known");
        (is_mate, seconds)
    }

    #[test]
    fn three_shapes_are_read() {
        let ours = "peer\tset\tid\thash_mb\tlimit_s\tstatus\ttime_s\tnodes\tmate_len\tknown_len\t\
            cpu_s\nkh\tzuko\tzuko001\t1024\t30\tmate\t10.205\t5\t73\t69\t10.06\n\
            kh\tzuko\tzuko008\t1024\t30\ttimeout\t30.1\t9\t\t\t\n";
        let runs = parse(ours, "file").expect("a table");
        assert_eq!((runs.len(), runs[0].name.as_str()), (1, "kh"));
        assert_eq!(figure(&runs[0], "zuko001"), (Some(true), 10.06));
        assert_eq!(figure(&runs[0], "zuko008"), (None, 30.1));
        let threads = "peer\tthreads\tid\tstatus\twall_s\tnodes\nosl\t1\ta\tmate\t5.6\t3\n\
            osl\t16\ta\tnomate\t0.6\t3\n";
        let runs = parse(threads, "file").expect("a table");
        assert_eq!(
            (runs[0].name.as_str(), runs[1].name.as_str()),
            ("osl (1 threads)", "osl (16 threads)")
        );
        assert_eq!(figure(&runs[1], "a"), (Some(false), 0.6));
        let wide = "id\tkh_status\tkh_cpu_s\tsh_status\tsh_cpu_s\na\tmate\t0.5\ttimeout\t25.0\n";
        let runs = parse(wide, "file").expect("a table");
        assert_eq!((runs[0].name.as_str(), runs[1].name.as_str()), ("kh", "sh"));
        assert_eq!(figure(&runs[1], "a"), (None, 25.0));
        let nameless = parse("id\tstatus\ttime_s\na\tmate\t1\n", "file").expect("a table");
        assert_eq!(nameless[0].name, "file");
    }

    #[test]
    fn problems_of_two_sets_may_have_the_same_id() {
        let table = "set\tid\tstatus\tcpu_s\na\t1\tmate\t1\nb\t1\tnomate\t2\nb\t2\tmate\t3\n";
        let run = &parse(table, "file").expect("a table")[0];
        let seconds = |set: &str, id: &str| run.figure(set, id).map(|figure| figure.seconds);
        assert_eq!((seconds("a", "1"), seconds("b", "1")), (Some(1.0), Some(2.0)));
        assert_eq!((seconds("c", "1"), seconds("c", "2")), (None, Some(3.0)));
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_line() {
        for (text, reason) in [
            ("", "nothing in it"),
            ("zuko001\nzuko002\n", "line 1"),
            ("id\tstatus\n", "no column of seconds"),
            ("id\tstatus\tcpu_s\n\tmate\t1\n", "line 2 has no id"),
            ("id\tstatus\tcpu_s\na\tmate\tfast\n", "line 2: 'fast'"),
            ("id\tstatus\tcpu_s\na\tmate\t-1\n", "line 2: '-1'"),
            ("id\tstatus\tcpu_s\na\tmate\tNaN\n", "line 2: 'NaN'"),
            ("id\tstatus\tcpu_s\na\tmate\t1\na\tmate\t1\n", "line 3: a is there twice"),
        ] {
            let error = parse(text, "file").expect_err(text);
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
