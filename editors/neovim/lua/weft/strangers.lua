-- Keeps servers for YAML away from templates, where they report errors that are none. Such a server
-- may be there before a buffer becomes a template, or come later, as it takes time to start.

local M = {}

local names = { yamlls = true, yaml_ls = true, ['yaml-language-server'] = true }

-- is_stranger tells whether a server is for plain YAML. One that is set up for templates by name is
-- welcome.
local function is_stranger(client, filetype)
  if client.name == 'weft' then
    return false
  end
  local filetypes = client.config and client.config.filetypes
  if type(filetypes) == 'table' then
    return vim.tbl_contains(filetypes, 'yaml') and not vim.tbl_contains(filetypes, filetype)
  end
  local cmd = client.config and client.config.cmd
  if names[client.name] then
    return true
  end
  return type(cmd) == 'table' and table.concat(cmd, ' '):find('yaml%-language%-server') ~= nil
end

local function clients(buf)
  return vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buf }) or vim.lsp.buf_get_clients(buf)
end

-- detach takes a template from the servers for plain YAML, and removes what they have reported.
function M.detach(buf)
  if not vim.api.nvim_buf_is_valid(buf) or vim.bo[buf].filetype ~= 'yaml.weft' then
    return
  end
  for _, client in pairs(clients(buf)) do
    if is_stranger(client, 'yaml.weft') and client.attached_buffers[buf] then
      vim.lsp.buf_detach_client(buf, client.id)
    end
  end
end

-- soon detaches when what goes on now is over: a server that is just attached is not ready for it.
function M.soon(buf)
  vim.schedule(function() M.detach(buf) end)
end

-- events are those that a server for a buffer shows itself by. Neovim 0.7 has no LspAttach.
M.events = vim.fn.exists('##LspAttach') == 1 and { 'LspAttach' } or { 'DiagnosticChanged', 'CursorHold', 'InsertEnter' }

return M
