package weft

import (
	"weft/internal/diag"
	"weft/internal/source"
)

// Warnings says what happens to warnings.
type Warnings uint8

// The ways to treat warnings.
const (
	WarningsOn    Warnings = iota // a run reports them and succeeds
	WarningsOff                   // they are dropped
	WarningsError                 // each one is an error, and the run fails
)

func (w Warnings) String() string {
	switch w {
	case WarningsOff:
		return "off"
	case WarningsError:
		return "error"
	default:
		return "on"
	}
}

// settle is what is left to say of list. Diagnostics may be shared by several runs, so that those that change are copied.
func (w Warnings) settle(list diag.List) diag.List {
	if w == WarningsOn {
		return list
	}
	var kept diag.List
	for _, d := range list {
		switch {
		case d.Severity != diag.Warning:
			kept = append(kept, d)
		case w == WarningsError:
			failed := *d
			failed.Severity = diag.Error
			kept = append(kept, &failed)
		}
	}
	return kept
}

// failure is the error of a run that failed with err.
func (w Warnings) failure(files *source.Set, err error) *Error {
	return &Error{files: files, list: w.settle(diag.Of(err))}
}
