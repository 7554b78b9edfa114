/* family 46: includes a file that never ends
 * task right
 * long
 * grade: build|timeout; points <= 0
 * structural: see 46_includes_itself; without its limits this one takes all memory there is */
#include "/dev/zero"
