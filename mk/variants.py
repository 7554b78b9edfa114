#!/usr/bin/env python3
"""How variants are written, which `make check-variants` keeps: mk/variants.py

heads  a variant begins with OP/NAME, says from which variant it changes or that it is the first, and
       what limits it
calls  a GPU variant looks at what each call of CUDA, cuBLAS and cuDNN returns, and at each launch;
       the process is ended by the macros of conv2d/variants/gpu.h, or by nobody
listed every file of a folder of variants is one that `hpclab list` names

Each fault is a line, FILE:LINE: what it is and what was expected; the exit status is 1 then."""
import glob
import re
import subprocess
import sys

faults = 0


def fault(path, text, at, words):
    global faults
    faults += 1
    print(f"{path}:{text.count(chr(10), 0, at) + 1}: {words}")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def check_head(path, begin, names):
    text = read(path)
    head = text.split("*/")[0]
    other = re.search(r"\n \* (?:Changes from (\w+): |The first variant\b)", head)
    if not head.startswith(begin):
        fault(path, text, 0, f"begins with '{head[:len(begin)]}', expected '{begin}'")
    if not other or other[1] and other[1] not in names:
        fault(path, text, 0, f"changes from {other[1] if other else 'nothing'}, expected a line "
              "'Changes from VARIANT: ..' or 'The first variant ..' in its head comment")
    if not re.search(r"\n \* What limits it\b", head):
        fault(path, text, 0, "does not say what limits it, expected a line 'What limits it: ..'")


def check_calls(path):
    text = read(path)
    for m in re.finditer(r"[;{}/)]\s+((?:cuda|cublas|cudnn)[A-Z]\w*)\(", text):
        fault(path, text, m.start(1), f"nobody looks at what {m[1]} returns, expected CUDA(..), "
              "CUDNN(..) or CUBLAS(..) around it")
    for m in re.finditer(r"\b(exit|abort|perror)\(", text):
        fault(path, text, m.start(), f"{m[1]}, expected the macros of conv2d/variants/gpu.h to end "
              "the process")
    launches, asked = text.rfind("<<<"), text.rfind("cudaGetLastError()")
    if launches > asked and '"conv1d/gpu.h"' not in text:
        fault(path, text, launches, "a launch without CUDA(cudaGetLastError()) behind it")


def main():
    rows = [line.split("\t") for line in subprocess.run(
        ["build/hpclab", "list", "--variants", "--tsv=name,op,file"], capture_output=True, text=True,
        check=True).stdout.splitlines()]
    names, first = {r[0].split("/")[1] for r in rows}, {}
    for name, op, path in rows:
        first.setdefault(path, f"/* {op}/{name.split('/')[1]}: ")
    for path in sorted(glob.glob("*/variants/*.c") + glob.glob("*/variants/*.cu")):
        if path in first:
            check_head(path, first[path], names)
        else:
            fault(path, "", 0, f"no section of {path.split('/')[0]}/variants/variants.ini has it "
                  "(hpclab list --variants)")
    for path in sorted(set(glob.glob("conv*/variants/*.cu") + glob.glob("conv*/variants/*.h")) -
                       {"conv2d/variants/gpu.h"}):
        check_calls(path)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
