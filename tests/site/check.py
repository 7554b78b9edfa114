#!/usr/bin/env python3
"""What `make handouts` made, read as a browser would: tests/site/check.py FOLDER [PALETTE [FIGURE ..]]

Each fault is a line, PAGE: what it is and what was expected; the exit status is 1 then.
links     every link within the site leads to a page, and to a place on it that there is
search    every entry of search.js does so too
text      one h1 a page, a title, no marker of ours left over, words for every picture
tables    the longest words of a table's columns side by side fit a page of A4
contrast  each colour of text in the palette has 4.5 : 1 on its backgrounds, light and dark; in a figure,
          each word on what lies under it; a figure has no other colours, and no word outside of it"""
import glob
import html.parser
import json
import os
import re
import sys
import urllib.parse
import xml.etree.ElementTree

A4_TEXT = 658  # pixels between the margins of the style
CHARACTER = 0.5  # of the size of its font is a character wide, on average
faults = 0


def fault(where, text):
    global faults
    faults += 1
    print(f"{where}: {text}")


class Page(html.parser.HTMLParser):
    """Ids, links, pictures, headings and tables of a page."""

    def __init__(self, path):
        super().__init__()
        self.name = os.path.basename(path)
        self.ids, self.links, self.tables, self.h1, self.title = [], [], [], 0, ""
        self.cell = self.in_title = self.untitled = None
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if "id" in a:
            self.ids.append(a["id"])
        if tag == "a" and "href" in a:
            self.links.append(a["href"])
            self.untitled = a["href"] if "title" not in a else None
        if tag == "img" and len(a.get("alt", "")) < 10 or tag == "svg" and len(a.get("aria-label", "")) < 80:
            fault(self.name, f"a picture ({a.get('src', tag)}) without words for who does not see it")
        self.h1 += tag == "h1"
        self.in_title = tag == "title"
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables:
            self.tables[-1][-1].append([])
            self.cell = self.tables[-1][-1][-1]

    def handle_endtag(self, tag):
        self.in_title = False
        if tag == "a":
            self.untitled = None
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        if self.in_title:
            self.title += data
        if self.untitled and data.endswith(".md"):
            fault(self.name, f"a link to {self.untitled} that does not say the page's title")
        if self.cell is not None:
            self.cell.extend(re.split(r"[\s/|-]+", data))

    def handle_comment(self, data):
        fault(self.name, f"a comment was left: <!--{data[:40]}")

    def widest(self, table):
        """Pixels of a table as narrow as it gets, at the size of paper (10.5 points, 0.92 of it)."""
        columns = max((len(row) for row in table), default=0)
        words = [max((len(w) for row in table if len(row) > c for w in row[c]), default=0)
                 for c in range(columns)]
        return sum(w * 0.56 * 12.9 + 10 for w in words)


def check_pages(folder):
    pages = {os.path.basename(p): Page(p) for p in sorted(glob.glob(f"{folder}/*.html"))}
    if "index.html" not in pages:
        fault(folder, "no index.html")
    for name, page in pages.items():
        if page.h1 != 1:
            fault(name, f"{page.h1} headings of the first rank, expected 1")
        if len(page.title) < 4:
            fault(name, f'its title is "{page.title}"')
        for twice in sorted({i for i in page.ids if page.ids.count(i) > 1}):
            fault(name, f'two places are called "{twice}"')
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme:
                continue
            target = parts.path or name
            if target.endswith(".html") and target not in pages or not os.path.exists(f"{folder}/{target}"):
                if not target.endswith(".pdf") or os.path.exists(f"{folder}/index.pdf"):
                    fault(name, f"a link to {target}, which is not there")
            elif parts.fragment and parts.fragment not in pages[target].ids:
                fault(name, f"a link to {link}, where no such place is")
        for table in page.tables:
            if page.widest(table) > A4_TEXT:
                fault(name, f"a table ({' '.join(table[0][0])} ..) needs some {page.widest(table):.0f} "
                            f"pixels, expected at most {A4_TEXT}")
    return pages


