# family 54: two members of the same path that are spelt in two ways, a wrong one and a right one
# task right
# grade: refused; line: is there twice
# structural: which of the two is meant is the student's to say
mkdir handed && cp "$HERE/submissions/control_wrong.c" handed/right.c && tar -cf handed.tar handed/right.c
cp "$HERE/submissions/control_honest.c" handed/right.c && tar -rf handed.tar ./handed/right.c
echo handed.tar
