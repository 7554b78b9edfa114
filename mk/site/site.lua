-- What page.lua and index.lua share.
local site = {}

-- The words of a variable of the environment.
function site.list(variable)
    local words = {}
    for word in (os.getenv(variable) or ''):gmatch('%S+') do
        words[#words + 1] = word
    end
    return words
end

function site.holds(variable, word)
    for _, w in ipairs(site.list(variable)) do
        if w == word then
            return true
        end
    end
    return false
end

-- handouts/lab3.md -> lab3
function site.name(source)
    return source:match('([^/]+)%.md$')
end

function site.read(path)
    local f = assert(io.open(path, 'r'), path .. ': cannot be read')
    local text = f:read('a')
    f:close()
    return text
end

function site.escape(text)
    return (text:gsub('[&<>"]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }))
end

-- A record of a page as a chunk of Lua, which dofile takes.
function site.save(path, record)
    local f = assert(io.open(path, 'w'), path .. ': cannot be written')
    f:write(string.format('return {name=%q, title=%q, source=%q, facts={', record.name, record.title, record.source))
    for name, said in pairs(record.facts) do
        f:write(string.format('[%q]=%q, ', name, said))
    end
    f:write('}, sections={\n')
    for _, s in ipairs(record.sections) do
        f:write(string.format('{%q, %q, %q},\n', s[1], s[2], s[3]))
    end
    f:write('}}\n')
    f:close()
end

-- mk/site/site.css with the palette: light by default, dark where the reader's system or switch says
-- so; in figures every fill and stroke of a light value follows.
function site.style()
    local light, dark, figures = {}, {}, {}
    for line in site.read('mk/site/palette'):gmatch('[^\n]+') do
        local name, day, night = line:match('^(%w+)%s+(#%x+)%s+(#%x+)')
        if name then
            light[#light + 1] = string.format('--%s: %s;', name, day)
            dark[#dark + 1] = string.format('--%s: %s;', name, night)
            figures[#figures + 1] = string.format('svg [fill="%s"] { fill: var(--%s); } svg [stroke="%s"] { stroke: var(--%s); }',
                day, name, day, name)
        end
    end
    light, dark = table.concat(light, ' '), table.concat(dark, ' ')
    return pandoc.MetaInlines({ pandoc.RawInline('html', table.concat({
        ':root { color-scheme: light; ' .. light .. ' }',
        '@media screen and (prefers-color-scheme: dark) { :root:not([data-theme=light]) { color-scheme: dark; ' .. dark .. ' } }',
        '@media screen { :root[data-theme=dark] { color-scheme: dark; ' .. dark .. ' } ' .. table.concat(figures, ' ') .. ' }',
        site.read('mk/site/site.css') }, '\n')) })
end

return site
