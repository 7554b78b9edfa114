"""Looks at an HTML page that hpclab wrote. page.py form FILE: well-formed, nothing from elsewhere, alt texts,
one script; page.py plain FILE: the same without a script.
page.py look FILE CHROMIUM: in headless Chromium: no console error, no overflow at 420 and 1280 px, contrast, in
light and dark, in pictures too, and a click that sorts. Prints what is wrong and ends 1, or nothing and ends 0."""

import base64
import html
import json
import os
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser

VOID = {"meta", "img", "br", "link", "hr", "input", "path", "circle"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.faults, self.headings, self.scripts = [], [], 0, 0

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        for key, value in attributes:
            if key in ("src", "href", "action", "poster", "data", "srcset") and not value.startswith("data:"):
                self.faults.append(f"{tag} {key}={value}: from elsewhere")
            if key.startswith("on"):
                self.faults.append(f"{tag} {key}: a handler in the page")
        if tag == "img" and not a.get("alt", "").strip():
            self.faults.append("an img without alt")
        if tag == "svg" and not a.get("aria-label", "").strip():
            self.faults.append("an svg without a label")
        self.headings += tag == "h1"
        self.scripts += tag == "script"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()


def form(text, scripts):
    page = Page()
    page.feed(text)
    page.close()
    faults = page.faults + [f"<{tag}> is not closed" for tag in page.open]
    if page.headings != 1 or page.scripts != scripts:
        faults.append(f"{page.headings} h1 and {page.scripts} scripts, expected 1 and {scripts}")
    if scripts and "<th><button " not in text:
        faults.append("no column to sort by")
    if re.search(r"url\(|@import|http-equiv=.refresh", text):
        faults.append("url(, @import or refresh")
    return faults


# In the page: the contrast of each text with what is behind it, by WCAG 2's formula; 4.5 is asked for.
LOOK = """
function rgb(c) { return c.match(/[0-9.]+/g).map(Number); }
function luminance(c) { return c.slice(0, 3).map(function (v) { v /= 255;
    return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); })
    .reduce(function (s, v, i) { return s + v * [0.2126, 0.7152, 0.0722][i]; }, 0); }
function behind(e, w) { for (; e; e = e.parentElement) { var c = rgb(w.getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] == 1) return c; } return [255, 255, 255]; }
// On a dark page a picture may be neither a white sheet nor drawn in black, but for words in a light box.
function picture(img, out) {
    var canvas = document.createElement('canvas'), of = canvas.getContext('2d'), white = 0, black = 0;
    var w = canvas.width = Math.min(img.naturalWidth, 1600), h = canvas.height = Math.min(img.naturalHeight, 1600);
    if (!w || !h) return;
    of.drawImage(img, 0, 0);
    for (var p = of.getImageData(0, 0, w, h).data, i = 0; i < p.length; i += 4) {
        white += p[i + 3] > 250 && Math.min(p[i], p[i + 1], p[i + 2]) > 250;
        black += p[i + 3] > 200 && Math.max(p[i], p[i + 1], p[i + 2]) < 50 && (p[i + 23] < 50 || p[i - 17] < 50);
    }
    if (white > p.length / 16) out.push('a picture on white: ' + img.alt.slice(0, 40));
    if (black > p.length / 1600) out.push('a picture in black: ' + img.alt.slice(0, 40));
}
function look(frame) {
    var d = frame.contentDocument, w = frame.contentWindow, out = [], n = 0;
    if (luminance(rgb(w.getComputedStyle(d.body).backgroundColor)) < 0.1)
        d.querySelectorAll('img').forEach(function (img) { picture(img, out); });
    if (d.documentElement.scrollWidth > w.innerWidth)
        out.push('overflow: ' + d.documentElement.scrollWidth + ' of ' + w.innerWidth + ' px');
    d.querySelectorAll('pre, .wide').forEach(function (e) {
        if (e.scrollWidth > e.clientWidth && !w.getComputedStyle(e).backgroundAttachment.includes('local'))
            out.push('no shadow where it goes on: ' + e.textContent.slice(0, 40));
    });
    if (w.innerWidth > 1000) d.querySelectorAll('table:not(.two) th').forEach(function (e) {
        var words = d.createRange();
        words.selectNodeContents(e.querySelector('button') || e);
        if (words.getClientRects().length > 1) out.push('a head of more lines than one: ' + e.textContent);
    });
    d.querySelectorAll('body *').forEach(function (e) {
        var own = Array.from(e.childNodes).some(function (c) { return c.nodeType == 3 && c.data.trim(); });
        if (!own || e.tagName == 'SCRIPT') return;
        var a = luminance(rgb(w.getComputedStyle(e).color)), b = luminance(behind(e, w));
        var ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        n++;
        if (ratio < 4.5) out.push('contrast ' + ratio.toFixed(2) + ': ' + e.tagName + ' ' + e.textContent.slice(0, 40));
    });
    if (n < 10) out.push('only ' + n + ' texts');
    var button = d.querySelector('th button');
    if (!button) return out;
    button.click();
    if (button.parentNode.getAttribute('aria-sort') != 'ascending') out.push('a click does not sort');
    var rows = Array.from(button.closest('table').tBodies[0].rows).map(function (r) { return r.cells[0].textContent; });
    if (JSON.stringify(rows) != JSON.stringify(rows.slice().sort())) out.push('not sorted: ' + rows);
    return out;
}
"""


def chromium(program, folder, url):
    done = subprocess.run(
        [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         f"--user-data-dir={folder}/profile", "--enable-logging=stderr", "--virtual-time-budget=5000",
         "--dump-dom", url], capture_output=True, text=True, timeout=300, check=False)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def in_the_dark(text):
    """The page, and the pictures in it, as who asks for dark colours sees them."""
    asked = "@media (prefers-color-scheme:dark)"

    def drawn(found):
        picture = base64.b64decode(found[1]).replace(asked.encode(), b"@media all")
        return found[0].replace(found[1], base64.b64encode(picture).decode())
    return re.sub(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]*)", drawn, text.replace(asked, "@media all"))


def look(text, program):
    faults = []
    dark = in_the_dark(text)
    if dark == text:
        faults.append("no dark colours")
    with tempfile.TemporaryDirectory() as folder:
        frames = "".join(f"<iframe style='width:{width}px;height:900px;border:0' srcdoc=\"{html.escape(page)}\"></iframe>"
                         for page in (text, dark) for width in (420, 1280))
        wrapper = (f"<meta charset=utf-8><body>{frames}<script>{LOOK}\nonload = function () {{ var r = "
                   "Array.from(document.querySelectorAll('iframe')).map(look); document.body.innerHTML = '<pre id=r></pre>';"
                   "document.getElementById('r').textContent = JSON.stringify(r); }</script>")
        path = os.path.join(folder, "wrapper.html")
        with open(path, "w", encoding="utf-8") as f:
            f.write(wrapper)
        out, console = chromium(program, folder, "file://" + path)
        faults += console
        found = re.search(r'<pre id="r">(.*?)</pre>', out, re.S)
        if not found:
            return faults + ["the page was not looked at: " + out[-300:]]
        for name, result in zip(("light 420", "light 1280", "dark 420", "dark 1280"), json.loads(html.unescape(found[1]))):
            faults += [f"{name}: {fault}" for fault in result]
    return faults


def main():
    with open(sys.argv[2], encoding="utf-8") as f:
        text = f.read()
    faults = form(text, int(sys.argv[1] == "form")) if sys.argv[1] != "look" else look(text, sys.argv[3])
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


main()
