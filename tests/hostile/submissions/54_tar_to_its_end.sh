# family 54: 512 MiB of zeros in a tar of half a MiB, all of which its gzip unpacks to list it
# task right
# long
# grade: refused; line: more than 64 MiB unpacked, expected
# without plain_tar: refused; line: (512 MiB)
truncate -s 64M zeros && gzip -9 zeros
python3 - <<'END'
import tarfile
member = tarfile.TarInfo("handed/right.c")
member.size = 512 << 20
open("head", "wb").write(member.tobuf(format=tarfile.GNU_FORMAT))
END
gzip head
for _ in $(seq 8); do cat zeros.gz; done | cat head.gz - >handed.tar.gz
rm zeros.gz head.gz && echo handed.tar.gz
