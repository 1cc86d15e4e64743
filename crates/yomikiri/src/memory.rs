//! What the system says of memory, where it says anything.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use yomikiri_question::lang::{Text, text};

const MIB: u64 = 1 << 20;

/// The value in bytes of a line such as `VmHWM:   1234 kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Complains about a table that is larger than what is there.
pub fn check(hash: usize) -> Result<()> {
    if let Some(available) = available()
        && hash as u64 > available
    {
        let (hash, available) = (hash >> 20, available >> 20);
        bail!(text!(
            "--hash {hash}: only {available} MiB of memory are available",
            "--hash {hash}: 使えるメモリは {available} MiB です"
        ));
    }
    Ok(())
}

/// What to do where a search ran out of its memory: PN-search does, for it keeps its whole tree.
pub fn advice(hash: usize) -> Text {
    let larger = match available().and_then(|available| larger(hash as u64, available)) {
        Some(bytes) => {
            let mib = bytes / MIB;
            text!("--hash {mib} gives the tree more room", "--hash {mib} なら木が大きくなれます")
        }
        None => text!(
            "a larger tree does not fit this machine",
            "これ以上大きな木は、このコンピューターに入りません"
        ),
    };
    text!(
        "{larger}; --algorithm dfpn keeps no tree and goes on with any --hash",
        "{larger}。木を持たない `--algorithm dfpn` は、どの --hash でも続けられます"
    )
}

/// A larger amount of memory that fits: four times as much, or seven eighths of what is there.
/// None if that is not half as much again.
fn larger(hash: u64, available: u64) -> Option<u64> {
    let larger = (4 * hash).min(available / 8 * 7);
    (larger >= hash + hash / 2).then_some(larger)
}

/// The most memory this process has had, in MiB.
pub fn peak_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    Some(kilobytes(&status, "VmHWM")? as f64 / MIB as f64)
}

/// The memory that a process may still take, in bytes: what the system has, or its control groups
/// allow, whichever is less.
pub fn available() -> Option<u64> {
    let system =
        fs::read_to_string("/proc/meminfo").ok().and_then(|t| kilobytes(&t, "MemAvailable"));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let allowed = allowed(&groups, Path::new("/sys/fs/cgroup"));
    system.into_iter().chain(allowed).min()
}

/// What the control groups of a process still allow, if they have limits. `groups` is the text of
/// its `/proc/self/cgroup`. The limits of all groups that its own lies in hold, too.
fn allowed(groups: &str, mounted: &Path) -> Option<u64> {
    let own = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        match controllers {
            "" => Some((mounted.to_owned(), path, GROUP)),
            _ if controllers.split(',').any(|name| name == "memory") => {
                Some((mounted.join("memory"), path, OLD_GROUP))
            }
            _ => None,
        }
    });
    own.flat_map(|(root, path, files)| {
        let folder = root.join(path.trim_start_matches('/'));
        // What lies outside of the namespace is not mounted: the root there is the group's own.
        let folders = folder.ancestors().take_while(|folder| folder.starts_with(&root));
        folders.filter_map(|folder| left(folder, files)).min()
    })
    .min()
}

/// The files of a control group: its limit, what it has, and in its statistics the memory that it
/// gives back where that is needed.
type GroupFiles = [&'static str; 3];
const GROUP: GroupFiles = ["memory.max", "memory.current", "inactive_file"];
const OLD_GROUP: GroupFiles =
    ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"];

/// What one control group still allows, if it has a limit.
fn left(folder: &Path, [limit, used, given_back]: GroupFiles) -> Option<u64> {
    let number = |name| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
    let limit = number(limit)?;
    let statistics = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let cached =
        statistics.lines().find_map(|line| line.strip_prefix(given_back)?.trim().parse().ok());
    let used = number(used).unwrap_or(0).saturating_sub(cached.unwrap_or(0));
    Some(limit.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tightest of all groups counts, less what is used and cannot be given back.
    #[test]
    fn control_groups_limit_memory() {
        let folder = std::env::temp_dir().join(format!("yomikiri-groups-{}", std::process::id()));
        let write = |group: &str, files: &[(&str, &str)]| {
            let group = folder.join(group);
            fs::create_dir_all(&group).expect("a folder");
            for (name, text) in files {
                fs::write(group.join(name), text).expect("written");
            }
        };
        write("", &[("memory.stat", "anon 5\n")]);
        write("a", &[("memory.max", "max\n"), ("memory.current", "7000\n")]);
        let statistics = "anon 1\ninactive_file 300\n";
        write(
            "a/b",
            &[("memory.max", "5000\n"), ("memory.current", "1000\n"), ("memory.stat", statistics)],
        );
        write("a/b/c", &[("memory.max", "4800\n")]);
        write(
            "memory/d",
            &[("memory.limit_in_bytes", "900\n"), ("memory.usage_in_bytes", "1000\n")],
        );
        let allowed = |groups| allowed(groups, &folder);
        assert_eq!(allowed("0::/a\n"), None);
        assert_eq!(allowed("0::/a/b\n"), Some(4300));
        assert_eq!(allowed("0::/a/b/c\n"), Some(4300));
        assert_eq!(allowed("0::/elsewhere\n"), None);
        assert_eq!(allowed("3:cpu:/d\n0::/\n"), None);
        assert_eq!(allowed("5:cpu,memory:/d\n0::/a/b\n"), Some(0));
        assert_eq!(allowed("nonsense\n\n"), None);
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn what_is_advised_fits() {
        assert_eq!(larger(MIB, 1024 * MIB), Some(4 * MIB));
        assert_eq!(larger(512 * MIB, 1024 * MIB), Some(896 * MIB));
        assert_eq!(larger(800 * MIB, 1024 * MIB), None);
        assert_eq!(larger(2048 * MIB, 1024 * MIB), None);
    }
}
