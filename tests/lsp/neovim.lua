-- Opens $FILE with the server $SERVER and writes what the editor then knows to $OUT as JSON.
local out = {}
local done, problem = xpcall(function()
  vim.lsp.config('jaxref', {
    cmd = vim.json.decode(vim.env.SERVER),
    filetypes = { 'python' },
    root_markers = { 'pyproject.toml' },
    on_exit = function(code) out.exit_code = code end,
  })
  vim.cmd('filetype on')
  vim.lsp.enable('jaxref')
  vim.cmd.edit(vim.env.FILE)
  local buffer = vim.api.nvim_get_current_buf()
  local function client() return vim.lsp.get_clients({ bufnr = buffer })[1] end
  assert(vim.wait(30000, function() return client() and client().initialized end, 20), 'no client')
  local server = client()
  local encoding = server.offset_encoding
  out.encoding = encoding
  assert(vim.wait(30000, function() return #vim.diagnostic.get(buffer) > 0 end, 20), 'no finding')
  local found = vim.diagnostic.get(buffer)
  out.found = #found
  local first = found[1]
  out.code = first.code
  out.flagged = vim.api.nvim_buf_get_text(buffer, first.lnum, first.col, first.end_lnum, first.end_col, {})
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  local place = vim.lsp.util.make_position_params(0, encoding)
  out.hover = server:request_sync('textDocument/hover', place, 30000, buffer).result
  local actions = server:request_sync('textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    range = { start = place.position, ['end'] = place.position },
    context = { diagnostics = { first.user_data.lsp }, triggerKind = 1 },
  }, 30000, buffer).result
  out.actions = vim.tbl_map(function(one) return one.title end, actions)
  vim.lsp.util.apply_workspace_edit(actions[tonumber(vim.env.CHOICE)].edit, encoding)
  out.gone = vim.wait(30000, function() return #vim.diagnostic.get(buffer) == 0 end, 20)
  out.text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n') .. '\n'
  server:stop()
  vim.wait(30000, function() return out.exit_code ~= nil end, 20)
end, debug.traceback)
if not done then out.problem = problem end
local file = assert(io.open(vim.env.OUT, 'w'))
file:write(vim.json.encode(out))
file:close()
os.exit(0)
