package test

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// CheckError compares the diagnostics of a render with the error that a test expects. A successful
// render has none. files are the files that the diagnostics point into.
func (s *Suite) CheckError(e *ExpectedError, files *source.Set, list diag.List) []Failure {
	f := Failure{At: s.Where(e.At), Doc: -1, Message: "expected " + e.String() + ", but "}
	if !list.Failed() {
		f.Message += "the render succeeded"
		return []Failure{f}
	}
	for _, d := range list {
		if d.Severity != diag.Error {
			continue
		}
		if e.matches(files, d) {
			return nil
		}
		line := "found "
		if file := fileOf(files, d.At); file != nil {
			line += file.Where(d.At.Offset()) + ": "
		}
		f.Below = append(f.Below, line+firstLine(d.Message)+" ["+string(d.Code)+"]")
	}
	f.Message += "it failed in another way"
	return []Failure{f}
}

func (e *ExpectedError) String() string {
	text := "an error"
	if e.Code != "" {
		text += " " + e.Code
	}
	if e.Place != "" {
		text += " at " + e.Place
	}
	if e.Message != nil {
		text += " that matches " + strconv.Quote(e.Message.String())
	}
	return text
}

func (e *ExpectedError) matches(files *source.Set, d *diag.Diagnostic) bool {
	return (e.Code == "" || string(d.Code) == e.Code) &&
		(e.Message == nil || e.Message.MatchString(d.Message)) &&
		(e.Place == "" || e.isAt(files, d))
}

// isAt reports whether a diagnostic, or a related place, is at the expected place. A wrong data
// value, for example, is reported both where it is set and where the rule is.
func (e *ExpectedError) isAt(files *source.Set, d *diag.Diagnostic) bool {
	return isAt(files, d.At, e.Place) ||
		slices.ContainsFunc(d.Related, func(r diag.Related) bool { return isAt(files, r.At, e.Place) })
}

// isAt reports whether a span is at a place: a file, or the end of its path, with or without a line
// and a column.
func isAt(files *source.Set, at source.Span, place string) bool {
	f := fileOf(files, at)
	if f == nil {
		return false
	}
	p := f.Place(at.Offset())
	line := ":" + strconv.Itoa(p.Line)
	for _, suffix := range []string{"", line, line + ":" + strconv.Itoa(p.Column)} {
		name, ok := strings.CutSuffix(place, suffix)
		shown := strings.ReplaceAll(f.Shown(), `\`, "/")
		if ok && (shown == name || strings.HasSuffix(shown, "/"+name) || f.Name() == name) {
			return true
		}
	}
	return false
}

func fileOf(files *source.Set, at source.Span) *source.File {
	if files == nil {
		return nil
	}
	return files.File(at.Pos)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return diag.Visible(line)
}
