-- Compiles queries with the tree-sitter grammar for YAML, and runs them on a template. Prints which texts each one
-- captures, by the names of captures, and what the last capture of each text is, as JSON.

local session = dofile(debug.getinfo(1, 'S').source:match('@(.*/)') .. 'session.lua')
session.out.captures, session.out.last = {}, {}

-- Zed and Helix match with regular expressions in which @ is a character like others; in those of Vim it is not.
vim.treesitter.query.add_predicate('match?', function(match, _, source, predicate)
  local nodes = match[predicate[2]]
  local text = vim.treesitter.get_node_text(nodes[1], source)
  return vim.regex('\\v' .. predicate[3]:gsub('@', '\\@')):match_str(text) ~= nil
end, { force = true })

session.run(function()
  vim.treesitter.language.add('yaml', { path = os.getenv('GRAMMAR') })
  local text = table.concat(vim.fn.readfile(os.getenv('TEMPLATE')), '\n') .. '\n'
  local root = vim.treesitter.get_string_parser(text, 'yaml'):parse()[1]:root()
  for _, path in ipairs(vim.fn.json_decode(os.getenv('QUERIES'))) do
    local query = vim.treesitter.query.parse('yaml', table.concat(vim.fn.readfile(path), '\n'))
    local seen, last = vim.empty_dict(), vim.empty_dict()
    for id, node in query:iter_captures(root, text) do
      local name = query.captures[id]
      local captured = vim.treesitter.get_node_text(node, text)
      seen[name] = (seen[name] or '') .. captured .. '\n'
      last[captured] = name
    end
    session.out.captures[path], session.out.last[path] = seen, last
  end
end)
