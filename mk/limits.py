#!/usr/bin/env python3
"""The thresholds of noise in docs/timing.md, made from harness/measure/limits.def:

    mk/limits.py            write them into the page
    mk/limits.py --check    say where the page differs from the table; the exit status is 1 then"""
import re
import sys
import textwrap

TABLE, PAGE = "harness/measure/limits.def", "docs/timing.md"
BEGIN, END = "<!-- mk/limits.py makes this list -->", "<!-- its end -->"
UNITS = {"percent": lambda v: f"{100 * v:g}%", "times": lambda v: f"{v:g} times",
         "processors": lambda v: f"{v:g} processors", "count": lambda v: f"{v:g}",
         "seconds": lambda v: f"{v:g} s" if v >= 1e-3 else f"{1e6 * v:g} us"}


def rows():
    with open(TABLE, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    strings = r'((?:"[^"]*"\s*)+)'
    row = re.compile(rf"LIMIT\(\s*(\w+), ([\d.e-]+), (\w+),\s*{strings},\s*{strings}\)")
    found = row.findall(text)
    if len(found) != text.count("LIMIT("):
        sys.exit(f"{TABLE}: {text.count('LIMIT(')} rows, {len(found)} of which could be read; "
                 'expected LIMIT(name, value, unit, "what", "why")')
    for name, value, unit, *texts in found:
        if unit not in UNITS:
            sys.exit(f"{TABLE}: {name}: unit {unit}, expected one of {' '.join(UNITS)}")
        what, why = ("".join(re.findall(r'"([^"]*)"', t)) for t in texts)
        if not re.match(r"(measured|follows|a choice)\b", why):
            sys.exit(f"{TABLE}: {name}: \"{why}\", expected where the figure comes from first: "
                     "measured, follows or a choice")
        yield f"**{UNITS[unit](float(value))}** (`{name}`): {what}. {why[0].upper()}{why[1:]}."


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("mk/limits.py: expected nothing or --check")
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        sys.exit(f"{PAGE}: expected one line {BEGIN} and one line {END}")
    made = "\n".join(textwrap.fill(r, 100, initial_indent="- ", subsequent_indent="  ")
                     for r in rows())
    head, rest = page.split(BEGIN)
    new = f"{head}{BEGIN}\n{made}\n{END}{rest.split(END)[1]}"
    if new == page:
        return
    if sys.argv[1:]:
        number, (old, want) = next((n, pair) for n, pair in enumerate(
            zip(page.split("\n") + [""], new.split("\n") + [""]), 1) if pair[0] != pair[1])
        sys.exit(f'{PAGE}:{number}: "{old}", expected "{want}" by {TABLE}: type mk/limits.py')
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(new)


if __name__ == "__main__":
    main()
