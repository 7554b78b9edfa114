# family 54: gigabytes of zeros whose gzip holds the word of a tar where a tar has it
# task right
# long
# grade: refused; line: Archive is compressed
# without plain_tar: hangs
truncate -s 64M zeros && gzip -9 zeros
python3 - <<'END'
import gzip, tarfile
member = tarfile.TarInfo("handed/right.c")
member.size = 14 << 30
with open("head.gz", "wb") as f, gzip.GzipFile("a" * (257 - 10) + "ustar", "wb", fileobj=f) as g:
    g.write(member.tobuf(format=tarfile.GNU_FORMAT))
END
for _ in $(seq 224); do cat zeros.gz; done | cat head.gz - >handed.tar.gz
rm zeros.gz head.gz && echo handed.tar.gz