def check_search(folder, pages):
    with open(f"{folder}/search.js", encoding="utf-8") as f:
        text = f.read()
    sections = json.loads(text[text.index("["):].rstrip().rstrip(";").replace(",\n]", "\n]"))
    found = {s[0] for s in sections}
    for name in pages:
        if name != "index.html" and name[:-5] not in found:
            fault("search.js", f"nothing of {name}")
    for page, place, *_ in sections:
        if page + ".html" not in pages or place and place not in pages[page + ".html"].ids:
            fault("search.js", f"leads to {page}.html#{place}, which is not there")


def contrast(a, b):
    def light(colour):
        parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    x, y = sorted((light(a), light(b)))
    return (y + 0.05) / (x + 0.05)


def read_palette(path):
    palette, pairs = {}, []
    with open(path, encoding="utf-8") as f:
        for line in f:
            words = line.split() if line.strip() and line[0] != "#" else []
            if words:
                palette[words[0]] = words[1:3]
                pairs += [(words[0], on) for on in words[3:]]
    for text, on in pairs:
        for scheme in (0, 1):
            ratio = contrast(palette[text][scheme], palette[on][scheme])
            if ratio < 4.5:
                fault(path, f"{text} on {on}, {('light', 'dark')[scheme]}: {ratio:.2f} : 1, expected 4.5")
    return palette


def check_figure(path, palette):
    """Words over the last rectangle that holds their middle."""
    by_light = {pair[0]: pair for pair in palette.values()}
    root = xml.etree.ElementTree.parse(path).getroot()
    width, height = (float(v) for v in root.get("viewBox").split()[2:])
    desc = root.find("{*}desc")
    if desc is None or len(desc.text) < 80:
        fault(path, "no <desc> that says what it shows")
    shapes = []
    for e in root:
        for key in ("fill", "stroke"):
            if e.get(key, "none") not in ("none", *by_light):
                fault(path, f"{key} {e.get(key)} is no light colour of the palette")
        tag = e.tag.rsplit("}")[-1]
        if tag == "rect" and e.get("fill") in by_light:
            shapes.append((float(e.get("x", 0)), float(e.get("y", 0)), float(e.get("width")),
                           float(e.get("height")), e.get("fill")))
        if tag != "text":
            continue
        size, words = float(e.get("font-size", root.get("font-size", 13))), "".join(e.itertext())
        x, y = float(e.get("x")), float(e.get("y")) - 0.35 * size
        long = len(words) * CHARACTER * size
        left = x - {"start": 0, "middle": long / 2, "end": long}[e.get("text-anchor", "start")]
        if left < 0 or left + long > width or y > height:
            fault(path, f'"{words}" reaches from {left:.0f} to {left + long:.0f}, expected 0 to {width:.0f}')
        if size < 11:
            fault(path, f'"{words}" is of size {size:g}, expected at least 11')
        middle = left + long / 2
        under = [s[4] for s in shapes if s[0] <= middle <= s[0] + s[2] and s[1] <= y <= s[1] + s[3]]
        for scheme in (0, 1):
            ratio = contrast(by_light[e.get("fill")][scheme], by_light[(under or ["#ffffff"])[-1]][scheme])
            if ratio < 4.5:
                fault(path, f'"{words}", {("light", "dark")[scheme]}: {ratio:.2f} : 1, expected 4.5')


def main():
    if len(sys.argv) < 2:
        sys.exit("tests/site/check.py: expected FOLDER [PALETTE [FIGURE ..]]")
    check_search(sys.argv[1], check_pages(sys.argv[1]))
    if len(sys.argv) > 2:
        palette = read_palette(sys.argv[2])
        for figure in sys.argv[3:]:
            check_figure(figure, palette)
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
