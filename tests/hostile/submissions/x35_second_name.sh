# family 83: a second name of a file elsewhere
# task right
# grade: refused; line: has 2 names
# without regular: pass; points >= 20
mkdir handed && cp "$HERE/submissions/control_honest.c" elsewhere.c && ln elsewhere.c handed/right.c && echo handed
