#!/usr/bin/env bash
# Every file and folder of this repository that a document names is there.
#
# Looked at is what stands between backquotes, word by word, and where links lead. A word is taken for
# a path if it has a slash or ends like a source file, and `{a,b}` stands for both. It may be
# shortened at the front (`dfpn/repetition.rs`), as long as something in the repository ends so. Not
# looked at: what is outside (`../`, URLs), what is made here and ignored (`target/`), options, and names in capitals, which stand for
# others (`crates/games/NAME`, `P/zuko.tsv`).
set -euo pipefail
cd "$(dirname "$0")/.."

files=$(git ls-files --cached --others --exclude-standard)
missing=0
for document in *.md docs/*.md; do
    words=$({
        grep -o '`[^`]*`' "$document" | tr -d "\`'\"" || true
        grep -o ']([^)]*)' "$document" | tr -d '])(' | sed 's/#.*//' || true
    } | tr ' =' '\n\n' | sort -u)
    while read -r word; do
        [[ $word =~ ^[A-Za-z0-9_./{},-]+$ && $word =~ [a-z] ]] || continue
        [[ $word == */* || $word =~ \.(rs|md|sh|py|toml)$ ]] || continue
        [[ ! $word =~ ^(-|/|\.\./|\./|target/) && ! $word =~ (^|/)[A-Z]+(/|$) ]] || continue
        # The characters of a word are harmless (see above), so the shell may expand the braces.
        for path in $(eval "echo $word"); do
            path=${path%/}
            if ! grep -qE "(^|/)${path//./\\.}(/|$)" <<<"$files" && ! git check-ignore -q "$path"; then
                echo "$document names $path, which is not there" >&2
                missing=1
            fi
        done
    done <<<"$words"
done
exit "$missing"
