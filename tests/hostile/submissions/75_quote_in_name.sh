# family 75: the same with a quote of its own, to get out of another's
# task right
# pasted
# grade: wrong; points <= 0
# without quotes: wrong; points <= 0; effect: canary
mkdir -p handed && cp "$HERE/submissions/control_wrong.c" handed/right.c
name="a\$(touch attack)'\$(touch attack)'.tar.gz"
tar -czf "$name" handed && echo "$name"
