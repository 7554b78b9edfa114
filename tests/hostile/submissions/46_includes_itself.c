/* family 46: includes itself twice, two hundred deep
 * task right
 * grade: build|timeout; points <= 0
 * without build_limits: hangs */
#include __FILE__
#include __FILE__
