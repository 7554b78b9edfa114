"""Circles of files, for mk/house.py: who takes what from whom, and where that goes round.

X.c and its own header X.h are one. A header is X.c's own unless it declares what another source
defines: then it belongs to several, and stands by itself. Arrows are includes and, where objects are
there, symbols, those that are weak too. The runner's files are compiled in the jail, with each
student's, and here only to be looked at."""
import os
import re
import subprocess
import sys
import tempfile

OBJECTS = ("build/obj", "build/obj/device-check", "build/obj/device-run", "build/obj/device-asan")
DECLARED = re.compile(r"(?:[A-Za-z_]\w*[\s*]+)+?\**(\w+)\(|extern .*?(\w+)(?:\[.*?\])*"
                      r"(?: __attribute__.*)?;")


def circles(arrows):
    """The strongly connected parts of more than one node, by Tarjan's algorithm."""
    index, low, stack, on, found = {}, {}, [], set(), []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        on.add(v)
        for w in sorted(arrows.get(v, ())):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            part = []
            while not part or part[-1] != v:
                part.append(stack.pop())
                on.discard(part[-1])
            if len(part) > 1:
                found.append(sorted(part))

    sys.setrecursionlimit(10000)
    for v in sorted(arrows):
        if v not in index:
            visit(v)
    return found


def symbols(tree, sources):
    """Name -> sources that define it; (source, name) of all that they take from others."""
    objects = [f"{tree}/{p[:-2]}.o" for p in sources if os.path.exists(f"{tree}/{p[:-2]}.o")]
    text = subprocess.run(["nm", "-A", "-g", "-P", *objects], capture_output=True, text=True,
                          check=False).stdout if objects else ""
    defined, taken = {}, []
    for line in text.split("\n"):
        m = re.match(r"(\S+?)(?:\[\S+\])?: (\S+) (\w)", line)
        if m and m[3] in "Uwv":  # w, v: weak, and defined elsewhere or nowhere
            taken.append((m[1][len(tree) + 1:-2] + ".c", m[2]))
        elif m:
            defined.setdefault(m[2], set()).add(m[1][len(tree) + 1:-2] + ".c")
    return defined, taken


def compile_runner(sources, folder):
    for path in (p for p in sources if p.startswith("runner/")):
        os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
        subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-w", "-I.", "-c", path, "-o",
                        f"{folder}/{path[:-2]}.o"], capture_output=True, check=False)


def all_symbols(files):
    sources = [p for p in files if p.endswith(".c")]
    with tempfile.TemporaryDirectory() as folder:
        if os.path.isdir(OBJECTS[0]):
            compile_runner(sources, folder)
        return [symbols(tree, sources) for tree in (*OBJECTS, folder)]


def declares(lines):
    """The functions and variables that a header's lines declare, at the beginning of a line."""
    for line in lines:
        m = None if line.startswith(("static", "typedef", "return", "#")) else DECLARED.match(line)
        if m:
            yield m[1] or m[2]


def nodes(files, lines_of, tables):
    """File -> the .c whose own header it is, else itself."""
    node = {p: p for p in files}
    for path in files:
        source = path[:-2] + ".c"
        if not path.endswith(".h") or source not in node:
            continue
        others = any(source not in defined.get(name, {source})
                     for name in declares(lines_of(path)) for defined, _ in tables)
        if not others:
            node[path] = source
    return node


def arrows_of(files, includes, lines_of):
    """Arrows between files, and (from, to) -> the names that tie them."""
    tables = all_symbols(files)
    node = nodes(files, lines_of, tables)
    arrows, ties = {}, {}

    def add(path, other, name):
        a, b = node[path], node[other]
        if a != b:
            arrows.setdefault(a, set()).add(b)
            ties.setdefault((a, b), set()).add(name)

    for path in files:
        for target in includes(path):
            if target in node:
                add(path, target, f"includes {target}")
    for defined, taken in tables:
        for path, name in taken:
            for other in defined.get(name, ()):
                add(path, other, name)
    return arrows, ties
