-- Looks at the file that Neovim was started with, as a person does. Prints what it sees, as JSON.

local out = {}
local ok, err = pcall(function()
  local found = function() return vim.diagnostic.get(0)[1] end
  vim.wait(20000, found, 20)
  local d = found() or error('no diagnostic')
  out.diagnostic, out.line = d.message, d.lnum + 1
  vim.fn.search('data\\.values\\.replicas', 'w')
  vim.fn.search('replicas', 'e', vim.fn.line('.'))
  local client = require('weft').client(0)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 20000) or {}) do
    out.hover = answer.result and answer.result.contents.value
  end
end)
if not ok then
  out.error = err
end
io.stdout:write(vim.fn.json_encode(out), '\n')
vim.cmd('qa!')
