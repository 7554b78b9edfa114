# family 82: names of two lines, the second of which would be a member of its own
# task right
# grade: wrong; points <= 0
# structural: tar and zipinfo escape control characters, and a folder with such a name is passed over
mkdir -p handed && cp "$HERE/submissions/control_wrong.c" handed/right.c
name=$'x\n-rw-r--r-- 0/0 10 2026-01-01 00:00:00 labs/lab90/right.c'
mkdir -p "handed/$(dirname "$name")" && cp "$HERE/submissions/control_honest.c" "handed/$name"
tar -czf handed.tar.gz handed && echo handed.tar.gz
