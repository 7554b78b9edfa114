/* A table of text, as spreadsheets write it: row by row. */
#ifndef HPC_HARNESS_CLASS_TABLE_H
#define HPC_HARNESS_CLASS_TABLE_H

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TABLE_COLUMNS 32

struct table {
    char *text, *row; /* UTF-8, all of it; the row that was cut last */
    const char *at;   /* the next row */
    char separator;   /* ',', ';' or a tab, as the first line has it */
    int line, begun;  /* read so far; the last row's first, from 1 */
};

/* In UTF-8 or UTF-16, with a mark or without, else in Windows' Latin letters; the first line may be
 * Excel's "sep=;". False with FILE and what was expected. */
bool table_open(const char *path, struct table *t, struct hpc_error *err);
void table_close(struct table *t);
/* Cut the next row into fields, which are the table's until the next call: without quotes and
 * spaces around them. Text in quotes may have lines of its own, in a row of `expected` fields.
 * Returns how many; 0 at the end; -1 where a quote is not closed or there are too many: those
 * before it stand in `field`, and NULL behind them. */
int table_row(struct table *t, int expected, char *field[TABLE_COLUMNS]);

#ifdef __cplusplus
}
#endif
#endif
