/* family 46: includes itself twice, as deep as it goes
 * task right
 * grade: build|timeout; points <= 0
 * structural: gcc ends at a depth of 200; what has no such bound is 46_macro_bomb */
#include __FILE__
#include __FILE__
