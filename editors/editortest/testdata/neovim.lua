-- Uses Neovim with the plugin in editors/neovim as a person does. Prints what it sees, as JSON.

local session = dofile(debug.getinfo(1, 'S').source:match('@(.*/)') .. 'session.lua')
local out, wait, request = session.out, session.wait, session.request

local function diagnostics()
  return vim.tbl_map(function(d)
    return { line = d.lnum, message = d.message, source = d.source }
  end, vim.diagnostic.get(0))
end

local function client()
  return require('weft').client(0)
end

-- capable tells whether the server promises something; its name differs between versions.
local function capable(capability)
  local c = client()
  return c and (c.server_capabilities or {})[capability] and true or false
end

require('weft').setup({ cmd = { os.getenv('WEFT'), 'lsp' } })

session.run(function()
  out.version = vim.version().major * 100 + vim.version().minor
  vim.cmd('edit config/broken.yml')
  out.filetype = vim.bo.filetype
  wait('the server', function() return client() ~= nil end)
  wait('the diagnostic', function() return #vim.diagnostic.get(0) > 0 end)
  out.diagnostics = diagnostics()
  out.omnifunc = vim.bo.omnifunc

  -- correct the mistake
  vim.cmd([[%s/nmae/name/]])
  wait('no diagnostic', function() return #vim.diagnostic.get(0) == 0 end)
  out.corrected = diagnostics()

  vim.cmd('silent write')
  vim.cmd('edit config/app.yml')
  wait('the server for another file', function() return client() ~= nil end)
  if capable('hoverProvider') then
    local hover
    wait('the hover', function()
      hover = request('textDocument/hover', session.position(11, 30))
      return hover ~= nil and hover.contents ~= nil
    end)
    out.hover = hover and hover.contents and hover.contents.value
  end
  if capable('completionProvider') then
    local result
    wait('the completion', function()
      result = request('textDocument/completion', session.position(11, 27))
      return result ~= nil and #(result.items or result) > 0
    end)
    out.completion = session.labels(result)
    -- and as the user sees it: words from the omnifunc behind "data.values."
    vim.api.nvim_win_set_cursor(0, { 12, 27 })
  end

  -- bad layout, then format
  vim.api.nvim_buf_set_lines(0, 11, 12, false, { '      replicas:    #@   data.values.replicas' })
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 5000 })
  else
    vim.lsp.buf.formatting_sync(nil, 5000)
  end
  out.formatted = vim.api.nvim_buf_get_lines(0, 11, 12, false)[1]
  vim.cmd('edit!')

  -- the other environment
  vim.cmd('WeftEnvironment prod')
  local active
  wait('the environment', function()
    local e = request('weft/environments', session.document())
    active = e and e.active
    return active == 'prod'
  end)
  out.environment = active

  -- the preview follows the cursor
  local function window(matches)
    for _, w in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local buf = vim.api.nvim_win_get_buf(w)
      if matches(buf, table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')) then
        return { win = w, buf = buf }
      end
    end
  end
  vim.cmd('WeftPreview')
  local preview
  wait('the preview', function()
    preview = window(function(buf, text)
      return vim.api.nvim_buf_get_name(buf):find('weft%-preview') and text:find('kind:')
    end)
    return preview
  end)
  if preview then
    out.preview = table.concat(vim.api.nvim_buf_get_lines(preview.buf, 0, -1, false), '\n')
    out.preview_filetype = vim.bo[preview.buf].filetype
    vim.api.nvim_win_set_cursor(0, { 12, 0 })
    vim.api.nvim_exec_autocmds('CursorMoved', {})
    local line = vim.api.nvim_win_get_cursor(preview.win)[1]
    out.preview_cursor = vim.api.nvim_buf_get_lines(preview.buf, line - 1, line, false)[1]

    -- commands in the preview are about its file: another environment, and another value for a line
    local here = vim.api.nvim_get_current_win()
    local function shows(text)
      wait(text .. ' in the preview', function()
        return table.concat(vim.api.nvim_buf_get_lines(preview.buf, 0, -1, false), '\n'):find(text, 1, true)
      end)
    end
    vim.api.nvim_set_current_win(preview.win)
    vim.cmd('WeftEnvironment dev')
    shows('replicas: 1')
    vim.cmd('WeftEnvironment prod')
    shows('replicas: 5')
    vim.fn.search('replicas: 5')
    vim.ui.input = function(o, answer)
      out.change_from = o.default
      answer('7')
    end
    vim.ui.select = function(list, o, answer)
      out.change = o.format_item(list[1])
      answer(list[1])
    end
    vim.cmd('WeftChange')
    shows('replicas: 7')
    vim.cmd('WeftDiff dev prod')
    wait('both sides of the comparison', function()
      return window(function(_, text) return text:find('name: shop-dev', 1, true) and text:find('replicas: 1', 1, true) end)
        and window(function(buf, text) return buf ~= preview.buf and text:find('replicas: 7', 1, true) end)
    end)
    for _, w in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      if w ~= here and w ~= preview.win then
        vim.api.nvim_win_close(w, true)
      end
    end
    vim.api.nvim_set_current_win(here)
    vim.cmd('bwipeout! weft.yml') -- nothing was saved
  end

  -- where the line of the cursor comes from
  vim.cmd('WeftBlame')
  wait('the history', function()
    local found = window(function(buf, text)
      out.blame = vim.bo[buf].buftype == 'nofile' and text:find('spec.replicas', 1, true) and text or out.blame
      return out.blame
    end)
    return found
  end)

  -- plain YAML of the project keeps its type and gets the server, too
  vim.cmd('edit envs/dev.yml')
  out.plain_filetype = vim.bo.filetype
  wait('the server for plain YAML', function() return client() ~= nil end)

  -- the test at the cursor
  vim.cmd('only')
  vim.cmd('edit tests/app.test.yml')
  wait('the server for tests', function() return client() ~= nil end)
  vim.api.nvim_win_set_cursor(0, { 9, 0 })
  vim.cmd('WeftTest')
  wait('the outcome of the test', function()
    return window(function(buf, text)
      out.test = vim.bo[buf].buftype == 'terminal' and text:find('1 test', 1, true) and text or out.test
      return out.test
    end)
  end)
  out.clients = #vim.lsp.get_active_clients()
end)
