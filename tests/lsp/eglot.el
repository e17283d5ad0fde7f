;; emacs -Q --batch -l eglot.el: opens $FILE with the server $SERVER (a JSON array) and writes what
;; the editor then knows to $OUT as JSON. For Emacs 28 with eglot 1.9 and later.
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*"))
  (when (file-directory-p folder) (add-to-list 'load-path folder)))
(require 'cl-lib)
(require 'json)
(require 'flymake)
(require 'eglot)
(setq eglot-sync-connect 30 eglot-connect-timeout 60 eglot-autoshutdown nil
      eglot-send-changes-idle-time 0 vc-handled-backends nil make-backup-files nil
      create-lockfiles nil)

(defvar test-known nil "What is written out, the latest first.")
(defvar test-published 0 "How many times diagnostics have come.")

(defun test-note (key value) (push (cons key value) test-known))

(defun test-wait (wanted)
  "Wait until WANTED returns a value, and return it; nil after half a minute."
  (let ((end (+ (float-time) 30)) found)
    (while (and (not (setq found (funcall wanted))) (< (float-time) end))
      (accept-process-output nil 0.05))
    found))

(defun test-diagnostics ()
  "The texts of the diagnostics and what they underline."
  (flymake-start)
  (vconcat (mapcar (lambda (one)
                     (vector (flymake-diagnostic-text one)
                             (buffer-substring-no-properties (flymake-diagnostic-beg one)
                                                             (flymake-diagnostic-end one))))
                   (flymake-diagnostics))))

(cl-defmethod eglot-handle-notification
  :before (_server (_method (eql textDocument/publishDiagnostics)) &rest _)
  (cl-incf test-published))

(condition-case problem
    (let ((file (getenv "FILE")) (command (append (json-read-from-string (getenv "SERVER")) nil)))
      (find-file file)
      (python-mode)
      (eglot '(python-mode) (cons 'transient (file-name-directory file)) 'eglot-lsp-server command
             "python")
      (let ((server (eglot-current-server)))
        (test-wait (lambda () (> test-published 0)))
        (test-note 'found (test-wait (lambda () (let ((all (test-diagnostics)))
                                                  (and (> (length all) 0) all)))))
        (goto-char (point-min))
        (search-forward "word")
        (backward-char 2)
        (test-note 'hover (plist-get (jsonrpc-request server :textDocument/hover
                                                      (eglot--TextDocumentPositionParams))
                                     :contents))
        (let* ((actions (append (jsonrpc-request
                                 server :textDocument/codeAction
                                 (list :textDocument (eglot--TextDocumentIdentifier)
                                       :range '(:start (:line 0 :character 0)
                                                :end (:line 9 :character 0))
                                       :context '(:diagnostics [])))
                                nil))
               (seen test-published))
          (test-note 'actions (vconcat (mapcar (lambda (one) (plist-get one :title)) actions)))
          (eglot--apply-workspace-edit (plist-get (car actions) :edit))
          (eglot--signal-textDocument/didChange)
          (test-wait (lambda () (> test-published seen)))
          (test-note 'left (test-diagnostics))
          (test-note 'text (buffer-substring-no-properties (point-min) (point-max))))
        (set-buffer-modified-p nil)
        (eglot-shutdown server nil 10)))
  (error (test-note 'problem (format "%S" problem))))
(with-temp-file (getenv "OUT") (insert (json-encode (nreverse test-known))))
(kill-emacs 0)
