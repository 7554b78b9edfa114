#!/usr/bin/env bash
# A terminal of so many columns, and whether lines keep to them. Sourced behind tests/tap.sh.

# on COLUMNS COMMAND ..: on a terminal that wide; its output, as it came. KEYS: what is typed at its question.
on() {
    python3 - "$@" <<'PYTHON'
import fcntl, os, pty, struct, sys, termios
columns, command = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.environ.update(TERM="xterm", COLUMNS=str(columns))
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    os.execv(command[0], command)
text, keys = b"", os.environ.get("KEYS", "").encode()
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    text += piece
    if keys and text.endswith(b"] "):
        os.write(terminal, keys)
        keys = b""
os.waitpid(child, 0)
sys.stdout.buffer.write(text)
PYTHON
}

# narrow COLUMNS FILE: no line is wider, without colours and progress.
narrow() {
    python3 - "$@" <<'PYTHON'
import re, sys
columns = int(sys.argv[1])
bad = 0
for line in open(sys.argv[2], encoding="utf-8", newline="\n"):
    line = re.sub(r"\x1b\[[0-9;]*m", "", line.rstrip("\r\n"))
    line = re.split(r"\r|\x1b\[K", line)[-1]
    if len(line) > columns and "again: " not in line:
        print(len(line), line)
        bad = 1
sys.exit(bad)
PYTHON
}
