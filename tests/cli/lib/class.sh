#!/usr/bin/env bash
# A made-up lab that is graded in a second, and a class that handed it in. Sourced behind tests/tap.sh.
# shellcheck disable=SC2154 # $scratch is tests/tap.sh's
hpclab=$PWD/build/hpclab
export HPC_ROOT=$scratch/root
"${copy:-copy_project}" "$HPC_ROOT" lib # copy=copy_all: with tests/
share_builds # most hand in one of two files
mkdir -p "$HPC_ROOT/labs/lab91/starter"
cat >"$HPC_ROOT/labs/lab91/lab.ini" <<'END'
[lab]
title = A small one
handout = handouts/lab1.md

[task flat]
title = Flat
op = mlp_sgd
baseline = mlp/serial
reference = mlp/flat
flags = -O0 -ffp-contract=off
symbols = malloc calloc free memcpy memset exp tanh fmax aligned_alloc
cases = tiny
points_correct = 100

[cases mlp_sgd]
tiny = data=blobs layers=3,2,1 activations=tanh,sigmoid samples=4 epochs=2 rate=0.01
END
cp "$HPC_ROOT/labs/lab1/starter/flat.c" "$HPC_ROOT/labs/lab91/starter/"
right=$HPC_ROOT/mlp/variants/flat.c
wrong=$scratch/wrong.c
sed 's/rate \*/2 * rate */' "$right" >"$wrong"

# handed FILE PLACE: as a folder; PLACE may end in .tar.gz or .zip.
handed() {
    local name=${2%.tar.gz} work
    name=${name%.zip}
    if [ "$name" = "$2" ]; then
        mkdir -p "$2/labs/lab91" && cp "$1" "$2/labs/lab91/flat.c"
        return
    fi
    work=$(mktemp -d -p "$scratch")
    mkdir -p "$work/labs/lab91" && cp "$1" "$work/labs/lab91/flat.c"
    # shellcheck disable=SC2094
    case $2 in
    *.zip) (cd "$work" && zip -qr - labs) >"$2" ;;
    *) tar -czf "$2" -C "$work" labs ;;
    esac
}
class() { "$hpclab" class "$@" --lab lab91 --plain; }
out=$HPC_ROOT/results/class/lab91
# field ID COLUMN: of the gradebook.
field() {
    python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    if row["id"] == sys.argv[2]: print(row[sys.argv[3]])' "$out/gradebook.csv" "$1" "$2"
}
