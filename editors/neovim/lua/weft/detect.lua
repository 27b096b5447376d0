-- File types: yaml.weft for templates, text.weft for text templates, starlark for modules. The first
-- part keeps what Neovim knows about YAML; servers that are set up for "yaml" alone stay away.

local M = {}

-- How many lines are looked at. Large files are data.
local lines_read = 2000

local function any_line(buf, matches)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buf, 0, lines_read, false)) do
    if matches(line, i) then
      return true
    end
  end
  return false
end

-- is_template tells whether YAML has a comment with code, or begins with a comment of weft. A first
-- line such as #!/usr/bin/env is none.
function M.is_template(buf)
  return any_line(buf, function(line, i)
    return line:find('^%s*#@') or line:find('%s#@') or (i == 1 and line:find('^#!%s'))
  end)
end

function M.yaml(buf)
  if vim.bo[buf].filetype == 'yaml' and M.is_template(buf) then
    vim.bo[buf].filetype = 'yaml.weft'
  end
end

function M.text(buf)
  local type = vim.bo[buf].filetype
  if (type == '' or type == 'text') and any_line(buf, function(line) return line:find('(@', 1, true) end)
    and require('weft').project(buf) then
    vim.bo[buf].filetype = 'text.weft'
  end
end

function M.star(buf)
  if require('weft').project(buf) then
    vim.bo[buf].filetype = 'starlark'
  end
end

return M
