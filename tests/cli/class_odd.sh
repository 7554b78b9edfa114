#!/usr/bin/env bash
# ./hpclab class on what people hand in besides a plain archive of the lab's folder: names in any script,
# folders in folders, archives of other kinds and under other names, bombs, links, pipes. One line each.
. tests/tap.sh
. tests/cli/lib/class.sh
cd "$scratch" || exit 1
mkdir dir
expected=() # "ID POINTS WORDS": the line that the class says of it
odd() { # ID POINTS [WORDS]
    expected+=("$1 $2 ${3:-}")
    echo "$1," >>roster.csv
}
in_folder() { mkdir -p "$2" && cp "$1" "$2/flat.c"; }
echo id,name >roster.csv

in_folder "$right" 'dir/deep/Abgabe Müller/src' && odd deep 100
in_folder "$right" dir/whole/hpclab-lab91-0.1.0/labs/lab91 && odd whole 100
in_folder "$wrong" dir/whole/hpclab-lab91-0.1.0/labs/lab91/starter
in_folder "$right" dir/twice/a && in_folder "$right" dir/twice/b
odd twice 0 'twice: both a/flat.c and b/flat.c, expected one flat.c'
mkdir -p dir/mac/__MACOSX && handed "$right" dir/mac/handin.zip && odd mac 100
cp "$wrong" dir/mac/__MACOSX/flat.c
mkdir dir/note && handed "$right" dir/note/handin.tar.gz && echo hello >dir/note/onlinetext.html && odd note 100
mkdir dir/pair && handed "$right" dir/pair/one.tar.gz && handed "$right" dir/pair/two.tar.gz
odd pair 0 'pair: holds no file of lab91 but one.tar.gz and 1 more, expected some of flat.c'
mkdir dir/empty && odd empty 0 'empty: holds no file at all, expected some of flat.c'
mkdir dir/blank && : >dir/blank/flat.c && odd blank 0 'flat: does not build'
mkdir dir/linked && ln -s "$right" dir/linked/flat.c && odd linked 0 'linked: flat.c: a link, expected a regular file'
handed "$right" ours.tar.gz && handed "$right" ours.zip
mkdir dir/taken && cp ours.tar.gz old.tar.gz && touch -d 2001-01-01 old.tar.gz && ln -s "$scratch/old.tar.gz" dir/taken/handin.tar.gz
odd taken 0 'handin.tar.gz: a link, expected a regular file'
truncate -s 200G dir/holes.tar.gz && odd holes 0 'holes.tar.gz: 209715200 KiB, expected at most 16384'
mkdir dir/kernel && ln -s /proc/kcore dir/kernel/handin.tar.gz && odd kernel 0 'handin.tar.gz: a link, expected a regular file'
mkfifo dir/pipe.tar.gz && odd pipe 0 'pipe.tar.gz: expected a regular file'
mkdir dir/pipe_in && mkfifo dir/pipe_in/flat.c && odd pipe_in 0 'pipe_in: flat.c: expected a regular file'

: >dir/zero.tar.gz && odd zero 0 'zero.tar.gz: is empty, expected an archive'
: >dir/zerozip.zip && odd zerozip 0 'zerozip.zip: is empty, expected an archive'
head -c 100 ours.tar.gz >dir/cut.tar.gz && odd cut 0 "cut.tar.gz: can't be unpacked: .*unexpected end of file"
head -c 900 ours.zip >dir/cutzip.zip && odd cutzip 0 "cutzip.zip: can't be unpacked: it is cut off or damaged"
printf 'Rar!\032\007' >dir/rar.rar && odd rar 0 'rar.rar: is a RAR archive, expected a .tar.gz or .zip'
printf "7z\274\257'" >dir/seven.7z && odd seven 0 'seven.7z: is a 7z archive, expected a .tar.gz or .zip'
cp ours.zip dir/zip_inside.tar.gz && odd zip_inside 100
cp ours.tar.gz dir/tar_inside.ZIP && odd tar_inside 100
gunzip -c ours.tar.gz >dir/plain_tar.tgz && odd plain_tar 100
for program in xz bzip2; do
    if command -v $program >/dev/null; then
        gunzip -c ours.tar.gz | $program >"dir/by_$program.tar.${program::2}" && odd "by_$program" 100
    else
        skip "an archive by $program" 'not here'
    fi
