# family 53: a device in an archive
# task right
# grade: refused; line: is no regular file
# without links: refused|build
python3 - <<'P'
import tarfile
with tarfile.open("handed.tar", "w") as t:
    m = tarfile.TarInfo("handed/right.c")
    m.type, m.devmajor, m.devminor = tarfile.CHRTYPE, 1, 5
    t.addfile(m)
P
echo handed.tar
