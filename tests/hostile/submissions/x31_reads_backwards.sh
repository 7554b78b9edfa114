# family 82: a name that reads from right to left, to look like the lab's file
# task right
# grade: refused; line: holds no file of lab90
# structural: names are compared byte by byte
mkdir handed && cp "$HERE/submissions/control_honest.c" "handed/"$'\u202ec.thgir'
tar -czf handed.tar.gz handed && echo handed.tar.gz
