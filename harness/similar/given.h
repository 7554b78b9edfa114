/* What everybody was given of a task: lines that say nothing of who wrote them. */
#ifndef HPC_HARNESS_SIMILAR_GIVEN_H
#define HPC_HARNESS_SIMILAR_GIVEN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GIVEN_MOST_TEXT (32 << 10) /* not given: of what repeats itself sim_c takes the square */

struct given {
    char **line; /* without blanks, sorted */
    size_t n;
};

void given_add(struct given *g, const char *text);
void given_free(struct given *g);
/* The text with given lines blank, so that lines keep their numbers; of its own lines
 * GIVEN_MOST_TEXT, *cut where that is less than all. The caller's. */
char *given_left_out(const struct given *g, const char *text, bool *cut);

#ifdef __cplusplus
}
#endif
#endif
