# family 53: a pipe that nobody writes into, in place of the lab's file
# task right
# grade: refused; line: is no regular file
# without links: refused
mkdir handed && mkfifo handed/right.c
tar -czf handed.tar.gz handed && echo handed.tar.gz
