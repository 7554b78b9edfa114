# family 51: brings a Makefile, a linker script, objects and a lab.ini of its own
# task right
# grade: wrong; points <= 0
# structural: only what tasks name is copied; there is no code that could copy more
mkdir handed && cd handed
cp "$HERE/submissions/control_wrong.c" right.c
printf 'all:\n\tfalse\n' >Makefile
echo 'SECTIONS {}' >runner.ld
head -c 3000 /dev/urandom >right.o
# its own cases: none that could be wrong
sed -e '/^\[task right\]/,/^\[/ s/^cases = .*/cases = easy/' "$HERE/lab/lab.ini" >lab.ini
printf '\n[case easy]\nop = conv1d\nn = 0\nmask = 1\n' >>lab.ini
cd .. && tar -czf handed.tar.gz -C handed . && echo handed.tar.gz
