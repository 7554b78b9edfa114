#!/usr/bin/env bash
# project_files: what git tracks, ended by zeros; said without git, which a bare machine does not have. Of
# the files that a student writes into labs/, those that .gitignore takes back.
project_files() {
    local line taken_back=(-path ./none)
    while IFS= read -r line; do
        [[ $line != '!'* ]] || taken_back+=(-o -path ".${line#!}")
    done <.gitignore
    find . \( -path './.git*' ! -path ./.gitignore -o -path ./build -o -path ./.deps -o -path ./results \
        -o -path ./dist -o -name __pycache__ \) -prune -o -type f \( "${taken_back[@]}" \
        -o ! -path ./site.ini ! -path ./term.ini ! -name gmon.out ! -path './labs/*.bak' \
        ! -regex '\./labs/[^/]*/[^/]*\.\(c\|cu\|ini\|md\)' \) -print0
}
