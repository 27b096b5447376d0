//go:build !js

package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/shell"
	"weft/internal/project/fleet"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// editFlags are the flags of the command that edits the output.
type editFlags struct{ suggestFlags }

// newEdit returns the command that edits the output in an editor, and changes the sources.
func newEdit() *cobra.Command {
	f := &editFlags{}
	f.form = "text"
	cmd := &cobra.Command{
		Use:   "edit [ENV] [DOCUMENT] [flags]",
		Short: "Edit the output, and change the sources",
		Long: `edit renders an environment of the project, or the inputs that -f names, and opens the documents in your
editor: $VISUAL, or else $EDITOR. When the editor ends, edit prints the change of the sources that gives what
you edited, as weft suggest does, and asks before it writes.

DOCUMENT selects what to edit, such as Deployment/web or kind=Deployment; without it, you edit all documents.
The file is in a private directory, and only you can read it. edit removes it, also if it is interrupted.
While the editor runs, Ctrl-C is for the editor. If the editor fails, nothing is written, and the exit code
is 1.
With --keep you edit all documents with their comments and layout, which then count.`,
		Example: `  weft edit prod Deployment/web
  weft edit prod
  EDITOR='code --wait' weft edit -f config Service/web`,
		Args: cobra.ArbitraryArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, append(renderedBy("watch", "timings"), "keep"))
	flags.StringVar(&f.as, "as", "auto", "change only `WHAT`: auto, values, overlay or override")
	flags.BoolVarP(&f.write, "write", "w", false, "write the change to the sources without asking")
	addSecrets(flags, &f.secrets)
	help.Output.Of(flags)
	return cmd
}

func (f *editFlags) run(cmd *cobra.Command, args []string) error {
	if !slices.Contains(suggestForms, f.as) {
		return process.Usagef("--as takes auto, values, overlay or override, but found '%s'", f.as)
	}
	rest, err := f.render.project.takeFirst(cmd, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 && cmd.Flags().Changed("keep") {
		return process.Usagef("edit --keep edits all documents, but found '%s'", strings.Join(rest, "', '")).
			WithHint("leave out the document, or --keep: then only what documents mean has to be the same")
	}
	editor, unfinished := shell.Words(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR")))
	if unfinished != nil || len(editor) == 0 {
		return process.Usagef("edit needs an editor, but neither VISUAL nor EDITOR names one").
			WithHint("set the variable: EDITOR=vi weft edit; or edit a file, and use weft suggest --to FILE")
	}
	s, err := f.source(cmd)
	if err != nil {
		return err
	}
	defer s.root.Close()
	s.Select = rest
	text, err := f.text(cmd, s)
	if err != nil {
		return err
	}
	return f.edit(cmd, s, &editing{text: text, editor: editor})
}

// text returns what can be edited.
func (f *editFlags) text(cmd *cobra.Command, s *suggestSource) (text []byte, err error) {
	err = f.render.how.Run(cmd, s.Options, func(cmd *cobra.Command, opts weft.Options) error {
		s.Options = opts
		text, err = weft.Editable(fleet.WithGiven(cmd.Context(), cmd.Flags().Changed), s.SuggestOptions)
		return err
	})
	return text, err
}

// editing is a text and the command that opens it.
type editing struct {
	text   []byte
	editor []shell.Word
	isOpen atomic.Bool // the editor runs
}

// endOnQuit makes SIGQUIT end the context of a command, as other signals do, so that the file is removed. While
// the editor runs, the signal is for the editor.
func (e *editing) endOnQuit(cmd *cobra.Command) (stop func()) {
	ctx, cancel := context.WithCancel(cmd.Context())
	cmd.SetContext(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGQUIT)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-signals:
				if !e.isOpen.Load() {
					cancel()
				}
			}
		}
	}()
	return func() { signal.Stop(signals); cancel() }
}

