-- For Neovim 0.11 and newer, if you prefer vim.lsp.enable('weft') to the plugin.
return {
  cmd = { 'weft', 'lsp' },
  filetypes = { 'yaml.weft', 'text.weft', 'starlark' },
  -- The repository, or else the folder of weft.yml or of the file: the server evaluates nothing outside of a folder.
  root_dir = function(buf, on_dir)
    on_dir(vim.fs.root(buf, '.git') or vim.fs.root(buf, 'weft.yml') or vim.fs.dirname(vim.api.nvim_buf_get_name(buf)))
  end,
  get_language_id = function(_, filetype)
    return ({ ['yaml.weft'] = 'weft-yaml', ['text.weft'] = 'weft-text', starlark = 'weft-star' })[filetype] or filetype
  end,
}
