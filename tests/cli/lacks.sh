#!/usr/bin/env bash
# What a machine lacks, and what that costs: ./bootstrap, make and `hpclab doctor` say it in the same
# words, those of common/lacks.def, and see the same.
. tests/tap.sh
root=$PWD

# A machine with little on it: gcc, what make's recipes and bootstrap call, and nothing else.
mkdir "$scratch/bin"
for program in awk as bash cat dirname env gcc grep id ld make mkdir mktemp nm nproc objcopy readlink \
    rm sed sh sort tr uname; do
    ln -s "$(command -v $program)" "$scratch/bin/$program"
done
copy_all "$scratch/tree" hpclab lib/jail-inside
cd "$scratch/tree" || exit 1
rows() { sed -n 's/^  ✗ //p' "$scratch/.output" | sort >"$scratch/$1"; }

PATH=$scratch/bin $root/bootstrap --check >"$scratch/.output" 2>&1
rows bootstrap
PATH=$scratch/bin make -n build/flags >"$scratch/.output" 2>&1
rows make
HPC_ROOT=$PWD PATH=$scratch/bin HPC_NVCC=none build/hpclab doctor >"$scratch/.output" 2>&1
rows doctor

cp "$scratch/doctor" "$scratch/.output"
check 'doctor misses what is not in that PATH' grep -qx 'gnuplot: no plots' "$scratch/doctor"
cp "$scratch/make" "$scratch/.output"
check 'so does make' grep -qx 'gnuplot: no plots' "$scratch/make"

PATH=$scratch/bin make -n all >"$scratch/.output" 2>&1
shows 'harness/verbs/main' 'without g++ make makes hpclab'
hides 'g\+\+ ' 'and calls no g++'

# Kernel features and what only hpclab can try stand in the table with a test `hpclab NAME`.
awk -F '"' '/^LACK/ && $4 ~ /^hpclab / { print $2 ":" }' common/lacks.def >"$scratch/own"
grep -vFf "$scratch/own" "$scratch/doctor" >"$scratch/doctor-plain"
check 'bootstrap and doctor say the same' diff "$scratch/bootstrap" "$scratch/doctor-plain"
check 'what make says, they say too' eval '! grep -vxFf "$scratch/bootstrap" "$scratch/make"'
check 'make says it of all that it looks for' test \
    "$(wc -l <"$scratch/make")" = "$(grep -cE '^(bubblewrap|g\+\+|clang|gprof|gnuplot|graphviz|pandoc):' "$scratch/doctor")"

# Each row is read by all: none is lost for a quote or a third line.
rows=$(grep -c '^LACK(' common/lacks.def)
check 'a row has a name, a test and a cost' test "$rows" = "$(awk -F '"' '
    /^LACK/ { head = NF == 7 && $2 && $4; getline; good += head && NF == 3 && $2 } END { print good + 0 }' common/lacks.def)"
check 'no name twice' test "$rows" = "$(awk -F '"' '/^LACK/ { print $2 }' common/lacks.def | sort -u | wc -l)"

sed -i 's/"no plots"/"no pictures of measurements"/' common/lacks.def
PATH=$scratch/bin ./bootstrap --check >"$scratch/.output" 2>&1
shows '✗ gnuplot: no pictures of measurements$' 'a cost that is worded anew is what bootstrap says'
rm -f build/detected
PATH=$scratch/bin make -n build/flags >"$scratch/.output" 2>&1
shows '✗ gnuplot: no pictures of measurements$' 'and make'
sed -i 's/"all gnuplot"/"every gnuplot"/' common/lacks.def
fails 3 'a test of no kind ends bootstrap' ./bootstrap --check
shows 'common/lacks.def: a test of a kind "every", expected all, any, links or runs' 'with a line that says which there are'
# What optional libraries change in the sources is compiled and linked without them too: hpclab works
# then, with the small filter in its jail and without a class.
cd "$root" || exit 1
mkdir "$scratch/objects"
read -r -a compiler <<<"$(sed -n '1s/ -ljansson.*\| \.deps.*//; s/-D\(HPC_SECCOMP\|HPC_SQLITE\)//gp' build/flags)"
mapfile -t optional < <(grep -rlE '^ *# *if.*(HPC_SECCOMP|HPC_SQLITE)' common harness --include='*.c')
check 'three files know of optional libraries' test "${#optional[@]}" = 3
for file in "${optional[@]}"; do
    check "$file is compiled without them" "${compiler[@]}" -Werror -c -o "$scratch/objects/$(basename "$file" .c).o" "$file"
done
libraries() { make -s CC="$(sed -n '1s/ -std=.*//p' build/flags)" --eval='libraries: ; @echo $(JANSSON) $(INIH) -pthread -lm' libraries; }
# shellcheck disable=SC2046 # words
check 'and linked' "${compiler[@]}" -o "$scratch/hpclab" build/obj/harness/verbs/main.o "$scratch"/objects/*.o \
    build/libhpc.a $(libraries)
check 'neither is asked for' sh -c "! ldd '$scratch/hpclab' | grep -E 'seccomp|sqlite'"
HPC_ROOT=$root "$scratch/hpclab" doctor >"$scratch/.output" 2>&1
shows '^jail .*\+filter' 'the jail has the small filter'
printf '[site]\nofficial_jail = limits\n' >"$scratch/tree/site.ini"
mkdir "$scratch/none"
fails 3 'no class is graded' env HPC_ROOT="$scratch/tree" "$scratch/hpclab" class grade "$scratch/none" --lab lab1
shows 'this hpclab was built without SQLite; ./bootstrap brings it, then make' 'which says what lacks'
done_testing
