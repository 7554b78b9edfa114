#!/usr/bin/env bash
# Brings the release of @LAB@ in FOLDER (or here) to version @VERSION@: bash hotfix-@LAB@-@VERSION@.sh [FOLDER]
#
# A file that is as it was handed out (MANIFEST has its hash) is replaced, and a starter that nobody has
# written in; a file that you changed or made stays, and is named. Where its starter changed, the one before
# is kept beside it, as FILE.starter.bak, and by a second hotfix as FILE.starter.2.bak. May be run again, after an interruption too. Ends with 0; 2 where
# FOLDER is no release of @LAB@, or a later one; 3 where something cannot be written.
set -euo pipefail
lab=@LAB@ version=@VERSION@ folder=${1:-.}
die() {
    echo "hotfix: $1" >&2
    exit "${2:-2}"
}
script=$(readlink -f "$0")
cd "$folder" 2>/dev/null || die "$folder: no such folder, expected that of your $lab"
[ -r MANIFEST ] && [ -r common/version.h ] ||
    die "$folder: no MANIFEST and common/version.h there, expected the folder that the archive of $lab made"
grep -q "  labs/$lab/starter/" MANIFEST ||
    die "$folder: a release of $(sed -n 's,.*  labs/\([^/]*\)/.*,\1,p' MANIFEST | head -n 1), expected $lab"
work=$(mktemp -d ./.hotfix.XXXXXX) || die "$folder: cannot be written" 3
trap 'rm -rf "$work"' EXIT
LC_ALL=C sed '1,/^# What follows is an archive\.$/d' "$script" | tar -xz -C "$work" --strip-components=1 ||
    die "$script: not whole; fetch it again" 3

# What was handed out, what is to be, and what is there: hashes by path.
declare -A was=() new=() now=()
sums() { # NAME FILE: lines of sha256sum into an array
    # shellcheck disable=SC2034 # the caller's array
    local -n into=$1
    local line
    while IFS= read -r line; do into[${line:66}]=${line:0:64}; done <"$2"
}
sums was MANIFEST
sums new "$work/MANIFEST"
for name in "$work/labs/$lab/starter"/*; do echo "labs/$lab/${name##*/}"; done >"$work/.paths"
printf '%s\n' "${!was[@]}" "${!new[@]}" >>"$work/.paths"
sort -u "$work/.paths" | while IFS= read -r path; do [ ! -f "$path" ] || printf '%s\0' "$path"; done |
    xargs -0r sha256sum >"$work/.sums"
sums now "$work/.sums"

there=$(sed -n 's/^#define HPC_VERSION "\(.*\)"/\1/p' common/version.h)
if [ "$there" != "$version" ]; then
    [ "$(printf '%s\n' "$there" "$version" | sort -V | tail -n 1)" = "$version" ] ||
        die "$folder: version $there, later than $version: nothing was changed"
elif [ "${was[common/version.h]}" = "${new[common/version.h]}" ] && ! cmp -s MANIFEST "$work/MANIFEST"; then
    die "$folder: another $version; your course has to give its hotfix a higher version"
fi

replaced=0 kept=0
say() { printf '  %-9s %s\n' "$1" "$2"; }
# put FROM TO: at once, so that TO is never half a file.
put() {
    mkdir -p "$(dirname "$2")" && cp "$1" "$work/.new" && touch "$work/.new" && mv -f "$work/.new" "$2" ||
        die "$2: cannot be written; run this again" 3
    replaced=$((replaced + 1))
}
keep() {
    say kept "$1: $2"
    kept=$((kept + 1))
}

# The working copies first: their starters say whether somebody has written in them.
for name in "$work/labs/$lab/starter"/*; do
    path=labs/$lab/${name##*/} starter=labs/$lab/starter/${name##*/}
    have=${now[$path]:-}
    [ -n "$have" ] && [ "$have" != "${new[$starter]}" ] || continue
    if [ "$have" = "${was[$starter]:-}" ]; then
        say starter "$path" && put "$name" "$path"
    elif [ "${new[$starter]}" != "${was[$starter]:-}" ]; then
        old=$path.starter.bak n=1 # not in starter/, all of which is laid out
        while [ -f "$old" ] && ! cmp -s "$starter" "$old"; do
            n=$((n + 1)) old=$path.starter.$n.bak
        done
        [ "${now[$starter]:-}" != "${was[$starter]:-none}" ] || cp "$starter" "$old" ||
            die "$old: cannot be written; run this again" 3
        keep "$path" "yours; its starter changed: $starter"
        for old in "$path".starter.bak "$path".starter.*.bak; do
            [ ! -f "$old" ] || say '' "diff -u $old $starter"
        done
    fi
done
for path in $(printf '%s\n' "${!new[@]}" | LC_ALL=C sort); do
    have=${now[$path]:-}
    [ "$have" != "${new[$path]}" ] || continue
    if [ -L "$path" ] || { [ -e "$path" ] && [ -z "$have" ]; }; then
        keep "$path" 'no plain file'
    elif [ -z "$have" ]; then
        say new "$path" && put "$work/$path" "$path"
    elif [ "$have" = "${was[$path]:-}" ]; then
        say replaced "$path" && put "$work/$path" "$path"
    else
        keep "$path" 'not as it was handed out'
    fi
done
for path in $(printf '%s\n' "${!was[@]}" | LC_ALL=C sort); do
    [ -z "${new[$path]:-}" ] && [ -n "${now[$path]:-}" ] || continue
    if [ "${now[$path]}" = "${was[$path]}" ]; then
        say removed "$path" && rm -f "$path" && replaced=$((replaced + 1))
    else
        keep "$path" 'of no more use, but not as it was handed out'
    fi
done
cmp -s MANIFEST "$work/MANIFEST" || put "$work/MANIFEST" MANIFEST
if [ $replaced = 0 ]; then
    echo "$lab is version $version already"
else
    echo "$lab is version $version now, was $there: make $lab builds it"
fi
[ $kept = 0 ] || echo 'what is kept above is yours, and stays as it is'
exit 0
# What follows is an archive.
