# family 84: a source of eight megabytes
# task right
# grade: refused; line: expected at most 4096
# structural: the stage of a compilation takes no larger file either
mkdir handed && { cat "$HERE/submissions/control_honest.c"; yes '// x' | head -c 8M; } >handed/right.c && echo handed
