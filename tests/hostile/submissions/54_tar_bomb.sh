# family 54: 100 MB of zeros in a tar
# task right
# long
# grade: refused; line: more than 64 MiB unpacked
# without sizes_of_members plain_tar: refused; line: expected at most 4096
mkdir handed && truncate -s 100M handed/right.c
tar -c handed | gzip -1 >handed.tar.gz && rm -r handed && echo handed.tar.gz
