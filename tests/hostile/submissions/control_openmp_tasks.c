/* family control: tasks that wait for a few others, in an order that leaves half of them free; sums
 * of tasks, tasks within final ones, and one that another thread ends
 * task turns
 * grade: pass; points >= 5 */
#include <omp.h>
#include <stdlib.h>

#include "conv1d/attack_turns.h"

RUN
{
    const int64_t n = (int64_t)p->n;
    int turn[2] = {0, 0}, inner = 0, late = 0;
    int64_t parts = 0;
    omp_event_handle_t over;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int64_t first = 0; first < n; first += PART)
#pragma omp task depend(inout : turn[first / PART % 2])
            part(p, x, w, y, first, first + PART);
#pragma omp taskloop reduction(+ : parts) grainsize(8)
        for (int64_t first = 0; first < n; first += PART) {
            part(p, x, w, y, first, first + PART);
            parts++;
        }
#pragma omp task final(1) shared(inner)
        {
#pragma omp task shared(inner)
#pragma omp atomic
            inner++;
        }
#pragma omp task detach(over) depend(out : late) shared(late)
        late = 1;
#pragma omp task firstprivate(over)
        omp_fulfill_event(over);
#pragma omp task depend(in : late) shared(late, inner)
#pragma omp atomic
        inner += late;
    }
    return parts != (n + PART - 1) / PART || inner != 2;
}
SUBMISSION
