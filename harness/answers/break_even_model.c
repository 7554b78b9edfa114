#include "harness/answers/break_even_model.h"

#include <math.h>

#define EVEN 1.1 /* a ratio between 1 / EVEN and EVEN is neither won nor lost */

double break_even_convert(double ratio, double from, double to)
{
    double waiting = 1 / ratio - 0.5;
    return waiting > 0 ? 1 / (0.5 + waiting * to / from) : ratio;
}

static bool stands(const struct break_even_ratio *ratio, int n, int answer)
{
    for (int i = 0; i < answer; i++)
        if (ratio[i].low > EVEN)
            return false; /* wins there already */
    return answer == n || ratio[answer].high > 1 / EVEN;
}

double break_even_credit(const struct break_even_ratio *ratio, int n, int answer)
{
    if (answer < 0 || answer > n)
        return 0;
    if (stands(ratio, n, answer))
        return 1;
    return (answer > 0 && stands(ratio, n, answer - 1)) ||
                   (answer < n && stands(ratio, n, answer + 1))
               ? 0.5
               : 0;
}

bool break_even_flat(const struct break_even_ratio *ratio, int n)
{
    for (int i = 0; i < n; i++)
        if (ratio[i].mid > EVEN || ratio[i].mid < 1 / EVEN)
            return false;
    return true;
}

double break_even_factor(const struct break_even_ratio *ratio, double answer)
{
    return fmax(1, fmax(ratio->low / answer, answer / ratio->high));
}
