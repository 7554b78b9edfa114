/* Somebody's words in HTML and SVG, and the frame of a page. */
#ifndef HPC_HARNESS_REPORT_HTML_H
#define HPC_HARNESS_REPORT_HTML_H

#include <stddef.h>

#include "common/text.h"

/* Words, or a text with line ends: no tag and no attribute ends in them, none moves a line's
 * direction. */
void html_words(struct text *t, const char *words);
/* Words in a cell of a table. */
void html_cell(struct text *t, const char *words);
/* Bytes in base64. */
void html_base64(struct text *t, const unsigned char *bytes, size_t n);

/* Head with style, the one script by its hash, and no source of anything; foot. */
void html_begin(struct text *t, const char *title);
void html_end(struct text *t);
/* The beginning of a table whose columns sort. */
void html_heads(struct text *t, const char *const *names);
/* The colours of a page, light and dark; a table in a <div class=wide> scrolls by itself. */
extern const char html_style[];

#endif
