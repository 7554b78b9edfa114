/* What people see: colour and progress only on a terminal, symbols only in UTF-8. */
#ifndef HPC_COMMON_UI_H
#define HPC_COMMON_UI_H

#include <stdbool.h>

/* Once, at start: plain switches off colour, progress and symbols (also NO_COLOR, TERM=dumb). */
void ui_init(bool plain);
enum ui_style { UI_PLAIN, UI_GOOD, UI_BAD, UI_WARN, UI_DIM, UI_BOLD };
/* Escape sequence to switch to a style, or "". */
const char *ui_style(enum ui_style style);
const char *ui_tick(void);  /* a tick or "ok" */
const char *ui_cross(void); /* a cross or "x" */
/* The same, two columns wide, for tables; "-" for what waits. */
enum ui_mark { UI_YES, UI_NO, UI_WAITS };
const char *ui_mark(enum ui_mark mark);
/* A paragraph on stdout, `indent` blanks before each line, broken between words at the terminal's
 * width. `label` (may be "") begins it, in bold. */
void ui_paragraph(int indent, const char *label, const char *text);
/* A table's row: its columns but the last as they are, styles too, and in the last words, broken
 * between each other at the terminal's width and below each other. */
void ui_row(const char *columns, const char *words);
/* A line on stderr that replaces the one before it; nothing where stderr is no terminal. */
void ui_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void ui_progress_end(void);
/* Progress lines begin from now on with a bar of so many parts, 0: with none, and with the time
 * that is left once a part has shown what one takes. */
void ui_progress_parts(int of);
void ui_progress_part(void); /* one more is done */
/* A step that takes long: on a terminal a progress line, elsewhere "2 of 4: TEXT" on stderr. */
void ui_step(const char *text);
/* "1.23 ms" from seconds, into text of at least 16 bytes; returns text. */
char *ui_seconds(double seconds, char *text, int size);

#endif
