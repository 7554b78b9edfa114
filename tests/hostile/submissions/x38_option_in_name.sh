# family 85: names that tar would take for options
# task right
# grade: refused|pass
# structural: names stand behind `--`; and none of them is an option's that is named as a lab's file is
mkdir -p -- '--to-command=touch hpc_attack_option' && cp "$HERE/submissions/control_honest.c" './--to-command=touch hpc_attack_option/right.c'
tar -czf handed.tar.gz -- '--to-command=touch hpc_attack_option' && echo handed.tar.gz
