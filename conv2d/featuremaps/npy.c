#define _GNU_SOURCE
#include "conv2d/featuremaps/npy.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text.h"
#include "conv2d/half.h"

#define MAX_HEADER 65536
#define MAX_BYTES  ((size_t)1 << 31)

static const char magic[] = "\x93NUMPY";

/* What a header says. */
struct header {
    char type; /* 'f' */
    int bytes; /* 2, 4, 8 */
    bool fortran;
    struct npy *shape;
};

/* The text behind 'KEY': in a header, or NULL. */
static const char *value_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (!at)
        return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    if (*at != ':')
        return NULL;
    at++;
    return at + strspn(at, " ");
}

static bool read_type(const char *text, struct header *h)
{
    const char *at = value_of(text, "'descr'");
    if (!at || *at != '\'' || !strchr("<=|", at[1]) || at[2] != 'f' || at[4] != '\'')
        return false;
    h->type = at[2];
    h->bytes = at[3] - '0';
    return h->bytes == 2 || h->bytes == 4 || h->bytes == 8;
}

/* "(3, 224, 224)", "(5,)" or "()", which is one element. */
static bool read_shape(const char *text, struct npy *out)
{
    const char *at = value_of(text, "'shape'");
    if (!at || *at++ != '(')
        return false;
    out->dimensions = 0;
    out->count = 1;
    for (;;) {
        at += strspn(at, " ");
        if (*at == ')')
            return true;
        char *end;
        errno = 0;
        if (*at < '0' || *at > '9' || out->dimensions == NPY_MAX_DIMENSIONS)
            return false;
        const unsigned long long size = strtoull(at, &end, 10);
        if (errno || size > MAX_BYTES ||
            __builtin_mul_overflow(out->count, (size_t)size, &out->count))
            return false;
        out->size[out->dimensions++] = (size_t)size;
        at = end + strspn(end, " ");
        if (*at == ',')
            at++;
        else if (*at != ')')
            return false;
    }
}

static bool read_header(FILE *f, const char *path, struct header *h, struct hpc_error *err)
{
    unsigned char lead[12];
    if (fread(lead, 1, 10, f) != 10 || memcmp(lead, magic, 6) != 0)
        return hpc_fail(err, "%s: no .npy file, expected one that begins with \\x93NUMPY", path);
    size_t length = lead[8] | (size_t)lead[9] << 8;
    if (lead[6] < 1 || lead[6] > 3)
        return hpc_fail(err, "%s: .npy format %d, expected 1 to 3", path, lead[6]);
    if (lead[6] > 1) {
        if (fread(lead + 10, 1, 2, f) != 2)
            return hpc_fail(err, "%s: ends within its header", path);
        length |= (size_t)lead[10] << 16 | (size_t)lead[11] << 24;
    }
    if (length > MAX_HEADER)
        return hpc_fail(err, "%s: a header of %zu bytes, expected at most %d", path, length,
                        MAX_HEADER);
    char *text = hpc_calloc(length + 8, 1); /* read_type looks a few bytes ahead */
    const bool whole = fread(text, 1, length, f) == length && strlen(text) == length;
    const char *order = whole ? value_of(text, "'fortran_order'") : NULL;
    bool good = order && read_type(text, h) && read_shape(text, h->shape);
    if (good)
        h->fortran = strncmp(order, "True", 4) == 0;
    free(text);
    return good || hpc_fail(err,
                            "%s: a header that is not understood, expected floats of 2, 4 or 8 "
                            "bytes in little-endian order and at most %d dimensions",
                            path, NPY_MAX_DIMENSIONS);
}

