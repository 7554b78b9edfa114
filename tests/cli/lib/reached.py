#!/usr/bin/env python3
"""tests/cli/lib/reached.py OBJECTS: files of the trusted side that no command of hpclab reaches.

By the symbols of the objects below OBJECTS: from main() and the jail's programs, and from what
harness/answers/marker.h offers, but not through labs/, which sealed releases leave out. What is left is
for markers or tests alone, and has no place in a release. Each is a line; the exit status is 1 then."""
import os
import re
import subprocess
import sys

SEEN = re.compile(r"(common|harness/.*|[a-z0-9]+/(op|featuremaps))/[^/]*$")
ROOTS = ("harness/verbs/main", "harness/jail/inside/inside", "harness/jail/inside/probe")
OFFERS = "harness/answers/marker.h"

objects = []
for at, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.relpath(os.path.join(at, name[:-2]), sys.argv[1])
        if name.endswith(".o") and SEEN.match(path) and os.path.exists(path + ".c"):
            objects.append(os.path.join(at, name))
text = subprocess.run(["nm", "-A", "-g", "-P", *objects], capture_output=True, text=True,
                      check=True).stdout
defines, uses = {}, {}
for line in text.splitlines():
    m = re.match(r"(\S+)\.o: (\S+) (\w)", line)
    path = os.path.relpath(m[1], sys.argv[1])
    if m[2].startswith(("__asan_", "__ubsan_")):
        continue
    if m[3] == "U":
        uses.setdefault(path, set()).add(m[2])
    else:
        defines[m[2]] = path
with open(OFFERS, encoding="utf-8") as f:
    offered = set(re.findall(r"\b(\w+)\(", f.read())) & set(defines)
reached, left = set(), [*ROOTS, *(defines[name] for name in offered)]
while left:
    path = left.pop()
    if path not in reached:
        reached.add(path)
        left += [defines[name] for name in uses.get(path, ()) if name in defines]
every = {*defines.values(), *uses}
print("\n".join(f"{path}.c: no command reaches it" for path in sorted(every - reached)))
print(f"{len(reached & every)} of {len(every)} reached")
sys.exit(every - reached != set() or len(reached) < 100)
