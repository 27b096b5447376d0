package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"weft/internal/lang/diag"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"weft"
)

// Messages is standard error: everything that a run prints besides its result, and in which form. It
// is safe for concurrent use.
type Messages struct {
	Color colorFlag
	Form  messageForm
	Quiet bool // no warnings

	Memory MemoryFlag

	command *cobra.Command // the command that runs, as soon as its flags are parsed

	Environment string // the environment of a fleet that messages are about

	Redactor *weft.Redactor // hides the secrets of the runs; nil in parts of a run

	Stdout *Stdout // where the result is written; nil in parts of a run

	Watching *watching // what repeated runs of a command share: see watchLoop

	mu     sync.Mutex
	Out    io.Writer
	tally  *Tally // counts what is done; may be nil
	status string // the text on the terminal's last line, which is overwritten: see progress
}

// messageForm is the value of --diagnostics.
type messageForm uint8

const (
	asText messageForm = iota
	AsJSON
)

// String implements pflag.Value.
func (f *messageForm) String() string { return [...]string{"text", "json"}[*f] }

// Set implements pflag.Value.
func (f *messageForm) Set(s string) error {
	return setWord(f, AsJSON, s, "text or json")
}

// setWord sets the value of a flag to the word that equals s, among the words up to last.
func setWord[T ~uint8, P interface {
	*T
	String() string
}](value P, last T, s, expected string) error {
	for v := T(0); v <= last; v++ {
		if P(&v).String() == s {
			*value = v
			return nil
		}
	}
	return errors.New("expected " + expected)
}

// Type implements pflag.Value.
func (f *messageForm) Type() string { return "FORMAT" }

// Write prints messages that are plain text, such as ytt's warnings.
func (m *Messages) Write(p []byte) (int, error) {
	if m.Quiet {
		return len(p), nil
	}
	if m.Form == AsJSON {
		text := strings.TrimPrefix(strings.TrimSpace(string(p)), "Warning: ")
		m.remark(jsonText("", weft.SeverityWarning, CodeRemark, text))
	} else {
		m.remark(p)
	}
	return len(p), nil // there is no place left to report errors
}

// Print prints a line that a template printed.
func (m *Messages) Print(line string) { m.asked(line + "\n") }

// Info prints a text about the run.
func (m *Messages) Info(text string) { m.asked(string(m.Redacted([]byte(text)))) }

// Note prints a text about the run, unless --quiet is set.
func (m *Messages) Note(text string) {
	if !m.Quiet && text != "" {
		m.Info(text)
	}
}

// Redacted returns text without secrets.
func (m *Messages) Redacted(text []byte) []byte {
	if m.Redactor == nil {
		return text
	}
	return m.Redactor.Redact(text)
}

// asked prints text that the user requested, unchanged.
func (m *Messages) asked(text string) {
	if m.Form == AsJSON {
		m.WriteText(jsonText(m.Environment, severityInfo, "", strings.TrimRight(text, "\n")))
		return
	}
	m.WriteText([]byte(harmless(text)))
}

// harmless returns text without characters that control a terminal: templates may come from someone
// else, and can print anything.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || !unicode.IsControl(r):
			return r
		case r < ' ':
			return '\u2400' + r // its control picture
		}
		return utf8.RuneError
	}, text)
}

// Report prints an error, with the warnings that it contains.
func (m *Messages) Report(err error) {
	e := weft.ErrorOf(err)
	if failure, ok := errors.AsType[*diag.Failure](e); ok && m.Quiet {
		if failure.List = failure.List.Errors(); failure.List == nil {
			return
		}
		e = weft.ErrorOf(failure)
	}
	m.diagnostics(e.Messages)
}

// About returns what report writes about an environment, as it would be written here.
func (m *Messages) About(environment string, report func(*Messages)) string {
	var b bytes.Buffer
	about := &Messages{
		Out: &b, Form: m.Form, Quiet: m.Quiet, Redactor: m.Redactor, Environment: environment, Color: Never,
	}
	if m.Color.Enabled(m.Out) {
		about.Color = Always
	}
	report(about)
	return b.String()
}

// Warned is a result that may have warnings.
type Warned interface{ Warnings() weft.Messages }

// Warn prints the warnings of a run that succeeded.
func (m *Messages) Warn(r Warned) {
	if !m.Quiet {
		m.diagnostics(r.Warnings())
	}
}

// diagnostics prints messages, as JSON or as text.
func (m *Messages) diagnostics(all weft.Messages) {
	list := all.Diagnostics()
	if len(list) == 0 {
		return
	}
	var b bytes.Buffer
	if m.Form == AsJSON {
		for _, d := range list {
			b.Write(jsonLine(jsonDiagnostic{d, m.Environment}))
		}
	} else {
		_ = all.Render(&b, m.Color.Enabled(m.Out)) // writing to a buffer cannot fail
	}
	text := m.Redacted(b.Bytes())
	if slices.ContainsFunc(list, func(d weft.Diagnostic) bool { return d.Severity == weft.SeverityError }) {
		m.WriteText(text)
	} else {
		m.remark(text)
	}
}

// remark prints text that is not an error, unless the previous run printed it too.
func (m *Messages) remark(p []byte) {
	if m.Watching == nil || !m.Watching.WasReported(string(p)) {
		m.WriteText(p)
	}
}

func (m *Messages) WriteText(p []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
	_, _ = m.Out.Write(p) // there is no place left to report errors
}

// infoWriter is Messages for text that the user requested.
type infoWriter struct{ *Messages }

func (w infoWriter) Write(p []byte) (int, error) {
	w.asked(string(p))
	return len(p), nil
}

// isTerminal reports whether w is a terminal that understands escape sequences.
func isTerminal(w io.Writer) bool {
	if os.Getenv("TERM") == "dumb" {
		return false
	}
	if runtime.GOOS == "windows" && os.Getenv("WT_SESSION") == "" && os.Getenv("TERM") == "" {
		return false // the old console of Windows prints escape sequences as text
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// CodeRemark is the code of the note that text files are not printed.
const CodeRemark diag.Code = "cli/remark"

// codeInternal is the code of a bug.
const codeInternal diag.Code = "internal"

// reportPanic reports a bug in weft on one line. The stack is printed only on request.
func (m *Messages) reportPanic(v any) {
	text := fmt.Sprintf("internal error: %v (%s, %s/%s): this is a bug in weft, "+
		"please report it with the input that causes it", v, Version(), runtime.GOOS, runtime.GOARCH)
	if m.Form == AsJSON {
		m.WriteText(jsonText("", weft.SeverityError, codeInternal, text))
	} else {
		m.WriteText([]byte("weft: " + text + "\n"))
	}
	if os.Getenv("WEFT_DEBUG_PANIC") != "" {
		m.WriteText(debug.Stack())
	}
}