static double number(const unsigned char *bytes, int size)
{
    uint16_t half;
    float single;
    double value;
    if (size == 2) {
        memcpy(&half, bytes, sizeof half);
        return (double)half_to_float(half);
    }
    if (size == 4) {
        memcpy(&single, bytes, sizeof single);
        return (double)single;
    }
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* The place in C order of element i in Fortran order. */
static size_t from_fortran(const struct npy *a, size_t i)
{
    size_t at = 0, index[NPY_MAX_DIMENSIONS];
    for (int d = 0; d < a->dimensions; d++) {
        index[d] = i % a->size[d];
        i /= a->size[d];
    }
    for (int d = 0; d < a->dimensions; d++)
        at = at * a->size[d] + index[d];
    return at;
}

static bool read_values(FILE *f, const char *path, const struct header *h, struct hpc_error *err)
{
    struct npy *out = h->shape;
    unsigned char bytes[8];
    out->value = hpc_malloc(out->count * sizeof *out->value + 1);
    for (size_t i = 0; i < out->count; i++) {
        if (fread(bytes, (size_t)h->bytes, 1, f) != 1)
            return hpc_fail(err, "%s: ends after %zu elements, expected %zu", path, i, out->count);
        const float value = (float)number(bytes, h->bytes);
        if (!isfinite(value))
            return hpc_fail(err, "%s: element %zu is not finite, expected numbers that fit a float",
                            path, i);
        out->value[h->fortran ? from_fortran(out, i) : i] = value;
    }
    return fgetc(f) == EOF ||
           hpc_fail(err, "%s: goes on after its %zu elements, expected its end", path, out->count);
}

bool npy_read(const char *path, struct npy *out, struct hpc_error *err)
{
    struct header h = {.shape = out};
    *out = (struct npy){0};
    FILE *f = fopen(path, "rb");
    if (!f)
        return hpc_fail(err, "%s: %s; expected a .npy file", path, strerror(errno));
    bool good = read_header(f, path, &h, err);
    if (good && out->count > MAX_BYTES / sizeof *out->value)
        good = hpc_fail(err, "%s: %zu elements, expected less than 2 GiB", path, out->count);
    good = good && read_values(f, path, &h, err);
    fclose(f);
    if (!good)
        npy_free(out);
    return good;
}

void npy_free(struct npy *array)
{
    free(array->value);
    *array = (struct npy){0};
}

static bool write_all(FILE *f, int dimensions, const size_t *size, enum hpc_type type,
                      const void *value)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {[HPC_F16] = {"<f2", 2},
                 [HPC_F32] = {"<f4", 4},
                 [HPC_F64] = {"<f8", 8},
                 [HPC_I32] = {"<i4", 4}};
    char shape[NPY_MAX_DIMENSIONS * 24] = "", text[512];
    size_t count = 1;
    for (int d = 0; d < dimensions; d++) {
        text_fit(shape, sizeof shape, "%s%zu,%s", shape, size[d], d + 1 < dimensions ? " " : "");
        count *= size[d];
    }
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                 types[type].name, shape);
    while ((10 + length + 1) % 64 != 0) /* the values are aligned */
        text[length++] = ' ';
    text[length++] = '\n';
    const unsigned char lead[4] = {1, 0, (unsigned char)(length & 255),
                                   (unsigned char)(length >> 8)};
    return fwrite(magic, 6, 1, f) == 1 && fwrite(lead, 4, 1, f) == 1 &&
           fwrite(text, (size_t)length, 1, f) == 1 &&
           fwrite(value, types[type].bytes, count, f) == count;
}

bool npy_write(const char *path, int dimensions, const size_t *size, enum hpc_type type,
               const void *value, struct hpc_error *err)
{
    HPC_ASSERT(dimensions >= 0 && dimensions <= NPY_MAX_DIMENSIONS);
    char *temporary = hpc_printf("%s.tmp.%ld", path, (long)getpid());
    FILE *f = fopen(temporary, "wb");
    bool good = f && write_all(f, dimensions, size, type, value);
    if (f && fclose(f) != 0)
        good = false;
    good = good && rename(temporary, path) == 0;
    if (!good) {
        hpc_fail_env(err, "%s: %s; expected a file that can be written", path, strerror(errno));
        unlink(temporary);
    }
    free(temporary);
    return good;
}
