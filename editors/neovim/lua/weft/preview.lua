-- Previews: read-only buffers with the output of a file or a project. Their file type is yaml, so
-- that other servers check them. The cursors of template and preview follow each other.

local M = {}

local previews = {} -- by buffer: subject, sources, map, text
local group = vim.api.nvim_create_augroup('weft_preview', {})
local marks = vim.api.nvim_create_namespace('weft_preview')

local function commands() return require('weft.commands') end

local function source_of(p, line) -- from 0; gives a URI and a line
  for at = math.min(line, #p.map / 2 - 1), 0, -1 do
    local uri, found = p.sources[p.map[2 * at + 1] + 1], p.map[2 * at + 2]
    if uri and found >= 0 then
      return uri, found
    end
  end
end

local function outputs_of(p, uri, line) -- the lines that the nearest line at or above one makes
  local best, lines = -1, {}
  for at = 0, #p.map / 2 - 1 do
    local found = p.map[2 * at + 2]
    if p.sources[p.map[2 * at + 1] + 1] == uri and found <= line and found >= best then
      if found > best then
        best, lines = found, {}
      end
      table.insert(lines, at)
    end
  end
  return lines
end

local function mark(win, lines)
  local buf = vim.api.nvim_win_get_buf(win)
  vim.api.nvim_buf_clear_namespace(buf, marks, 0, -1)
  for _, line in ipairs(lines) do
    if line < vim.api.nvim_buf_line_count(buf) then
      vim.api.nvim_buf_add_highlight(buf, marks, 'Visual', line, 0, -1)
    end
  end
  if lines[1] and lines[1] < vim.api.nvim_buf_line_count(buf) then
    vim.api.nvim_win_set_cursor(win, { lines[1] + 1, 0 })
  end
end

-- follow moves the cursor of other windows to what belongs to the line of this one.
local function follow()
  local buf, win = vim.api.nvim_get_current_buf(), vim.api.nvim_get_current_win()
  local line = vim.api.nvim_win_get_cursor(win)[1] - 1
  local p = previews[buf]
  local uri, at = nil, nil
  if p then
    uri, at = source_of(p, line)
  end
  for _, other in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local shown = vim.api.nvim_win_get_buf(other)
    if other == win then
      vim.api.nvim_buf_clear_namespace(buf, marks, 0, -1)
    elseif p and uri and not previews[shown] and vim.uri_from_bufnr(shown) == uri then
      mark(other, { at })
    elseif not p and previews[shown] then
      mark(other, outputs_of(previews[shown], vim.uri_from_bufnr(buf), line))
    end
  end
end

local function fill(buf, p, answer)
  if not vim.api.nvim_buf_is_valid(buf) then
    return
  end
  p.sources, p.map = answer.sources or {}, answer.map or {}
  local text = answer.text
  if text == '' and #(answer.errors or {}) > 0 then
    text = '# ' .. table.concat(answer.errors, '\n'):gsub('\n', '\n# ')
  end
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text:gsub('\n$', ''), '\n', { plain = true }))
  vim.bo[buf].modifiable = false
  if vim.bo[buf].filetype ~= answer.languageId then
    vim.bo[buf].filetype = answer.languageId
  end
end

local function load(buf)
  local p = previews[buf]
  commands().request('weft/preview', {
    textDocument = commands().document(p.buf),
    scope = p.scope,
    environment = p.environment ~= '' and p.environment or nil,
  }, function(answer)
    if answer then
      fill(buf, p, answer)
    end
  end, p.buf)
end

-- refresh renders all previews again.
function M.refresh()
  for buf, p in pairs(previews) do
    if vim.api.nvim_buf_is_valid(buf) and vim.api.nvim_buf_is_valid(p.buf) then
      load(buf)
    end
  end
end

local timer
local function soon()
  if not next(previews) then
    return
  end
  timer = timer or vim.loop.new_timer()
  timer:start(300, 0, vim.schedule_wrap(M.refresh))
end

local function listen()
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'BufWritePost' }, { group = group, callback = function(args)
    if not previews[args.buf] then
      soon()
    end
  end })
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI' }, { group = group, callback = follow })
  vim.api.nvim_create_autocmd('BufWipeout', { group = group, callback = function(args)
    previews[args.buf] = nil
    if not next(previews) then
      vim.api.nvim_clear_autocmds({ group = group })
    end
  end })
end

-- open opens the preview of a buffer. Without an environment it follows the active one.
function M.open(source, o)
  vim.cmd('botright vnew')
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype, vim.bo[buf].bufhidden, vim.bo[buf].swapfile = 'nofile', 'wipe', false
  local name = o.scope == 'project' and 'all' or vim.fn.fnamemodify(vim.api.nvim_buf_get_name(source), ':t')
  vim.api.nvim_buf_set_name(buf, ('weft-preview://%s/%s/%d'):format(o.environment or '', name, buf))
  previews[buf] = {
    buf = source, scope = o.scope, environment = o.environment or '', sources = {}, map = {},
  }
  listen()
  load(buf)
  vim.cmd('wincmd p')
  return buf
end

-- diff compares the output of a buffer's project for two environments.
function M.diff(source, left, right)
  local here = vim.api.nvim_get_current_win()
  for _, environment in ipairs({ left, right }) do
    local buf = M.open(source, { scope = 'project', environment = environment })
    vim.api.nvim_win_call(vim.fn.bufwinid(buf), function() vim.cmd('diffthis') end)
    vim.api.nvim_set_current_win(here)
  end
end

local function value_of(line) -- the value in a line of YAML
  local rest = line:gsub('^[%s-]*%-%s+', ''):gsub('^%s+', '')
  return vim.trim(rest:match('^[^"\'].-:%s+(.*)$') or rest:match('^[^"\'].-:$') and '' or rest)
end

-- apply makes the edits that the server suggests. No event tells of a change in a buffer that is not the current one.
local function apply(edit, buf)
  local client = require('weft').client(buf)
  vim.lsp.util.apply_workspace_edit(edit, client and client.offset_encoding or 'utf-16')
  soon()
end

-- change asks for another value of the line at the cursor, and how the sources should change.
function M.change(buf, p)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local text = vim.api.nvim_buf_get_lines(buf, line, line + 1, false)[1] or ''
  vim.ui.input({ prompt = 'New value: ', default = value_of(text) }, function(value)
    if not value then
      return
    end
    commands().request('weft/suggest', {
      textDocument = commands().document(p.buf),
      scope = p.scope,
      environment = p.environment ~= '' and p.environment or nil,
      line = line,
      value = value,
    }, function(answer)
      local list = answer and answer.suggestions or {}
      if #list == 0 then
        local why = table.concat(answer and answer.problems or {}, '\n')
        return vim.notify('weft: ' .. (why ~= '' and why or 'there is no change to suggest'), vim.log.levels.WARN)
      end
      vim.ui.select(list, { prompt = 'Change the sources', format_item = function(s) return s.title end },
        function(s)
          if s then
            apply(s.edit, p.buf)
          end
        end)
    end, p.buf)
  end)
end

-- of gives what can be done with a buffer, if it is a preview.
function M.of(buf)
  local p = previews[buf]
  return p and {
    source = p.buf,
    blame = function()
      commands().request('workspace/executeCommand', { command = 'weft.blame', arguments = { {
        textDocument = commands().document(p.buf),
        scope = p.scope,
        line = vim.api.nvim_win_get_cursor(0)[1] - 1,
        environment = p.environment ~= '' and p.environment or nil,
      } } }, commands().show, p.buf)
    end,
    change = function() M.change(buf, p) end,
  }
end

return M
