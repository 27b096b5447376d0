-- What the scripts here share: they look at something in Neovim, and print what they see, as JSON. Each one begins with
--
--   local session = dofile(debug.getinfo(1, 'S').source:match('@(.*/)') .. 'session.lua')

local session = { out = {} }

-- longest ends what would hang, in milliseconds. It measures nothing: on a busy machine Node takes long to start.
local longest = 60000

-- wait waits for a condition. What does not come is in out.timeouts.
function session.wait(what, condition)
  if not vim.wait(longest, condition, 10) then
    session.out.timeouts = session.out.timeouts or {}
    table.insert(session.out.timeouts, what)
  end
end

-- servers are those that are attached to the buffer, by their names.
function session.servers()
  local found = {}
  for id, c in pairs(vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)) do
    if vim.lsp.buf_is_attached(0, c.id or id) then
      found[c.name] = c
    end
  end
  return found
end

-- answers are the results of a request, by the names of servers.
function session.answers(method, params)
  local results = {}
  for id, answer in pairs(vim.lsp.buf_request_sync(0, method, params, longest) or {}) do
    results[vim.lsp.get_client_by_id(id).name] = answer.result
  end
  return results
end

-- request returns the result of weft's server.
function session.request(method, params)
  return session.answers(method, params).weft
end

-- document are the parameters of a request about the buffer.
function session.document()
  return { textDocument = { uri = vim.uri_from_bufnr(0) } }
end

-- position are those of a request about a place, which begins with 0. A cursor can be at the end of a line only while
-- the user types.
function session.position(line, column)
  return { textDocument = session.document().textDocument, position = { line = line, character = column } }
end

-- labels are those of completions or lenses.
function session.labels(result)
  return vim.tbl_map(function(i) return vim.trim(i.label or i.command.title) end,
    result and (result.items or result) or {})
end

-- run does the work, prints what it saw, and ends Neovim.
function session.run(work)
  local ok, err = pcall(work)
  if not ok then
    session.out.error = err
  end
  io.stdout:write(vim.fn.json_encode(session.out), '\n')
  vim.cmd('qa!')
end

return session
