package emit

import (
	"path"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/gitdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file reads the annotations of documents that say where they are written.

// The annotations of documents about the output.
const (
	NotePrefix = "output/"
	NoteFile   = NotePrefix + "file" // the path of the file that it is written to
	NoteSkip   = NotePrefix + "skip" // it is not written
)

// CodePlace is the code of errors in these annotations.
const CodePlace diag.Code = "emit/annotation"

// Place returns the path of the file that a document with these annotations is written to, "" if it has
// none, and whether it is left out of the output. The error is a diagnostic.
func Place(notes *tree.Annotations) (file string, skip bool, problem *diag.Diagnostic) {
	if !notes.Has(NotePrefix) {
		return "", false, nil
	}
	for _, note := range notes.All() {
		if strings.HasPrefix(note.Name, NotePrefix) && note.Before.IsValid() {
			return "", false, twice(&note)
		}
	}
	if note := notes.Get(NoteSkip); note != nil {
		if skip, problem = skips(note); skip || problem != nil {
			return "", skip, problem
		}
	}
	note := notes.Get(NoteFile)
	if note == nil {
		return "", false, nil
	}
	file, problem = fileOf(note)
	return file, false, problem
}

// skips reads @output/skip: without an argument it is true.
func skips(note *tree.Annotation) (bool, *diag.Diagnostic) {
	if len(note.Args)+len(note.Kwargs) == 0 {
		return true, nil
	}
	if len(note.Args) == 1 && len(note.Kwargs) == 0 {
		if b, ok := note.Args[0].(starlark.Bool); ok {
			return bool(b), nil
		}
	}
	return false, misread(note, "expected @%s to have no argument, or True or False", note.Name).
		WithHint("write `#@output/skip`, or a condition: `#@output/skip data.values.env == \"dev\"`")
}

// fileOf reads @output/file.
func fileOf(note *tree.Annotation) (string, *diag.Diagnostic) {
	const hint = "write `#@output/file \"deploy/web.yml\"`"
	if len(note.Args) != 1 || len(note.Kwargs) > 0 {
		return "", misread(note, "expected @%s to have one argument, the path of a file", note.Name).WithHint(hint)
	}
	text, ok := note.Args[0].(starlark.String)
	if !ok {
		return "", misread(note, "expected the argument of @%s to be a string, but was %s", note.Name,
			diag.Article(note.Args[0].Type())).WithHint(hint)
	}
	if problem := PathProblem(string(text)); problem != "" {
		return "", misread(note, "cannot write this document to '%s': %s", diag.Visible(string(text)), problem).
			WithHint("write a path inside the output directory, with forward slashes: " +
				"`#@output/file \"deploy/web.yml\"`")
	}
	return string(text), nil
}

// twice returns the error about a document that has an annotation twice.
func twice(note *tree.Annotation) *diag.Diagnostic {
	hint := "keep one of them; for a second file, write the document twice"
	if note.Name == NoteSkip {
		hint = "keep one of them, and join conditions with `and` or `or`"
	}
	first := *note
	first.Pos = note.Before
	return misread(note, "this document has @%s twice", note.Name).WithHint("%s", hint).
		WithRelated(nameSpan(&first), "the first one is here")
}

// Misplaced returns warnings about these annotations on a document that is not part of the output. what is
// its kind.
func Misplaced(notes *tree.Annotations, what string) (list diag.List) {
	for _, note := range notes.All() {
		if strings.HasPrefix(note.Name, NotePrefix) {
			list = append(list, diag.Warningf(nameSpan(&note), CodePlace, "@%s has no effect here: %s documents are "+
				"not part of the output", note.Name, what).WithHint("remove it"))
		}
	}
	return list
}

func misread(note *tree.Annotation, format string, args ...any) *diag.Diagnostic {
	return diag.Errorf(nameSpan(note), CodePlace, format, args...)
}

// nameSpan returns the name of an annotation, if it is in a file.
func nameSpan(note *tree.Annotation) source.Span {
	if !note.Pos.IsValid() {
		return source.Span{}
	}
	return note.Pos.To(note.Pos.Offset() + len("#@") + len(note.Name))
}

// PathProblem returns why a path cannot be written inside a directory on all systems, or "".
func PathProblem(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case strings.HasPrefix(name, "/"):
		return "it is absolute"
	case strings.Contains(name, `\`):
		return `it contains a \, which separates directories on Windows only`
	case strings.HasSuffix(name, "/"):
		return "it ends with a slash, so it names a directory"
	}
	for segment := range strings.SplitSeq(name, "/") {
		if problem := segmentProblem(segment); problem != "" {
			return problem
		}
	}
	if gitdir.IsBelow(path.Clean(name)) {
		return "it belongs to git, and weft never writes there"
	}
	return ""
}

func segmentProblem(segment string) string {
	switch segment {
	case "":
		return "a part of the path is empty"
	case ".", "..":
		return "it contains '" + segment + "'"
	}
	return WindowsProblem(segment)
}

// WindowsProblem returns why Windows cannot have a file with this name, or "".
func WindowsProblem(name string) string {
	if i := strings.IndexAny(name, `<>:"|?*`); i >= 0 { // a colon names a drive or a hidden stream
		return "Windows does not allow " + name[i:i+1] + " in names"
	}
	for _, r := range name {
		if r < ' ' {
			return "Windows does not allow control characters in names"
		}
	}
	if strings.HasSuffix(name, ".") || strings.HasSuffix(name, " ") {
		return "Windows drops dots and spaces at the end of names"
	}
	// A device is a device with any extension, and with spaces before it: "nul .txt" opens the
	// device NUL.
	stem, _, _ := strings.Cut(name, ".")
	if isDevice(strings.ToUpper(strings.TrimRight(stem, " "))) {
		return "'" + stem + "' is a device on Windows"
	}
	return ""
}

func isDevice(stem string) bool {
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	digit, ok := strings.CutPrefix(stem, "COM")
	if !ok {
		digit, ok = strings.CutPrefix(stem, "LPT")
	}
	return ok &&
		slices.Contains([]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"}, digit)
}
