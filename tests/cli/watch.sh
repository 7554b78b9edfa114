#!/usr/bin/env bash
# watch: each save of a task's file is graded, once; sheets are not; Ctrl-C ends it in order.
. tests/tap.sh
project=$scratch/root
copy_project "$project" lib
share_builds
export HPC_ROOT=$project
hpclab=$PWD/build/hpclab
cd "$project" || exit 1
rm -rf labs/lab1/{flat.c,answers.ini} results/lab1
says 2 '^hpclab: labs/lab1 holds no file of yours yet: make lab1 first$' 'a lab that was not laid out' timeout -k 1 60 "$hpclab" watch lab1
check 'a lab is laid out' "$hpclab" build lab1

# until_seen PATTERN N: waits, for 300 s at most, until N lines of watch's output match or it ends.
until_seen() {
    for ((tries = 0; tries < 3000; tries++)); do
        [ "$(grep -c -- "$1" "$scratch/watched")" -lt "$2" ] || return 0
        kill -0 $watching 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}
seen() { check "$2" grep -q -- "$1" "$scratch/watched"; }
rm -f "$scratch/watched" && : >"$scratch/watched" # what an earlier one said is not this one's
"$hpclab" watch lab1 --plain >"$scratch/watched" 2>&1 &
watching=$!
check 'it says what it does' until_seen '^lab1: save a file in labs/lab1/' 1

printf 'student = Ada\n' >>labs/lab1/answers.ini
echo 'no C' >labs/lab1/flat.c
check 'a file that is saved is graded' until_seen ' flat  *x build ' 1
seen 'flat\.c:1' 'with what is wrong'
check 'a sheet is not' eval '! grep -q profile_answers "$scratch/watched"'
cp labs/lab1/starter/flat.c labs/lab1/flat.c
check 'the next save is graded too' until_seen ' flat  *x wrong ' 1
seen 'is the starter as it was handed out' 'with what is wrong then'
cp mlp/variants/flat.c labs/lab1/new.c
mv labs/lab1/new.c labs/lab1/flat.c
check 'and one by a rename' until_seen ' flat .* 8/8 ' 1
check 'each was graded once' test "$(grep -c '^[0-9:]\{8\}  flat ' "$scratch/watched")" = 3
rm labs/lab1/flat.c
check 'a file that is removed is told' until_seen 'labs/lab1/flat.c was removed: save it again' 1
kill -INT $watching
check 'Ctrl-C ends it with 0' wait $watching
check 'nothing is left of it' eval '! ls build/tmp/*watch* 2>/dev/null'

rm -f "$scratch/watched" && : >"$scratch/watched" # what an earlier one said is not this one's
"$hpclab" watch lab1 --plain >"$scratch/watched" 2>&1 &
watching=$!
check 'and while it grades' until_seen '^lab1: save' 1
cp mlp/variants/flat.c labs/lab1/flat.c
for ((tries = 0; tries < 3000; tries++)); do
    ! pgrep -P $watching >/dev/null || break
    sleep 0.1
done
kill -INT $watching
check 'with 0 too' wait $watching
rm -f "$scratch/watched" && : >"$scratch/watched" # what an earlier one said is not this one's
"$hpclab" watch lab1 --plain >"$scratch/watched" 2>&1 &
watching=$!
check 'a folder that is renamed' until_seen '^lab1: save' 1
mv labs/lab1 labs/away
wait $watching
tap_result "$(($? != 2))" 'ends it with 2'
seen '^hpclab: watch: labs/lab1 was removed or renamed$' 'and a line'
mv labs/away labs/lab1

# On a terminal: a solution that hangs, whose seconds are told; a width that changes; Ctrl-C.
sed 's/^static int .*run(/static volatile int forever = 1;\n&/; /^static int .*run(/,/^}/ s/^{/{ while (forever) ;/' \
    mlp/variants/flat.c >hanging.c
check 'on a terminal it tells a grading'"'"'s seconds, is drawn anew in another width, and ends' python3 - "$hpclab" <<'PYTHON'
import fcntl, os, pty, select, shutil, struct, sys, termios, time
def width(columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
def until(wanted, seconds=60):
    said, end = b"", time.time() + seconds
    while wanted not in said:
        assert time.time() < end, (wanted, said)
        if select.select([terminal], [], [], 0.1)[0]:
            said += os.read(terminal, 65536)
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], [sys.argv[1], "watch", "lab1"])
until(b"Ctrl-C ends this")
width(50)
until(b"\033[2J")
shutil.copy("hanging.c", "labs/lab1/flat.c")
until(b"grading flat ..")
until(b" 1 s")
os.write(terminal, b"\x03")
assert os.waitpid(child, 0)[1] == 0
PYTHON
fails 2 'a lab that is not there' "$hpclab" watch lab0
shows "^hpclab: .*lab0" 'is named'
fails 2 'two labs' "$hpclab" watch lab1 lab2
done_testing
