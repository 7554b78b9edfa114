/* The gradings so far: a picture and a table of them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/record/kept.h"
#include "harness/report/internal.h"

#define SHOWN 40 /* gradings */

static void add_day(struct text *t, int x, const char *anchor, const char *when)
{
    char *day = hpc_printf("%.10s", when);
    text_add(t, "<text x=\"%d\" y=\"133\" text-anchor=\"%s\">", x, anchor);
    html_words(t, day);
    text_add(t, "</text>");
    free(day);
}

/* Scores from left to right, as wide as a phone. */
static void draw_scores(struct text *t, const struct history_entry *e, int n)
{
    text_add(t,
             "<svg viewBox=\"0 0 380 140\" width=\"380\" height=\"140\" role=\"img\" "
             "font-size=\"12\" fill=\"currentColor\" "
             "aria-label=\"Scores of the last %d gradings, from %.1f to %.1f\">"
             "<path d=\"M45 15H370M45 65H370\" stroke=\"currentColor\" opacity=\".3\"/>"
             "<path d=\"M45 10V115H370\" fill=\"none\" stroke=\"currentColor\"/>",
             n, e[0].score - e[0].bonus, e[n - 1].score - e[n - 1].bonus);
    for (int share = 0; share <= 100; share += 50)
        text_add(t, "<text x=\"39\" y=\"%d\" text-anchor=\"end\">%d%%</text>", 119 - share, share);
    for (int i = 0; i < n; i++) {
        const double had = e[i].score - e[i].bonus;
        const double share = e[i].max_score > 0 ? had / e[i].max_score : 0;
        text_add(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>",
                 n > 1 ? 55 + 305.0 * i / (n - 1) : 55.0, 115 - 100 * share);
    }
    add_day(t, 45, "start", e[0].when);
    if (n > 1)
        add_day(t, 370, "end", e[n - 1].when);
    text_add(t, "</svg>\n");
}

/* "2026-11-29T02:13:00Z" as one says it. */
static void add_minute(struct text *t, const char *when)
{
    char *minute = hpc_printf("%.10s %.5s", when, strlen(when) > 11 ? when + 11 : "");
    text_add(t, "<td class=\"one\">");
    html_words(t, minute);
    text_add(t, "</td>");
    free(minute);
}

void report_history(struct report *r)
{
    static const char *const names[] = {"when (UTC)", "score", "of",     "bonus",
                                        "pending",    "kind",  "commit", NULL};
    struct text *t = &r->page;
    struct hpc_error err;
    struct history_entry *e = hpc_calloc(SHOWN, sizeof *e);
    const int n = history_read(r->folder, e, SHOWN, &err);
    text_add(t, "<h2>History</h2>\n");
    if (n <= 0)
        text_add(t, "<p>No grading of yours is kept yet.</p>\n");
    if (n > 0) {
        draw_scores(t, e, n);
        html_heads(t, names);
    }
    for (int i = n - 1; i >= 0; i--) {
        text_add(t, "<tr>");
        add_minute(t, e[i].when);
        text_add(t, "<td>%.1f</td><td>%g</td><td>%g</td><td>%g</td>",
                 record_shown(e[i].score - e[i].bonus, e[i].max_score), e[i].max_score, e[i].bonus,
                 e[i].pending);
        html_cell(t, e[i].kind);
        html_cell(t, e[i].commit);
        text_add(t, "</tr>\n");
    }
    if (n > 0)
        text_add(t, "</tbody></table></div>\n");
    free(e);
}
