//! A program as a user names it: a command in words, and where its program is.

use std::path::PathBuf;

/// A command that cannot be split into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the command has an opening quote without a closing one, or ends with a backslash")]
pub struct SplitError;

/// Splits a command into words as a shell does, with quotes, backslashes and comments. No shell
/// ever sees it: variables and patterns are left as they are.
pub fn split_words(command: &str) -> Result<Vec<String>, SplitError> {
    shlex::split(command).ok_or(SplitError)
}

/// Looks for a program: a path as it is, a name in `PATH`, then where systems keep games and
/// servers.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let is_path = name.contains(std::path::MAIN_SEPARATOR);
    if is_path {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let more = ["/usr/games", "/usr/local/games", "/usr/local/bin", "/usr/sbin"];
    let folders = std::env::split_paths(&paths).chain(more.map(PathBuf::from));
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    folders.map(|folder| folder.join(&file)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let split = |text| split_words(text).unwrap();
        let words = ["a", "b c", "d \" e", "f g", ""];
        assert_eq!(split(" a  'b c' \"d \\\" e\" f\\ g '' "), words);
        assert_eq!(split("a'b'\"c\""), ["abc"]);
        assert_eq!(split("$HOME; `x` \"\\n\""), ["$HOME;", "`x`", "\\n"]);
        assert_eq!(split("engine#1 # a remark"), ["engine#1"]);
        for broken in ["a 'b", "a \"b\\", "a\\"] {
            assert_eq!(split_words(broken), Err(SplitError), "{broken}");
        }
    }
}
