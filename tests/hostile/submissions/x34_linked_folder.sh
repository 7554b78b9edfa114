# family 83: a folder of the submission is a link to another
# task right
# grade: refused; line: holds no file
# without nofollow: pass; points >= 20
mkdir -p handed/labs elsewhere && cp "$HERE/submissions/control_honest.c" elsewhere/right.c
ln -s ../../elsewhere handed/labs/lab90 && echo handed
