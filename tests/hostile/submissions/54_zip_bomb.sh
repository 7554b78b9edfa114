# family 54: 300 MB of zeros in a megabyte
# task right
# needs zip
# long
# grade: refused; line: more than 64 MiB unpacked
# without sizes_of_members: refused; line: expected at most 4096
mkdir handed && cp "$HERE/submissions/control_honest.c" handed/other.c
truncate -s 300M handed/right.c
zip -q1r handed.zip handed && rm -r handed && echo handed.zip
