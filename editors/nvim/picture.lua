-- Fills a terminal with a broken program, its problem and a hover; `.ci/editors COMMAND picture` starts this in tmux.
local folder = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
dofile(folder .. "/attila.lua")
vim.cmd("filetype on") -- as after init.lua
vim.o.termguicolors = true
vim.o.signcolumn = "yes"
vim.o.cmdheight = 2 -- no message waits for a key
vim.diagnostic.config({ virtual_text = { prefix = "<" } })
vim.lsp.handlers["textDocument/hover"] = vim.lsp.with(vim.lsp.handlers.hover, { border = "single" })

-- The theme: some of Neovim 0.7's own colours are hard to read.
local colours = {
  LineNr = { fg = "#6e7681" },
  EndOfBuffer = { fg = "#6e7681" },
  SignColumn = {},
  DiagnosticError = { fg = "#e06c75" },
  DiagnosticUnderlineError = { underline = true },
  LspReferenceRead = { bg = "#2c4a6e" },
  LspReferenceWrite = { bg = "#6e4a2c" },
  NormalFloat = { fg = "#d4d4d4", bg = "#262a33" },
  FloatBorder = { fg = "#56b6c2", bg = "#262a33" },
  StatusLine = { fg = "#181a1e", bg = "#56b6c2" },
}
for name, colour in pairs(colours) do
  vim.api.nvim_set_hl(0, name, colour)
end

local program = vim.fn.readfile(folder .. "/../../cli/tests/debug/black.attila")
local file = vim.fn.tempname() .. ".attila"
vim.fn.writefile(program, file)
vim.cmd("edit " .. file)
vim.cmd("file lamp.attila")
vim.fn.setline(5, (program[5]:gsub("mul", "mull", 1)))
vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end, 50)
vim.fn.cursor(10, 10)
vim.lsp.buf.hover()
vim.fn.cursor(6, 18)
vim.lsp.buf.document_highlight()
vim.fn.cursor(10, 10)
