-- A page of the site, as a filter of pandoc. It
--   links `handouts/X.md`, `docs/X.md`, `X.md` and [text](X.md) where the site has that page;
--   puts figures into the page, so that they follow its colours, and tables into boxes that scroll;
--   gives each word of the glossary a place of its own;
--   writes what search and the index say of the page: build/site/WHO/NAME.lua.
-- mk/handouts.mk gives, in the environment: SITE_PAGES, the sources of all pages in their order;
-- SITE_PAGE, this one; SITE_RECORD, where its record goes.

local site = dofile('mk/site/site.lua')
local pages, order = {}, {}
for _, source in ipairs(site.list('SITE_PAGES')) do
    local name = site.name(source)
    pages[name] = source
    order[#order + 1] = name
end
local here = site.name(os.getenv('SITE_PAGE'))
local record = { name = here, source = pages[here], facts = {}, sections = {} }
local read, escape = site.read, site.escape

local function title_of(name)
    return (read(pages[name]):match('^# ([^\n]*)'):gsub('`', ''))
end

-- The page that a document's path means, or nil; "" before "#" is this one.
local function page_of(path)
    local folder, name = path:match('^([%w_./]-)([%w_-]+)%.md$')
    local source = name and pages[name]
    if source and (folder == '' or source == folder .. name .. '.md' or folder:match('^%.%./')) then
        return name
    end
end

-- A name of a page in words about it is a link to it. A short word of code is not broken, as `a->b` would
-- be behind its hyphen.
local function code(c)
    if #c.text <= 24 then
        c.classes:insert('short')
    end
    local name = page_of(c.text)
    if name and name ~= here then
        return pandoc.Link({ c }, name .. '.html', title_of(name))
    end
    return c
end

-- "the glossary of `handouts/basics.md`" leads to the glossary.
local function inlines(list)
    for i = 5, #list do
        local link = list[i]
        if link.t == 'Link' and link.target == 'basics.html' and pandoc.utils.stringify(list[i - 4]) == 'glossary' then
            link.target = 'basics.html#glossary'
        end
    end
    return list
end

local function link(l)
    local path, place = l.target:match('^([^#:]*%.md)(#?.*)$')
    if not path then
        return nil
    end
    local name = page_of(path)
    if not name then
        return l.content
    end
    l.target = name .. '.html' .. place
    l.title = l.title ~= '' and l.title or title_of(name)
    return l
end

-- A figure's own text: what it shows stands in its <desc>, for those who do not see it.
local function svg(path, caption)
    local text = read('handouts/' .. path):gsub('^<%?xml.-%?>%s*', '')
    local said = text:match('<desc>(.-)</desc>') or ''
    local open = text:match('^<svg[^>]*>')
    local kept = open:gsub(' xmlns="[^"]*"', ''):gsub(' width="[^"]*"', ''):gsub(' height="[^"]*"', '')
    return '<div class="figure"><svg role="img" aria-label="' .. escape(caption) .. '. ' ..
        said:gsub('%s+', ' '):gsub('"', '&quot;') .. '"' .. kept:sub(5) .. text:sub(#open + 1) .. '</div>'
end

-- A figure alone in its paragraph has its words as its caption.
local function para(p)
    local image = #p.content == 1 and p.content[1]
    if image and image.t == 'Image' and image.src:match('%.svg$') then
        local caption = pandoc.utils.stringify(image.caption)
        return pandoc.RawBlock('html', '<figure>' .. svg(image.src, caption) .. '<figcaption>' ..
            escape(caption) .. '</figcaption></figure>')
    end
end

local function comment(b)
    if b.format == 'html' and b.text:match('^%s*<!%-%-') then
        return {}
    end
end

-- The words of some blocks, in one line.
local function plain(blocks)
    local words = {}
    for _, block in ipairs(blocks) do
        if block.t == 'BulletList' or block.t == 'OrderedList' then
            for _, item in ipairs(block.content) do
                words[#words + 1] = plain(item)
            end
        elseif block.t == 'Table' and block.bodies then
            for _, row in ipairs(block.bodies[1].body) do
                for _, cell in ipairs(row.cells) do
                    words[#words + 1] = plain(cell.contents)
                end
            end
        elseif block.t ~= 'RawBlock' then
            words[#words + 1] = block.text or pandoc.utils.stringify(block)
        end
    end
    return (table.concat(words, ' '):gsub('%s+', ' '))
end

-- Each word gets a place of its own, and is found by itself.
local function glossary(t)
    for _, row in ipairs(t.bodies[1].body) do
        local word, means = row.cells[1].contents, plain(row.cells[2].contents)
        local id = 'word-' .. plain(word):lower():gsub('[^%w]+', '-'):gsub('%-$', '')
        word[1].content = { pandoc.Span(word[1].content, pandoc.Attr(id)) }
        record.sections[#record.sections + 1] = { id, 'Glossary: ' .. plain(word), means }
    end
end

-- What stands in each section, for search; the facts of a lab, for the index.
local function sections(blocks)
    local id, heading, words = '', '', {}
    local function close()
        if #words > 0 then
            record.sections[#record.sections + 1] = { id, heading, table.concat(words, ' ') }
        end
        words = {}
    end
    for _, block in ipairs(blocks) do
        if block.t == 'Header' then
            close()
            id, heading = block.identifier, pandoc.utils.stringify(block)
        elseif not (block.t == 'Table' and block.bodies and id == 'glossary') then
            words[#words + 1] = plain({ block })
        else
            glossary(block)
        end
        if block.t == 'BulletList' then
            for _, item in ipairs(block.content) do
                local bold = item[1].content and item[1].content[1]
                if bold and bold.t == 'Strong' then
                    local name = pandoc.utils.stringify(bold)
                    record.facts[name] = record.facts[name] or plain(item):sub(#name + 1):gsub('^:? ', '')
                end
            end
        end
    end
    close()
end

-- The first heading became the title, and the others moved up: back, for one h1 a page.
local function down(h)
    h.level = h.level + 1
    return h
end

-- In a table: "\|" is how Markdown writes a bar there.
local function code_of_table(c)
    c.text = c.text:gsub('\\|', '|')
    return c
end

local function boxes(t)
    t = pandoc.walk_block(t, { Code = code_of_table })
    return { pandoc.RawBlock('html', '<div class="table" tabindex="0" role="region" aria-label="Table">'), t,
        pandoc.RawBlock('html', '</div>') }
end

local function whole(doc)
    record.title = pandoc.utils.stringify(doc.meta.title or here)
    sections(doc.blocks)
    site.save(os.getenv('SITE_RECORD'), record)
    for i, name in ipairs(order) do
        if name == here then
            local before, after = order[i - 1], order[i + 1]
            doc.meta.before, doc.meta.before_title = before and before .. '.html', before and title_of(before)
            doc.meta.after, doc.meta.after_title = after and after .. '.html', after and title_of(after)
        end
    end
    doc.meta.page, doc.meta.glossary = here, pages.basics ~= nil
    doc.meta.style = site.style()
    doc.meta.after_predictions = here:match('^measured_') ~= nil
    doc.meta.instructors = site.holds('SITE_INSTRUCTORS', record.source)
    return doc
end

return { { Code = code, Link = link, Para = para, RawBlock = comment, RawInline = comment }, { Inlines = inlines },
    { Pandoc = whole }, { Table = boxes, Header = down } }
