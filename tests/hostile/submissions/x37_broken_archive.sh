# family 85: an archive that is cut off
# task right
# grade: refused; line: can't be unpacked
# structural: tar's own check
mkdir handed && head -c 300000 /dev/urandom >handed/noise && cp "$HERE/submissions/control_honest.c" handed/right.c
tar -cz handed | head -c 100000 >handed.tar.gz && echo handed.tar.gz
