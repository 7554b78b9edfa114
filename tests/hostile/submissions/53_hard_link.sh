# family 53: a hard link within the archive, to a file outside of it
# task right
# grade: refused; line: is a link to another file
# structural: tar makes no hard link out of its folder in the jail; see 53_symbolic_link for the check
mkdir handed && cp "$HERE/submissions/control_honest.c" handed/right.c && ln handed/right.c handed/other.c
tar -czf handed.tar.gz handed && echo handed.tar.gz
