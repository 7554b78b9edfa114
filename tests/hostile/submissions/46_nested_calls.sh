# family 46: instructions by name, each the argument of the next, in a line that no compiler reads;
# a sanitizer is told of them by a look as deep as they are
# task right
# full
# long
# grade: rejected|timeout|unsafe; points <= 10; reason: could not be looked at|nested too deep
# without looks: killed|hangs
mkdir handed && {
    printf '#pragma nothing '
    yes '_mm_lddqu_si128(' | head -n 100000 | tr '\n' ' '
    yes ')' | head -n 100000 | tr '\n' ' '
    echo
    cat "$HERE/submissions/control_honest.c"
} >handed/right.c && echo handed
