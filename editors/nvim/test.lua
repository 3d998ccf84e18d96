-- Opens a broken program, sees the diagnostic and takes the fix; .ci/slow editors starts this without a screen.
local function fail(message)
  io.stderr:write("nvim: " .. message .. "\n")
  vim.cmd("cquit 1")
end

local function await(what, condition)
  if not vim.wait(10000, condition, 50) then
    fail("no " .. what)
  end
end

local folder = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
dofile(folder .. "/attila.lua")
vim.cmd("filetype on") -- as after init.lua
local file = vim.fn.tempname() .. ".attila"
vim.fn.writefile({ "mvo o1, i0" }, file)
vim.cmd("edit " .. file)
await("diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)[1]
if not found.message:find("did you mean `mov`", 1, true) or found.lnum ~= 0 or found.col ~= 0 then
  fail("the diagnostic is " .. vim.inspect(found))
end
vim.ui.select = function(actions, _, choose) choose(actions[1], 1) end
vim.lsp.buf.code_action()
await("fix", function() return vim.fn.getline(1) == "mov o1, i0" end)
await("end of the diagnostic", function() return #vim.diagnostic.get(0) == 0 end)
io.stdout:write("nvim: the diagnostic was shown and its fix taken\n")
vim.cmd("qall!")
