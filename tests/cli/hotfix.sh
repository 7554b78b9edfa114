#!/usr/bin/env bash
# make hotfix: a release that students have comes to this version, and their own files stay as they are.
. tests/tap.sh
export HPC_ROOT=$scratch/root
copy_all "$HPC_ROOT" hpclab
cd "$HPC_ROOT" || exit 1
version=$(build/hpclab --version | awk '{ print $2 }')
check 'the hotfix' mk/hotfix lab3 --no-check
fix=$HPC_ROOT/dist/hotfix-lab3-$version.sh
check 'is a program' test -x "$fix"
check 'made again' sh -c "mk/hotfix lab3 --no-check 2>&1"
hides 'other files of the same version' 'it says nothing more'
cp "dist/hpclab-lab3-$version.tar.gz" "$scratch/as_it_was"
echo '/* a mistake, mended */' >>common/clock.c
check 'with another file, and the same version' sh -c "mk/hotfix lab3 --no-check 2>&1"
shows "held other files of the same version: where students have these" 'it says so to the instructor'
sed -i '$d' common/clock.c
mv "$scratch/as_it_was" "dist/hpclab-lab3-$version.tar.gz"
check 'and as before' mk/hotfix lab3 --no-check

# What students have: an older release, of which files were others, one is gone and one is new since.
student=$scratch/hpclab-lab3-0.0.9
mkdir "$student" && tar -xzf "dist/hpclab-lab3-$version.tar.gz" -C "$student" --strip-components=1
cp -r "$student" "$scratch/now"
cd "$student" || exit 1
starter=labs/lab3/starter
as_of() { # VERSION: the release is of it, as it was handed out
    sed -i "s/^#define HPC_VERSION .*/#define HPC_VERSION \"$1\"/" common/version.h
    find . -type f ! -name MANIFEST ! -path './build/*' ! -regex '\./labs/lab3/[^/]*\.\(c\|ini\)' \
        ! -name mine.h | sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum >MANIFEST
    [ ! -e labs/lab3/lab.ini ] || sha256sum labs/lab3/lab.ini >>MANIFEST
}
echo '/* an error of ours */' >>common/clock.c
echo '/* an older one */' | tee -a $starter/openmp_inner.c $starter/openmp_trainer.c >/dev/null
echo 'int gone;' >common/gone.c
echo 'int gone_too;' >common/gone_too.c
rm common/stats.c
as_of 0.0.9
cp $starter/openmp_inner.c $starter/openmp_trainer.c labs/lab3/ # make lab3
echo '/* my work */' | tee -a labs/lab3/openmp_trainer.c handouts/lab3.md common/gone_too.c >/dev/null
echo 'a report' >labs/lab3/report.md
echo '/* mine */' >common/mine.h
mkdir build && echo x >build/x
yours() { sha256sum labs/lab3/openmp_trainer.c handouts/lab3.md common/gone_too.c labs/lab3/report.md common/mine.h build/x; }
before=$(yours)
cp -a . "$scratch/again"

check 'it runs in the folder' bash "$fix"
shows "^lab3 is version $version now, was 0.0.9: make lab3 builds it$" 'and says what it made'
shows '^  replaced  common/clock.c$' 'a file as it was handed out is replaced'
shows '^  new       common/stats.c$' 'a new one comes'
shows '^  removed   common/gone.c$' 'one that is no more goes'
shows '^  starter   labs/lab3/openmp_inner.c$' 'a starter that nobody wrote in is laid out anew'
shows '^  kept      labs/lab3/openmp_trainer.c: yours; its starter changed' 'one with work in it stays'
old=labs/lab3/openmp_trainer.c.starter.bak
shows "^            diff -u $old $starter/openmp_trainer.c$" 'with the command that shows what changed in it'
shows '^  kept      handouts/lab3.md: not as it was handed out$' 'so does any file that was changed'
shows '^  kept      common/gone_too.c: of no more use' 'and one that would go'
shows '^what is kept above is yours, and stays as it is$' 'the last line says so, of one file as of many'
check 'the old starter shows what changed' test "$(diff -u $old $starter/openmp_trainer.c | grep '^[-+][^-+]')" = '-/* an older one */'
check 'no other one is kept' test "$(find . -name '*.bak')" = ./$old
check 'what is the student'"'"'s is as it was' test "$(yours)" = "$before"
for file in common/clock.c common/stats.c common/version.h $starter/openmp_inner.c MANIFEST; do
    check "$file is this version's" cmp "$file" "$scratch/now/$file"
done
check 'the working copy too' cmp labs/lab3/openmp_inner.c "$scratch/now/$starter/openmp_inner.c"
find . -type f -exec sha256sum {} + | sort >"$scratch/first"
check 'again' bash "$fix" "$student"
shows "^lab3 is version $version already$" 'does nothing'
check 'nothing at all' sh -c "find . -type f -exec sha256sum {} + | sort | cmp - '$scratch/first'"

# Interrupted at a file in the midst of it: what was done by then, and the list of the old one.
cd "$scratch/again" || exit 1
cp "$scratch/now/common/clock.c" "$scratch/now/common/version.h" common/ && cp "$scratch/now/$starter/openmp_inner.c" $starter/
check 'after an interruption it goes on' bash "$fix"
check 'to the same end' diff -r -x report.md . "$student"

# A second hotfix, with another starter again: the one that the student began with stays.
next=$scratch/hpclab-lab3-9.0.0
cp -r "$scratch/now" "$next" && cd "$next" || exit 1
echo '/* a newer one */' >>$starter/openmp_trainer.c && as_of 9.0.0
{ sed 's/@LAB@/lab3/g; s/@VERSION@/9.0.0/g' "$HPC_ROOT/mk/hotfix_head.sh" && tar -cz -C "$scratch" hpclab-lab3-9.0.0; } >"$scratch/next.sh"
cd "$scratch/again" || exit 1
check 'a second hotfix' bash "$scratch/next.sh"
second=labs/lab3/openmp_trainer.c.starter.2.bak
shows "^            diff -u $old $starter/openmp_trainer.c$" 'names the starter that the work began with'
shows "^            diff -u $second $starter/openmp_trainer.c$" 'and the one before'
check 'which are both there' test "$(tail -qn 1 $old $starter/openmp_trainer.c) $(cmp $second "$scratch/now/$starter/openmp_trainer.c" && echo same)" = '/* an older one */
/* a newer one */ same'
check 'once more' bash "$scratch/next.sh"
shows '^lab3 is version 9.0.0 already$' 'it has nothing to do'
check 'nor a third one to keep' test "$(find . -name '*.bak' | wc -l)" = 2

cd "$student" || exit 1
echo '/* changed */' >>common/clock.c && as_of 99.0.0
fails 2 'a later version' bash "$fix"
shows 'version 99.0.0, later than '"$version"': nothing was changed$' 'is left alone'
as_of "$version"
fails 2 'other files of the same version' bash "$fix"
shows 'has to give its hotfix a higher version$' 'are the course'"'"'s mistake'
sed -i 's,labs/lab3/,labs/lab5/,' MANIFEST
fails 2 'another lab' bash "$fix"
shows 'a release of lab5, expected lab3$' 'is said to be one'
fails 2 'no release' bash "$fix" "$scratch"
fails 2 'no folder' bash "$fix" "$scratch/nowhere"
head -c 20000 "$fix" >"$scratch/half.sh"
fails 3 'half a hotfix' bash "$scratch/half.sh" "$scratch/now"
check 'nothing is left beside the files' test -z "$(find "$student" "$scratch/now" -name '.hotfix*')"
done_testing
