# family 67: handed in again when the first official result was bad
# task right
# full
# turn: --official --as ada first.tar
# turn: --official --as ada second.tar
# grade: refused; line: the first official result counts
# without first_counts: pass; points >= 20
cp "$HERE/submissions/control_wrong.c" right.c && tar -cf first.tar right.c
cp "$HERE/submissions/control_honest.c" right.c && tar -cf second.tar right.c && echo second.tar
