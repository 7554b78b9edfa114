/* The weights file: text, one word list a line, numbers with 17 digits, so that what is read is
 * bit for bit what was written. For a net of 4-2-1 with scaled inputs:
 *
 *   hpclab-mlp 1
 *   layers 4,2,1
 *   activations tanh,sigmoid         of all layers but the input
 *   scaling 4                        inputs that are scaled: all, or 0
 *   0.25 1.5                         shift and factor of input 0: (x - shift) * factor
 *   ..                               one line for each input
 *   matrix 0 5 2                     from layer 0: rows (the bias first), columns
 *   0.1 -0.2                         a line for each row
 *   ..
 *   matrix 1 3 1
 *   ..
 *   end
 */
#define _GNU_SOURCE
#include "mlp/app/app.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv.h"

bool weights_write(const char *path, const struct model *m, struct hpc_error *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f)
        return hpc_fail_env(err, "%s: no memory to write it", path);
    const struct mlp_problem *p = &m->p;
    fprintf(f, "hpclab-mlp 1\nlayers ");
    for (int l = 0; l < p->n_layers; l++)
        fprintf(f, "%s%d", l ? "," : "", p->size[l]);
    fprintf(f, "\nactivations ");
    for (int l = 1; l < p->n_layers; l++)
        fprintf(f, "%s%s", l > 1 ? "," : "", app_activation_name(p->activation[l]));
    fprintf(f, "\nscaling %d\n", m->scaling.inputs);
    for (int i = 0; i < m->scaling.inputs; i++)
        fprintf(f, "%.17g %.17g\n", m->scaling.shift[i], m->scaling.factor[i]);
    const double *w = m->w;
    for (int l = 0; l + 1 < p->n_layers; l++) {
        fprintf(f, "matrix %d %d %d\n", l, p->size[l] + 1, p->size[l + 1]);
        for (int i = 0; i <= p->size[l]; i++)
            for (int k = 0; k < p->size[l + 1]; k++)
                fprintf(f, "%.17g%c", *w++, k + 1 < p->size[l + 1] ? ' ' : '\n');
    }
    fprintf(f, "end\n");
    bool ok = fclose(f) == 0 && file_write(path, text, n, err);
    free(text);
    return ok;
}

#define LINE_MAX_BYTES (26 * APP_MAX_UNITS) /* a row of the widest layer */

struct source {
    const char *path;
    FILE *file;
    char *line; /* LINE_MAX_BYTES + 1 */
    int number;
};

static bool next_line(struct source *s, const char *expected, struct hpc_error *err)
{
    size_t n = 0;
    int c = getc_unlocked(s->file);
    s->number++;
    if (c == EOF)
        return hpc_fail(err, "%s, line %d: %s, expected %s", s->path, s->number,
                        ferror(s->file) ? strerror(errno) : "the file ends", expected);
    for (; c != EOF && c != '\n'; c = getc_unlocked(s->file)) {
        if (c == 0 || n == LINE_MAX_BYTES)
            return hpc_fail(err, "%s, line %d: %s, expected %s", s->path, s->number,
                            c == 0 ? "byte 0x00 found" : "too long a line", expected);
        s->line[n++] = (char)c;
    }
    if (n > 0 && s->line[n - 1] == '\r')
        n--;
    s->line[n] = 0;
    return true;
}

static bool unexpected(const struct source *s, const char *expected, struct hpc_error *err)
{
    char quoted[64];
    return hpc_fail(err, "%s, line %d: %s found, expected %s", s->path, s->number,
                    csv_quote(s->line, strlen(s->line), quoted, sizeof quoted), expected);
}

/* The line "KEY REST": rest, or NULL with an error. */
static const char *keyed_line(struct source *s, const char *key, struct hpc_error *err)
{
    size_t n = strlen(key);
    if (!next_line(s, key, err))
        return NULL;
    if (strncmp(s->line, key, n) == 0 && s->line[n] == ' ')
        return s->line + n + 1;
    unexpected(s, key, err);
    return NULL;
}

