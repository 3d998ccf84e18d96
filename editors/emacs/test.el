;;; test.el --- Opens a broken program, sees the diagnostic and takes the fix  -*- lexical-binding: t -*-

;; .ci/slow editors starts this without a screen.

(package-initialize)
(require 'eglot)
(load (expand-file-name "attila.el" (file-name-directory load-file-name)))

(defun attila-await (what condition)
  "Wait for CONDITION, or end with the message that there is no WHAT."
  (let ((end (+ (float-time) 10)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (message "emacs: no %s" what)
        (kill-emacs 1))
      (accept-process-output nil 0.05))))

(let ((file (make-temp-file "program" nil ".attila" "mvo o1, i0\n")))
  (find-file file)
  (let ((eglot-sync-connect 10))
    (apply #'eglot (eglot--guess-contact)))
  (attila-await "diagnostic" (lambda () (flymake-start) (flymake-diagnostics)))
  (let ((found (car (flymake-diagnostics))))
    (unless (and (string-match-p "did you mean `mov`" (flymake-diagnostic-text found))
                 (= (flymake-diagnostic-beg found) 1))
      (message "emacs: the diagnostic is %s" (flymake-diagnostic-text found))
      (kill-emacs 1)))
  (goto-char 1)
  (let ((eglot-confirm-server-initiated-edits nil))
    (eglot-code-actions (point-min) (point-max) "quickfix" t))
  (attila-await "fix" (lambda () (equal (buffer-string) "mov o1, i0\n")))
  ;; Changes are told when Emacs is idle, which it never is here.
  (eglot--signal-textDocument/didChange)
  (attila-await "end of the diagnostic" (lambda () (flymake-start) (null (flymake-diagnostics))))
  (set-buffer-modified-p nil)
  (delete-file file))
(message "emacs: the diagnostic was shown and its fix taken")
(kill-emacs 0)

;;; test.el ends here
