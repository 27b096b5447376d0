-- Uses Neovim with the plugin in editors/neovim in files that weft itself defines. CASES is a file with what to look
-- at, as JSON. Prints what it sees, as JSON.

local out = { seen = {} }
local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    out.timeouts = out.timeouts or {}
    table.insert(out.timeouts, what)
  end
end

local function request(method, params)
  for _, a in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    return a.result
  end
end

-- position is a place, which a cursor cannot be at the end of a line unless the user types.
local function position(line, column)
  return {
    textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line - 1, character = column },
  }
end

-- append adds a line to the buffer, and returns its number.
local function append(text)
  vim.cmd('edit!')
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { text })
  return vim.api.nvim_buf_line_count(0)
end

local function labels(list)
  return vim.tbl_map(function(i) return i.label or i.command.title end, list or {})
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

-- look opens a file and returns what there is to see.
local function look(case)
  vim.cmd('edit ' .. case.file)
  wait('the server for ' .. case.file, function() return require('weft').client(0) ~= nil end)
  local seen, document = {}, { textDocument = { uri = vim.uri_from_bufnr(0) } }
  local hover
  wait('the hover of ' .. case.file, function()
    hover = request('textDocument/hover', position(case.line, case.column))
    return type(hover) == 'table' and hover.contents
  end)
  seen.hover = hover and hover.contents and hover.contents.value
  seen.symbols = names(request('textDocument/documentSymbol', document))
  seen.lenses = labels(request('textDocument/codeLens', document))

  local at = append(case.typed)
  local result = request('textDocument/completion', position(at, #case.typed)) or {}
  seen.completion = labels(result.items or result)

  append(case.wrong)
  wait('the diagnostic of ' .. case.file, function() return #vim.diagnostic.get(0) > 0 end)
  seen.diagnostics = vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0))
  vim.cmd('edit!')
  wait('no diagnostic of ' .. case.file, function() return #vim.diagnostic.get(0) == 0 end)
  return seen
end

require('weft').setup({ cmd = { os.getenv('WEFT'), 'lsp' } })
local ok, err = pcall(function()
  for _, case in ipairs(vim.fn.json_decode(os.getenv('CASES'))) do
    out.seen[case.file] = look(case)
  end
end)
if not ok then
  out.error = err
end
io.stdout:write(vim.fn.json_encode(out), '\n')
vim.cmd('qa!')
