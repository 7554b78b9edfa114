# Every place of C that says environment, noisy or pending, or has points wait: FILE FUNCTION WORD, a
# line each. What a verdict is compared with, and a name in a table of names, says nothing.
FNR == 1 { name = "-" }
/^[a-z].*[a-z_0-9]\(/ && !/;$/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
{
    line = $0
    gsub(/[=!]= *VERDICT_[A-Z]*/, "", line)
    gsub(/\[VERDICT_[A-Z]*\]/, "", line)
    while (match(line, /VERDICT_(ENVIRONMENT|NOISY|PENDING)/)) {
        print FILENAME, name, tolower(substr(line, RSTART + 8, RLENGTH - 8))
        line = substr(line, RSTART + RLENGTH)
    }
    if ($0 ~ /(postpone|record_waits)\(.*;|(->|\.)pending(_speed)? \+?= /) print FILENAME, name, "points"
}
