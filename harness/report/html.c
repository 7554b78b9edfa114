/* Words as HTML, and the frame of the page. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "common/sha256.h"
#include "harness/report/html.h"

const char html_style[] =
    ":root{color-scheme:light dark;--back:#fff;--text:#1a1a1a;--dim:#595959;--line:#c4c8cf;"
    "--code:#f4f5f7;--mark:#fff1c2;--good:#0a6b2d;--bad:#b3261e;--wait:#7a4a00}"
    "@media (prefers-color-scheme:dark){:root{--back:#14161a;--text:#e6e6e6;--dim:#a9afb8;"
    "--line:#444b55;--code:#1e2228;--mark:#4a3b00;--good:#6fd58f;--bad:#ff8a80;--wait:#f2b84b}}"
    "*{box-sizing:border-box}"
    "body{background:var(--back);color:var(--text);font:16px/1.5 sans-serif;max-width:64em;"
    "margin:0 auto;padding:1em;overflow-wrap:anywhere}"
    "h1,h2,h3{line-height:1.2}small,.dim{color:var(--dim)}.score{font-size:1.6em}"
    /* a shadow lies on the side where a wide table, picture or text goes on */
    ".wide,pre{--under:var(--back);overflow-x:auto;max-width:100%;background:"
    "linear-gradient(90deg,var(--under) 50%,#0000) 0/2em 100%,"
    "linear-gradient(-90deg,var(--under) 50%,#0000) 100%/2em 100%,"
    "linear-gradient(90deg,#8888,#0000) 0 0/.6em calc(100% - 2px),"
    "linear-gradient(-90deg,#8888,#0000) 100% 0/.6em calc(100% - 2px) var(--under);"
    "background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}"
    "table{border-collapse:collapse}"
    "td,th{border:1px solid var(--line);padding:.2em "
    ".6em;text-align:left;vertical-align:top;overflow-wrap:normal}th,.one{white-space:nowrap}"
    "th button{font:inherit;font-weight:bold;color:inherit;background:none;border:0;padding:0;"
    "cursor:pointer}"
    "pre{--under:var(--code);padding:.6em;font-size:.85em;"
    "overflow-wrap:normal}pre.said{white-space:pre-wrap;overflow-wrap:anywhere}pre "
    "mark{background:var(--mark);color:var(--text)}"
    "body:has(.two){max-width:100em}.two{table-layout:fixed;width:100%;min-width:40em}.two "
    "th{white-space:normal}.two pre{white-space:pre-wrap;"
    "font-size:.72em}"
    "td.why{overflow-wrap:anywhere;color:var(--dim)}.good{color:var(--good)}.bad{color:var(--bad)}."
    "wait{color:var(--wait)}"
    /* on a phone a picture is scrolled, not shrunk until its words are dots */
    "figure{margin:1em 0}img{display:block;max-width:100%;height:auto}.wide>img{min-width:36em}"
    "svg{max-width:100%;height:auto}dl{display:grid;grid-template-columns:minmax(0,12em) "
    "minmax(0,1fr);"
    "gap:.2em 1em}dd{margin:0}td code{display:block;min-width:20em;white-space:pre-wrap;"
    "overflow-wrap:anywhere}"
    ".race{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);border:1px solid "
    "var(--line);margin:0 0 1em}.race>div{padding:.5em}"
    ".race>div+div{border-left:2px solid var(--line);padding-top:5em}.race p{margin:0}"
    "@media (max-width:40em){table{font-size:.9em}td,th{padding:.2em .35em}"
    "th{white-space:normal}th button{text-align:left}.race{grid-template-columns:minmax(0,1fr)}"
    ".race>div+div{border-left:0;border-top:2px solid var(--line);padding-top:.5em}}";

/* A click on a column's head sorts its table by it, and another one turns it round. */
static const char script[] =
    "document.querySelectorAll('th button').forEach(function(b){b.onclick=function(){"
    "var h=b.parentNode,t=h.closest('table').tBodies[0],i=h.cellIndex,"
    "d=h.getAttribute('aria-sort')=='ascending'?-1:1;"
    "function v(r){var x=r.cells[i].textContent,n=parseFloat(x);return isNaN(n)?x:n}"
    "Array.from(t.rows).sort(function(p,q){var a=v(p),c=v(q);"
    "if(typeof a!=typeof c){a=String(a);c=String(c)}"
    "return d*(a<c?-1:a>c?1:0)}).forEach(function(r){t.appendChild(r)});"
    "h.parentNode.querySelectorAll('th').forEach(function(o){o.removeAttribute('aria-sort')});"
    "h.setAttribute('aria-sort',d>0?'ascending':'descending')}})";

void html_words(struct text *t, const char *words)
{
    char *copy = hpc_strdup(words), *rest = copy;
    for (char *line = copy; line; line = rest) {
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = '\0';
        for (char *tab = line; (tab = strchr(tab, '\t')) != NULL;)
            *tab = ' ';
        hpc_harmless(line);
        for (const char *p = line; *p; p++)
            if (strchr("<>&\"'", *p))
                text_add(t, "&#%d;", *p);
            else
                text_add(t, "%c", *p);
        if (rest)
            text_add(t, "\n");
    }
    free(copy);
}

void html_cell(struct text *t, const char *words)
{
    text_add(t, "<td>");
    html_words(t, words);
    text_add(t, "</td>");
}

void html_heads(struct text *t, const char *const *names)
{
    text_add(t, "<div class=\"wide\"><table><thead><tr>");
    for (; *names; names++)
        text_add(t, "<th><button type=\"button\">%s</button></th>", *names);
    text_add(t, "</tr></thead><tbody>\n");
}

void html_base64(struct text *t, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        const unsigned b = i + 1 < n ? bytes[i + 1] : 0, c = i + 2 < n ? bytes[i + 2] : 0;
        const unsigned all = (unsigned)bytes[i] << 16 | b << 8 | c;
        text_add(t, "%c%c%c%c", digits[all >> 18], digits[all >> 12 & 63],
                 i + 1 < n ? digits[all >> 6 & 63] : '=', i + 2 < n ? digits[all & 63] : '=');
    }
}

/* "sha256-..": of the one script that may run. */
static void script_hash(struct text *t)
{
    char hex[65];
    unsigned char bytes[32];
    struct sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, script, sizeof script - 1);
    sha256_end(&hash, hex);
    for (int i = 0; i < 32; i++) {
        const char two[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (unsigned char)strtoul(two, NULL, 16);
    }
    text_add(t, "sha256-");
    html_base64(t, bytes, sizeof bytes);
}

void html_begin(struct text *t, const char *title)
{
    text_add(t, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "img-src data:; style-src 'unsafe-inline'; script-src '");
    script_hash(t);
    text_add(t, "'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<title>");
    html_words(t, title);
    text_add(t, "</title>\n<style>%s</style></head><body><main>\n<h1>", html_style);
    html_words(t, title);
    text_add(t, "</h1>\n");
}

void html_end(struct text *t)
{
    text_add(t, "</main>\n<script>%s</script>\n</body></html>\n", script);
}
