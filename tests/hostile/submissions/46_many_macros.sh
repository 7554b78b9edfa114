# family 46: as many macros as a source has room for, each looked for at each word of its headers
# task right
# long
# grade: timeout|rejected|build; points <= 0; reason: could not be looked at within|did not end
# without looks: hangs
mkdir handed && {
    seq -f '#define q%06g' 1 240000
    sed 's/answer(/zeros(p, y); answer(/; s/answer(p, x, w, y);//' "$HERE/submissions/control_honest.c"
} >handed/right.c && echo handed
