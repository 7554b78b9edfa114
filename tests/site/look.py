#!/usr/bin/env python3
"""The site in headless Chromium: tests/site/look.py FOLDER

Each page is opened at the widths of a phone, of paper and of a screen. A fault is a line, the exit status
1 then: a page wider than its window; a table wider than its box on paper or on a screen; a block of code or
a table that goes on without a shadow at its edge; an error of a script; the switch of light and dark, or the
search, that does not do what it is there for. Exit 77 where there is no Chromium."""
import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

WIDTHS = (420, 711, 1280)
# In a page: waits for every frame, then looks at what came of each.
SCRIPT = """
const faults = [];
function look(frame, name, width) {
    const page = frame.contentDocument, root = page.documentElement;
    if (root.scrollWidth > width)
        faults.push(name + ': ' + root.scrollWidth + ' pixels wide at ' + width);
    for (const box of page.querySelectorAll('pre, .table'))
        if (box.scrollWidth > box.clientWidth && !page.defaultView.getComputedStyle(box).backgroundAttachment.includes('local'))
            faults.push(name + ': no shadow where it goes on at ' + width + ': ' + box.textContent.trim().slice(0, 40).replace(/\\s+/g, ' '));
    if (width >= 658)
        for (const box of page.querySelectorAll('.table'))
            if (box.scrollWidth > box.clientWidth)
                faults.push(name + ': a table of ' + box.scrollWidth + ' pixels in ' + box.clientWidth + ' at ' + width +
                    ': ' + box.textContent.trim().slice(0, 40).replace(/\\s+/g, ' '));
}
function colour(page) { return page.defaultView.getComputedStyle(page.body).backgroundColor; }
function tried(page) {
    const before = colour(page), button = page.getElementById('theme');
    button.click();
    const after = colour(page);
    button.click();
    if (before === after || colour(page) !== before) faults.push('the switch: ' + before + ', ' + after + ', ' + colour(page));
    const box = page.getElementById('search');
    box.value = 'barrier';
    box.dispatchEvent(new Event('input'));
}
function searched(page) {
    const links = [...page.querySelectorAll('#found a')].map(a => a.getAttribute('href'));
    if (!links.length || page.getElementById('found').hidden) faults.push('the search for "barrier" found nothing');
    for (const small of page.querySelectorAll('#found small')) {
        const words = small.textContent.replace(/^… | …$/g, '');
        const text = page.defaultView.searchSections.map(s => s[4]).find(t => t.includes(words));
        if (words && (!text || /\\w/.test(text[text.indexOf(words) + words.length] || '')))
            faults.push('the search cuts a word: ' + words.slice(-30));
    }
    if (PAGES.includes('basics.html') && links[0] !== 'basics.html#word-barrier')
        faults.push('the search for "barrier" begins with ' + links[0]);
}
let left = PAGES.length * WIDTHS.length, first;
for (const name of PAGES)
    for (const width of WIDTHS) {
        const frame = document.createElement('iframe');
        frame.style = 'width:' + width + 'px;height:800px;border:0';
        frame.onload = () => {
            frame.contentWindow.onerror = text => { faults.push(name + ': ' + text); };
            look(frame, name, width);
            if (name === 'index.html' && width === 1280) { first = frame.contentDocument; tried(first); }
            if (--left === 0) setTimeout(() => {
                searched(first);
                document.body.innerHTML = '';
                document.title = JSON.stringify(faults);
            }, 500);
        };
        frame.src = BASE + name;
        document.body.append(frame);
    }
"""


def main():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        print("no chromium here")
        sys.exit(77)
    folder = os.path.abspath(sys.argv[1])
    pages = sorted(os.path.basename(p) for p in glob.glob(f"{folder}/*.html"))
    with tempfile.TemporaryDirectory() as scratch:
        values = f"const PAGES = {json.dumps(pages)}, WIDTHS = {json.dumps(WIDTHS)}, BASE = 'file://{folder}/';"
        with open(f"{scratch}/all.html", "w", encoding="utf-8") as f:
            f.write(f"<!DOCTYPE html><title>busy</title><body><script>{values}{SCRIPT}</script>")
        done = subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
             f"--user-data-dir={scratch}/user", "--virtual-time-budget=120000", "--dump-dom",
             f"file://{scratch}/all.html"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=False)
    title = re.search(r"<title>(.*?)</title>", done.stdout.decode("utf-8", "replace"), re.S)
    if not title or not title[1].startswith("["):
        print(f"chromium ended with {done.returncode} before it had seen all pages")
        sys.exit(1)
    faults = json.loads(html.unescape(title[1]))
    print("\n".join(faults) or f"{len(pages)} pages at {len(WIDTHS)} widths")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
