-- Uses Neovim with the plugin in editors/neovim in files that weft itself defines. CASES is a file with what to look
-- at, as JSON. Prints what it sees, as JSON.

local session = dofile(debug.getinfo(1, 'S').source:match('@(.*/)') .. 'session.lua')
local out, wait, request = session.out, session.wait, session.request
out.seen = {}

-- append adds a line to the buffer, and returns its number, which begins with 0.
local function append(text)
  vim.cmd('edit!')
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { text })
  return vim.api.nvim_buf_line_count(0) - 1
end

-- names are those of symbols and of all that they contain.
local function names(list, all)
  all = all or {}
  for _, s in ipairs(list or {}) do
    table.insert(all, s.name)
    names(s.children, all)
  end
  return all
end

-- drawn are the texts that are drawn beside those of the buffer. Neovim 0.12 makes those of lenses when it draws.
local function drawn()
  vim.cmd('redraw!')
  local all = {}
  for _, space in pairs(vim.api.nvim_get_namespaces()) do
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
      table.insert(all, vim.inspect({ mark[4].virt_text, mark[4].virt_lines }))
    end
  end
  return table.concat(all)
end

-- look opens a file and returns what there is to see.
local function look(case)
  vim.cmd('edit ' .. case.file)
  wait('the server for ' .. case.file, function() return require('weft').client(0) ~= nil end)
  local seen, document = {}, session.document()
  local hover
  wait('the hover of ' .. case.file, function()
    hover = request('textDocument/hover', session.position(case.line - 1, case.column))
    return type(hover) == 'table' and hover.contents
  end)
  seen.hover = hover and hover.contents and hover.contents.value
  seen.symbols = names(request('textDocument/documentSymbol', document))
  seen.lenses = session.labels(request('textDocument/codeLens', document))
  for _, lens in ipairs(seen.lenses) do
    wait('the lens ' .. lens .. ' to be drawn', function() return drawn():find(lens, 1, true) end)
  end

  local at = append(case.typed)
  seen.completion = session.labels(request('textDocument/completion', session.position(at, #case.typed)))

  append(case.wrong) -- the line typed before may have a diagnostic, too, which is still shown or is yet to come
  wait('the diagnostic of ' .. case.file, function()
    seen.diagnostics = vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0))
    return table.concat(seen.diagnostics, '\n'):find(case.unknown, 1, true)
  end)
  vim.cmd('edit!')
  wait('no diagnostic of ' .. case.file, function() return #vim.diagnostic.get(0) == 0 end)
  return seen
end

require('weft').setup({ cmd = { os.getenv('WEFT'), 'lsp' } })
session.run(function()
  for _, case in ipairs(vim.fn.json_decode(os.getenv('CASES'))) do
    out.seen[case.file] = look(case)
  end
end)
