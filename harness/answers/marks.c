/* Marks of numbers: a count, a share, a factor. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/answers/internal.h"

#define MEBI    1.048576 /* 2^20 / 1e6 */
#define SLIP    0.03     /* how near a number is to a known mistake's */
#define MISREAD 0.015    /* and to what a misread formula gives */
#define COPIED  0.005    /* and to another question's, whose own answer is right */

/* Log of how far from the inverse a mean of inverses, or another run, may be. */
#define INVERSE 0.28

/* Whether a number is nearer to the inverse of what is right than to that, by far. */
static bool inverse(double value, double truth)
{
    return fabs(log(value * truth)) < fmin(INVERSE, 0.3 * fabs(log(value / truth)));
}

/* What a wrong number has to do with the right one, where that tells the mistake, or "". */
static const char *slip(double value, double truth, const char *unit)
{
    static const struct {
        double factor;
        const char *words;
    } known[] = {
        {2, "twice what is right: is something counted double?"},
        {0.5, "half of what is right: is something left out?"},
        {4, "four times what is right: bytes for floats, or four for one?"},
        {0.25, "a quarter of what is right: floats for bytes, or one for four?"},
        {8, "eight times what is right: bytes for doubles, or bits for bytes?"},
        {0.125, "an eighth of what is right: doubles for bytes, or bytes for bits?"},
        {10, "ten times what is right: where is the decimal point?"},
        {0.1, "a tenth of what is right: where is the decimal point?"},
        {-1, "its sign is the other one"},
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
    if (!strcmp(unit, "FLOP") && fabs(2 * value / truth - 1) < SLIP)
        return "half of what is right: a multiplication and an addition are two FLOP";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fabs(value / (known[i].factor * truth) - 1) < SLIP)
            return known[i].words;
    if (fabs(value * MEBI / truth - 1) < SLIP / 10 || fabs(value / MEBI / truth - 1) < SLIP / 10)
        return "2^20 bytes for 1e6 or the other way round: MB is 1e6 bytes";
    if (fabs(value * truth - 1) < SLIP)
        return "the inverse of what is right";
    if (truth > 3 && fabs(value / (truth * truth) - 1) < SLIP)
        return "the square of what is right: two dimensions for one?";
    if (truth > 9 && fabs(value * value / truth - 1) < SLIP)
        return "the square root of what is right: one dimension for two?";
    if (truth > 2 && truth == trunc(truth) && fabs(value - truth) == 1)
        return "off by one: is an end counted, or left out?";
    if (truth > 0 && truth < 1 && fabs(truth - 0.5) > SLIP &&
        fabs(value + truth - 1) < SLIP * fmin(truth, 1 - truth))
        return "1 less what is right: the share of all others";
    /* means of inverses, and times of another run, are near it only */
    return value > 0 && truth > 0 && (value < 1) != (truth < 1) && inverse(value, truth)
               ? "near the inverse of what is right: is the ratio upside down?"
               : "";
}

static const char *unit_of(const struct sheet *s, const char *key)
{
    for (int i = 0; i < s->form.n; i++)
        if (!strcmp(s->form.question[i].key, key))
            return s->form.question[i].unit;
    return "";
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
    const double distance = (exact ? 1e-6 : tolerance) * fabs(truth);
    /* a truth that follows from other answers may have no end: nothing is near that */
    const bool right = isfinite(truth) && fabs(value - truth) <= distance;
    const char *mistake = right ? "" : slip(value, truth, unit_of(s, key));
    if (exact)
        sheet_mark(s, key, right, mistake, "%.10g%s%s", truth, colon(why), why);
    else
        sheet_mark(s, key, right, mistake, "%.4g, right within %g%%%s%s", truth, 100 * tolerance,
                   colon(why), why);
    sheet_truth(s, key, truth);
}

