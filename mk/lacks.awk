# Rows of common/lacks.def as make prints them: awk -F '"' -v all=NAMES -v here=NAMES -v unpacked=NAMES.
# An @ stands between lines, for make takes ends of lines for blanks.
function names(text, set,    list, n) {
    for (n = split(text, list, " "); n > 0; n--)
        set[list[n]] = 1
}
BEGIN { names(all, asked); names(here, found); names(unpacked, in_deps) }
/^LACK/ {
    name = $2
    getline # the cost stands in the second line of a row
    if (!(name in asked))
        next
    printf "%s  %s", rows++ ? "@" : "",
        name in found ? "✓ " name (name in in_deps ? " in .deps" : "") : "✗ " name ": " $2
}
