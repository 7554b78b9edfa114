/* Marks of numbers: a count, a share, a factor. */
#include <math.h>

#include "harness/answers/internal.h"

#define SLIP 0.03 /* how near a number is to a known mistake's */

/* What a wrong number has to do with the right one, where that tells the mistake, or "". */
static const char *slip(double value, double truth)
{
    static const struct {
        double factor;
        const char *words;
    } known[] = {
        {2, "twice what is right: is something counted double?"},
        {0.5, "half of what is right: is something left out?"},
        {4, "four times what is right: bytes for floats, or four for one?"},
        {0.25, "a quarter of what is right: floats for bytes, or one for four?"},
        {32, "32 times what is right: a warp is not a thread"},
        {1 / 32.0, "a 32nd of what is right: a warp is not a thread"},
        {100, "100 times what is right: a share is not a percentage"},
        {0.01, "a hundredth of what is right: a share is not a percentage"},
        {1e3, "1000 times what is right: look at the unit"},
        {1e-3, "a thousandth of what is right: look at the unit"},
        {1e6, "a million times what is right: look at the unit"},
        {1e-6, "a millionth of what is right: look at the unit"},
    };
    if (truth == 0 || value == 0)
        return "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fabs(value / (known[i].factor * truth) - 1) < SLIP)
            return known[i].words;
    return fabs(value * truth - 1) < SLIP ? "the inverse of what is right" : "";
}

static const char *colon(const char *why)
{
    return *why ? ": " : "";
}

void sheet_count(struct sheet *s, const char *key, double truth, double tolerance, const char *why)
{
    double value;
    if (!sheet_number(s, key, &value))
        return;
    const bool exact = !(tolerance > 0);
    const bool right = fabs(value - truth) <= (exact ? 1e-6 : tolerance) * fabs(truth);
    const char *mistake = right ? "" : slip(value, truth);
    if (exact)
        sheet_mark(s, key, right, mistake, "%.10g%s%s", truth, colon(why), why);
    else
        sheet_mark(s, key, right, mistake, "%.4g, right within %g%%%s%s", truth, 100 * tolerance,
                   colon(why), why);
}

void sheet_near(struct sheet *s, const char *key, double truth, double distance, const char *why)
{
    double value;
    if (!sheet_number(s, key, &value))
        return;
    const bool right = fabs(value - truth) <= distance + 1e-9 * fabs(truth);
    sheet_mark(s, key, right, right ? "" : slip(value, truth), "%.4g, right within %g%s%s", truth,
               distance, colon(why), why);
}

void sheet_factor(struct sheet *s, const char *key, double truth, double full, double half,
                  const char *why)
{
    double value;
    if (!sheet_number(s, key, &value))
        return;
    if (!(value > 0)) {
        sheet_mark(s, key, 0, "expected a number above 0", "%.3g", truth);
        return;
    }
    const double factor = exp(fabs(log(value / truth)));
    sheet_mark(s, key,
               factor <= full   ? 1
               : factor <= half ? 0.5
                                : 0,
               factor <= full ? "" : slip(value, truth),
               "%.3g%s%s; full marks within a factor of %g, half within %g", truth, colon(why), why,
               full, half);
}
