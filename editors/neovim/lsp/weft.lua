-- For Neovim 0.11 and newer, if you prefer vim.lsp.enable('weft') to the plugin.
return {
  cmd = { 'weft', 'lsp' },
  filetypes = { 'yaml.weft', 'text.weft', 'starlark' },
  root_markers = { '.git', 'weft.yml' },
  get_language_id = function(_, filetype)
    return ({ ['yaml.weft'] = 'weft-yaml', ['text.weft'] = 'weft-text', starlark = 'weft-star' })[filetype] or filetype
  end,
}
