/* The dearest requests as a picture: lanes from left to right, sectors or passes from above. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/lines/internal.h"
#include "harness/report/html.h"

enum { MAPS = 3, LEFT = 72, CELL = 10, ROW = 9, WIDE = 500, HEAD = 62, ROWS = 40, BYTE = 2 };

/* A row: a cell for each lane it serves; on the right which share of the sector was asked for. */
static void draw_row(const struct view_line *l, const struct view_row *r, int y, struct text *t)
{
    const unsigned size = strcmp(view_unit(l), "sector") == 0 ? 32 : 4;
    const char *fill = view_shared(l) ? "#b3541e" : "#1f5fa8";
    text_add(t, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#e9ebee\"/>", LEFT, y,
             VIEW_LANES * CELL, ROW - 1);
    for (int i = 0; i < VIEW_LANES; i++)
        if (r->lanes >> i & 1)
            text_add(t, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>",
                     LEFT + CELL * i, y, CELL - 1, ROW - 1, fill);
    if (!view_shared(l))
        text_add(t,
                 "<rect x=\"%d\" y=\"%d\" width=\"%u\" height=\"%d\" fill=\"#fff\" "
                 "stroke=\"#777\"/><rect x=\"%d\" y=\"%d\" width=\"%u\" height=\"%d\" "
                 "fill=\"%s\"/>",
                 LEFT + VIEW_LANES * CELL + 16, y, BYTE * 32, ROW - 1,
                 LEFT + VIEW_LANES * CELL + 16, y, BYTE * 32 * r->used / size, ROW - 1, fill);
    text_add(t, "\n");
}

/* One request at y; where the next one goes. */
static int draw_map(const struct view_line *l, int y, struct text *t)
{
    struct view_row rows[VIEW_ROWS];
    char words[200], title[240];
    const int n = view_rows(l, rows), shown = n < ROWS ? n : ROWS;
    view_sentence(l, words, sizeof words);
    text_fit(title, sizeof title, "line %d, %s, %.60s", l->line, l->access, l->kernel);
    text_add(t, "<text x=\"8\" y=\"%d\" font-weight=\"bold\">", y + 16);
    html_words(t, title);
    text_add(t, "</text><text x=\"8\" y=\"%d\">", y + 34);
    html_words(t, words);
    text_add(t, "</text>\n");
    for (int i = 0; i < VIEW_LANES; i += 8)
        text_add(t, "<text x=\"%d\" y=\"%d\" font-size=\"11\">lane %d</text>", LEFT + CELL * i,
                 y + 54, i);
    if (!view_shared(l))
        text_add(t, "<text x=\"%d\" y=\"%d\" font-size=\"11\">bytes used</text>",
                 LEFT + VIEW_LANES * CELL + 16, y + 54);
    for (int i = 0; i < shown; i++) {
        const int at = y + HEAD + ROW * i;
        draw_row(l, &rows[i], at, t);
        if (i % 4 == 0 && view_shared(l))
            text_add(t, "<text x=\"8\" y=\"%d\" font-size=\"11\">pass %d</text>\n", at + ROW,
                     i + 1);
        else if (i % 4 == 0)
            text_add(t, "<text x=\"8\" y=\"%d\" font-size=\"11\">byte %llu</text>\n", at + ROW,
                     (unsigned long long)rows[i].at);
    }
    y += HEAD + ROW * shown + 8;
    if (shown < n) {
        text_add(t, "<text x=\"%d\" y=\"%d\" font-size=\"11\">and %d more</text>\n", LEFT, y + 6,
                 n - shown);
        y += 14;
    }
    return y + 10;
}

bool lines_draw_lanes(const struct view *v, const char *folder, const char *name,
                      struct hpc_error *err)
{
    int number[MAPS], y = 4;
    const int n = view_wasteful(v, number, MAPS);
    char *own = hpc_printf("%s-lanes", name), *svg = hpc_printf("%s/%s.svg", folder, own);
    struct text body = {0}, picture = {0}, alt = {0};
    text_add(&alt, "%s, the dearest requests of a warp, lane by lane", name);
    for (int i = 0; i < n; i++) {
        char words[200];
        y = draw_map(&v->line[number[i]], y, &body);
        view_sentence(&v->line[number[i]], words, sizeof words);
        text_add(&alt, "%s line %d: %s", i ? ";" : ":", v->line[number[i]].line, words);
    }
    text_add(&alt, "\n");
    text_add(&picture,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
             "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"black\">"
             "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n%s</svg>\n",
             WIDE, y, WIDE, y, WIDE, y, text_string(&body));
    bool good = true;
    if (n > 0)
        good = lines_write_text(folder, own, "svg", &picture, err) &&
               lines_write_text(folder, own, "txt", &alt, err);
    else
        unlink(svg);
    text_free(&body);
    text_free(&picture);
    text_free(&alt);
    free(svg);
    free(own);
    return good;
}
