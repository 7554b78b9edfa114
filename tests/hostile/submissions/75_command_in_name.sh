# family 75: an archive whose name is a command, which the report's `again:` repeats
# task right
# pasted
# grade: wrong; points <= 0
# without quotes: wrong; points <= 0; effect: canary
mkdir -p handed && cp "$HERE/submissions/control_wrong.c" handed/right.c
tar -czf 'hw;touch attack;.tar.gz' handed && echo 'hw;touch attack;.tar.gz'
