//! What a build without a feature says of the commands it leaves out.

use crate::support::yomikiri;

/// Commands of a feature, whether it is on, and what else is on their command line.
const COMMANDS: &[(&str, bool, &[&str])] = &[
    ("cluster", cfg!(feature = "cluster"), &["cluster", "uci", "--help"]),
    ("cluster", cfg!(feature = "cluster"), &["worker", "--slots", "2"]),
    ("cluster", cfg!(feature = "cluster"), &["match"]),
    ("cluster", cfg!(feature = "cluster"), &["bench", "stops"]),
    ("lab", cfg!(feature = "lab"), &["lab", "paths", "--quick"]),
    ("serve", cfg!(feature = "serve"), &["serve", "--port", "0"]),
];

#[test]
fn a_command_that_is_left_out_says_how_to_get_it() {
    let help = yomikiri(&["--help"]).stdout;
    for (feature, is_on, words) in COMMANDS {
        let hint = format!("--features {feature}");
        if *is_on {
            assert!(!help.contains(&hint), "{help}");
        } else {
            yomikiri_needs::skip(&format!("`{hint}`: tests of `{}`", words[0]));
            assert!(help.contains(&hint), "{help}");
            yomikiri(words).fails_with(&[words[0], "is not in this build", &hint]);
        }
    }
}
