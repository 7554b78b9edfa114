# family 54: two members of the same path, one of a time that tar prints as one word, so that the first word
# of its path passes for the clock
# task right
# grade: refused; line: a b/right.c" is no line of a listing
# without member_times: pass; points >= 20
python3 - <<'END'
import io, os, tarfile
here = os.environ["HERE"] + "/submissions/control_"
with tarfile.open("handed.tar", "w", format=tarfile.GNU_FORMAT) as tar:
    for name, time in ("wrong", 2**62), ("honest", 0):
        member = tarfile.TarInfo("a b/right.c")
        text = open(here + name + ".c", "rb").read()
        member.size, member.mtime = len(text), time
        tar.addfile(member, io.BytesIO(text))
END
echo handed.tar
