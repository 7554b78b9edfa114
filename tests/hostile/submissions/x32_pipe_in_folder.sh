# family 83: a folder whose file is a pipe
# task right
# grade: refused; line: expected a regular file
# structural: it is opened without waiting, and looked at before it is read
mkdir handed && mkfifo handed/right.c && echo handed
