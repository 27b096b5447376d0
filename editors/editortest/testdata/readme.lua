-- Looks at the file that Neovim was started with, as a person does. Prints what it sees, as JSON.

local session = dofile(debug.getinfo(1, 'S').source:match('@(.*/)') .. 'session.lua')
local out = session.out

session.run(function()
  session.wait('a diagnostic', function() return vim.diagnostic.get(0)[1] end)
  local d = vim.diagnostic.get(0)[1] or error('no diagnostic')
  out.diagnostic, out.line = d.message, d.lnum + 1
  vim.fn.search('data\\.values\\.replicas', 'w')
  vim.fn.search('replicas', 'e', vim.fn.line('.'))
  local hover = session.request('textDocument/hover', session.position(vim.fn.line('.') - 1, vim.fn.col('.') - 1))
  out.hover = hover and hover.contents.value
  -- a server that is not welcome takes time to start, and to be detached: yamlls is the one of the configuration
  session.wait('the end of the server for YAML', function()
    local stranger = yamlls and vim.lsp.get_client_by_id(yamlls)
    return not stranger or stranger.initialized and not vim.lsp.buf_is_attached(0, yamlls)
  end)
  local names = vim.tbl_keys(session.servers())
  for _, other in ipairs(vim.diagnostic.get(0)) do
    if not (other.source or ''):find('^weft') then
      table.insert(names, 'a report of ' .. (other.source or '?'))
    end
  end
  out.servers = table.concat(names, ', ')
end)
