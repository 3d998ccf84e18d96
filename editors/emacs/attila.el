;;; attila.el --- ATTILA, ARB, TGSI, AGAL and CTM programs  -*- lexical-binding: t -*-

;; For Emacs 29 or later, which has eglot, or 28 with the package eglot: load this file, then M-x eglot.

(define-derived-mode attila-mode prog-mode "ATTILA"
  (setq-local comment-start "; "))

(add-to-list 'auto-mode-alist '("\\.\\(attila\\|arb[fv]p\\|tgsi\\|agal\\|ctm\\)\\'" . attila-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(attila-mode . ("attila" "lsp"))))

(provide 'attila)
;;; attila.el ends here
