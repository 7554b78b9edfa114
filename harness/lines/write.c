/* The lines as a table and as bars. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "harness/lines/internal.h"
#include "harness/report/html.h"

bool lines_write_text(const char *folder, const char *name, const char *ending,
                      const struct text *t, struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s.%s", folder, name, ending);
    FILE *f = fopen(path, "we");
    bool good = f && fputs(text_string(t), f) >= 0;
    if (f && fclose(f) != 0)
        good = false;
    if (!good)
        hpc_fail_env(err, "cannot write %s", path);
    free(path);
    return good;
}

static int samples_of(const struct line *l)
{
    return l->ran + l->called + l->waited;
}

/* The share, a bar of it from white to red, the line's words. The ground and the black of the words
 * are what a page turns where it is dark. */
static void draw(const struct lines *l, const char *name, struct text *t)
{
    const int n = l->n < LINES_SHOWN ? l->n : LINES_SHOWN, height = 24 * n + 40;
    text_add(t,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"%d\" "
             "viewBox=\"0 0 800 %d\" font-family=\"monospace\" font-size=\"13\" fill=\"black\">"
             "<rect width=\"800\" height=\"%d\" fill=\"#ffffff\"/>"
             "<text x=\"8\" y=\"20\" font-family=\"sans-serif\">%s: share of the samples, line by "
             "line</text>\n",
             height, height, height, name);
    for (int i = 0; i < n; i++) {
        const struct line *line = &l->line[i];
        const double share = (double)samples_of(line) / l->samples;
        const int y = 32 + 24 * i, pale = (int)(255 * (1 - share));
        char words[80];
        text_fit(words, sizeof words, "%s", line->text);
        text_add(t,
                 "<rect x=\"50\" y=\"%d\" width=\"%.1f\" height=\"20\" fill=\"rgb(255,%d,%d)\" "
                 "stroke=\"#999\"/><text x=\"44\" y=\"%d\" text-anchor=\"end\">%.0f%%</text>"
                 "<text x=\"130\" y=\"%d\" xml:space=\"preserve\">%4d  ",
                 y, 1 + 78 * share, pale, pale, y + 15, 100 * share, y + 15, line->number);
        html_words(t, words);
        text_add(t, "</text>\n");
    }
    text_add(t, "</svg>\n");
}

bool lines_write(const struct lines *l, const char *folder, const char *name, struct hpc_error *err)
{
    struct text table = {0}, picture = {0}, alt = {0};
    text_add(&table, "line,samples,ran,called,waited,of\n");
    for (int i = 0; i < l->n; i++) {
        const struct line *line = &l->line[i];
        text_add(&table, "%d,%d,%d,%d,%d,%d\n", line->number, samples_of(line), line->ran,
                 line->called, line->waited, l->samples);
    }
    draw(l, name, &picture);
    text_add(&alt, "%s: of %d samples", name, l->samples);
    for (int i = 0; i < l->n && i < 3; i++)
        text_add(&alt, "%s %d%% at line %d", i ? "," : "",
                 100 * samples_of(&l->line[i]) / l->samples, l->line[i].number);
    text_add(&alt, "\n");
    const bool good = lines_write_text(folder, name, "csv", &table, err) &&
                      lines_write_text(folder, name, "svg", &picture, err) &&
                      lines_write_text(folder, name, "txt", &alt, err);
    text_free(&table);
    text_free(&picture);
    text_free(&alt);
    return good;
}
