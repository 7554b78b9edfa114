# family 53: an archive with a path that climbs
# task right
# grade: refused; line: leads out of the folder
# without names: refused|pass
# without names chosen walls: pass; effect: file
mkdir handed && cp "$HERE/submissions/control_honest.c" handed/right.c
echo x >hpc_attack_climbs
tar -czf handed.tar.gz --absolute-names --transform 's|^hpc_attack_climbs|../../../../../hpc_attack_climbs|' handed hpc_attack_climbs
rm hpc_attack_climbs && echo handed.tar.gz
