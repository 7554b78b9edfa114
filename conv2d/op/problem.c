/* The problems of conv2d and convpool: their keys, their arrays, their cost. */
#include <stdio.h>
#include <string.h>

#include "common/size.h"
#include "common/text.h"
#include "conv2d/op/op.h"

#define MAX_ARRAY_BYTES ((size_t)1 << 31)
#define SHARED_KEYS     "n, c, h, w, k, r, s, pad, layout, type, sparsity, values, tolerance"

const char conv2d_keys[] = SHARED_KEYS ", stride";
const char convpool_keys[] = SHARED_KEYS ", pool, pooling, activation";

_Static_assert(sizeof(struct conv_case) <= HPC_MAX_PROBLEM, "a problem must fit into the exchange");

static const char *place(const struct hpc_params *params, const char *key)
{
    const struct hpc_param *param = hpc_params_find(params, key);
    return param ? param->where : "the case";
}

/* One of `names` (NULL-ended) into its index. */
static bool parse_word(struct hpc_params *params, const char *key, const char *const *names,
                       int32_t *value, struct hpc_error *err)
{
    char word[40] = "";
    struct text known = {0};
    if (!hpc_params_find(params, key))
        return true;
    if (!hpc_params_get_text(params, key, word, sizeof word, err))
        return false;
    for (int i = 0; names[i]; i++) {
        if (strcmp(word, names[i]) == 0) {
            *value = i;
            text_free(&known);
            return true;
        }
        text_list(&known, " or ", names[i]);
    }
    hpc_fail(err, "%s: %s is \"%s\", expected %s", place(params, key), key, word,
             text_string(&known));
    text_free(&known);
    return false;
}

static bool parse_words(struct hpc_params *params, struct conv_case *c, struct hpc_error *err)
{
    static const char *const layouts[] = {"nchw", "nhwc", NULL};
    static const char *const types[] = {"f32", "tf32", "f16", NULL};
    static const char *const values[] = {"normal", "positive", "scaled", NULL};
    static const char *const tolerances[] = {"each", "normwise", NULL};
    return parse_word(params, "layout", layouts, &c->p.conv.layout, err) &&
           parse_word(params, "type", types, &c->p.conv.type, err) &&
           parse_word(params, "values", values, &c->values, err) &&
           parse_word(params, "tolerance", tolerances, &c->tolerance, err);
}

/* w follows h, s follows r, where they are not given. */
static bool parse_shape(struct hpc_params *params, struct conv2d_problem *p, struct hpc_error *err)
{
    if (!hpc_params_get_int(params, "n", 1, 65536, &p->n, err) ||
        !hpc_params_get_int(params, "c", 1, 65536, &p->c, err) ||
        !hpc_params_get_int(params, "h", 1, 65536, &p->h, err))
        return false;
    p->w = p->h;
    if (!hpc_params_get_int(params, "w", 1, 65536, &p->w, err) ||
        !hpc_params_get_int(params, "k", 1, 65536, &p->k, err) ||
        !hpc_params_get_int(params, "r", 1, 64, &p->r, err))
        return false;
    p->s = p->r;
    if (!hpc_params_get_int(params, "s", 1, 64, &p->s, err) ||
        !hpc_params_get_int(params, "pad", 0, 64, &p->pad, err))
        return false;
    if (p->r > p->h + 2 * p->pad || p->s > p->w + 2 * p->pad)
        return hpc_fail(err,
                        "%s: a filter of %d x %d on a padded map of %d x %d, expected it to fit",
                        place(params, "r"), p->r, p->s, p->h + 2 * p->pad, p->w + 2 * p->pad);
    return true;
}

/* Every array must stay below 2 GiB, so that a typing error does not fill the machine. */
static bool check_bytes(const struct hpc_params *params, const struct conv_case *c,
                        struct hpc_error *err)
{
    const struct conv2d_problem *p = &c->p.conv;
    const double x = (double)p->n * p->c * p->h * p->w, w = (double)p->k * p->c * p->r * p->s;
    const double y = (double)p->n * p->k * conv2d_rows(p) * conv2d_columns(p);
    const double most = x > w ? x > y ? x : y : w > y ? w : y;
    if (most * 4 >= (double)MAX_ARRAY_BYTES)
        return hpc_fail(err, "%s: an array of %.3g elements, expected less than 2 GiB",
                        place(params, "n"), most);
    return true;
}

