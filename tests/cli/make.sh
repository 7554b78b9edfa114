#!/usr/bin/env bash
# make: what is rebuilt when, what it says where something is missing, and its usage errors.
# Runs in a copy of the project's files, so that the build of the others stays as it is.
. tests/tap.sh

check 'the project is built: make has nothing to do' make -q all

tree=$scratch/tree
copy_all "$tree"
cd "$tree" || exit 1
unset SANITIZE # asked for by its word below
object=build/obj/common/error.o

check 'make help ends 0' make --warn-undefined-variables help
shows '^  labN  .*IMPL=student\|reference' 'make help tells of the labs'
shows '^  check ' 'make help tells of targets in mk/'
check 'make help in 80 columns' test -z "$(awk 'length > 80' "$scratch/.output")"
hides 'undefined variable' 'with no variable undefined'
check 'nothing is built for help' test ! -e build
printf '#!/bin/sh\ncase " $* " in *" -E "*) set -- -nostdinc "$@" ;; esac\nexec gcc "$@"\n' >"$scratch/bare"
chmod +x "$scratch/bare"
says 2 'missing: jansson .libjansson-dev. inih .libinih-dev.; type ./bootstrap' 'headers that are not there' make -n CC="$scratch/bare" $object
rm -rf build

check 'one object is built' make --warn-undefined-variables $object
shows '✓ jansson' 'what was detected is printed'
shows '^  CC   common/error.c$' 'a quiet line for a command'
hides 'undefined variable' 'no variable is undefined'
check 'a second make does nothing' make -q $object
make $object >"$scratch/.output" 2>&1
hides jansson 'what was detected is printed once'
sleep 0.01
touch common/error.h
fails 1 'a header that changed makes its object stale' make -q $object
make -s $object >/dev/null
make CFLAGS=-O1 V=1 $object >"$scratch/.output" 2>&1
shows 'gcc .*-O1 .*common/error.c' 'a flag that changed makes it stale; V=1 shows the command'

# What a solution's time or result may hang on is optimised, what asks and tells is not.
made() { make -B -n "$@" >"$scratch/.output" 2>&1; }
made build/obj/harness/measure/pairs.o build/obj/harness/exchange/memory.o build/obj/mlp/op/emulate.o build/obj/common/random.o
optimised=$(grep -c -- ' -O2 .* -c -o' "$scratch/.output")
hides ' -O0 ' 'what times and what reckons is not compiled at -O0'
check 'but at -O2' test "$optimised" = 4
made build/obj/harness/verbs/main.o
shows ' -O0 .*-c -o build/obj/harness/verbs/main.o' 'the verbs are compiled at -O0'
made CFLAGS=-O1 build/obj/harness/verbs/main.o
hides ' -O0 ' 'but not where CFLAGS say otherwise'
hides -fsanitize 'and without sanitizers'
made SANITIZE=1 build/obj/harness/verbs/main.o build/obj/harness/jail/confine.o build/hpclab
shows '-fsanitize=address .*-fsanitize=undefined .*-c -o build/obj/harness/verbs/main.o' 'SANITIZE=1: with both'
hides '-fsanitize=.*-c -o build/obj/harness/jail/confine.o' 'but not what confines a runner'
shows '-fsanitize=address .*tests/sanitized.o .*-o build/hpclab' 'and reports go where they are looked for'

make -n lab1 >"$scratch/.output" 2>&1
shows 'harness/verbs/main' 'a lab in C needs hpclab'
hides device/runtime 'and no CPU device'
make -n lab5 >"$scratch/.output" 2>&1
shows 'device/runtime' 'a lab in CUDA needs the CPU device'
make -n handin LAB=lab3 >"$scratch/.output" 2>&1
hides device/runtime 'nor does handing it in'
make -n lab3 >"$scratch/.output" 2>&1
hides mlp/app 'nor the program behind hpclab mlp'
for lab in lab1 lab4; do
    make -n $lab >"$scratch/.output" 2>&1
    shows mlp/app "which $lab needs: its handout names it"
done
make -n handin LAB=lab5 >"$scratch/.output" 2>&1
shows 'device/runtime' 'unless it is in CUDA'
make -n test QUICK=1 >"$scratch/.output" 2>&1
check 'quick tests ask of no fuzzed parser what it reaches' test ! -e build/fuzz
printf 'include Makefile\nflags:;@echo "flags: $(MAKEFLAGS)"\n' >"$scratch/flags.mk"
make -s -f "$scratch/flags.mk" flags >"$scratch/.output" 2>&1
shows "^flags: .*-j$(nproc)" 'as many compilers at once as there are processors'
make -s -j1 -f "$scratch/flags.mk" flags >"$scratch/.output" 2>&1
shows '^flags: .*-j1' 'unless -j says another number'
rm "$object"
script -qec "make $object" /dev/null >"$scratch/.output" 2>&1 </dev/null
shows $'common/error\.c\e\\[K\r' 'on a terminal one line takes the place of another'

# A compiler that does not find jansson's header stands for a machine without it.
cat >"$scratch/cc" <<'END'
#!/bin/sh
case "$*" in *-E*) if grep -q jansson; then exit 1; fi; exit 0 ;; esac
exec gcc "$@"
END
chmod +x "$scratch/cc"
fails 2 'a missing library ends make' make CC="$scratch/cc"
shows 'missing: jansson \(libjansson-dev\); type ./bootstrap' 'with its name and the command that brings it'
fails 2 'a missing compiler ends make' make CC=no-such-cc
shows "missing: the C compiler 'no-such-cc'; type ./bootstrap" 'with the command that brings it'

# .deps/ comes first, and by its static library.
mkdir -p .deps/usr/include .deps/usr/lib/any
: >.deps/usr/include/jansson.h
: >.deps/usr/lib/any/libjansson.a
make -n build/hpclab >"$scratch/.output" 2>&1
shows '-o build/hpclab .* \.deps/usr/lib/any/libjansson\.a' 'a library in .deps/ is linked from there'
shows '-isystem \.deps/usr/include' 'and its header comes from there'
rm -r .deps

mkdir -p build/bench/done
touch build/bench/done/conv1d build/bench/done/traffic
make -n bench-h200 >"$scratch/.output" 2>&1
shows 'benchmarks/convpool/run' 'make bench-h200 measures what is not done'
hides conv1d/run 'and nothing twice'

fails 2 'make release without a lab' make -n release
shows 'which lab\? for example: make release LAB=lab3' 'says what to type'
fails 2 'make reset without a lab' make -n reset

rm -rf build
fails 3 './grade before anything is built' ./grade
shows '^hpclab: not built yet: .*make lab3.*\./bootstrap' 'says what to type'
check 'in one line' test "$(wc -l <"$scratch/.output")" = 1
ln -s "$tree/grade" "$scratch/link"
mkdir build
printf '#!/bin/sh\necho "called with: $*"\nexit 1\n' >build/hpclab
chmod +x build/hpclab
cd /
fails 1 'through a link, from another folder' "$scratch/link" lab3 --seed 1
shows '^called with: grade lab3 --seed 1$' 'grade passes its words on, and the exit status back'
fails 1 'so does hpclab' "$tree/hpclab" list 'a b'
shows '^called with: list a b$' 'with its words'
done_testing