done
mv dir/by_bzip2.tar.bz dir/by_bzip2.tar.bz2 2>/dev/null
mkdir -p other/labs/lab3 && echo 'int x;' >other/labs/lab3/openmp_trainer.c && tar -czf dir/other_lab.tar.gz -C other labs
odd other_lab 0 "other_lab.tar.gz: holds no file of lab91 but lab3's labs/lab3/openmp_trainer.c, expected some of flat.c"
(cd other && echo '{}' >manifest.json && zip -qr ../dir/other_zip.zip .)
odd other_zip 0 "other_zip.zip: holds no file of lab91 but lab3's labs/lab3/openmp_trainer.c and 1 more, expected some of flat.c"
cp -r other dir/other_folder
odd other_folder 0 "other_folder: holds no file of lab91 but lab3's labs/lab3/openmp_trainer.c and 1 more, expected some of flat.c"
mkdir -p none/labs/lab91 && tar -czf dir/nothing.tar.gz -C none labs
odd nothing 0 'nothing.tar.gz: holds no file at all, expected some of flat.c'
(cd none && zip -qr ../dir/nothing_zip.zip labs)
odd nothing_zip 0 'nothing_zip.zip: holds no file at all, expected some of flat.c'
tar -czf dir/no_member.tar.gz -T /dev/null && odd no_member 0 'no_member.tar.gz: holds no file at all, expected some of flat.c'
base64 -d <<<UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA== >dir/no_member_zip.zip
odd no_member_zip 0 'no_member_zip.zip: holds no file at all, expected some of flat.c'
echo text >$'notes \033\303\266.txt' && zip -q dir/notes.zip notes*.txt && rm notes*.txt
odd notes 0 'notes.zip: holds no file of lab91 but notes .*[.]txt, expected some of flat.c'