static bool parse_all(struct hpc_params *params, struct conv_case *c, struct hpc_error *err)
{
    int threads = 1;
    *c = (struct conv_case){.p = {{1, 1, 1, 1, 1, 1, 1, 1, 0, CONV_NCHW, CONV_F32}, 1}};
    return parse_shape(params, &c->p.conv, err) && parse_words(params, c, err) &&
           hpc_params_get_double(params, "sparsity", 0, 1, &c->sparsity, err) &&
           hpc_params_get_int(params, "threads", 1, 4096, &threads, err);
}

bool conv2d_parse(struct hpc_params *params, void *problem, struct hpc_error *err)
{
    struct conv_case *c = problem;
    return parse_all(params, c, err) &&
           hpc_params_get_int(params, "stride", 1, 64, &c->p.conv.stride, err) &&
           hpc_params_all_used(params, conv2d_keys, err) && check_bytes(params, c, err);
}

/* The linear pooling only: see convpool.h. */
static bool parse_pooling(struct hpc_params *params, struct hpc_error *err)
{
    char pooling[40] = "average", activation[40] = "none";
    if (!hpc_params_get_text(params, "pooling", pooling, sizeof pooling, err) ||
        !hpc_params_get_text(params, "activation", activation, sizeof activation, err))
        return false;
    if (strcmp(pooling, "average") != 0)
        return hpc_fail(err,
                        "%s: pooling is \"%s\", expected average: convolution and pooling change "
                        "places only where both are linear, and a maximum of sums is no sum of "
                        "maxima",
                        place(params, "pooling"), pooling);
    if (strcmp(activation, "none") != 0)
        return hpc_fail(err,
                        "%s: activation is \"%s\", expected none: convolution and pooling change "
                        "places only where both are linear, and an activation between them is not; "
                        "apply it to the pooled output, or keep the three steps apart",
                        place(params, "activation"), activation);
    return true;
}

bool convpool_parse(struct hpc_params *params, void *problem, struct hpc_error *err)
{
    struct conv_case *c = problem;
    struct convpool_problem *p = &c->p;
    if (!parse_all(params, c, err))
        return false;
    p->pool = 2;
    if (!hpc_params_get_int(params, "pool", 1, 64, &p->pool, err) || !parse_pooling(params, err))
        return false;
    if (p->pool > conv2d_rows(&p->conv) || p->pool > conv2d_columns(&p->conv))
        return hpc_fail(err, "%s: a pool of %d on a convolution of %d x %d, expected it to fit",
                        place(params, "pool"), p->pool, conv2d_rows(&p->conv),
                        conv2d_columns(&p->conv));
    return hpc_params_all_used(params, convpool_keys, err) && check_bytes(params, c, err);
}

/* An array in the problem's layout. */
static struct hpc_array array_of(const struct conv2d_problem *p, const char *name, int outer,
                                 int channels, int rows, int columns)
{
    const size_t n = (size_t)outer, c = (size_t)channels, h = (size_t)rows, w = (size_t)columns;
    struct hpc_array a = {.name = name,
                          .type = p->type == CONV_F16 ? HPC_F16 : HPC_F32,
                          .count = n * c * h * w,
                          .shape = {n, c, h, w}};
    if (p->layout == CONV_NHWC) {
        a.shape[1] = h;
        a.shape[2] = w;
        a.shape[3] = c;
    }
    return a;
}

void conv_layout_arrays(const void *problem, struct hpc_layout *layout)
{
    const struct convpool_problem *pool = problem;
    const struct conv2d_problem *p = &pool->conv;
    *layout = (struct hpc_layout){.n_in = CONV2D_N_IN, .n_out = CONV2D_N_OUT};
    layout->in[CONV2D_X] = array_of(p, "x", p->n, p->c, p->h, p->w);
    layout->in[CONV2D_W] = array_of(p, "w", p->k, p->c, p->r, p->s);
    layout->in[CONV2D_W].fixed = true;
    layout->out[CONV2D_Y] =
        array_of(p, "y", p->n, p->k, convpool_rows(pool), convpool_columns(pool));
}

void conv_cost(const void *problem, struct hpc_cost *cost)
{
    const struct convpool_problem *p = problem;
    const double crs = (double)p->conv.c * p->conv.r * p->conv.s, pools = p->pool * p->pool;
    const double y = (double)convpool_y_count(p);
    cost->flops = 2 * y * pools * crs + (pools > 1 ? y * pools : 0);
    cost->bytes = (p->conv.type == CONV_F16 ? 2 : 4) *
                  ((double)conv2d_x_count(&p->conv) + (double)conv2d_w_count(&p->conv) + y);
}
