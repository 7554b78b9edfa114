# family control: an honest archive, made on a system with resource forks and folders within folders
# task right
# needs zip
# grade: pass; points >= 20
mkdir -p handed/hpclab-lab90/labs/lab90 handed/__MACOSX && cp "$HERE/submissions/control_honest.c" handed/hpclab-lab90/labs/lab90/right.c
cp "$HERE/submissions/control_wrong.c" handed/right.c && echo x >handed/__MACOSX/._right.c && echo x >handed/notes.txt
zip -qr handed.zip handed && echo handed.zip
