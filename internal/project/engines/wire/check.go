package wire

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// The limits of what weft-engines may send about one request.
const (
	MaxLine      = 256 << 20 // bytes of a message
	MaxQuestions = 200_000
	MaxDocs      = 100_000
	maxChain     = 1_000 // places of a chain; Helm includes templates in each other up to this depth
)

// Lines returns the number of lines of a text, which is the number of its origins. A line break at the end
// begins no line.
func Lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// check reports what is wrong with an answer as an error.
func (a *Answer) check() error {
	if a.Error != nil && len(a.Docs) > 0 {
		return errors.New("an answer with documents and an error")
	}
	if len(a.Docs) > MaxDocs {
		return fmt.Errorf("an answer with more than %d documents", MaxDocs)
	}
	for i := range a.Docs {
		if err := a.checkDoc(&a.Docs[i]); err != nil {
			return err
		}
	}
	for _, chain := range a.Chains {
		if len(chain) == 0 || len(chain) > maxChain {
			return fmt.Errorf("a chain of %d places", len(chain))
		}
		for _, p := range chain {
			if p.File == "" && (len(p.Values) == 0 || p.Line != 0) {
				return errors.New("a place without a file or a value")
			}
			if err := checkPlace(p.File, p.Line); err != nil {
				return err
			}
		}
	}
	for i := range a.Warnings {
		if err := a.Warnings[i].check(); err != nil {
			return err
		}
	}
	if a.Error != nil {
		if d := a.Error.Rendered; d != nil {
			if err := a.checkDoc(d); err != nil {
				return err
			}
		}
		return a.Error.check()
	}
	return nil
}

func (a *Answer) checkDoc(d *Doc) error {
	if d.Source == "" {
		return errors.New("a document without a source")
	}
	if err := checkPlace(d.Source, 0); err != nil {
		return err
	}
	if len(d.Origins) == 0 {
		return nil
	}
	if n := Lines(d.Text); n != len(d.Origins) {
		return fmt.Errorf("%s: %d lines with %d origins", d.Source, n, len(d.Origins))
	}
	for _, n := range d.Origins {
		if n < 0 || n > len(a.Chains) {
			return fmt.Errorf("%s: origin %d of %d", d.Source, n, len(a.Chains))
		}
	}
	return nil
}

func (e *Error) check() error {
	if e.Message == "" {
		return errors.New("an error without a message")
	}
	return checkPlace(e.File, e.Line)
}

// checkPlace checks a file, which may be missing, and a line.
func checkPlace(file string, line int) error {
	if file != "" && !isPath(file) {
		return fmt.Errorf("%q is not a path of the project", file)
	}
	if line < 0 || line > MaxLine {
		return fmt.Errorf("%s: %d is not a line", file, line)
	}
	return nil
}

// checkQuestion checks the path of a question.
func checkQuestion(name string) error {
	if name != "" && !isPath(name) {
		return fmt.Errorf("a question about %q, which is not a path of the project", name)
	}
	return nil
}

// isPath reports whether a name is a path below the project, without control characters.
func isPath(name string) bool {
	return len(name) <= 4096 && name != "." && fs.ValidPath(name) &&
		!strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
}
