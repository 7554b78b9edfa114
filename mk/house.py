#!/usr/bin/env python3
"""The rules of the house, each of which `make check-house` keeps:

    mk/house.py [includes] [labs] [sizes] [circles] [folders] [defences]     all where none is named

includes  a file includes its own room and those that mk/rooms gives it, */internal.h its own room only
labs      no file of the harness names a lab
sizes     at most 20 .c a room, 300 lines a file, 60 lines a function
circles   no circle of files by includes and symbols, X.c and its own X.h being one (mk/circles.py)
folders   the table of docs/architecture.md lists the folders that there are
defences  DEFENCE(..) is the first word of an if; each name of common/defences.def stands somewhere

Each fault is a line, FILE[:LINE]: what it is and what was expected; the exit status is 1 then."""
import os
import re
import sys

from circles import arrows_of, circles

NO_ROOMS = ("tests/", "benchmarks/", "labs/")  # what these include is their own affair
CODE = (".c", ".h", ".cu", ".cc", ".hpp", ".cuh", ".def")
SCRIPTS = (".sh", ".py", ".awk")
MOST_SOURCES, MOST_LINES, MOST_FUNCTION = 20, 300, 60

MAY, BUT = {}, {}  # by read_rooms
faults = 0


def fault(text):
    global faults
    faults += 1
    print(text)


def walk(folder="."):
    """Files below a folder, without what is made, as paths below the project's root."""
    for at, folders, files in os.walk(folder):
        at = os.path.relpath(at)
        folders[:] = sorted(f for f in folders if not (at == "." and (
            f in ("build", "dist", "results") or f.startswith("."))) and f != "__pycache__")
        for name in sorted(files):
            yield name if at == "." else f"{at}/{name}"


