# family 76: a wrong archive that is called as a neighbour's right one, whose record it would replace
# task right
# turn: ada/hw1.tar
# turn: bob/hw1.tar
# grade: pass; points >= 20
# without origin: wrong; points <= 0
mkdir ada bob && cp "$HERE/submissions/control_honest.c" ada/right.c && cp "$HERE/submissions/control_wrong.c" bob/right.c
tar -cf ada/hw1.tar -C ada right.c && tar -cf bob/hw1.tar -C bob right.c && echo hw1.tar
