# family 54: three thousand files
# task right
# grade: refused; line: more than 1000 files
# without counts: pass; points >= 20
python3 - <<'P'
import io, tarfile
source = open("%s/submissions/control_honest.c" % __import__("os").environ["HERE"], "rb").read()
with tarfile.open("handed.tar.gz", "w:gz", compresslevel=1) as t:
    m = tarfile.TarInfo("handed/right.c")
    m.size = len(source)
    t.addfile(m, io.BytesIO(source))
    for i in range(3000):
        t.addfile(tarfile.TarInfo("handed/%06d" % i))
P
echo handed.tar.gz
