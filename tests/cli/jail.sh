#!/usr/bin/env bash
# The jail as users meet it: hpclab doctor --jail, --official, site.ini, what the record says.
. tests/tap.sh
hpclab=$PWD/build/hpclab
unset HPC_JAIL

doctor() { HPC_JAIL=${1:-} "$hpclab" doctor --jail; }
# The tier in use: that of those there are with which its description begins.
report=$("$hpclab" doctor --jail)
description=$(sed -n 's/^jail: \([^ ]*\) .*/\1/p' <<<"$report") best=
for tier in $(sed -n 's/^jail: .*(tiers here: \(.*\))$/\1/p' <<<"$report"); do
    [[ $description != "$tier"* ]] || best=$tier
done
check 'there is a jail here' test -n "$best"
if [ "$best" = limits ]; then
    skip 'the jail refuses all that it should' 'neither namespaces nor Landlock here'
else
    check 'the jail refuses all that it should' "$hpclab" doctor --jail
    shows '✓ start threads +allowed' 'a variant may start threads'
    shows "✓ read the user's files +refused" 'and read no files'
    shows "^jail: ${best}[0-9]*[+].*\\(tiers here: .*limits\\)\$" 'names the tier, and those there are'
fi
mpi_findings() { "$hpclab" doctor --jail | sed -n '/^profile mpi/,$p'; }
none_wrong() { ! prints ✗; }
if ! command -v mpirun >/dev/null || [ "$best" != bubblewrap ]; then
    check 'what keeps MPI from being tried is said' "$hpclab" doctor --jail
    shows '^profile mpi: not tried: (no mpirun|an MPI program needs a jail with a network)' 'in a line'
    skip 'the profile of MPI programs' 'needs mpirun and namespaces'
else
    check 'the profile of MPI programs is tried too' mpi_findings
    shows '^profile mpi: mpirun \(Open MPI\) [0-9.]+$' 'with the mpirun that is here'
    shows '✓ fork +allowed' 'which may start its ranks'
    shows '✓ speak with itself over a loopback +allowed' 'and speak with them'
    shows '✓ connect to a server on this machine +refused' 'and with nobody else'
    check 'all as it should be' none_wrong
fi
# A bwrap that may make no namespaces, as on systems that keep them from users; and no mpirun.
mkdir "$scratch/bin"
printf '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n' >"$scratch/bin/bwrap"
chmod +x "$scratch/bin/bwrap"
refused() { PATH=$scratch/bin "$hpclab" doctor --jail | grep -E '^(jail|no |profile)'; }
check 'a system that refuses namespaces' refused
shows '^jail: (landlock|userid|limits)' 'has another jail'
shows '^no bubblewrap: bwrap: setting up uid map: Permission denied' 'and is told why'
shows '^profile mpi: not tried: (no mpirun in PATH|an MPI program needs a jail)' 'and what MPI lacks'
HPC_JAIL=bubblewrap PATH=$scratch/bin fails 3 'asked for, it does not start' "$hpclab" doctor --jail
shows 'this jail does not work here: bwrap: setting up uid map: Permission denied' 'with the same reason'
fails 1 'limits alone let more through' doctor limits
shows '✗ read the user.s files +allowed' 'which is said'
shows 'not as they should be; what each means: docs/security.md' 'and counted'
fails 2 'a tier that does not exist' doctor prison
shows '^hpclab: HPC_JAIL=prison: expected bubblewrap, landlock, userid or limits$' 'with those that do'
fails 2 'doctor knows no other words' "$hpclab" doctor --jails

# A project of its own, so that site.ini is nobody's.
export HPC_ROOT=$scratch/root
copy_project "$HPC_ROOT" lib
grade() { (cd "$HPC_ROOT" && HPC_JAIL=${jail:-} "$hpclab" grade lab1 --only flat --plain --seed 5 "$@"); }
# A user id of its own is of no use where it cannot walk to the project.
if [ "$(id -u)" != 0 ]; then
    skip 'a private folder has no jail by user id' 'needs root'
else
    chmod 700 "$scratch"
    if ! HPC_JAIL=bubblewrap "$hpclab" doctor --jail 2>&1 | grep -q "does not work here"; then
        here() { HPC_JAIL=bubblewrap "$hpclab" doctor --jail; }
        check 'nor one for bubblewrap, which root then is in itself' here
        shows '^no user id of its own, so processes are counted from outside: the project lies in' 'which doctor says'
        shows '✓ start more threads than its limit +refused' 'and sees them counted'
    fi
    jail=userid fails 3 'a private folder has no jail by user id' grade
    shows 'HPC_JAIL=userid: this jail does not work here' 'which is said'
    chmod 755 "$scratch"
    jail=userid fails 1 'one that others may enter has' grade
fi
jail=limits
fails 3 'official grading refuses limits alone' grade --official
shows 'official grading wants a jail of at least userid, here is limits' 'and says why'
printf '[site]\nofficial_jail = limits\n' >"$HPC_ROOT/site.ini"
fails 1 'unless the site allows it' grade --official --verbose --json "$scratch/record.json"
shows 'jail: limits\+(seccomp|filter), seed 5' 'which the head says'
check 'and the record' grep -qE '"jail": *"limits\+' "$scratch/record.json"
check 'is official' grep -qE '"official": *true' "$scratch/record.json"
printf '[site]\nofficial_jail = dungeon\n' >"$HPC_ROOT/site.ini"
fails 2 'a tier that does not exist in site.ini' grade --official
shows '^hpclab: site.ini:2: official_jail = dungeon, expected' 'with its line'
rm "$HPC_ROOT/site.ini"
unfiltered() { jail=$best hpclab=$PWD/build/hostile/hpclab HPC_DEFENCE_OFF=filter grade "$@"; }
if [ "$best" != bubblewrap ] || ! [ -x build/hostile/hpclab ]; then
    skip 'official grading without a filter' 'needs namespaces and build/hostile/hpclab'
else
    fails 3 'it refuses a jail without a filter of system calls' unfiltered --official
    shows "official grading wants libseccomp's filter of system calls, here is bubblewrap" 'and says so'
fi
fails 2 'a quick look is never official' grade --official --quick
fails 1 'without --official it is provisional' grade --quick --json "$scratch/record.json"
check 'in the record too' grep -qE '"official": *false' "$scratch/record.json"

# A container that lets nobody make namespaces, and a grader that is given no descriptors.
unset HPC_JAIL
container=(bwrap --bind / / --dev-bind /dev /dev --proc /proc --unshare-user --disable-userns)
if "${container[@]}" true 2>/dev/null; then
    rm -rf "$HPC_ROOT/build/cpu"
    check 'a variant is built and runs in a container without namespaces' \
        "${container[@]}" "$hpclab" run conv1d/cpu n=1000 mask=3 <&-
else
    skip 'a container without namespaces' 'no bubblewrap that can make one'
fi
none() { "$hpclab" run conv1d/cpu n=1000 mask=3 <&- >&- 2>&-; }
rm -rf "$HPC_ROOT/build/cpu"
check 'a grader without standard input and output' none
done_testing
