-- The site's first page, a filter of pandoc over mk/site/index.md: after its words the course's
-- thread, a lab a step, and the other pages by who they are for; and search.js, what all pages say.
-- mk/handouts.mk gives, in the environment: SITE_STUDENTS, SITE_AFTERWARDS, SITE_INSTRUCTORS, the
-- sources of pages; SITE_RECORDS, the folder of their records; SITE_SEARCH, where search.js goes.

local site = dofile('mk/site/site.lua')
local escape = site.escape

local function records(variable)
    local list = {}
    for _, source in ipairs(site.list(variable)) do
        list[#list + 1] = dofile(os.getenv('SITE_RECORDS') .. '/' .. site.name(source) .. '.lua')
    end
    return list
end

local students, afterwards, instructors =
    records('SITE_STUDENTS'), records('SITE_AFTERWARDS'), records('SITE_INSTRUCTORS')

local function item(page, small)
    return '<li><a href="' .. page.name .. '.html">' .. escape(page.title) .. '</a>' ..
        (small and '<small>' .. escape(small) .. '</small>' or '') .. '</li>'
end

local function items(pages)
    local list = {}
    for _, page in ipairs(pages) do
        list[#list + 1] = item(page)
    end
    return list
end

-- The steps: a page with hours is a lab; pages of docs/ are for looking up.
local function steps()
    local html, others = { '<ol class="steps">' }, {}
    for _, page in ipairs(students) do
        local hours, able = page.facts.Hours, page.facts['Afterwards you can']
        if page.source:match('^docs/') then
            others[#others + 1] = item(page)
        else
            html[#html + 1] = item(page, hours and 'Afterwards you can ' .. (able or '') .. ' ' ..
                hours:gsub(', a guess%.', ' hours, a guess.') or 'What you should know first; OpenMP and CUDA in ten minutes; the words.')
        end
    end
    html[#html + 1] = '</ol>'
    return table.concat(html, '\n'), others
end

local function quoted(text)
    return '"' .. text:gsub('[%c"\\<]', function(c) return string.format('\\u%04x', c:byte()) end) .. '"'
end

local function search()
    local f = assert(io.open(os.getenv('SITE_SEARCH'), 'w'))
    f:write('window.searchSections = [\n')
    for _, list in ipairs({ students, afterwards, instructors }) do
        for _, page in ipairs(list) do
            for _, s in ipairs(page.sections) do
                f:write('[', quoted(page.name), ',', quoted(s[1]), ',', quoted(page.title), ',', quoted(s[2]), ',',
                    quoted(s[3]), '],\n')
            end
        end
    end
    f:write('];\n')
    f:close()
end

function Pandoc(doc)
    local function add(html)
        doc.blocks:insert(pandoc.RawBlock('html', html))
    end
    local function group(heading, items)
        if #items > 0 then
            add('<h2>' .. heading .. '</h2>\n<ul class="ways">' .. table.concat(items, '\n') .. '</ul>')
        end
    end
    local first = 'lab1' -- a release has one lab
    for i = #students, 1, -1 do
        first = students[i].name:match('^lab%d+$') or first
    end
    doc = doc:walk({ CodeBlock = function(c)
        c.text = c.text:gsub('lab1', first)
        return c
    end, Header = function(h)
        h.level = h.level + 1
        return h
    end })
    local html, others = steps()
    add('<h2>The course</h2>\n' .. html)
    if site.holds('SITE_STUDENTS', 'handouts/basics.md') then
        others[#others + 1] = '<li><a href="basics.html#glossary">Glossary</a></li>'
    end
    group('To look up', others)
    group('For after the predictions', items(afterwards))
    group('For instructors', items(instructors))
    search()
    doc.meta.style = site.style()
    doc.meta.glossary = site.holds('SITE_STUDENTS', 'handouts/basics.md')
    return doc
end
