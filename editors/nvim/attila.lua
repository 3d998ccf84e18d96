-- ATTILA, ARB, TGSI, AGAL and CTM programs in Neovim 0.7 or later: dofile() this in init.lua.
vim.g.do_filetype_lua = 1 -- before Neovim 0.8
vim.filetype.add({
  extension = { attila = "attila", arbfp = "arb", arbvp = "arb", tgsi = "tgsi", agal = "agal", ctm = "ctm" },
})
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "attila", "arb", "tgsi", "agal", "ctm" },
  callback = function(event)
    local server = { name = "attila", cmd = { "attila", "lsp" }, root_dir = vim.fn.fnamemodify(event.file, ":p:h") }
    if vim.lsp.start then
      vim.lsp.start(server)
    else -- before Neovim 0.8
      vim.lsp.buf_attach_client(0, vim.lsp.start_client(server))
    end
  end,
})