void sheet_near(struct sheet *s, const char *key, double truth, double distance, const char *why)
{
    double value;
    if (!sheet_number(s, key, &value))
        return;
    const bool right = isfinite(truth) && fabs(value - truth) <= distance + 1e-9 * fabs(truth);
    sheet_mark(s, key, right, right ? "" : slip(value, truth, unit_of(s, key)),
               "%.4g, right within %g%s%s", truth, distance, colon(why), why);
    sheet_truth(s, key, truth);
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
               factor <= full ? "" : slip(value, truth, ""),
               "%.3g%s%s; full marks within a factor of %g, half within %g", truth, colon(why), why,
               full, half);
    sheet_truth(s, key, truth);
}

void sheet_misread(struct sheet *s, const char *key, double value, const char *words)
{
    double answer;
    for (int i = 0; i < s->form.n; i++) {
        struct sheet_mark *k = &s->mark[i];
        if (!strcmp(s->form.question[i].key, key) && k->marked && k->credit < 1 &&
            sheet_number(s, key, &answer) && fabs(answer - value) <= MISREAD * fabs(value))
            text_fit(k->mistake, sizeof k->mistake, "%s", words);
    }
}

/* Whether the answer of question i is within a share `near` of what is right for question j, and
 * not right for its own. */
static bool given_for(const struct sheet *s, int i, int j, double near)
{
    const struct sheet_mark *own = &s->mark[i], *other = &s->mark[j];
    double value;
    return own->credit < 1 && own->number != 0 && other->number != 0 &&
           sheet_number(s, s->form.question[i].key, &value) && value != 0 &&
           fabs(value / other->number - 1) < near && fabs(own->number / other->number - 1) > SLIP;
}

void sheet_swapped(struct sheet *s)
{
    for (int i = 0; i < s->form.n; i++)
        for (int j = 0; j < s->form.n; j++) {
            struct sheet_mark *k = &s->mark[i];
            if (i == j || !given_for(s, i, j, SLIP))
                continue;
            if (given_for(s, j, i, SLIP))
                text_fit(k->mistake, sizeof k->mistake,
                         "this and %.60s are swapped: each has what is right for the other",
                         s->form.question[j].key);
            else if (s->mark[j].credit >= 1 && !*k->mistake && given_for(s, i, j, COPIED))
                text_fit(k->mistake, sizeof k->mistake, "this is what is right for %.60s",
                         s->form.question[j].key);
        }
}

/* Whether a number is what is right times, or over, one that the problem draws: counted for each
 * where it is asked of one, or the other way round. Where several are drawn alike, all are named.
 */
static bool say_drawn(const struct sheet *s, double ratio, char *text, size_t size)
{
    char keys[100] = "";
    double factor = 0;
    bool over = false;
    for (int d = 0; d < s->form.n_draws; d++) {
        char *end;
        const double drawn = strtod(s->drawn[d], &end);
        const bool times = fabs(ratio / drawn - 1) < SLIP / 6;
        if (end == s->drawn[d] || *end || drawn < 3 ||
            !(times || fabs(ratio * drawn - 1) < SLIP / 6) || (factor > 0 && over == times))
            continue;
        text_fit(keys, sizeof keys, "%s%s%s", keys, *keys ? " or " : "", s->form.draw[d].key);
        factor = drawn;
        over = !times;
    }
    return *keys && text_fit(text, size,
                             over ? "what is right over %s (%g): is it for all of them?"
                                  : "what is right times %s (%g): is it for one of them?",
                             keys, factor);
}

void sheet_sized(struct sheet *s)
{
    for (int i = 0; i < s->form.n; i++) {
        struct sheet_mark *k = &s->mark[i];
        double value;
        if (k->credit >= 1 || *k->mistake || k->number == 0 || !isfinite(k->number) ||
            !sheet_number(s, s->form.question[i].key, &value))
            continue;
        if (say_drawn(s, value / k->number, k->mistake, sizeof k->mistake))
            continue;
        const double ratio =
            fabs(value) > fabs(k->number) ? fabs(value / k->number) : fabs(k->number / value);
        text_fit(k->mistake, sizeof k->mistake, "%stoo %s%s", ratio < 1.1 ? "near, but " : "",
                 value > k->number ? "large" : "small",
                 ratio > 100  ? ", by a factor of over 100"
                 : ratio > 10 ? ", by a factor of over 10"
                              : "");
    }
}
