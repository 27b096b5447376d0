;;; emacs.el --- Uses Emacs with editors/emacs/weft.el as a person does  -*- lexical-binding: t; -*-

;; Prints what it sees, as JSON. Debian has eglot as a package of its own.

(package-initialize)
(require 'json)
(setq weft-program (getenv "WEFT"))
(when (getenv "GRAMMARS")
  (setq treesit-extra-load-path (list (getenv "GRAMMARS"))))
(unless (equal (getenv "PARENT") "")
  (setq weft-parent-mode (intern (getenv "PARENT"))))
(load (getenv "WEFT_EL") nil t)
(setq eglot-sync-connect 60
      eglot-autoshutdown nil
      eglot-send-changes-idle-time 0.05
      eglot-confirm-server-initiated-edits nil
      inhibit-message t)

(defvar out nil)
(defun out (key value) (push (cons key value) out))

(defun wait-for (what condition)
  "Wait until CONDITION gives something; note WHAT if it does not."
  (let ((until (+ (float-time) 60)) got)
    (while (and (not (setq got (funcall condition))) (< (float-time) until))
      (accept-process-output nil 0.05)
      ;; Batch mode has no idle time, in which eglot would send edits and flymake would ask.
      (when (and (boundp 'eglot--recent-changes) eglot--recent-changes)
        (eglot--signal-textDocument/didChange))
      (flymake-start))
    (unless got (out 'timeout what))
    got))

(defun eglot-server-capable* (what)
  "Whether the server can do WHAT; the name of the function depends on the version."
  (funcall (if (fboundp 'eglot-server-capable) #'eglot-server-capable #'eglot--server-capable) what))

(defvar root default-directory)
(defun open (name) (find-file (expand-file-name name root)))

(defun explaining-lens ()
  "The lens above an overlay that explains it."
  (seq-find (lambda (lens) (equal (plist-get (plist-get lens :command) :command) "weft.explain"))
            (mapcar (lambda (lens)
                      (if (plist-get lens :command) lens
                        (jsonrpc-request (eglot-current-server) :codeLens/resolve lens)))
                    (jsonrpc-request (eglot-current-server) :textDocument/codeLens
                                     (list :textDocument (eglot--TextDocumentIdentifier))))))

(defun shown-answer ()
  "The buffer with the answer of a command."
  (seq-find (lambda (buffer) (string-match-p "\\`\\*.*overlay" (buffer-name buffer))) (buffer-list)))

(condition-case err
    (progn
      (open "config/broken.yml")
      (out 'mode (symbol-name major-mode))
      (out 'parent (symbol-name (weft--parent)))
      (font-lock-ensure)
      (goto-char (point-min))
      (search-forward "data.values.nmae")
      (goto-char (line-beginning-position))
      (search-forward "#@")
      (out 'color (format "%s" (get-text-property (1- (point)) 'face)))
      (call-interactively #'eglot)
      (wait-for "the server" #'eglot-current-server)
      (flymake-mode 1)
      (let ((found (wait-for "the diagnostic" #'flymake-diagnostics)))
        (out 'diagnostic (and found (flymake-diagnostic-text (car found))))
        (out 'line (and found (line-number-at-pos (flymake-diagnostic-beg (car found))))))
      (goto-char (point-min))
      (search-forward "nmae")
      (replace-match "name")
      (wait-for "no diagnostic" (lambda () (null (flymake-diagnostics))))
      (save-buffer)

      (open "config/app.yml")
      (wait-for "the server for another file" #'eglot-current-server)
      (out 'servers (length (apply #'append (hash-table-values eglot--servers-by-project))))
      (when (eglot-server-capable* :hoverProvider)
        (goto-char (point-min))
        (search-forward "replicas: #@ data.values.rep")
        (let ((hover (wait-for "the hover"
                               (lambda ()
                                 (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                                  (eglot--TextDocumentPositionParams))))))
          (out 'hover (plist-get (plist-get hover :contents) :value))))
      (when (eglot-server-capable* :completionProvider)
        (goto-char (point-min))
        (search-forward "replicas: #@ data.values.")
        (let* ((capf (eglot-completion-at-point))
               (table (nth 2 capf)))
          (out 'completion (vconcat (mapcar #'substring-no-properties
                                            (all-completions "" table))))))
      (goto-char (point-min))
      (search-forward "  replicas: #@ ")
      (replace-match "      replicas: #@    ")
      (eglot-format-buffer)
      (goto-char (point-min))
      (search-forward "replicas:")
      (out 'formatted (buffer-substring (line-beginning-position) (line-end-position)))
      (weft-set-environment "prod")
      (out 'environment (cdr (weft-environments)))
      (set-buffer-modified-p nil)

      ;; a command of a lens
      (open "config/overlay.yml")
      (wait-for "the server for an overlay" #'eglot-current-server)
      (let ((lens (wait-for "the lens" #'explaining-lens)))
        (eglot--read-execute-code-action (list (plist-get lens :command)) (eglot-current-server) "any"))
      (let ((shown (wait-for "the answer of the command" #'shown-answer)))
        (out 'answer (with-current-buffer shown (buffer-string))))

      ;; a text template
      (write-region "hosts (@ x = nope @)\n" nil (expand-file-name "config/hosts.txt" root))
      (open "config/hosts.txt")
      (out 'textMode (symbol-name major-mode))
      (font-lock-ensure)
      (out 'textColor (format "%s" (get-text-property 7 'face)))
      (wait-for "the server for text" (lambda () (or (eglot-current-server) (call-interactively #'eglot))))
      (flymake-mode 1)
      (let ((found (wait-for "the diagnostic of text" #'flymake-diagnostics)))
        (out 'textDiagnostic (and found (flymake-diagnostic-text (car found)))))

      ;; files that weft itself defines
      (out 'described
           (mapcar (lambda (case)
                     (let-alist case
                       (open .file)
                       (wait-for .file (lambda () (or (eglot-current-server) (call-interactively #'eglot))))
                       (flymake-mode 1)
                       (goto-char (point-min))
                       (forward-line (1- .line))
                       (forward-char .column)
                       (let ((hover (and (eglot-server-capable* :hoverProvider)
                                         (wait-for (concat "the hover of " .file)
                                                   (lambda ()
                                                     (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                                      (eglot--TextDocumentPositionParams)))))))
                         (goto-char (point-max))
                         (insert .wrong "\n")
                         (let ((found (wait-for (concat "the diagnostic of " .file) #'flymake-diagnostics)))
                           (set-buffer-modified-p nil)
                           (list (cons 'mode (symbol-name major-mode))
                                 (cons 'hover (plist-get (plist-get hover :contents) :value))
                                 (cons 'diagnostic (and found (flymake-diagnostic-text (car found)))))))))
                   (let ((json-array-type 'list))
                     (json-read-from-string (getenv "CASES"))))))
  (error (out 'error (error-message-string err))))

(princ (json-encode out))
(let ((kill-buffer-query-functions nil) (confirm-kill-processes nil))
  (kill-emacs 0))
