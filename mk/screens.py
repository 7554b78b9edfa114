#!/usr/bin/env python3
"""The screens in README and handouts, made from a run:

    mk/screens.py FILE ..            write what the commands print now into the files
    mk/screens.py --check FILE ..    say where a screen's shape is another one; the exit status is 1 then
    mk/screens.py --list FILE ..     the commands

A screen is the block of code after a line `<!-- run WORDS: COMMAND -->`. The command runs in a copy of the
project, whose labs have their starters. WORDS are
    labN/TASK=MUTANT   the student's file of that task is tests/mutants/labN/TASK/MUTANT.patch, applied
    row=TASK           of a grading, that task's lines alone
    line=WORD          lines that hold WORD alone
    quick=WORDS        more words for the command with --check, where the time of a whole run is not wanted
    slow               --check leaves it out, unless TEST_ALL is 1

The shape of a grading's screen: its head, and each row's task, verdict and points; `pass` and `noisy` are
one, as a machine decides between them. That of any other screen: its words, each number for every other."""
import fcntl
import glob
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

MARK = re.compile(r"^( *)<!-- run\b([^\n]*?): ([^\n]*) -->\n\1```\n(.*?)^\1```\n", re.M | re.S)
PARTS = ("obj", "lib", "device", "mlp", "hpclab", "libhpc.a", "flags", "lists", "markers.c", "detected")


def copy_project(to):
    names = subprocess.run(["bash", "-c", ". tests/files.sh && project_files"], check=True,
                           stdout=subprocess.PIPE).stdout
    for name in names.decode().split("\0"):
        name = name.removeprefix("./")
        if name and os.path.exists(name):
            os.makedirs(os.path.join(to, os.path.dirname(name)), exist_ok=True)
            shutil.copy2(name, os.path.join(to, name))
    os.makedirs(f"{to}/build")
    for part in PARTS:
        if os.path.exists(f"build/{part}"):
            subprocess.run(["cp", "-al", f"build/{part}", f"{to}/build/"], check=True)
    if os.path.isdir(".deps"):
        os.symlink(os.path.abspath(".deps"), f"{to}/.deps")


def parse(words):
    options = {}
    for word in words.split():
        key, _, value = word.partition("=")
        options[key] = value
    unknown = [k for k in options if "/" not in k and k not in ("row", "line", "quick", "slow")]
    if unknown:
        sys.exit(f"mk/screens.py: <!-- run {words}: unknown word {unknown[0]}, expected labN/TASK=MUTANT, "
                 "row=, line=, quick= or slow")
    return options


def on_terminal(command, root, env):
    """What a command prints on a terminal of 80 columns, without colours; its errors too, progress not."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(["bash", "-c", command], cwd=root, env=env, stdin=subprocess.DEVNULL,
                                   stdout=its, stderr=errors)
        os.close(its)
        said = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # what Linux says at the end
                break
            if not piece:
                break
            said += piece
        os.close(ours)
        if process.wait() not in (0, 1):
            errors.seek(0)
            sys.exit(f"{command}: ended with {process.returncode}: {errors.read().decode(errors='replace')[-500:]}")
    return said.decode("utf-8").replace("\r\n", "\n")


def run(root, options, command):
    """What the command prints, without the ends of lines' blanks."""
    env = {k: v for k, v in os.environ.items() if not re.match(r"MAKE|MFLAGS|HPC_ROOT|LAB$|IMPL$|DEVICE$", k)}
    env.update(HPC_NVCC="none", LC_ALL="C.UTF-8", TERM="xterm", NO_COLOR="1")
    mutants = [k for k in options if "/" in k]
    for lab in {k.split("/")[0] for k in mutants} | set(re.findall(r"\b(lab\d+)\b", command)[:1]):
        subprocess.run(["./hpclab", "reset", lab], cwd=root, env=env, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
    for header in glob.glob("tests/mutants/*.h") if mutants else ():
        shutil.copy(header, f"{root}/mlp")  # where the build's jail has headers
    for task in mutants:
        lab, name = task.split("/")
        file = subprocess.run(["./hpclab", "list", lab, "--tsv=name,file"], cwd=root, env=env, check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        file = dict(line.split("\t")[:2] for line in file.splitlines() if "\t" in line)[name]
        subprocess.run(["tests/mutants/apply", f"{task}/{options[task]}", f"{root}/labs/{lab}/{file}"],
                       cwd=root, check=True)
    lines = on_terminal(command, root, env).splitlines()
    if "row" in options:
        lines = row_of(lines, options["row"])
    if "line" in options:
        lines = [line for line in lines if options["line"] in line]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def row_of(lines, task):
    found = []
    for line in lines:
        if re.match(rf"  {task} ", line) or found and line.startswith("   "):
            found.append(line)
        elif found:
            break
    return found


def shape(lines):
    """The shape of a screen, a list of strings."""
    if not any(re.match(r"  [a-z]\w+ +\S+ [a-z]+ +", line) for line in lines):
        return re.sub(r"[-+]?\d[\d.e+-]*", "N", " ".join(" ".join(lines).split())).split(". ")
    out = []
    for line in lines:
        row = re.match(r"  ([a-z]\w+) +\S+ ([a-z]+) +\S+ +(\S+) .*?/(\d+)$", line)
        if row:
            timed = row[2] in ("pass", "noisy", "environment") # as the machine has it
            out.append(f"{row[1]}: {'timed' if timed else row[2]}, {row[4]} points")
        elif line and not line.startswith("   "):
            out.append(re.sub(r"\S*\d\S*", "N", re.sub(r" +", " ", line.split(",")[0].split("  ")[0])))
    return out


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1].startswith("--") else ""
    files = sys.argv[1 + bool(mode):]
    if mode not in ("", "--check", "--list") or not files:
        sys.exit("mk/screens.py: expected [--check | --list] FILE ..")
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    bad = count = 0
    with tempfile.TemporaryDirectory() as scratch:
        root = f"{scratch}/project"
        if mode != "--list":
            copy_project(root)
        for file in files:
            with open(file, encoding="utf-8") as f:
                text = f.read()
            if text.count("<!-- run") != len(MARK.findall(text)):
                sys.exit(f"{file}: a line <!-- run without a command, or without a block of code after it")

            def made(m, name=file):
                nonlocal bad, count
                indent, options, command = m[1], parse(m[2]), m[3]
                old = [line[len(indent):] for line in m[4].splitlines()]
                if mode == "--list":
                    print(f"{name}: {command}")
                if mode == "--list" or mode and "slow" in options and os.environ.get("TEST_ALL") != "1":
                    return m[0]
                count += 1
                new = run(root, options, command + (f" {options['quick']}" if mode and "quick" in options else ""))
                if mode and shape(new) != shape(old):
                    bad += 1
                    print(f"{name}: {command}: its screen has another shape: type mk/screens.py {name}",
                          *(f"    {sign} {line}" for sign, lines in (("-", shape(old)), ("+", shape(new)))
                            for line in lines), sep="\n")
                body = "".join(f"{indent}{line}".rstrip() + "\n" for line in new)
                return m[0][:m.start(4) - m.start()] + body + m[0][m.end(4) - m.start():]
            result = MARK.sub(made, text)
            if not mode and result != text:
                with open(file, "w", encoding="utf-8") as f:
                    f.write(result)
    if mode == "--check":
        print(f"{count} screens, {bad} of another shape")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
