#!/usr/bin/env bash
# What goes wrong around a grading: full disks, folders that can't be written, a compiler that is
# missing or hangs, a runner that dies between two signals, a clock that jumps, a battery. Each comes to a
# verdict or to exit 3 with one line that says why.
. tests/tap.sh
hpclab=$PWD/build/hpclab
tree=$PWD
root=$scratch/root
export HPC_ROOT=$root
chmod 755 "$scratch"
copy_project "$root" lib
mkdir -p "$root/labs/lab90/starter"
sed "s|^handout = .*|handout = README.md|" tests/hostile/lab/lab.ini >"$root/labs/lab90/lab.ini" && : >"$root/labs/lab90/hidden.ini"
sed -n 's/^\[task \(.*\)\]/\1/p' tests/hostile/lab/lab.ini | while read -r task; do
    : >"$root/labs/lab90/starter/$task.c"
done
# submit TEXT: a body of run() as the student's, in what conv1d/attack.h gives.
cp tests/hostile/attack.h "$root/conv1d"
submit() {
    printf '#include <pthread.h>\n#include <signal.h>\n#include "conv1d/attack.h"\n%s\nSUBMISSION\n' "$1" \
        >"$root/labs/lab90/right.c"
}
honest='RUN { answer(p, x, w, y); return 0; }'
grade() { "$hpclab" grade lab90 --only right --plain --quick --seed 5; }
record=$root/results/lab90/record.json
verdict() { python3 -c 'import json, sys; print([t["verdict"] for t in json.load(open(sys.argv[1]))["tasks"] if t["name"] == "right"][0])' "$record"; }
reason() { grep -F '"reason":' "$record" | grep -qF "$1"; }
is() { test "$(verdict)" = "$1"; }

submit "$honest"
check 'an honest submission, to begin with' grade
check 'passes' is pass

# --- disks: a tmpfs of one megabyte, a folder that is mounted read-only
in_space() { # FOLDER BYTES COMMAND ..: the folder is copied into a disk of its own
    local folder=$1 bytes=$2
    shift 2
    bwrap --bind / / --dev-bind /dev /dev --proc /proc --size "$bytes" --tmpfs "$folder" \
        --chdir / "$@"
}
read_only() {
    local folder=$1
    shift
    bwrap --bind / / --dev-bind /dev /dev --proc /proc --ro-bind "$folder" "$folder" --chdir / "$@"
}
if bwrap --bind / / true 2>/dev/null; then
    # The grader itself, not the function: bwrap runs programs.
    words=("$hpclab" grade lab90 --only right --plain --quick --seed 5)
    mkdir -p "$root/results/lab90"
    fails 3 'a full disk for results' in_space "$root/results" 4096 "${words[@]}"
    shows '^hpclab: .*record.json.*: No space left on device; expected room for [0-9]+ bytes$' 'says so'
    fails 3 'results that are read-only' read_only "$root/results" "${words[@]}"
    shows '^hpclab: .*record.json.*: Read-only file system' 'says so'
    rm -rf "$root/build/cpu"
    mkdir -p "$root/build/tmp" "$root/build/cpu"
    fails 3 'a full disk for what is built' in_space "$root/build/tmp" 4096 "${words[@]}"
    shows 'No space left on device' 'says so'
    check 'is the environment, and no zero' is environment
    fails 3 'a build folder that is read-only' read_only "$root/build" "${words[@]}"
    shows 'Read-only file system' 'says so'
    rm -f "$root/labs/lab90/right.c"
    fails 3 'a lab folder that is read-only' read_only "$root/labs" "${words[@]}"
    shows '^hpclab: labs/lab90/.*: Read-only file system' 'says so'
    submit "$honest"
else
    for what in 'a full disk' 'read-only folders'; do skip "$what" 'no bubblewrap that can make one'; done
fi

# --- compilers
mkdir "$scratch/bin"
with_tools() { PATH=$scratch/bin "$@"; }
rm -rf "$root/build/cpu"
fails 3 'no compiler' with_tools grade
shows 'no compiler here; type ./bootstrap' 'says so'
check 'is the environment' is environment
printf '#!/bin/sh\nexec sleep 1000\n' >"$scratch/bin/gcc" && chmod 755 "$scratch/bin/gcc"
ln -s "$(command -v sleep)" "$(command -v sh)" "$(command -v timeout)" "$scratch/bin"
hangs() { HPC_JAIL=limits with_tools grade; }
fails 1 'a compiler that hangs' hangs
shows 'the compiler did not end within its 2 s' 'says so'
check 'is a timeout' is timeout
left() { pgrep -f 'sleep 1000' | while read -r p; do tr '\0' ' ' <"/proc/$p/environ" 2>/dev/null | grep "$scratch"; done; }
none_left() { [ -z "$(left)" ]; }
check 'and leaves no process' soon none_left
cat >"$scratch/bin/gcc" <<GCC
#!/bin/sh
case \$* in *-fsanitize=*whole*) ;; *-fsanitize=*) echo 'ld: cannot find libasan.so' >&2; exit 1 ;; esac
exec $(command -v gcc) "\$@"
GCC
lacks() { HPC_JAIL=limits PATH=$scratch/bin:$PATH "$hpclab" grade lab90 --only right --plain --seed 5; }
check 'a compiler without its sanitizers' lacks
check 'is not the submission'"'"'s fault' is pass
check 'and the record says what was not looked for' grep -qF \
    "address: unchecked (the compiler's sanitizer is not installed: ld: cannot find libasan.so)" "$record"

