# family 54: 14 GiB of zeros in a tar of 14 MiB: to list it takes its gzip as long as a grader waits, or nearly
# task right
# long
# grade: refused; line: more than 64 MiB unpacked
# without plain_tar: refused; line: takes more than|Unexpected EOF
truncate -s 64M zeros && gzip -9 zeros
python3 - <<'END'
import tarfile
member = tarfile.TarInfo("handed/right.c")
member.size = 14 << 30
open("head", "wb").write(member.tobuf(format=tarfile.GNU_FORMAT))
END
gzip head
for _ in $(seq 224); do cat zeros.gz; done | cat head.gz - >handed.tar.gz
rm zeros.gz head.gz && echo handed.tar.gz
