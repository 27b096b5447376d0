-- The language server of weft for Neovim 0.7 and newer.

local M = {}

-- What setup can change.
M.options = {
  cmd = { 'weft', 'lsp' },
  settings = {}, -- docs/reference/lsp.md: inputs, dataValues, fileMarks, environment, ...
  trusted = true, -- false: check open files only, run no code
  on_attach = nil, -- function(client, bufnr)
  capabilities = nil, -- such as those of a completion plugin
}

function M.setup(options)
  M.options = vim.tbl_extend('force', M.options, options or {})
end

local language_ids = { ['yaml.weft'] = 'weft-yaml', ['text.weft'] = 'weft-text', starlark = 'weft-star' }

-- language_id is the language that the server gets.
function M.language_id(_, filetype)
  return language_ids[filetype] or filetype
end

local function directory(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  return name == '' and vim.loop.cwd() or vim.fn.fnamemodify(name, ':p:h')
end

local function above(dir, name, find)
  local found = find(name, vim.fn.escape(dir, ' ,;*\\') .. ';')
  return found ~= '' and vim.fn.fnamemodify(found, ':p'):gsub('[/\\]$', '') or nil
end

-- project is the weft.yml that a buffer belongs to, or nil.
function M.project(buf)
  return above(directory(buf), 'weft.yml', vim.fn.findfile)
end

-- root is the folder that the server may read: the repository, or else that of weft.yml or the file.
function M.root(buf)
  local dir = directory(buf)
  local marker = above(dir, '.git', vim.fn.finddir) or above(dir, '.git', vim.fn.findfile) or M.project(buf)
  return marker and vim.fn.fnamemodify(marker, ':h') or dir
end

-- beside_templates tells whether a buffer may be a part of a project: if there is a weft.yml above it,
-- or if a folder from its own up to the root has templates.
function M.beside_templates(buf)
  if M.project(buf) then
    return true
  end
  local dir, root = directory(buf), M.root(buf)
  while not require('weft.detect').has_templates(dir) do
    local up = vim.fn.fnamemodify(dir, ':h')
    if dir == root or up == dir then
      return false
    end
    dir = up
  end
  return true
end

-- wanted tells whether the server is for a buffer: templates, and plain YAML and modules beside them.
function M.wanted(buf)
  local type = vim.bo[buf].filetype
  if vim.bo[buf].buftype ~= '' then
    return false
  end
  return type == 'yaml.weft' or type == 'text.weft' or (language_ids[type] or type == 'yaml') and M.beside_templates(buf)
end

-- show_lenses draws lenses, such as the one that runs a test. Neovim draws none by itself, and before 0.12 it does not
-- ask again either.
local function show_lenses(buf)
  if vim.lsp.codelens.enable then
    return vim.lsp.codelens.enable(true, { bufnr = buf })
  end
  local group = vim.api.nvim_create_augroup('weft_lenses', { clear = false })
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'CursorHold' }, {
    group = group, buffer = buf, callback = function() vim.lsp.codelens.refresh() end,
  })
  vim.api.nvim_buf_call(buf, function() vim.lsp.codelens.refresh() end)
end

function M.config(root)
  local o = M.options
  return {
    name = 'weft',
    cmd = o.cmd,
    root_dir = root,
    get_language_id = M.language_id,
    init_options = vim.tbl_extend('force', { trusted = o.trusted, runsTests = o.trusted }, o.settings),
    settings = { weft = o.settings },
    capabilities = o.capabilities,
    on_attach = function(client, buf)
      vim.bo[buf].omnifunc = 'v:lua.vim.lsp.omnifunc'
      if o.settings.codeLenses ~= false then
        show_lenses(buf)
      end
      if o.on_attach then
        o.on_attach(client, buf)
      end
    end,
    on_exit = function()
      M.started[root] = nil
    end,
    commands = require('weft.commands').of_server,
  }
end

-- The ids of servers by root, for Neovim 0.7, which does not keep them itself.
M.started = {}

-- attach starts the server for a buffer, or gives the buffer to the one that runs.
function M.attach(buf)
  if not M.wanted(buf) then
    return
  end
  if vim.fn.executable(M.options.cmd[1]) == 0 then
    vim.notify_once(('weft: %s is not installed, or not on the PATH'):format(M.options.cmd[1]), vim.log.levels.WARN)
    return
  end
  local root = M.root(buf)
  if vim.lsp.start then
    vim.lsp.start(M.config(root), { bufnr = buf })
    return
  end
  M.started[root] = M.started[root] or vim.lsp.start_client(M.config(root))
  if M.started[root] then
    vim.lsp.buf_attach_client(buf, M.started[root])
  end
end

-- client is the server of a buffer, or nil.
function M.client(buf)
  local list = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buf, name = 'weft' })
    or vim.lsp.buf_get_clients(buf)
  for _, c in pairs(list) do
    if c.name == 'weft' then
      return c
    end
  end
end

return M
