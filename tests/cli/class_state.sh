#!/usr/bin/env bash
# ./hpclab class where its own folder, or what was handed in, is not as it should be: one line says it, nothing is lost.
. tests/tap.sh
. tests/cli/lib/class.sh
cd "$scratch" || exit 1
mkdir dir
for id in ada bob cy; do handed "$right" "dir/$id.tar.gz"; done
check 'a class' class grade dir --quick --folder first
# changed NAME SQL: the class again, as somebody else left its state. Its rows stand in few pages, which DELETE keeps together.
changed() { rm -rf "$1" && cp -a first "$1" && python3 -c 'import sqlite3, sys
d = sqlite3.connect(sys.argv[1] + "/class.db")
d.executescript("PRAGMA journal_mode = DELETE;" + sys.argv[2])' "$1" "$2"; }
refused() { # STATUS WORDS TEXT NAME: by each command that opens the state of NAME.
    local command
    for command in 'grade dir --quick' 'show ada' regrade 'merge first'; do
        # shellcheck disable=SC2086 # words
        fails "$1" "$3: class $command" class $command --folder "$4"
        shows "$2" 'says what is wrong'
        check 'in one line' test "$(wc -l <"$scratch/.output")" = 1
    done
    fails "$1" "$3: merged" class merge "$4" --folder first
}
changed later 'PRAGMA user_version = 2'
refused 2 "later/class.db: a class's state of version 2, expected at most 1: a later hpclab wrote it$" 'a later version' later
changed before 'PRAGMA user_version = 0'
check 'a state from before versions' class grade dir --quick --folder before
shows '^0 graded now; 3 of 3 students' 'is read as it is'
damaged="class.db: .*, expected a class's state: put a backup of it there, or grade into another --folder$"
changed damaged ''
index=$(python3 -c 'import sqlite3
print(sqlite3.connect("damaged/class.db").execute("SELECT rootpage FROM sqlite_master WHERE name LIKE ?", ["sqlite_autoindex_grading%"]).fetchone()[0])')
head -c 4096 /dev/urandom | dd of=damaged/class.db bs=4096 seek=$((index - 1)) conv=notrunc status=none
fails 3 'a page that only a new grading needs' class grade dir --quick --folder damaged
shows "$damaged" 'is missed before anything is graded'
echo 'no database, and longer than the head of one, which has a hundred bytes of what it is and how it is to be read' >damaged/class.db
refused 3 "$damaged" 'no database' damaged
check 'the class goes on as it was' class grade dir --quick --folder first
shows '^0 graded now; 3 of 3 students' 'with all its gradings'

# A roster that is edited between two gradings; one that can't be read twice; one for an action that has its own.
given() { printf 'id,override,reason\nada,,\nbob,%s\ncy,,\n' "$1" >given.csv; }
given 42.5,orally
check 'points by the roster' class grade dir --quick --folder first --roster given.csv
shows '^bob: 100.0 points before, 42.5 now, which the roster sets$' 'are said'
given 50,orally
check 'other ones, and a grading of somebody else' class rerun cy --folder first
shows '^bob: 42.5 points before, 50.0 now, which the roster sets$' 'are said too'
shows '^1 graded again, 1 with other points$' 'and counted'
given ,
check 'none any more' class rerun cy --folder first
shows '^bob: 50.0 points before, 100.0 now$' 'is said as well'
fails 2 'a roster that regrade could not read again' class grade dir --quick --folder first --roster <(cat given.csv)
shows '^hpclab: --roster /dev/fd/[0-9]*: is a pipe or a device, expected a file that stays: ' 'is refused'
fails 2 'another roster for regrade' class regrade --folder first --roster given.csv
shows "^hpclab: class regrade: --roster is grade's, expected .class grade --roster.$" 'is not passed over'

# A disk with room for the state, and for no record.
cat >full.sh <<'END'
mount -t tmpfs -o size=300k none full && head -c 140000 /dev/zero >full/fill || exit 77
"$@" --folder full/class
status=$?
mount -o remount,size=4m full
"$@" --folder full/class >>again 2>&1
exit $status
END
mkdir full
for id in dan eve fay gus; do handed "$right" "dir/$id.tar.gz"; done
if unshare -m true 2>/dev/null; then
    fails 3 'a disk that is full' unshare -m bash full.sh "$hpclab" class grade dir --quick --lab lab91 --plain
    shows 'not graded \(/.*/full/class/spool/.*: No space left on device; expected room for [0-9]+ bytes\); the next' 'is the reason that is said'
    check 'with room the same command grades the others' grep -qE '^[1-6] graded now; 7 of 7 students' again
else
    skip 'a disk that is full' 'no mount can be made here'
fi

# One that is full where programs are built: nobody's program is wrong by that, and nobody's archive.
mkdir -p small "$HPC_ROOT/build/tmp" && cp dir/ada.tar.gz small/
cat >small.sh <<'END'
mount -t tmpfs -o size="$1" none "$HPC_ROOT/build/tmp" || exit 77
"${@:2}"
END
small() { # SIZE FOLDER
    unshare -m bash small.sh "$1" "$hpclab" class grade small --quick --lab lab91 --plain --folder "$2"
}
if unshare -m true 2>/dev/null; then
    fails 1 'no room to unpack an archive' small 16k small.class
    shows '^hpclab: ada: not graded .ada.tar.gz: less than 64 MiB are free where build/tmp lies, expected room to unpack it' 'is not the archive that is wrong'
    check 'no room for a compiler' small 160k small.other
    shows '^    flat: 100 pending, less than 64 MiB are free where build/tmp lies, expected room for what a compiler writes' 'has points wait'
else
    skip 'a disk that is full' 'no mount can be made here'
fi

# Where nobody may read, nothing is judged.
mkdir -p closed/all closed/part/src && handed "$right" closed/ada && cp "$right" closed/part/src/
chmod 0 closed/all closed/part/src
cp -f "$hpclab" "$HPC_ROOT/build/hpclab"
as=()
if [ "$(id -u)" = 0 ]; then
    chmod 755 . && chown -R 65534 . && as=(setpriv --reuid 65534 --clear-groups)
fi
fails 1 'folders that may not be read' "${as[@]}" "$HPC_ROOT/build/hpclab" class grade closed --quick --lab lab91 --plain --folder closed.class
shows '^hpclab: all: all: Permission denied, expected a folder that can be read$' 'one as a whole: nothing is graded'
shows '^part  0.0 of 100: part: src/: Permission denied, expected a folder that can be read$' 'one within: it is named'
shows '^2 graded now; 2 of 3 students' 'and the others are graded'

# The end of a grading is seen when it comes, and not at the next look, 100 ms later: once in twenty, on a busy machine.
mkdir one && echo 'no archive' >one/ada.tar.gz
seen() {
    for i in $(seq 20); do
        class grade one --quick --folder "one.$i" >/dev/null
        python3 -c 'import sqlite3, sys
s = sqlite3.connect(sys.argv[1]).execute("SELECT value FROM word WHERE key = ?", ["seconds_quick"]).fetchone()[0]
sys.exit(not 0 < float(s.split()[0]) < 0.09)' "one.$i/class.db" && return 0
    done
    return 1
}
check 'a grading that takes no time is seen to take none' seen
done_testing