// edit opens the documents in the editor until there is a change that can be made, or the person gives up.
func (f *editFlags) edit(cmd *cobra.Command, s *suggestSource, e *editing) error {
	dir, err := os.MkdirTemp("", "weft-edit-")
	if err != nil {
		return process.Usagef("cannot create a directory for the file to edit: %s", err)
	}
	defer process.Removes(cmd.Context(), func() { _ = os.RemoveAll(dir) })()
	defer e.endOnQuit(cmd)()
	name := filepath.Join(dir, "edit.yml")
	if err := os.WriteFile(name, e.text, 0o600); err != nil {
		return process.Usagef("cannot write the file to edit: %s", err)
	}
	answers := bufio.NewReader(cmd.InOrStdin())
	for {
		if err := e.open(cmd, name); err != nil {
			return err
		}
		data, err := readBack(name)
		if err != nil {
			return process.Usagef("cannot read the edited file: %s", err)
		}
		if bytes.Equal(data, e.text) {
			process.MessagesOf(cmd).Note("edit: nothing was edited\n")
			return nil
		}
		now, err := f.text(cmd, s)
		line := 0
		if err == nil {
			data, line = merged(e.text, now, data)
		}
		if line > 0 {
			process.MessagesOf(cmd).Note(fmt.Sprintf(
				"edit: the sources have changed what was edited in line %d; the edited text counts\n", line))
		}
		s.Edited = []weft.File{{Path: "edit.yml", Data: data}}
		var r *weft.SuggestReport
		if err == nil {
			err = f.render.how.Run(cmd, s.Options, func(cmd *cobra.Command, opts weft.Options) error {
				s.Options = opts
				r, err = f.suggest(cmd, s)
				return err
			})
		}
		switch {
		case cmd.Context().Err() != nil:
			return err
		case err != nil:
			if !errors.Is(err, process.ErrDifferent) {
				process.MessagesOf(cmd).Note("edit: " + weft.ErrorOf(err).Error() + "\n")
			}
			if !ask(cmd, answers, "edit again?") {
				return process.ErrDifferent
			}
		case !r.Found():
			return nil
		case f.write && line == 0 || ask(cmd, answers, "write the change?"):
			return writeSuggestion(cmd, r, s.dir)
		case cmd.Context().Err() != nil:
			return context.Cause(cmd.Context())
		default:
			process.MessagesOf(cmd).Note("edit: nothing is written\n")
			return nil
		}
	}
}

// readBack reads what the editor has left: it may now be a pipe or a device, which may never end, or a link to
// some other file.
func readBack(name string) ([]byte, error) {
	switch info, err := os.Lstat(name); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("'%s' is not a regular file any more", name)
	}
	e := &editedReader{left: maxEdited}
	if err := e.open(name); err != nil {
		return nil, err
	}
	return e.files[0].Data, nil
}

// open opens a file in the editor, and waits until it ends.
func (e *editing) open(cmd *cobra.Command, name string) error {
	var args []string
	for _, w := range e.editor {
		args = append(args, w.Text)
	}
	run := exec.CommandContext(cmd.Context(), args[0], append(args[1:], name)...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stderr, os.Stderr
	// The editor may have to restore the terminal.
	run.Cancel = func() error { return run.Process.Signal(syscall.SIGTERM) }
	run.WaitDelay = 2 * time.Second
	e.isOpen.Store(true)
	err := process.Foreground(cmd.Context(), run.Run)
	e.isOpen.Store(false)
	switch _, ended := errors.AsType[*exec.ExitError](err); {
	case cmd.Context().Err() != nil:
		return context.Cause(cmd.Context())
	case ended: // people do that on purpose, to give up
		process.MessagesOf(cmd).Note(fmt.Sprintf("edit: the editor '%s' failed: %s; nothing is written\n",
			strings.Join(args, " "), err))
		return process.ErrDifferent
	case err != nil:
		return process.Usagef("the editor '%s' failed: %s", strings.Join(args, " "), err).
			WithHint("VISUAL or EDITOR names it")
	}
	return nil
}

// ask asks a question, and reports whether the answer is yes. A signal is a no.
func ask(cmd *cobra.Command, answers *bufio.Reader, question string) bool {
	process.MessagesOf(cmd).Note(question + " [y/N] ")
	answered := make(chan string, 1)
	go func() {
		answer, _ := answers.ReadString('\n')
		answered <- strings.ToLower(strings.TrimSpace(answer))
	}()
	select {
	case answer := <-answered:
		return answer == "y" || answer == "yes"
	case <-cmd.Context().Done():
		return false
	}
}
