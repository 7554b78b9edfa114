# family 51: brings records of full marks, a site's rules, hidden cases and a lab.ini of its own
# task right
# structural: of what is handed in only the task's files are taken
# grade: wrong; points <= 0
mkdir -p hw/labs/lab90 hw/results/lab90 hw/results/submissions/hw
printf '#include "conv1d/attack.h"\nRUN\n{\n    zeros(p, y);\n    return 0;\n}\nSUBMISSION\n' >hw/labs/lab90/right.c
printf '[site]\nofficial_jail = limits\n' >hw/site.ini
printf '[lab]\ntitle = mine\n[tasks]\nop = conv1d\n[task right]\ntitle = mine\nsymbols = *\ncases = none\npoints_correct = 100\n' >hw/labs/lab90/lab.ini
printf '[cases conv1d]\nnone = n=1 mask=1\n' >hw/labs/lab90/hidden.ini
record='{"lab": "lab90", "official": true, "gradings": 1, "score": 100, "max_score": 100, "tasks": [{"name": "right", "verdict": "pass", "points": 100, "max_points": 100}]}'
for place in hw/results/lab90/record.json hw/results/submissions/hw/lab90.json hw/lab90.json hw/manifest.json; do
    printf '%s\n' "$record" >"$place"
done
printf '/elsewhere/hw.tar\n' >hw/results/submissions/hw/origin
tar -cf hw.tar -C hw . && echo hw.tar
