/* Marks of numbers: a count, a share, a factor. */
#include <math.h>

#include "harness/answers/sheet.h"

#define SLIP 0.03 /* how near a number is to a known mistake's */

/* What a wrong number has to do with the right one, where that tells the mistake: "; " and words,
 * or
 * "". */
static const char *slip(double value, double truth)
{
    static const struct {
        double factor;
        const char *words;
    } known[] = {
        {2, "; yours is twice that: is something counted double?"},
        {0.5, "; yours is half of that: is something left out?"},
        {4, "; yours is four times that: bytes for floats, or four for one?"},
        {0.25, "; yours is a quarter of that: floats for bytes, or one for four?"},
        {32, "; yours is 32 times that: a warp is not a thread"},
        {1 / 32.0, "; yours is a 32nd of that: a warp is not a thread"},
        {100, "; yours is 100 times that: a share is not a percentage"},
        {0.01, "; yours is a hundredth of that: a share is not a percentage"},
        {1e3, "; yours is 1000 times that: look at the unit"},
        {1e-3, "; yours is a thousandth of that: look at the unit"},
        {1e6, "; yours is a million times that: look at the unit"},
        {1e-6, "; yours is a millionth of that: look at the unit"},
    };
    if (truth == 0 || value == 0)
        return "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fabs(value / (known[i].factor * truth) - 1) < SLIP)
            return known[i].words;
    return fabs(value * truth - 1) < SLIP ? "; yours is its inverse" : "";
}

void sheet_count(struct sheet *s, const char *key, double truth, double tolerance, const char *note)
{
    double value;
    if (!sheet_number(s, key, &value)) {
        sheet_mark(s, key, 0, "expected a number");
        return;
    }
    bool exact = !(tolerance > 0);
    bool right = fabs(value - truth) <= (exact ? 1e-6 : tolerance) * fabs(truth);
    const char *words = right ? "" : slip(value, truth);
    if (exact)
        sheet_mark(s, key, right, "worked out: %g%s%s", truth, note, words);
    else
        sheet_mark(s, key, right, "worked out: %.4g, right within %.0f%%%s%s", truth,
                   100 * tolerance, note, words);
}

void sheet_near(struct sheet *s, const char *key, double truth, double distance, const char *note)
{
    double value;
    if (!sheet_number(s, key, &value)) {
        sheet_mark(s, key, 0, "expected a number");
        return;
    }
    bool right = fabs(value - truth) <= distance;
    sheet_mark(s, key, right, "worked out: %.4g, right within %g%s%s", truth, distance, note,
               right ? "" : slip(value, truth));
}

void sheet_factor(struct sheet *s, const char *key, double truth, const char *note)
{
    double value;
    if (!sheet_number(s, key, &value) || value <= 0) {
        sheet_mark(s, key, 0, "expected a number above 0");
        return;
    }
    double factor = exp(fabs(log(value / truth)));
    sheet_mark(s, key,
               factor <= ANSWER_FULL   ? 1
               : factor <= ANSWER_HALF ? 0.5
                                       : 0,
               "%.2f on an H200%s; full marks within a factor of %g, half within %g%s", truth, note,
               ANSWER_FULL, ANSWER_HALF, factor > ANSWER_FULL ? slip(value, truth) : "");
}
