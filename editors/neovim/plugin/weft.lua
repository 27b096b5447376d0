-- Finds out which buffers are weft's, and starts the server for them.

if vim.g.loaded_weft or vim.fn.has('nvim-0.7') == 0 then
  return
end
vim.g.loaded_weft = true

local group = vim.api.nvim_create_augroup('weft', {})

-- They are nested, as a file type that one of them sets is an event, too.
local function on(event, pattern, callback)
  vim.api.nvim_create_autocmd(event, { group = group, pattern = pattern, callback = callback, nested = true })
end

require('weft.detect').add()

-- A template is YAML that holds #@. It gets its file type when it is read, and when #@ is first saved.
on('FileType', 'yaml', function(args) require('weft.detect').yaml(args.buf) end)
on('BufWritePost', { '*.yml', '*.yaml' }, function(args) require('weft.detect').yaml(args.buf) end)
on({ 'BufRead', 'BufNewFile' }, '*.txt', function(args) require('weft.detect').text(args.buf) end)
on({ 'BufRead', 'BufNewFile' }, '*.star', function(args) require('weft.detect').star(args.buf) end)

on('FileType', { 'yaml', 'yaml.weft', 'text.weft', 'starlark' }, function(args)
  require('weft').attach(args.buf)
end)

-- Servers for plain YAML report errors in templates that are none.
on('FileType', 'yaml.weft', function(args) require('weft.strangers').soon(args.buf) end)
on(require('weft.strangers').events, '*', function(args) require('weft.strangers').soon(args.buf) end)

require('weft.commands').define()
