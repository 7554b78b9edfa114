/* A library's product that is multiplied by 0 and added to nothing, which nobody wants: a double
 * where a float belongs, or a quotient of integers. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "device/report/report.h"
#include "device/shadow/shadow.h"

/* The double whose first half is the float 0 at p; 0 where none that somebody would write is. */
static double as_double(const void *p)
{
    double number = 0;
    if ((uintptr_t)p % sizeof number == 0) /* the rest is on the same page */
        memcpy(&number, p, sizeof number);
    return fabs(number) >= 1e-6 && fabs(number) <= 1e6 ? number : 0;
}

static bool is_zero(const void *p)
{
    float factor = 0;
    if (p)
        memcpy(&factor, p, sizeof factor);
    return factor == 0;
}

void check_factor(const char *call, const void *alpha, const void *beta, const void *from)
{
    if (!is_zero(alpha) || !is_zero(beta) || check_report_seen("zero-factor", from, NULL))
        return;
    const double number = as_double(alpha);
    struct finding f = {.kind = "zero-factor", .at = {.place = check_place_of(from)}};
    check_append(f.text, sizeof f.text,
                 "factor 0: %s at %s:%d multiplies its product by *alpha = 0", call,
                 f.at.place.file, f.at.place.line);
    if (number != 0)
        check_append(f.text, sizeof f.text,
                     ": it is a float here, and what lies there is the double %g, whose first "
                     "half, as a float, is 0",
                     number);
    check_append(f.advice, sizeof f.advice,
                 number != 0 ? "const float alpha = 1, beta = 0"
                             : "a quotient of integers, as 1 / (pool * pool), is 0: 1.0f / ..");
    check_report_add(&f, from, NULL);
}
