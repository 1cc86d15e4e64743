#!/usr/bin/env bash
# Are the licences of all that we ship on the list in deny.toml, does all of it come from crates.io, and in a
# version that we name? What comes in two versions is told. The same as `cargo deny check licenses sources bans`,
# in a second and with nothing to install.
set -euo pipefail
cd "$(dirname "$0")/.."

foreign=$(grep '^source = ' Cargo.lock | sort -u | grep -vFx 'source = "registry+https://github.com/rust-lang/crates.io-index"' || true)
[ -z "$foreign" ] || { echo "licences: not from crates.io: $foreign" >&2; exit 1; }

wild=$(git ls-files '*Cargo.toml' | xargs grep -nE '= *"\*"' || true)
[ -z "$wild" ] || { printf 'licences: any version will do: %s\n' "$wild" >&2; exit 1; }

# The lines between `allow = [` and `]`, as a pattern, the longest first: one name may begin another.
allowed=$(sed -n '/^allow = \[/,/^\]/s/^ *"\(.*\)",$/\1/p' deny.toml | awk '{ print length, $0 }' | sort -rn | cut -d' ' -f2- | paste -sd'|' | sed 's/\./\\./g')
[ -n "$allowed" ] || { echo "licences: deny.toml allows none" >&2; exit 1; }

# Every licence becomes true or false, and the expression is worked out: AND before OR.
judge() {
    sed -E "s# \(\*\)\$##; s#/# OR #g; s#\b($allowed)(\$|[ )])#true\2#g; s#\b($allowed)(\$|[ )])#true\2#g" |
        sed -E 's/[A-Za-z0-9.+-]+( WITH [A-Za-z0-9.+-]+)?/@&@/g; s/@(true|AND|OR)@/\1/g; s/@[^@]*@/false/g' |
        sed -E ':again
            s/\((true|false)\)/\1/; t again
            s/true AND true/true/; t again
            s/(true|false) AND (true|false)/false/; t again
            s/false OR false/false/; t again
            s/(true|false) OR (true|false)/true/; t again'
}

tree() { cargo tree --workspace --all-features --edges normal,build --target all --locked --prefix none "$@" | sort -u; }

bad=0
while IFS=$'\t' read -r package licence; do
    [ -n "$package" ] || continue
    [ "$(judge <<<"$licence")" = true ] || { echo "licences: $package: '$licence'" >&2; bad=1; }
done < <(tree --format $'{p}\t{l}')
[ "$bad" = 0 ] || exit 1
echo "licences: all allowed"
twice=$(tree --duplicates --depth 0 | awk 'NF { print $1 }' | sort -u | paste -sd' ')
[ -z "$twice" ] || echo "licences: in more than one version: $twice"
