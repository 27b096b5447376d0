-- Compiles queries with the tree-sitter grammar for YAML, and runs them on a template. Prints which texts each one
-- captures, by the names of captures, as JSON.

local out = { captures = {} }

-- Zed and Helix match with regular expressions in which @ is a character like others; in those of Vim it is not.
vim.treesitter.query.add_predicate('match?', function(match, _, source, predicate)
  local nodes = match[predicate[2]]
  local text = vim.treesitter.get_node_text(nodes[1], source)
  return vim.regex('\\v' .. predicate[3]:gsub('@', '\\@')):match_str(text) ~= nil
end, { force = true })

local ok, err = pcall(function()
  vim.treesitter.language.add('yaml', { path = os.getenv('GRAMMAR') })
  local text = table.concat(vim.fn.readfile(os.getenv('TEMPLATE')), '\n') .. '\n'
  local root = vim.treesitter.get_string_parser(text, 'yaml'):parse()[1]:root()
  for _, path in ipairs(vim.fn.json_decode(os.getenv('QUERIES'))) do
    local query = vim.treesitter.query.parse('yaml', table.concat(vim.fn.readfile(path), '\n'))
    local seen = vim.empty_dict()
    for id, node in query:iter_captures(root, text) do
      local name = query.captures[id]
      seen[name] = (seen[name] or '') .. vim.treesitter.get_node_text(node, text) .. '\n'
    end
    out.captures[path] = seen
  end
end)
if not ok then
  out.error = err
end
io.stdout:write(vim.fn.json_encode(out), '\n')
vim.cmd('qa!')