def lines_of(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read().split("\n")[:-1]


def read_rooms():
    """Room -> what it may include, the closure of mk/rooms; and rule -> its exceptions."""
    wide, narrow, but = {}, {}, {}
    for line in lines_of("mk/rooms"):
        words = line.split("#")[0].split()
        if words and words[0] == "but":
            but.setdefault(words[1], set()).update(words[2:])
        elif words:
            table = wide if words[1] == ">" else narrow
            table.setdefault(words[0], set()).update(words[2:])
    may = {}
    for room in {*wide, *narrow}:
        reached, left = set(), [room]
        while left:
            new = wide.get(left.pop(), set()) - reached
            reached |= new
            left += new
        may[room] = reached | narrow.get(room, set()) | {room}
    return may, but


def included(path):
    for number, line in enumerate(lines_of(path), 1):
        m = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if m:
            yield number, m[1]


def resolve(path, name):
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    return name if os.path.exists(name) else beside if os.path.exists(beside) else name


def no_longer(rule, found):
    for path in sorted(BUT[rule] - found):
        if os.path.exists(path.split(":")[0]):
            fault(f"mk/rooms: but {rule} {path}: it keeps the rule; expected no such exception")


def check_includes(files):
    up = set()
    for path in files:
        room = os.path.dirname(path)
        for number, name in included(path):
            target = resolve(path, name)
            other = os.path.dirname(target)
            if os.path.basename(target) == "internal.h" and other != room and not path.startswith(
                    "tests/"):
                fault(f"{path}:{number}: includes {target}; expected only {other}/ to")
            elif path.startswith(NO_ROOMS) or other == room:
                continue
            elif room not in MAY:
                fault(f"{path}:{number}: {room}/ is no room of mk/rooms; expected a line "
                      "that says whom it may include")
            elif target not in MAY[room] and other not in MAY[room]:
                up.add(path)
                if path not in BUT["includes"]:
                    fault(f"{path}:{number}: includes {target}; {room}/ may include "
                          f"{' '.join(sorted(MAY[room] - {room})) or 'nothing else'}")
    no_longer("includes", up)


def check_labs(files):
    named = set()
    for path in files:
        if not path.startswith(("harness/", "common/")):
            continue
        for number, line in enumerate(lines_of(path), 1):
            if re.search(r'"lab[0-9]', line):
                named.add(path)
                if path not in BUT["labs"]:
                    fault(f"{path}:{number}: names a lab; expected labs/ alone to say which there are")
    no_longer("labs", named)


def functions(path):
    """(name, first line, lines) of each function of a C or CUDA file, or of a shell script."""
    lines = lines_of(path)
    shell = path.endswith(".sh")
    name = first = None
    for number, line in enumerate(lines, 1):
        if first is None:
            m = re.match(r"([a-z_0-9]+)\(\) \{.*[^}]$|([a-z_0-9]+)\(\) \{$", line) if shell else \
                re.match(r"[A-Za-z_][^;=]*?\b(\w+)\((?!.*;\s*$)", line)
            if m and not line.startswith(("#", "extern \"C\"")):
                name, first = m[1] or m[2], number
        elif line.startswith("}"):
            yield name, first, number - first + 1
            name = first = None
        elif not shell and re.match(r"\S.*;$|$", line) and "{" not in "".join(
                lines[first - 1:number]):
            name = first = None  # a declaration


def check_sizes(files):
    sources, full, long_files, long_functions = {}, set(), set(), set()
    for path in files:
        n = len(lines_of(path))
        room = os.path.dirname(path)
        if path.endswith(".c") and not path.startswith(NO_ROOMS):
            sources[room] = sources.get(room, 0) + 1
        if n > MOST_LINES:
            long_files.add(path)
            if path not in BUT["lines"]:
                fault(f"{path}: {n} lines, expected at most {MOST_LINES}")
        if path.endswith(SCRIPTS) and not path.endswith(".sh"):
            continue
        for name, first, n in functions(path):
            if n > MOST_FUNCTION:
                long_functions.add(f"{path}:{name}")
                if f"{path}:{name}" not in BUT["function"]:
                    fault(f"{path}:{first}: {name} has {n} lines, expected at most {MOST_FUNCTION}")
    for room, n in sorted(sources.items()):
        if n > MOST_SOURCES:
            full.add(room)
        if n > MOST_SOURCES and room not in BUT["sources"]:
            fault(f"{room}/: {n} .c files, expected at most {MOST_SOURCES} a room")
    no_longer("sources", full)
    no_longer("lines", long_files)
    no_longer("function", long_functions)


def tell_circle(part, arrows, ties):
    """A line for each arrow of a circle; the rooms that it runs through."""
    rooms = {os.path.dirname(p) for p in part}
    for a in part if not rooms & BUT["circles"] else ():
        for b in sorted(arrows[a] & set(part)):
            names = ", ".join(sorted(ties[a, b])[:4])
            fault(f"{a}: in a circle with {b} ({names})")
    return rooms


def check_circles(files):
    ours = [p for p in files if not p.startswith(("tests/", "benchmarks/"))]
    arrows, ties = arrows_of(ours, lambda p: (resolve(p, n) for _, n in included(p)), lines_of)
    found = set()
    for part in circles(arrows):
        found |= tell_circle(part, arrows, ties)
    no_longer("circles", found)


def check_folders(files):
    page = "docs/architecture.md"
    listed = {}
    for number, line in enumerate(lines_of(page) if os.path.exists(page) else [], 1):
        m = re.match(r"\| ((?:`[^`]+`(?:, )?)+) \|", line)
        for name in re.findall(r"`([^`]+)`", m[1]) if m else ():
            if name.endswith("/"):
                listed[name.rstrip("/")] = number
    there = {p.split("/")[0] for p in files if "/" in p}
    there |= {"/".join(p.split("/")[:2]) for p in files if p.startswith("harness/")}
    for folder in sorted(there - {"harness"}):
        if folder not in listed and not any(f.startswith(folder + "/") for f in listed):
            fault(f"{page}: no row for {folder}/; expected one in the table of folders")
    for folder, number in sorted(listed.items()):
        if "labN" not in folder and not os.path.isdir(folder):
            fault(f"{page}:{number}: {folder}/ is not there; expected a folder of the project")


def check_defences(files):
    used = set()
    for path in files:
        for number, line in enumerate(lines_of(path) if path.endswith((".c", ".cu")) else [], 1):
            used.update(names := re.findall(r"\bDEFENCE\((\w+)\)", line))
            if names and not re.match(r"\s*(} )?(else )?if \(DEFENCE\(", line):
                fault(f"{path}:{number}: DEFENCE({names[0]}), expected it as the first word of "
                      "an if that holds the whole defence")
    listed = re.findall(r"\nDEFENCE_NAME\((\w+)\)", "\n".join(lines_of("common/defences.def")))
    for name in sorted(set(listed) - used):
        fault(f"common/defences.def: {name} stands nowhere; expected a DEFENCE({name})")


def main():
    checks = {"includes": check_includes, "labs": check_labs, "sizes": check_sizes,
              "circles": check_circles, "folders": check_folders, "defences": check_defences}
    unknown = [w for w in sys.argv[1:] if w not in checks]
    if unknown:
        sys.exit(f"mk/house.py: {unknown[0]}: expected some of {' '.join(checks)}")
    may, but = read_rooms()
    MAY.update(may)
    BUT.update({r: but.get(r, set()) for r in [*checks, "sources", "lines", "function"]})
    every = list(walk())
    code = [p for p in every if p.endswith(CODE)]
    scripts = [p for p in every if p.endswith(SCRIPTS) or p in ("bootstrap", "tests/run")]
    for name in sys.argv[1:] or checks:
        checks[name](every if name == "folders" else code + scripts if name == "sizes" else code)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
