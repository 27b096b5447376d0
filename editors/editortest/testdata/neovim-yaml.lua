-- Uses Neovim with the plugin in editors/neovim beside yaml-language-server, as a person does who has
-- set that up for all YAML. Prints what it sees, as JSON.

local session = dofile(debug.getinfo(1, 'S').source:match('@(.*/)') .. 'session.lua')
local out, wait = session.out, session.wait
out.diagnostics, out.attached, out.completion = {}, {}, {}

-- What nvim-lspconfig does: a server for all buffers of the file type yaml.
local yamlls
vim.api.nvim_create_autocmd('FileType', { pattern = 'yaml', callback = function(args)
  yamlls = yamlls or vim.lsp.start_client({
    name = 'yamlls',
    cmd = { 'node', os.getenv('YAML_LANGUAGE_SERVER'), '--stdio' },
    filetypes = os.getenv('NAMED') == '' and { 'yaml' } or nil,
    root_dir = vim.loop.cwd(),
    settings = { yaml = { schemaStore = { enable = false } } },
  })
  vim.lsp.buf_attach_client(args.buf, yamlls)
end })
vim.cmd('runtime plugin/weft.lua') -- after the configuration, as Neovim loads plugins

require('weft').setup({ cmd = { os.getenv('WEFT'), 'lsp' }, settings = { dataValues = { 'values/prod.yml' } } })

local function attached()
  local names = vim.tbl_keys(session.servers())
  table.sort(names)
  return table.concat(names, ' ')
end

-- look opens a file, waits for servers, and a while for more of them and for what they report.
local function look(path, servers)
  vim.cmd('edit ' .. path)
  wait(('%s for %s'):format(servers, path), function() return attached() == servers end)
  vim.wait(1500, function() return false end)
  out.attached[path] = attached()
  out.diagnostics[path] = vim.tbl_map(function(d) return d.source or '' end, vim.diagnostic.get(0))
end

-- complete notes what each server completes in a new line at the end of the file.
local function complete(path)
  vim.cmd('edit ' .. path)
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '' })
  out.completion[path] = vim.tbl_map(session.labels,
    session.answers('textDocument/completion', session.position(last, 0)))
  vim.cmd('edit!')
end

session.run(function()
  look('plain.yml', 'weft yamlls')
  look('config/app.yml', 'weft')
  look('config/values.yml', 'weft')
  look('config/names.star', 'weft')
  look('values/prod.yml', 'weft yamlls')
  look('named/weft.yml', 'weft yamlls')
  look('named/prod.yml', 'weft yamlls')
  look('../outside/twice.yml', 'yamlls')
  wait('a report about a key that is there twice', function() return #vim.diagnostic.get(0) > 0 end)
  complete('values/prod.yml')
  complete('named/prod.yml')
  complete('named/weft.yml')

  -- plain YAML that becomes a template when it is saved
  vim.cmd('edit plain.yml')
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '#@ x = 1' })
  vim.cmd('silent write')
  wait('no other server for a new template', function() return attached() == 'weft' end)
  out.became = vim.bo.filetype
end)
