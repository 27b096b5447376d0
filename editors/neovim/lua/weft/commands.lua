-- :WeftEnvironment, :WeftPreview, :WeftDiff, :WeftRender, :WeftExplain, :WeftBlame, :WeftChange, :WeftTest.

local M = {}

local function complain(message)
  vim.notify('weft: ' .. message, vim.log.levels.ERROR)
end

-- request asks the server of a buffer, and calls done with the answer unless there is an error. In a
-- preview the server is that of the file it shows.
local function request(method, params, done, buf)
  local client = require('weft').client(buf or 0)
  if not client then
    return complain('the language server does not run for this buffer')
  end
  local function answered(err, result)
    if err then
      return complain(err.message)
    end
    done(result)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, answered, buf or 0)
  else
    client.request(method, params, answered, buf or 0)
  end
end

M.request = request

local function document(buf)
  return { uri = vim.uri_from_bufnr(buf or 0) }
end

M.document = document

-- show puts text into a scratch window beside the current one.
local function show(result)
  if type(result) ~= 'table' or not result.text then
    return
  end
  vim.cmd('botright vnew')
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype, vim.bo[buf].bufhidden, vim.bo[buf].swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(result.text:gsub('\n$', ''), '\n', { plain = true }))
  vim.bo[buf].modifiable, vim.bo[buf].filetype = false, result.languageId
  vim.cmd('wincmd p')
end

local function execute(command, argument, buf)
  request('workspace/executeCommand', { command = command, arguments = { argument } }, show, buf)
end

-- subject is the buffer that a command is about: the current one, or the one whose preview that is.
local function subject()
  local buf = vim.api.nvim_get_current_buf()
  local preview = require('weft.preview').of(buf)
  return preview and preview.source or buf
end

-- Commands in code lenses of the server.
M.of_server = {}
for _, name in ipairs({ 'weft.render', 'weft.explain', 'weft.blame' }) do
  M.of_server[name] = function(command)
    execute(name, (command.arguments or {})[1])
  end
end

-- run_test runs what a lens above a test says, in a terminal and without a shell.
local function run_test(run)
  if type(run) ~= 'table' or type(run.arguments) ~= 'table' or run.arguments[1] ~= 'test' then
    return
  end
  vim.cmd('silent! wall') -- weft test reads files
  local cmd = { require('weft').options.cmd[1] }
  vim.list_extend(cmd, run.arguments)
  vim.cmd('botright new')
  vim.bo.bufhidden = 'wipe'
  vim.fn.termopen(cmd, { cwd = run.directory })
  vim.cmd('wincmd p')
end

M.of_server['weft.runTest'] = function(command)
  run_test((command.arguments or {})[1])
end

-- test runs the test at the cursor, or all tests of the file.
local function test(all)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  request('textDocument/codeLens', { textDocument = document() }, function(lenses)
    local nearest
    for i, lens in ipairs(lenses or {}) do
      local command = lens.command or {}
      if command.command == 'weft.runTest' and (i == 1 or not all and lens.range.start.line <= line) then
        nearest = command
      end
    end
    if not nearest then
      return complain('this file has no tests')
    end
    run_test((nearest.arguments or {})[1])
  end)
end

local function position()
  local cursor = vim.api.nvim_win_get_cursor(0)
  local client = require('weft').client(0)
  local encoding = client and client.offset_encoding or 'utf-16'
  return vim.lsp.util.make_position_params(0, encoding).position or { line = cursor[1] - 1, character = 0 }
end

-- names are the environments of the current buffer, for completion.
local function names()
  local buf, answer = subject(), nil
  if not require('weft').client(buf) then
    return {}
  end
  request('weft/environments', { textDocument = document(buf) }, function(e) answer = e or {} end, buf)
  vim.wait(1000, function() return answer end, 5)
  return answer and answer.names or {}
end

local function set_environment(name, buf)
  request('weft/setEnvironment', { textDocument = document(buf), environment = name }, function()
    vim.g.weft_environment = name
    require('weft.preview').refresh()
  end, buf)
end

local function choose_environment(args)
  local buf = subject()
  if args.args ~= '' then
    return set_environment(args.args, buf)
  end
  request('weft/environments', { textDocument = document(buf) }, function(e)
    local list = vim.tbl_filter(function(n) return n ~= '' end, e and e.names or {})
    if #list == 0 then
      return complain('no weft.yml with environments is about this file')
    end
    vim.ui.select(list, {
      prompt = 'Environment',
      format_item = function(n) return n == e.active and n .. ' (active)' or n end,
    }, function(n)
      if n then
        set_environment(n, buf)
      end
    end)
  end, buf)
end

function M.define()
  local function command(name, run, options)
    vim.api.nvim_create_user_command(name, run, options or {})
  end
  command('WeftEnvironment', choose_environment, { nargs = '?', complete = names })
  command('WeftPreview', function(args)
    require('weft.preview').open(subject(), { scope = args.bang and 'project' or 'file', environment = args.args })
  end, { bang = true, nargs = '?', complete = names })
  command('WeftDiff', function(args)
    if #args.fargs ~= 2 then
      return complain('name two environments: :WeftDiff dev prod')
    end
    require('weft.preview').diff(subject(), args.fargs[1], args.fargs[2])
  end, { nargs = '*', complete = names })
  command('WeftTest', function(args) test(args.bang) end, { bang = true })
  command('WeftRender', function()
    local buf = subject()
    execute('weft.render', { textDocument = document(buf), scope = 'project' }, buf)
  end)
  command('WeftExplain', function()
    execute('weft.explain', { textDocument = document(), position = position() })
  end)
  command('WeftChange', function()
    local preview = require('weft.preview').of(vim.api.nvim_get_current_buf())
    if not preview then
      return complain('open a preview, and choose a line with a value there: :WeftPreview')
    end
    preview.change()
  end)
  command('WeftBlame', function()
    local preview = require('weft.preview').of(vim.api.nvim_get_current_buf())
    if preview then
      return preview.blame()
    end
    execute('weft.blame', { textDocument = document(), position = position() })
  end)
end

M.show = show

return M
