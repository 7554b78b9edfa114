# family 83: a folder whose file is a link to the home folder's
# task right
# grade: refused; line: expected a regular file
# without nofollow: build; reason: SECRET
mkdir handed && ln -s @HOME@/canary handed/right.c && echo handed
