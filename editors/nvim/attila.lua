-- ATTILA, ARB, TGSI, AGAL and CTM programs in Neovim 0.10 or later: dofile() this in init.lua.
vim.filetype.add({
  extension = { attila = "attila", arbfp = "arb", arbvp = "arb", tgsi = "tgsi", agal = "agal", ctm = "ctm" },
})
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "attila", "arb", "tgsi", "agal", "ctm" },
  callback = function(event)
    vim.lsp.start({ name = "attila", cmd = { "attila", "lsp" }, root_dir = vim.fs.dirname(event.file) })
  end,
})