/* n finite numbers and nothing else. */
static bool number_line(struct source *s, int n, double *value, struct hpc_error *err)
{
    char expected[80];
    snprintf(expected, sizeof expected, "%d finite number%s", n, n == 1 ? "" : "s");
    if (!next_line(s, expected, err))
        return false;
    char *at = s->line;
    for (int i = 0; i < n; i++) {
        char *end;
        value[i] = strtod(at, &end);
        if (end == at || (*end && *end != ' ') || !isfinite(value[i]))
            return unexpected(s, expected, err);
        at = end;
    }
    return *at == 0 || unexpected(s, expected, err);
}

static bool read_shape(struct source *s, struct mlp_problem *p, struct hpc_error *err)
{
    char what[512];
    int n;
    if (!next_line(s, "hpclab-mlp 1", err))
        return false;
    if (strcmp(s->line, "hpclab-mlp 1") != 0)
        return unexpected(s, "hpclab-mlp 1: this is no weights file of ours", err);
    const char *rest = keyed_line(s, "layers", err);
    snprintf(what, sizeof what, "%s, line 2, layers", s->path);
    if (!rest ||
        !app_parse_int_list(rest, what, APP_MAX_UNITS, MLP_MAX_LAYERS, &p->n_layers, p->size, err))
        return false;
    rest = keyed_line(s, "activations", err);
    snprintf(what, sizeof what, "%s, line 3, activations", s->path);
    if (!rest || !app_parse_activations(rest, what, MLP_MAX_LAYERS - 1, &n, p->activation + 1, err))
        return false;
    if (p->n_layers < 2 || n != p->n_layers - 1)
        return hpc_fail(err, "%s: %d, expected one for each of the %d layers but the first", what,
                        n, p->n_layers);
    if (mlp_weights(p) > APP_MAX_WEIGHTS)
        return hpc_fail(err, "%s: %zu weights, expected at most %u", s->path, mlp_weights(p),
                        APP_MAX_WEIGHTS);
    return true;
}

static bool read_scaling(struct source *s, struct model *m, struct hpc_error *err)
{
    const char *rest = keyed_line(s, "scaling", err);
    int n, inputs = m->p.size[0];
    if (!rest)
        return false;
    if (!app_parse_int(rest, "scaling", 0, inputs, &n, NULL) || (n != 0 && n != inputs)) {
        char expected[60];
        snprintf(expected, sizeof expected, "scaling 0 or scaling %d", inputs);
        return unexpected(s, expected, err);
    }
    if (n == 0)
        return true;
    m->scaling.inputs = n;
    m->scaling.shift = hpc_malloc((size_t)n * sizeof(double));
    m->scaling.factor = hpc_malloc((size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        double pair[2];
        if (!number_line(s, 2, pair, err))
            return false;
        m->scaling.shift[i] = pair[0];
        m->scaling.factor[i] = pair[1];
    }
    return true;
}

static bool read_matrices(struct source *s, struct model *m, struct hpc_error *err)
{
    const struct mlp_problem *p = &m->p;
    double *w = m->w = hpc_malloc(mlp_weights(p) * sizeof *w);
    for (int l = 0; l + 1 < p->n_layers; l++) {
        char expected[80];
        snprintf(expected, sizeof expected, "matrix %d %d %d", l, p->size[l] + 1, p->size[l + 1]);
        if (!next_line(s, expected, err))
            return false;
        if (strcmp(s->line, expected) != 0)
            return unexpected(s, expected, err);
        for (int i = 0; i <= p->size[l]; i++, w += p->size[l + 1])
            if (!number_line(s, p->size[l + 1], w, err))
                return false;
    }
    return next_line(s, "end", err) && (strcmp(s->line, "end") == 0 || unexpected(s, "end", err));
}

bool weights_read(const char *path, struct model *m, struct hpc_error *err)
{
    struct source s = {.path = path, .file = fopen(path, "re")};
    *m = (struct model){0};
    if (!s.file)
        return hpc_fail(err, "%s: cannot be opened: %s; expected a weights file", path,
                        strerror(errno));
    s.line = hpc_malloc(LINE_MAX_BYTES + 1);
    bool ok = read_shape(&s, &m->p, err) && read_scaling(&s, m, err) && read_matrices(&s, m, err);
    fclose(s.file);
    free(s.line);
    if (!ok) {
        free(m->w);
        scaling_free(&m->scaling);
        *m = (struct model){0};
    }
    return ok;
}
