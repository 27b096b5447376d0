package cli

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

// messages is standard error: all that a run says besides its result, and in which form. It may be
// used from several goroutines.
type messages struct {
	color colorFlag
	form  messageForm
	quiet bool // no warnings

	memory memoryFlag

	command *cobra.Command // what runs, as soon as its flags are understood

	environment string // that of a fleet which they are about

	redactor *weft.Redactor // hides the secrets of the runs; nil in parts of a run

	stdout *stdout // where the result goes; nil in parts of a run

	watching *watching // what runs have in common if a command may run again; see watchLoop

	mu     sync.Mutex
	out    io.Writer
	status string // what stands on the terminal's last line, to be overwritten: see progress
}

// messageForm is the value of --diagnostics.
type messageForm uint8

const (
	asText messageForm = iota
	asJSON
)

// String is the flag's value; with Set and Type it makes the flag.
func (f *messageForm) String() string { return [...]string{"text", "json"}[*f] }

// Set takes the flag's value.
func (f *messageForm) Set(s string) error {
	for v := asText; v <= asJSON; v++ {
		if v.String() == s {
			*f = v
			return nil
		}
	}
	return errors.New("expected text or json")
}

// Type is what help calls the flag's value.
func (f *messageForm) Type() string { return "FORMAT" }

// Write takes remarks about the run that have the form of text, such as ytt's warnings.
func (m *messages) Write(p []byte) (int, error) {
	if m.quiet {
		return len(p), nil
	}
	if m.form == asJSON {
		text := strings.TrimPrefix(strings.TrimSpace(string(p)), "Warning: ")
		m.remark(
			jsonLine(
				jsonDiagnostic{
					Diagnostic: weft.Diagnostic{
						Severity: weft.SeverityWarning,
						Code:     string(codeRemark),
						Message:  text,
					},
				},
			),
		)
	} else {
		m.remark(p)
	}
	return len(p), nil // there is nowhere left to complain
}

// print takes a line that a template printed.
func (m *messages) print(line string) { m.asked(line + "\n") }

// info takes text about the run.
func (m *messages) info(text string) { m.asked(string(m.redacted([]byte(text)))) }

// redacted is text without secrets.
func (m *messages) redacted(text []byte) []byte {
	if m.redactor == nil {
		return text
	}
	return m.redactor.Redact(text)
}

// asked takes text that the user has asked for, as it is.
func (m *messages) asked(text string) {
	if m.form == asJSON {
		m.write(
			jsonLine(
				jsonDiagnostic{
					weft.Diagnostic{Severity: severityInfo, Message: strings.TrimRight(text, "\n")},
					m.environment,
				},
			),
		)
		return
	}
	m.write([]byte(harmless(text)))
}

// harmless is text without the characters that a terminal would obey rather than print: templates
// may be somebody else's, and print what they like.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || !unicode.IsControl(r):
			return r
		case r < ' ':
			return '\u2400' + r // its picture
		}
		return utf8.RuneError
	}, text)
}

// report takes an error, with the warnings that it carries.
func (m *messages) report(err error) {
	e := weft.ErrorOf(err)
	if m.quiet {
		if e = e.WithoutWarnings(); e == nil {
			return
		}
	}
	m.diagnostics(e.Diagnostics(), e.Render)
}

// warned is a result that may have warnings.
type warned interface {
	Warnings() []weft.Diagnostic
	WriteWarnings(w io.Writer, color bool) error
}

// warn takes the warnings of a run that succeeded.
func (m *messages) warn(r warned) {
	if !m.quiet {
		m.diagnostics(r.Warnings(), r.WriteWarnings)
	}
}

// diagnostics writes a list, as JSON or in the words of text.
func (m *messages) diagnostics(list []weft.Diagnostic, text func(w io.Writer, color bool) error) {
	if len(list) == 0 {
		return
	}
	var b bytes.Buffer
	if m.form == asJSON {
		for _, d := range list {
			b.Write(jsonLine(jsonDiagnostic{d, m.environment}))
		}
	} else {
		_ = text(&b, m.color.enabled(m.out)) // a buffer takes everything
	}
	told := m.redacted(b.Bytes())
	if slices.ContainsFunc(list, func(d weft.Diagnostic) bool { return d.Severity == weft.SeverityError }) {
		m.write(told)
	} else {
		m.remark(told)
	}
}

// remark writes what is no error, unless the run before has said the same.
func (m *messages) remark(p []byte) {
	if m.watching == nil || !m.watching.toldBefore(string(p)) {
		m.write(p)
	}
}

func (m *messages) write(p []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
	_, _ = m.out.Write(p) // there is nowhere left to complain
}

// infoWriter is a messages that takes text that the user has asked for.
type infoWriter struct{ *messages }

func (w infoWriter) Write(p []byte) (int, error) {
	w.asked(string(p))
	return len(p), nil
}

// isTerminal reports whether somebody may be watching w, on a screen that understands escape
// sequences.
func isTerminal(w io.Writer) bool {
	if os.Getenv("TERM") == "dumb" {
		return false
	}
	if runtime.GOOS == "windows" && os.Getenv("WT_SESSION") == "" && os.Getenv("TERM") == "" {
		return false // the old console prints escape sequences as they are
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// codeRemark is the code of textNotPrinted.
const codeRemark diag.Code = "cli/remark"

// codeInternal is the code of a bug.
const codeInternal diag.Code = "internal"

// reportPanic says in one line that weft has a bug. The stack is for those who look for it.
func (m *messages) reportPanic(v any) {
	text := fmt.Sprintf(
		"internal error: %v (%s, %s/%s): this is a bug in weft, "+
			"please report it with the input that causes it",
		v,
		buildVersion(),
		runtime.GOOS,
		runtime.GOARCH,
	)
	if m.form == asJSON {
		m.write(
			jsonLine(
				jsonDiagnostic{
					Diagnostic: weft.Diagnostic{
						Severity: weft.SeverityError,
						Code:     string(codeInternal),
						Message:  text,
					},
				},
			),
		)
	} else {
		m.write([]byte("weft: " + text + "\n"))
	}
	if os.Getenv("WEFT_DEBUG_PANIC") != "" {
		m.write(debug.Stack())
	}
}
