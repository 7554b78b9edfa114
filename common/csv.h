/* Tables of numbers from CSV files. Data is a user's word: every line that is not exactly a row of
 * finite decimal numbers is refused, with the file, the line, the column and what was found. */
#ifndef HPC_COMMON_CSV_H
#define HPC_COMMON_CSV_H

#include <stddef.h>

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CSV_MAX_LINE    (1 << 20) /* bytes of a line */
#define CSV_MAX_COLUMNS 65536

enum csv_header {
    CSV_HEADER_AUTO, /* line 1 is one when it holds words and no number, or counts (below) */
    CSV_HEADER_NONE, /* line 1 is data */
    CSV_HEADER_SKIP, /* line 1 is not looked at */
};

struct csv_options {
    enum csv_header header;
    int columns; /* that every row must have; 0: as many as the first row */
};

/* rows x columns doubles, contiguous, row-major, all finite; freed by csv_free. Row i came from
 * line first_line + i of the file. */
struct csv {
    int rows, columns, first_line;
    double *value;
};

/* Read a whole file. Fields are separated by commas; blanks around a number, CRLF, a UTF-8 byte
 * order mark and blank lines at the end are accepted. Not accepted: missing values, quotes, hex,
 * NaN, infinity, a blank line between rows, lines over CSV_MAX_LINE, a file without a row.
 * CSV_HEADER_AUTO also knows a first line of counts, "569,30,malignant,benign" (rows, columns
 * before the label, names), and refuses the file when the counts are not true.
 * options may be NULL: all zero. On failure: false, *err filled, *out all zero. */
bool csv_read(const char *path, const struct csv_options *options, struct csv *out,
              struct hpc_error *err);
void csv_free(struct csv *csv);

/* Copy the first bytes of an untrusted text, quoted and with unprintable bytes as '?', for a
 * message; returns `text`, which has size bytes (at least 8). */
char *csv_quote(const char *bytes, size_t n, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