# --- a runner that dies when nobody waits for it: after its last answer, before the next question
submit 'static void *die(void *unused) { usleep(200); kill(getpid(), SIGKILL); return unused; }
RUN { pthread_t t; answer(p, x, w, y); return pthread_create(&t, NULL, die, NULL); }'
fails 1 'a runner that dies between two signals' grade
check 'has crashed' is crash
check 'with the reason' reason 'signal 9 (Killed, by itself or by a system out of memory) in run()'
submit 'static void *die(void *unused) { usleep(200); _exit(0); return unused; }
RUN { pthread_t t; answer(p, x, w, y); return pthread_create(&t, NULL, die, NULL); }'
fails 1 'one that ends well between two signals' grade
check 'has crashed too' is crash
check 'with the reason' reason 'exit status 0'

# --- a clock that jumps by days, there and back
cat >"$scratch/jump.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long jump(void)
{
    return (rand() % 61 - 30) * 86400L;
}
int clock_gettime(clockid_t id, struct timespec *t)
{
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(id, t);
    if (id == CLOCK_REALTIME)
        t->tv_sec += jump();
    return result;
}
time_t time(time_t *t)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return t ? *t = now.tv_sec : now.tv_sec;
}
int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
C
check 'a clock that jumps' gcc -shared -fPIC -o "$scratch/jump.so" "$scratch/jump.c"
submit "$honest"
jumps() { LD_PRELOAD=$scratch/jump.so grade; }
check 'changes nothing for an honest submission' jumps
check 'which passes' is pass
submit 'RUN { UNUSED; for (;;) ; return 0; }'
fails 1 'nor for a deadline' jumps
check 'which ends a loop' is timeout

# --- a machine on battery: no clock is trusted, no point is lost
mkdir -p "$scratch/power/BAT0"
echo Discharging >"$scratch/power/BAT0/status"
cat >"$scratch/power.c" <<C
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glob.h>
#include <string.h>
int glob(const char *restrict pattern, int flags, int (*error)(const char *, int), glob_t *restrict found)
{
    int (*real)(const char *, int, int (*)(const char *, int), glob_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "glob");
    return real(strstr(pattern, "power_supply") ? "$scratch/power/BAT*/status" : pattern, flags, error, found);
}
C
check 'a battery' gcc -shared -fPIC -o "$scratch/power.so" "$scratch/power.c" -ldl
submit "$honest"
cp "$root/labs/lab90/right.c" "$root/labs/lab90/fast.c"
on_battery() { LD_PRELOAD=$scratch/power.so "$hpclab" grade lab90 --only fast --plain --quick --seed 5; }
check 'a timed task on battery' on_battery
check 'is noisy, its points wait, and the record says what it met' python3 -c 'import json, sys
t = [t for t in json.load(open(sys.argv[1]))["tasks"] if t["name"] == "fast"][0]
c = t["speed"]["conditions"]
sys.exit(0 if t["verdict"] == "noisy" and t["pending"] > 0 and c["before"]["on_battery"] and c["after"]["on_battery"] else str(t))' "$record"

# --- a task's time is over between two cases: what was not tried is neither right nor clean
cat >"$scratch/over.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
static int unmapped;
int munmap(void *p, size_t bytes) /* of whole pages two for each runner, behind its end; builds' are others */
{
    int (*real)(void *, size_t) = dlsym(RTLD_NEXT, "munmap");
    unmapped += bytes % 4096 == 0;
    return real(p, bytes);
}
int clock_gettime(clockid_t id, struct timespec *t)
{
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(id, t);
    if (id == CLOCK_MONOTONIC && unmapped >= 2 * atoi(getenv("RUNNERS")))
        t->tv_sec += 5000;
    return result;
}
C
check 'a clock that jumps behind a runner' gcc -shared -fPIC -o "$scratch/over.so" "$scratch/over.c" -ldl
sed -i 's/^cases = small$/cases = small drawn/' "$root/labs/lab90/lab.ini"
over() { RUNNERS=$1 LD_PRELOAD=$scratch/over.so "$hpclab" grade lab90 --only right --plain --seed 5; }
earns() { python3 -c 'import json, sys; sys.exit([t["points"] for t in json.load(open(sys.argv[1]))["tasks"] if t["name"] == "right"][0] != float(sys.argv[2]))' "$record" "$1"; }
submit 'RUN { if (p->n == 1001) answer(p, x, w, y); return 0; }'
fails 1 'time that is over when the first of two cases was right' over 1
check 'is a timeout' is timeout
check 'and earns nothing' earns 0
submit 'RUN { volatile char *m = malloc(8); answer(p, x, w, y); m[p->n == 1001 ? 7 : 8] = 0; free((void *)m); return 0; }'
fails 1 'time that is over when a sanitizer has seen the first of two' over 3
check 'is a timeout too' is timeout
check 'and earns what is unsafe earns' earns 10

cd "$tree" || exit 1
check 'nothing is left of all that' test -z "$(ls "$root/build/tmp")"
done_testing
