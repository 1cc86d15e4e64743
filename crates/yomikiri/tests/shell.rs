//! What a shell gets: completions, and manual pages.

use std::fs;
use std::process::Command;

use crate::support::{directory, names, yomikiri};

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn every_shell_gets_all_commands() {
    for shell in SHELLS {
        let run = yomikiri(&["completions", shell]);
        assert_eq!(run.code, Some(0), "{shell}: {}", run.stderr);
        for word in ["yomikiri", "solve", "tsume", "convert", "algorithms", "certificate"] {
            assert!(run.stdout.contains(word), "{shell}: no {word}");
        }
    }
}

#[test]
fn bash_reads_its_completions_and_completes() {
    let bash = Command::new("bash").arg("--version").output().ok();
    if yomikiri_needs::program("bash", bash).is_none() {
        return;
    }
    let file = directory("completions").join("yomikiri");
    fs::write(&file, yomikiri(&["completions", "bash"]).stdout).expect("written");
    let read = Command::new("bash").arg("-n").arg(&file).output().expect("bash");
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    // What bash does when somebody types the words and asks for the last one.
    let complete = |words: &str| {
        let script = format!(
            "source \"$1\"; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _yomikiri yomikiri \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; \
             echo \"${{COMPREPLY[@]}}\""
        );
        let output = Command::new("bash").args(["-c", &script, "bash"]).arg(&file).output();
        String::from_utf8(output.expect("bash").stdout).expect("UTF-8").trim().to_owned()
    };
    assert_eq!(complete("yomikiri tsu"), "tsume");
    assert_eq!(complete("yomikiri tsume con"), "convert");
    assert_eq!(complete("yomikiri solve --save"), "--save-table");
    assert_eq!(complete("yomikiri solve --algorithm dfpn-w"), "dfpn-weak");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = directory("man");
    let run = yomikiri(&["man", "--out", folder.to_str().expect("UTF-8")]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = names(&folder);
    assert!(run.stdout.starts_with(&format!("{} pages", pages.len())), "{}", run.stdout);
    // The commands by name, as the help lists them.
    let help = yomikiri(&["--help"]).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let commands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{help}");
    for command in commands.iter().filter(|command| **command != "help") {
        assert!(pages.contains(&format!("yomikiri-{command}.1")), "{command}: {pages:?}");
    }
    for page in ["yomikiri.1", "yomikiri-tsume-check.1", "yomikiri-bench-table.1"] {
        assert!(pages.contains(&page.to_owned()), "{page}: {pages:?}");
    }
    for name in &pages {
        let text = fs::read_to_string(folder.join(name)).expect("a page");
        let command = name.strip_suffix(".1").expect("section 1");
        assert!(text.contains(&format!(".TH {command} 1")), "{name}: {text}");
        let said = |section: &str| {
            let mut lines = text.lines().skip_while(|line| *line != format!(".SH {section}"));
            lines.nth(1).unwrap_or_default().to_owned()
        };
        let dashed = command.replace('-', "\\-");
        assert!(said("NAME").starts_with(&format!("{dashed} \\- ")), "{name}: {text}");
        for section in ["SYNOPSIS", "DESCRIPTION"] {
            let said = said(section);
            assert!(!said.is_empty() && !said.starts_with(".SH"), "{name}, {section}: {text}");
        }
    }
    // An example is a line of its own: nothing is filled there.
    let solve = fs::read_to_string(folder.join("yomikiri-solve.1")).expect("a page");
    let notes = solve.split(".SH \"EXAMPLES AND NOTES\"\n.nf\n").nth(1).expect("notes");
    assert!(notes.lines().any(|line| line == "  yomikiri solve < problem.txt"), "{notes}");
}

#[test]
fn the_top_page_goes_to_standard_output() {
    let run = yomikiri(&["man"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains(".TH yomikiri 1"), "{}", run.stdout);
    assert!(run.stdout.contains("yomikiri\\-solve(1)"), "{}", run.stdout);
}