# Names that browsers and systems number: taken where nothing else is, and said; left beside the file itself.
mkdir -p 'num/labs/lab91/starter' && cp "$wrong" num/labs/lab91/starter/flat.c
for name in 'flat (1).c' 'flat(2).c' 'flat-3.c' 'flat 4.c'; do
    cp "$right" "num/labs/lab91/$name" && n=${name//[^0-9]/}
    tar -czf "dir/num_tar$n.tar.gz" -C num labs && odd "num_tar$n" 100 "${name//[()]/.} was taken for flat.c"
    (cd num && zip -qr "../dir/num_zip$n.zip" labs) && odd "num_zip$n" 100 "${name//[()]/.} was taken for flat.c"
    cp -r num "dir/num_folder$n" && odd "num_folder$n" 100 "${name//[()]/.} was taken for flat.c"
    rm "num/labs/lab91/$name"
done
cp "$right" 'num/labs/lab91/flat (1).c' && cp "$right" 'num/labs/lab91/flat (2).c' && tar -czf dir/num_two.tar.gz -C num labs
odd num_two 0 'num_two.tar.gz: both labs/lab91/flat .1..c and labs/lab91/flat .2..c, expected one flat.c'
cp "$wrong" 'num/labs/lab91/flat (2).c' && cp "$right" num/labs/lab91/flat.c && tar -czf dir/num_beside.tar.gz -C num labs
odd num_beside 100 'flat .1..c was left, beside flat.c'
cp -r num dir/num_left && odd num_left 100 'flat .1..c was left, beside flat.c'
for name in 'flat (1)x.c' 'flat ().c' 'flat (1.c' flat-.c flat-a.c 'flat (1).cc'; do cp "$right" "none/labs/lab91/$name"; done
tar -czf dir/num_none.tar.gz -C none labs && odd num_none 0 'num_none.tar.gz: holds no file of lab91 but labs/lab91/flat ...c and 5 more, expected some of flat.c'
cp ours.tar.gz 'dir/num_name.tar (1).gz' && odd num_name 100
cp ours.tar.gz 'dir/num_name2.tar-1.gz' && odd num_name2 100

# Zips as systems write them: paths in Latin, Greek, Chinese, by backslashes, in no encoding at all; and bombs.
python3 - "$right" <<'END'
import io, sys, zipfile
text = open(sys.argv[1]).read()
def pack(name, paths, system=3, data=text):
    with zipfile.ZipFile(f"dir/{name}.zip", "w", zipfile.ZIP_DEFLATED) as z:
        for path in paths:
            info = zipfile.ZipInfo("x")
            info.filename, info.create_system, info.compress_type = path, system, zipfile.ZIP_DEFLATED
            z.writestr(info, data)
pack("umlaut", ["Lösung ä/flat.c"])
pack("chinese", ["作业 1/flat.c"])
pack("signs", ["a [1] *b?/flat.c"])
pack("windows", ["labs\\lab91\\flat.c"], 0)
pack("climbs", ["..\\..\\..\\flat.c"], 0)
pack("absolute", ["/tmp/flat.c"])
pack("tag", ["../<b>.c"])
pack("named", ["%d_flat.c" % i for i in range(65)] + ["flat.c"])
pack("large", ["flat.c"], data="/" * (5 << 20))
pack("many", ["f%d" % i for i in range(1001)])
pack("cp437", ["LXsung/flat.c"], 0)
raw = open("dir/cp437.zip", "rb").read().replace(b"LXsung", b"L\x94sung")
open("dir/cp437.zip", "wb").write(raw)
inner = b"\0" * (1 << 20)
for k in range(2):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for i in range(20):
            z.writestr(f"{i}.zip", inner)
    inner = out.getvalue()
open("dir/nested.zip", "wb").write(inner)
END
for id in umlaut chinese signs windows cp437; do odd $id 100; done
odd climbs 0 'climbs.zip: "../../../flat.c" leads out of the folder that it is unpacked in'
odd absolute 0 'absolute.zip: "/tmp/flat.c" leads out of the folder that it is unpacked in'
odd tag 0 'tag.zip: "../<b>.c" leads out of the folder that it is unpacked in'
odd named 0 "named.zip: more than 64 files that are named as the lab's, expected one of each"
odd large 0 'large.zip: flat.c has 5120 KiB, expected at most 4096'
odd many 0 'many.zip: more than 1000 files, expected those of the lab'
python3 -c 'import sys, tarfile
with tarfile.open(sys.argv[1], "w:gz") as t: t.addfile(tarfile.TarInfo("a" * (2 << 20)))' dir/long.tar.gz
odd long 0 'long.tar.gz: names of more than 1024 KiB, expected those of the lab'
odd nested 0 'nested.zip: holds no file of lab91 but 0.zip and 19 more, expected some of flat.c'
mkdir 'Lösung [2] b\c' && cp "$right" 'Lösung [2] b\c/flat.c' && tar -czf dir/tar_signs.tar.gz Lösung* && odd tar_signs 100
mkdir Übung && cp "$right" Übung/flat.c && tar -czf dir/tar_first.tar.gz Übung && odd tar_first 100

# Names: the roster's in other spellings; what is no archive; what a shell would take.
cat >>roster.csv <<'END'
s1,Jürgen Müller
s2,Jörg Großhans
s3,Eve Smith
s4,Ada Canvas
END
mkdir 'dir/Müller, Jürgen_77_assignsubmission_file_' && handed "$right" 'dir/Müller, Jürgen_77_assignsubmission_file_/Abgabe 1 (final).zip'
handed "$right" 'dir/großhansjörg_LATE_1234_5678_Abgabe final-3.zip'
handed "$right" 'dir/eve smith.tar.gz'
# Whose it is the system says; behind that stands what the student called the file.
handed "$right" 'dir/Who Ever_12_assignsubmission_file_a-Eve Smith_9_assignsubmission_file_b.tar.gz'
expected+=('s1 100 ' 's2 100 ' 's3 100 ')
# Single files, as Canvas, Moodle and Autolab export them: the lab's are one submission, with what lies beside them.
cat >>roster.csv <<'END'
s5,Bea Pdf
s6,Cy Both
s7,Di Moodle
s8,Ed Link
s9,Fay Canvas
s10,Gus Moodle
END
cp "$wrong" dir/adacanvas_LATE_12_34_flat.c
cp "$right" 'dir/adacanvas_LATE_12_35_flat-1.c'
echo notes >dir/adacanvas_LATE_12_36_notes.txt
echo notes >dir/beapdf_13_37_report.pdf
handed "$right" dir/cyboth_14_38_hw.zip && echo notes >dir/cyboth_14_39_zz.txt
cp "$right" 'dir/Di Moodle_15_assignsubmission_file_flat (1).c'
mkdir 'dir/Di Moodle_15_assignsubmission_onlinetext' && echo hello >'dir/Di Moodle_15_assignsubmission_onlinetext/onlinetext.html'
ln -s "$right" dir/edlink_16_40_flat.c
# Somebody else has called herself so: a system's number of a student is not her name.
cp "$right" dir/faycanvas_17_41_flat.c
cp "$wrong" dir/faycanvas_LATE_18_42_flat.c
handed "$right" 'dir/Gus Moodle_19_assignsubmission_file_hw.zip'
handed "$wrong" 'dir/Eve Smith-Gus Moodle_20_assignsubmission_file_hw.zip'
expected+=('s4 100 ' 's5 0 beapdf_13_37_report.pdf: is no archive, expected a .tar.gz or .zip' 's6 100 ' 's7 100 ')
# shellcheck disable=SC2016
handed "$right" 'dir/$(touch pwned).tar.gz'
handed "$right" $'dir/new\nline.tar.gz'
handed "$right" $'dir/lat\xfcn.tar.gz'
handed "$right" ./dir/-rf.tar.gz
touch dir/Thumbs.db dir/.DS_Store

fails 1 'a class of the odd ones' timeout 300 "$hpclab" class grade dir --lab lab91 --plain --quick --roster roster.csv
cp "$scratch/.output" said
for line in "${expected[@]}"; do
    read -r id points words <<<"$line"
    cp said "$scratch/.output"
    shows "^$id  $points.0 of 100( .late.)?${words:+: $words}$" "$id: $points, ${words:-and no words}"
done
cp said "$scratch/.output"
shows '^hpclab: [$].touch pwned..tar.gz: nobody of the roster' 'a name that is a command'
check 'is none' test ! -e pwned -a ! -e dir/pwned
cp said "$scratch/.output"
shows '^hpclab: new[?]line.tar.gz: nobody of the roster' 'a name of two lines is one'
shows '^hpclab: lat[?]n.tar.gz: nobody of the roster' 'a name in no encoding'
shows "^hpclab: -rf.tar.gz: nobody of the roster [(]by no system's names, nor as an id or a name[)], not graded$" 'a name like an option'
shows '^hpclab: Who Ever_12_.*: nobody of the roster [(]read as Moodle[)]' 'a name within the name of a file'
check 'nobody else is named' test "$(grep -c ': nobody of the roster' said)" = 5
check 'the note of the gradebook has the words' test "$(field rar note)" = 'rar.rar: is a RAR archive, expected a .tar.gz or .zip; a quick look, nothing official'
check 'and the page of who it is' grep -q 'rar.rar: is a RAR archive' "$out/students/rar.html"
check 'and no tag in them is one' sh -c "! grep -l '<b>[.]c' '$out/students/tag.html' '$out/summary.html' && grep -q '&#60;b&#62;[.]c' '$out/students/tag.html'"
check 'a number is said on the page too' grep -q 'flat .*1.*[.]c was taken for flat.c' "$out/students/num_tar1.html"
fails 1 'with a date' "$hpclab" class grade dir --lab lab91 --plain --quick --roster roster.csv --due 2020-01-01T00:00
check 'the time of what a link leads to is not taken' test "$(field taken status)" = late
cp said "$scratch/.output"
shows '^hpclab: s8: edlink_16_40_flat.c: a link, expected a regular file$' 'a single file that is a link'
cp said "$scratch/.output"
shows '^hpclab: s9: faycanvas_17_41_flat.c: of account 17 in Canvas, and faycanvas_LATE_18_42_flat.c of account 18: which' 'two accounts of one name'
cp said "$scratch/.output"
shows "^hpclab: s10: Eve Smith-Gus Moodle_20_.* of account 20 in Moodle, and Gus Moodle_19_.* of account 19: which" 'one behind a group'
check 'neither of them counts' test "$(field s9 status) $(field s10 status)" = 'refused refused'
check 'what lies beside a submission is no attempt' test "$(field s4 attempt) $(field s6 attempt)" = '1 1'
check 'the mark of a late one is of all files' test "$(field s4 status)" = late
check 'nothing is left of it' test -z "$(find "$HPC_ROOT/build/tmp" "$out/spool" -mindepth 1)"
check 'nor outside' test ! -e /tmp/flat.c -a ! -e flat.c

# A lab with a report, which lies beside the archive.
mkdir -p "$HPC_ROOT/labs/lab92" beside/s{1..5}
cp -r "$HPC_ROOT/labs/lab91/starter" "$HPC_ROOT/labs/lab92/"
sed 's/^handout/report = report.md\nreport_words = 400\n&/' "$HPC_ROOT/labs/lab91/lab.ini" >"$HPC_ROOT/labs/lab92/lab.ini"
handed "$right" beside/s1/handin.tar.gz && echo 'My report.' >beside/s1/report.md
head -c 100 ours.tar.gz >beside/s2/handin.tar.gz && echo 'My report.' >beside/s2/report.md
echo 'My report.' >beside/s3/report.md
cp "$right" beside/s4/flat.c && cp beside/s2/handin.tar.gz beside/s4/
cp "$right" beside/s5/flat.c && cp beside/s2/handin.tar.gz beside/s5/ && cp beside/s1/handin.tar.gz beside/s5/more.tar.gz
handed "$right" beside/cyboth_14_38_hw.zip && echo 'My report.' >beside/cyboth_14_39_report.md
check 'reports beside archives' timeout 300 "$hpclab" class grade beside --lab lab92 --plain --quick --roster roster.csv
shows '^s1  100.0 of 100$' 'in a folder'
shows '^s6  100.0 of 100$' 'as single files'
shows "^s2  0.0 of 100: handin.tar.gz: can't be unpacked: " 'of one that is cut off it is said'
shows "^s4  100.0 of 100: handin.tar.gz: can't be unpacked: .*; only the files beside it were taken$" 'and of one beside a file that is taken'
shows '^s5  100.0 of 100: none of 2 archives was read, only the files beside them$' 'and of several'
shows '; 6 of [0-9]* students have a grading' 'one each'
check 'the page has it too' grep -q "handin.tar.gz: can&#39;t be unpacked" "$HPC_ROOT/results/class/lab92/students/s4.html"
check 'a grading of one' "$hpclab" grade lab92 --quick --plain --from beside/s4
shows "^hpclab: handin.tar.gz: can't be unpacked: .*; only the files beside it were taken$" 'says it as well'
mkdir two here && handed "$right" two/s1-1.tar.gz && mkdir two/s1-2 && cp "$right" two/s1-2/flat.c && echo 'Another report.' >two/s1-2/report.md
check 'two attempts, one with a report' "$hpclab" class grade two --lab lab92 --plain --quick --roster roster.csv --folder here/../two.class
shows " $scratch/two.class/summary.html$" 'the folder is said without ..'
check 'their diff' "$hpclab" class diff s1 --lab lab92 --folder two.class
shows '^[+]Another report.$' 'has the report too'
mkdir some && cp "$right" 'some/flat(7).c' && echo mine >some/report.md
check 'a number beside what is there' "$hpclab" grade lab92 --quick --plain --from some
shows '^hpclab: flat.7..c was taken for flat.c$' 'is said'
check 'the record too' grep -rq '"remark": "flat(7).c was taken for flat.c"' "$HPC_ROOT/results/submissions"
cp "$right" some/flat-8.c
fails 2 'two of them' "$hpclab" grade lab92 --quick --plain --from some
shows '^hpclab: some: flat.7..c and 1 more of that name, expected one flat.c$' 'are refused'
check 'what is missing was not handed in' grep -q 'flat.c: not handed in' "$HPC_ROOT/results/class/lab92/students/s3.html"
check 'and the note says so' grep -q '^"s3",.*not handed in: flat.c' "$HPC_ROOT/results/class/lab92/gradebook.csv"
sed -i 's/^points_correct = 100/points_correct = 60\npoints_speed = 40\nspeed_case = tiny/' "$HPC_ROOT/labs/lab91/lab.ini"
mkdir clear && handed "$wrong" clear/s1.zip && handed "$right" $'clear/s1_\e[2J.zip' && printf 'id,override,reason\ns1,42,ill\n' >given.csv
check 'a name that would clear the terminal, points that wait' class grade clear --quick --roster given.csv --folder clear.class
check 'the diff of both attempts' class diff s1 --folder clear.class
shows '^attempt 2, s1_.*: 60.0 of 60; 40 more pending$' 'says what waits'
check 'and clears nothing' test "$(grep -c $'\e' "$scratch/.output") $(grep -cF 's1_?[2J.zip' "$scratch/.output")" = '0 1'
check 'show of whose points the course set' class show s1 --folder clear.class
shows '^  override: 42 points in place of these, ill$' 'says what they replace'
done_testing
