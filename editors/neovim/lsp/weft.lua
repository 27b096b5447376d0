-- For Neovim 0.11 and newer, if you prefer vim.lsp.enable('weft') to the plugin.
return {
  cmd = { 'weft', 'lsp' },
  filetypes = { 'yaml', 'yaml.weft', 'text.weft', 'starlark' },
  -- The repository, or else the folder of weft.yml or of the file: the server evaluates nothing outside of a folder.
  -- Plain YAML without a weft.yml is for other programs.
  root_dir = function(buf, on_dir)
    local project = vim.fs.root(buf, 'weft.yml')
    if project or vim.bo[buf].filetype ~= 'yaml' then
      on_dir(vim.fs.root(buf, '.git') or project or vim.fs.dirname(vim.api.nvim_buf_get_name(buf)))
    end
  end,
  get_language_id = function(_, filetype)
    return ({ ['yaml.weft'] = 'weft-yaml', ['text.weft'] = 'weft-text', starlark = 'weft-star' })[filetype] or filetype
  end,
}
