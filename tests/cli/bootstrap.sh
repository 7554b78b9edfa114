#!/usr/bin/env bash
# bootstrap, as far as it can be tried without installing anything.
. tests/tap.sh
root=$PWD

check 'says what this machine has' "$root/bootstrap" --check
shows '^hpclab on .*, [0-9]+ cores:$' 'names the machine'
shows '✓ gcc' 'gcc is here'
shows '^next: make lab3 && ./grade$' 'ends with what to type'
times >"$scratch/times"
check 'takes under 5 seconds of processors' test \
    "$(awk -F '[ms ]+' 'END { print int($1 * 60 + $2 + $3 * 60 + $4) }' "$scratch/times")" -lt 5
fails 2 'an unknown option is a usage error' ./bootstrap --frobnicate
shows '^bootstrap: unknown option --frobnicate; known: --students' 'with the options there are'
check 'knows --help' ./bootstrap --help
shows '--local' 'which tells of --local'

# A machine with next to nothing on it: a PATH with the plainest programs only.
mkdir -p "$scratch/bin" "$scratch/bare/common"
for program in bash env dirname readlink mktemp rm nproc uname cat id grep; do
    ln -s "$(command -v $program)" "$scratch/bin/$program"
done
cp bootstrap "$scratch/bare/"
cp common/lacks.def "$scratch/bare/common/"
bare() { (cd / && PATH=$scratch/bin "$scratch/bare/bootstrap" "$@"); }
fails 3 'a machine without gcc, make and apt' bare --students
shows '✗ gcc: nothing can be built' 'each lack with its cost'
shows 'no apt-get here' 'says that apt is not here'
shows '^bootstrap: still missing: gcc make binutils' 'and what still lacks, in a line'

# Where gcc, make, objcopy and the headers are here, optional lacks do not matter.
for program in gcc make objcopy nm as ld; do
    ln -s "$(command -v $program)" "$scratch/bin/$program"
done
mkdir -p "$scratch/bare/.deps/usr/include"
touch "$scratch/bare/.deps/usr/include/jansson.h" "$scratch/bare/.deps/usr/include/ini.h"
check 'optional lacks do not fail it' bare
shows '✗ bubblewrap: solutions run in a weaker jail' 'but are said with their cost'
shows '✗ Open MPI: no MPI programs: optional, ./bootstrap --mpi brings it' 'MPI too, which is not asked for'
hides 'install.*openmpi' 'and not named to be installed'
bare --mpi >"$scratch/.output" 2>&1
shows 'install.*openmpi-bin libopenmpi-dev' 'but with --mpi it is'
hides cmocka 'a lab as released is not told of what tests need'

# What apt does is told by parts: here by one that does nothing.
cat >"$scratch/bin/apt-get" <<'END'
#!/bin/sh
case " $* " in
*' install '*)
    for percent in 10 30 31 60 99; do
        echo "pmstatus:libc6:amd64:$percent.2857:Unpacking number $percent"
    done
    ;;
esac
END
printf '#!/bin/sh\n' >"$scratch/bin/apt-cache"
rm "$scratch/bin/id"
printf '#!/bin/sh\necho 0\n' >"$scratch/bin/id"
chmod +x "$scratch/bin/apt-get" "$scratch/bin/apt-cache" "$scratch/bin/id"
ln -s "$(command -v tee)" "$scratch/bin/tee"
bare >"$scratch/.output" 2>&1
shows '^  2 of 2: [0-9]+ packages and what they need$' 'installing is told in two steps'
shows '^  30%: Unpacking number 30$' 'and each quarter of the second'
hides 'number 31' 'but not each package'
shows '^now:$' 'then what is there'
done_testing
