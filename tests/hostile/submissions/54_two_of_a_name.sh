# family 54: two members of the same path, a right one and a wrong one
# task right
# grade: refused; line: expected one right.c
# structural: which of the two is meant is the student's to say
mkdir handed && cp "$HERE/submissions/control_wrong.c" handed/right.c && tar -cf handed.tar handed
cp "$HERE/submissions/control_honest.c" handed/right.c && tar -rf handed.tar handed
echo handed.tar
