-- File types: yaml.weft for templates, text.weft for text templates, starlark for modules. The first
-- part keeps what Neovim knows about YAML; servers that are set up for "yaml" alone stay away: see
-- weft.strangers.

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

local function is_code(line, i)
  return line:find('^%s*#@') or line:find('%s#@') or (i == 1 and line:find('^#!%s'))
end

-- is_template tells whether YAML has a comment with code, or begins with a comment of weft. A first
-- line such as #!/usr/bin/env is none.
function M.is_template(buf)
  return any_line(buf, is_code)
end

-- How many files of a folder are looked at, and how many lines of each: templates begin with code.
local files_read, lines_of_file = 50, 40

local function file_is_template(path)
  local ok, lines = pcall(vim.fn.readfile, path, '', lines_of_file)
  for i, line in ipairs(ok and lines or {}) do
    if is_code(line, i) then
      return true
    end
  end
  return false
end

-- has_templates tells whether a folder has templates, or a folder in it.
function M.has_templates(dir)
  local seen = 0
  for _, pattern in ipairs({ '*.yml', '*.yaml', '*/*.yml', '*/*.yaml' }) do
    for _, path in ipairs(vim.fn.globpath(vim.fn.escape(dir, '*?[{`$,\\'), pattern, true, true)) do
      seen = seen + 1
      if seen > files_read then
        return false
      end
      if file_is_template(path) then
        return true
      end
    end
  end
  return false
end

-- add makes Neovim find templates by itself, before the file type yaml is ever set: a server for yaml
-- is not even started then. Neovim 0.7 does so with g:do_filetype_lua only.
function M.add()
  local function template(_, buf)
    return buf and vim.api.nvim_buf_is_loaded(buf) and M.is_template(buf) and 'yaml.weft' or nil
  end
  vim.filetype.add({ pattern = { ['.*%.ya?ml'] = { template, { priority = 10 } } } })
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
  if require('weft').beside_templates(buf) then
    vim.bo[buf].filetype = 'starlark'
  end
end

return M
