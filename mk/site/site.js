/* The switch of light and dark, and the search. No network: search.js lies beside the pages. */
'use strict';
(function () {
    const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)');
    document.getElementById('theme').addEventListener('click', () => {
        const now = root.dataset.theme || (dark.matches ? 'dark' : 'light');
        root.dataset.theme = now === 'dark' ? 'light' : 'dark';
        try { localStorage.theme = root.dataset.theme; } catch (e) { /* files may have no storage */ }
    });

    const list = document.querySelector('.toc details');
    if (list && matchMedia('(min-width: 76rem)').matches) list.open = true;

    const box = document.getElementById('search'), found = document.getElementById('found');
    let sections; // [page, anchor, page's title, heading, text]; loaded when somebody searches

    function load(then) {
        if (sections) return then();
        const script = document.createElement('script');
        script.src = 'search.js';
        script.onload = () => { sections = window.searchSections; then(); };
        document.head.append(script);
    }

    /* Every word must stand in a section; one in a heading counts more. */
    function score(section, words) {
        const heading = (section[3] || section[2]).toLowerCase(), title = section[2].toLowerCase();
        const text = section[4].toLowerCase();
        let sum = 0;
        for (const word of words) {
            const times = text.split(word).length - 1;
            if (!times && !heading.includes(word) && !title.includes(word)) return 0;
            sum += Math.min(times, 5) + (heading.includes(word) ? 8 : 0) + (heading.endsWith(': ' + word) ? 20 : 0);
        }
        return sum;
    }

    function around(text, words) {
        const at = Math.max(0, Math.min(...words.map(w => text.toLowerCase().indexOf(w)).filter(i => i >= 0), text.length));
        const from = at > 60 ? text.indexOf(' ', at - 60) + 1 : 0;
        const to = from + 160 < text.length ? text.lastIndexOf(' ', from + 160) : text.length;
        return (from ? '… ' : '') + text.slice(from, to > from ? to : from + 160) + (to < text.length ? ' …' : '');
    }

    function show(words) {
        const best = sections.map(s => [score(s, words), s]).filter(p => p[0] > 0).sort((a, b) => b[0] - a[0]);
        found.replaceChildren();
        for (const [, s] of best.slice(0, 20)) {
            const a = document.createElement('a'), b = document.createElement('b'), small = document.createElement('small');
            a.href = s[0] + '.html' + (s[1] ? '#' + s[1] : '');
            b.textContent = s[3] || s[2];
            small.textContent = around(s[4], words);
            a.append(b, s[3] ? ' · ' + s[2] : '', small);
            found.append(a);
        }
        if (!best.length) {
            const p = document.createElement('p');
            p.textContent = 'Nothing found for “' + words.join(' ') + '”.';
            found.append(p);
        }
        found.hidden = false;
    }

    function search() {
        const words = box.value.toLowerCase().split(/\s+/).filter(w => w);
        if (!words.length) { found.hidden = true; return; }
        load(() => show(words));
    }
    box.addEventListener('input', search);
    box.addEventListener('focus', search);
    box.addEventListener('keydown', e => { if (e.key === 'Enter' && found.querySelector('a')) found.querySelector('a').click(); });
    found.addEventListener('click', e => { if (e.target.closest('a')) found.hidden = true; });
    document.addEventListener('keydown', e => {
        if (e.key === 'Escape') { found.hidden = true; box.blur(); }
        if (e.key === '/' && document.activeElement !== box && !e.ctrlKey && !e.metaKey) { e.preventDefault(); box.focus(); }
    });
    document.addEventListener('click', e => { if (!e.target.closest('.bar')) found.hidden = true; });
    const asked = new URLSearchParams(location.search).get('q'); // index.html?q=halo searches at once
    if (asked) { box.value = asked; search(); }
})();
