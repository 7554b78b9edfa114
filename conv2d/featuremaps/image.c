#include "conv2d/featuremaps/image.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"

static struct image make(int channels, int rows, int columns)
{
    struct image image = {channels, rows, columns, NULL};
    image.value = hpc_calloc(hpc_mul((size_t)channels, hpc_mul((size_t)rows, (size_t)columns)),
                             sizeof *image.value);
    return image;
}

void image_free(struct image *image)
{
    free(image->value);
    *image = (struct image){0};
}

/* A number of the header or of P2 and P3, after blanks and comments; -1 where there is none. */
static int number(FILE *f)
{
    int c, value = 0, digits = 0;
    do {
        c = fgetc(f);
        while (c == '#')
            while ((c = fgetc(f)) != '\n' && c != EOF)
                ;
    } while (isspace(c));
    for (; c >= '0' && c <= '9' && digits < 7; digits++, c = fgetc(f))
        value = 10 * value + c - '0';
    return digits > 0 && (c == EOF || isspace(c)) ? value : -1;
}

/* One sample of the file; -1 at its end. */
static int sample(FILE *f, bool text, int white)
{
    if (text)
        return number(f);
    const int high = fgetc(f);
    if (white < 256 || high == EOF)
        return high == EOF ? -1 : high;
    const int low = fgetc(f);
    return low == EOF ? -1 : high << 8 | low;
}

static bool read_pixels(FILE *f, const char *path, bool text, int white, struct image *out,
                        struct hpc_error *err)
{
    const size_t plane = (size_t)out->rows * (size_t)out->columns;
    for (size_t i = 0; i < plane; i++)
        for (size_t c = 0; c < (size_t)out->channels; c++) {
            const int value = sample(f, text, white);
            if (value < 0 || value > white)
                return hpc_fail(err, "%s: pixel %zu %s, expected %d x %d pixels of 0 to %d", path,
                                i, value < 0 ? "is missing" : "is too bright", out->columns,
                                out->rows, white);
            out->value[c * plane + i] = (float)value / (float)white;
        }
    return true;
}

bool image_read(const char *path, struct image *out, struct hpc_error *err)
{
    *out = (struct image){0};
    FILE *f = fopen(path, "rb");
    if (!f)
        return hpc_fail(err, "%s: %s; expected a PGM or PPM picture", path, strerror(errno));
    const int p = fgetc(f), kind = fgetc(f);
    const bool known = p == 'P' && kind > 0 && strchr("2356", kind);
    const int columns = known ? number(f) : -1, rows = known ? number(f) : -1;
    const int white = known ? number(f) : -1;
    bool good = rows > 0 && columns > 0 && rows <= IMAGE_MAX && columns <= IMAGE_MAX && white > 0 &&
                white < 65536;
    if (!good)
        hpc_fail(err,
                 "%s: %s, expected a PGM or PPM picture (P2, P3, P5, P6) of at most %d x %d; "
                 "convert others, for example: magick cat.png cat.ppm",
                 path, known ? "a header that is not understood" : "no such picture", IMAGE_MAX,
                 IMAGE_MAX);
    if (good) {
        *out = make(kind == '3' || kind == '6' ? 3 : 1, rows, columns);
        good = read_pixels(f, path, kind < '4', white, out, err);
    }
    fclose(f);
    if (!good)
        image_free(out);
    return good;
}

/* How far (x, y) is inside of an ellipse: 1 in its middle, 0 on its edge, negative outside. */
static double inside(double x, double y, double cx, double cy, double rx, double ry)
{
    return 1 - (x - cx) * (x - cx) / (rx * rx) - (y - cy) * (y - cy) / (ry * ry);
}

/* Red, green and blue of the scene at 0 <= x, y < 1, y downwards. */
static void paint(double x, double y, double *rgb)
{
    const double hill = 0.72 + 0.06 * sin(9 * x) + 0.03 * sin(23 * x + 1);
    const double noise = 0.5 + 0.5 * sin(917 * x + 13 * sin(351 * y)) * sin(743 * y + 7 * x);
    const double sky[3] = {0.35 + 0.4 * y, 0.55 + 0.3 * y, 0.9}, grass[3] = {0.2, 0.5, 0.15};
    const double fur[3] = {0.75, 0.5, 0.25}, eye[3] = {0.1, 0.6, 0.2}, dark[3] = {0.05, 0.05, 0.05};
    const double *colour = y > hill ? grass : sky;
    const double head = inside(x, y, 0.5, 0.52, 0.25, 0.22);
    const bool ears = fabs(fabs(x - 0.5) - 0.17) < 0.35 * (y - 0.2) && y < 0.42;
    if (head > 0 || ears)
        colour = fur;
    if (inside(fabs(x - 0.5), y, 0.1, 0.48, 0.05, 0.035) > 0)
        colour = eye;
    if (inside(fabs(x - 0.5), y, 0.1, 0.48, 0.015, 0.03) > 0 ||
        inside(x, y, 0.5, 0.58, 0.025, 0.015) > 0)
        colour = dark;
    if (fabs(x - 0.5) > 0.05 && fabs(x - 0.5) < 0.3 &&
        fabs(fmod(y - 0.58 + 0.2 * (fabs(x - 0.5) - 0.05) + 1, 0.03)) < 0.003 && y > 0.56 &&
        y < 0.66)
        colour = dark;
    for (int c = 0; c < 3; c++)
        rgb[c] = colour[c] * (0.85 + 0.15 * noise);
}

struct image image_built_in(void)
{
    struct image image = make(3, 256, 256);
    for (int i = 0; i < 256 * 256; i++) {
        double rgb[3];
        paint((i % 256 + 0.5) / 256, (i / 256 + 0.5) / 256, rgb);
        for (int c = 0; c < 3; c++)
            image.value[c * 256 * 256 + i] = (float)rgb[c];
    }
    return image;
}

/* The mean of rows [top, bottom) and columns [left, right) of a plane, parts of pixels by share. */
static double mean(const float *plane, int rows, int columns, double top, double bottom,
                   double left, double right)
{
    double sum = 0, area = 0;
    for (int i = (int)top; i < rows && i < bottom; i++)
        for (int j = (int)left; j < columns && j < right; j++) {
            const double share =
                (fmin(i + 1, bottom) - fmax(i, top)) * (fmin(j + 1, right) - fmax(j, left));
            sum += share * (double)plane[(size_t)i * (size_t)columns + (size_t)j];
            area += share;
        }
    return sum / area;
}

struct image image_fit(const struct image *from, int channels, int rows, int columns)
{
    struct image to = make(channels, rows, columns);
    const size_t plane = (size_t)rows * (size_t)columns;
    const double high = (double)from->rows / rows, wide = (double)from->columns / columns;
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < plane; i++) {
            const int row = (int)(i / (size_t)columns), column = (int)(i % (size_t)columns);
            const float *source = from->value + (size_t)(from->channels == 3 ? c : 0) *
                                                    (size_t)from->rows * (size_t)from->columns;
            const double v = mean(source, from->rows, from->columns, row * high, (row + 1) * high,
                                  column * wide, (column + 1) * wide);
            if (channels == 3)
                to.value[(size_t)c * plane + i] = (float)v;
            else
                to.value[i] += (float)(v / 3);
        }
    return to;
}
