# family 47: warnings without end, the last of which says nothing
# task right
# long
# grade: build|timeout; points <= 0; reason: KiB of output|did not end within
# structural: the jail ends who prints without end, 59_floods_output; this is the line that says so
mkdir handed && {
    cat "$HERE/submissions/control_honest.c"
    yes "#pragma x ' ' \" (" | head -n 40000
} >handed/right.c && echo handed
