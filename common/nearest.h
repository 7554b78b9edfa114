/* "did you mean": the nearest of a list of words by edit distance. */
#ifndef HPC_COMMON_NEAREST_H
#define HPC_COMMON_NEAREST_H

#ifdef __cplusplus
extern "C" {
#endif

/* The word nearest to `word`, or NULL where all are further than half its length. */
const char *nearest_word(const char *word, const char *const *words, int n);
/* Behind an error about a word that is none of n: ", did you mean flat?", or, where none is near,
 * "; expected one of flat, blocked". The caller's. */
char *nearest_hint(const char *word, const char *const *words, int n);

#ifdef __cplusplus
}
#endif
#endif
