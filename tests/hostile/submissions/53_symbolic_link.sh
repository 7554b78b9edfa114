# family 53: the lab's file is a link to a file of the home folder
# task right
# grade: refused; line: is a symbolic link
# without links: refused
# structural: what is not a regular file is not chosen either; x33_link_in_folder is a link that is followed
mkdir handed && ln -s @HOME@/canary handed/right.c
tar -czf handed.tar.gz handed && echo handed.tar.gz
