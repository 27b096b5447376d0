;;; weft.el --- Templates of weft and ytt  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "26.3") (eglot "1.6"))
;; Keywords: languages, yaml

;;; Commentary:

;; Modes for weft templates, and eglot for the language server "weft lsp".
;; They need eglot, which is part of Emacs 29, and build on yaml-mode or yaml-ts-mode if
;; one of them is there.
;;
;;   (require 'weft)
;;   (add-hook 'weft-mode-hook #'eglot-ensure)

;;; Code:

(require 'eglot)
(require 'jsonrpc)
(require 'project)
(require 'subr-x)

(declare-function treesit-ready-p "treesit")

(defgroup weft nil "Templates of weft and ytt." :group 'languages)

(defcustom weft-program "weft"
  "The weft program."
  :type 'string)

(defcustom weft-settings nil
  "Settings of the server, as a property list.
For example (:inputs [\"config\"] :environment \"prod\").
See docs/reference/lsp.md."
  :type '(plist))

(defcustom weft-trusted t
  "Whether code of the workspace may run."
  :type 'boolean)

;;;; Modes

(defvar weft-font-lock-keywords
  '(("#@comment\\_>.*$" 0 font-lock-comment-face t)
    ("\\(#@\\)\\([^ \t\n#][^ \t\n]*\\)"
     (1 font-lock-preprocessor-face t) (2 font-lock-preprocessor-face t))
    ("\\(#@\\)\\(?:[ \t]\\(.*\\)\\)?$"
     (1 font-lock-preprocessor-face t) (2 'default t t))
    ("#@[ \t]+\\(end\\|\\(?:if\\|elif\\|else\\|for\\|while\\|def\\)\\(?:/end\\)?\\|return\\|break\\|continue\\|pass\\)\\_>"
     1 font-lock-keyword-face t))
  "What `weft-mode' colors beyond YAML.")

(defcustom weft-parent-mode nil
  "The mode for YAML that `weft-mode' builds on.
Nil means the best one that is installed.  Set it before weft is loaded."
  :type '(choice (const :tag "The best one" nil) function))

(defun weft--tree-sitter-p ()
  "Whether `yaml-ts-mode' works.
It is part of Emacs 29, and its grammar is not."
  (and (fboundp 'yaml-ts-mode)
       (require 'treesit nil t)
       (treesit-ready-p 'yaml t)))

(defun weft--parent ()
  "The mode that `weft-mode' builds on.
That is `yaml-ts-mode' if the user prefers it to `yaml-mode', or only its
grammar is installed."
  (cond (weft-parent-mode)
        ((and (weft--tree-sitter-p)
              (or (eq (cdr (assq 'yaml-mode (bound-and-true-p major-mode-remap-alist))) 'yaml-ts-mode)
                  (not (require 'yaml-mode nil t))))
         'yaml-ts-mode)
        ((require 'yaml-mode nil t) 'yaml-mode)
        (t 'conf-unix-mode)))

(defalias 'weft--parent-mode (weft--parent))

(define-derived-mode weft-mode weft--parent-mode "weft"
  "Mode for YAML templates of weft and ytt."
  (setq-local comment-start "#! ")
  (setq-local comment-start-skip "#[!@]?[ \t]*")
  (setq-local indent-tabs-mode nil)
  (font-lock-add-keywords nil weft-font-lock-keywords 'append))

(define-derived-mode weft-star-mode python-mode "weft-star"
  "Mode for Starlark modules of weft."
  (font-lock-add-keywords nil '(("^[ \t]*\\(end\\)\\_>" 1 font-lock-keyword-face))))

(define-derived-mode weft-text-mode text-mode "weft-text"
  "Mode for text templates of weft: text with code between (@ and @)."
  (font-lock-add-keywords nil '(("(@[-=#]?\\|-?@)" 0 font-lock-preprocessor-face t)) 'append))

(defun weft-text-template-p ()
  "Whether the buffer is a text template.
That is a text file below a weft.yml that contains code."
  (and buffer-file-name
       (string-match-p "\\.txt\\'" buffer-file-name)
       (save-excursion
         (goto-char (point-min))
         (search-forward "(@" 200000 t))
       (locate-dominating-file buffer-file-name "weft.yml")
       t))

(defun weft-template-p ()
  "Whether the buffer is a YAML file that holds code of weft, or one it defines.
Those are weft.yml, tests, and the configuration of weft krm."
  (and buffer-file-name
       (string-match-p "\\.ya?ml\\'" buffer-file-name)
       (or (string-match-p "/\\(?:weft\\|tests/\\(?:.*/\\)?[^/]+\\.test\\)\\.yml\\'" buffer-file-name)
           (save-excursion
             (goto-char (point-min))
             (or (looking-at-p "#![ \t]")
                 (re-search-forward "\\(?:^\\|[ \t]\\)#@\\|^apiVersion:[ \t]*weft/" 200000 t))))))

;;;###autoload
(add-to-list 'magic-mode-alist '(weft-template-p . weft-mode))
;;;###autoload
(add-to-list 'magic-mode-alist '(weft-text-template-p . weft-text-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.star\\'" . weft-star-mode))

;;;; The server

(defun weft-find-project (dir)
  "The folder of the weft.yml above DIR, as a project.
It counts where no version control knows of one."
  (when-let ((root (locate-dominating-file dir "weft.yml")))
    (cons 'transient root)))

(add-hook 'project-find-functions #'weft-find-project 90)

(put 'weft-mode 'eglot-language-id "weft-yaml")
(put 'weft-star-mode 'eglot-language-id "weft-star")
(put 'weft-text-mode 'eglot-language-id "weft-text")

(defclass weft-server (eglot-lsp-server) ()
  "The language server of weft.")

(cl-defmethod eglot-initialization-options ((_server weft-server))
  "Trust and settings."
  (append (list :trusted (if weft-trusted t :json-false)) weft-settings))

(defun weft--contact (&rest _)
  "How eglot starts the server."
  (list 'weft-server weft-program "lsp"))

(add-to-list 'eglot-server-programs '((weft-mode weft-star-mode weft-text-mode) . weft--contact))

;;;; Commands

(defun weft--document ()
  "The current document, for requests."
  (eglot--TextDocumentIdentifier))

(defun weft--server ()
  "The server of the buffer, or an error."
  (or (eglot-current-server)
      (user-error "The language server does not run here; try M-x eglot")))

(defun weft--request (method params)
  "Ask the server METHOD with PARAMS."
  (jsonrpc-request (weft--server) method params))

(defun weft--show (result)
  "Show the RESULT of a command in a window."
  (let ((buffer (get-buffer-create (format "*%s*" (plist-get result :title)))))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (plist-get result :text))
        (goto-char (point-min)))
      (when (equal (plist-get result :languageId) "yaml")
        (weft--parent-mode))
      (view-mode 1))
    (display-buffer buffer)))

(defun weft--execute (command &rest properties)
  "Run COMMAND of the server for the current document and PROPERTIES."
  (weft--show
   (weft--request :workspace/executeCommand
                  (list :command command
                        :arguments (vector (append (list :textDocument (weft--document))
                                                   properties))))))

(defun weft-environments ()
  "The environments of the project of the buffer, and the active one."
  (let ((answer (weft--request :weft/environments (list :textDocument (weft--document)))))
    (cons (delete "" (append (plist-get answer :names) nil)) (plist-get answer :active))))

(defun weft-set-environment (name)
  "Make the environment NAME the active one."
  (interactive
   (pcase-let ((`(,names . ,active) (weft-environments)))
     (unless names (user-error "No weft.yml with environments is about this file"))
     (list (completing-read (format "Environment (%s): " active) names nil t))))
  (weft--request :weft/setEnvironment
                 (list :textDocument (weft--document) :environment name))
  (message "The environment is %s" name))

(defun weft-preview (whole)
  "Show the output of the file, or with a prefix argument of the WHOLE project."
  (interactive "P")
  (let ((answer (weft--request :weft/preview (list :textDocument (weft--document)
                                                   :scope (if whole "project" "file")))))
    (if (and (equal (plist-get answer :text) "") (> (length (plist-get answer :errors)) 0))
        (user-error "%s" (aref (plist-get answer :errors) 0))
      (weft--show (list :title "weft preview" :text (plist-get answer :text)
                        :languageId (plist-get answer :languageId))))))

(defun weft-render ()
  "Show the output of the project."
  (interactive)
  (weft--execute "weft.render" :scope "project"))

(defun weft-explain ()
  "Show what the overlay at point matches and changes."
  (interactive)
  (weft--execute "weft.explain" :position (eglot--pos-to-lsp-position)))

(defun weft-blame ()
  "Show which output the line at point makes, and its history."
  (interactive)
  (weft--execute "weft.blame" :position (eglot--pos-to-lsp-position)))

(defun weft--show-answer (result)
  "Show the RESULT of a command of a code action or lens, if it is a text."
  (when (plist-get result :text)
    (weft--show result))
  result)

;; Emacs 30 runs commands with another function than earlier versions.
(if (fboundp 'eglot-execute)
    (cl-defmethod eglot-execute ((_server weft-server) action)
      "Run the ACTION, and show what its command says."
      (let ((result (cl-call-next-method)))
        (if (plist-get action :title)
            result ; of an action in this one, which has shown it
          (weft--show-answer result))))
  (with-no-warnings
    (cl-defmethod eglot-execute-command ((_server weft-server) _command _arguments)
      "Run a command, and show what it says."
      (weft--show-answer (cl-call-next-method)))))

(provide 'weft)
;;; weft.el ends here
