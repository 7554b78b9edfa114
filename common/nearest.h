/* "did you mean": the nearest of a list of words by edit distance. */
#ifndef HPC_COMMON_NEAREST_H
#define HPC_COMMON_NEAREST_H

#ifdef __cplusplus
extern "C" {
#endif

/* Insertions, deletions and changes of a character that turn a into b; words of at most 63
 * characters, longer ones count as 63. */
int nearest_distance(const char *a, const char *b);
/* The word nearest to `word`, or NULL where all are further than half its length. */
const char *nearest_word(const char *word, const char *const *words, int n);

#ifdef __cplusplus
}
#endif
#endif
