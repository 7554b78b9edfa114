# family 53: an archive with an absolute path
# task right
# grade: refused; line: leads out of the folder
# without names chosen walls: pass; effect: file
mkdir handed && cp "$HERE/submissions/control_honest.c" handed/right.c
echo x >@HOME@/hpc_attack_absolute
tar -czf handed.tar.gz --absolute-names handed @HOME@/hpc_attack_absolute
rm @HOME@/hpc_attack_absolute && echo handed.tar.gz
