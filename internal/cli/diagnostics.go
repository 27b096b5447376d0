package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"weft"
	"weft/internal/diag"
	"weft/internal/source"
)

// jsonDiagnostic is a message as --diagnostics json shows it. Fields may be added; none will change its meaning.
type jsonDiagnostic struct {
	Severity string `json:"severity"` // error, warning or info
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
	Path     string `json:"path,omitempty"` // where in the data
	jsonPlace
	Related     []jsonRelated `json:"related,omitempty"`
	Environment string        `json:"environment,omitempty"` // of a fleet
}

// jsonRelated is another place that belongs to a message.
type jsonRelated struct {
	Message string `json:"message"`
	jsonPlace
}

// jsonPlace is a part of a file. Lines and columns count from 1, columns count characters; the end is behind the last character. What has no place has none of the
// fields.
type jsonPlace struct {
	File      string `json:"file,omitempty"`
	Disk      string `json:"disk,omitempty"` // where the file lies, if its name does not say so
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"endLine,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"`
}

func newJSONDiagnostic(in *weft.Error, d *diag.Diagnostic) jsonDiagnostic {
	j := jsonDiagnostic{
		Severity: d.Severity.String(), Code: string(d.Code), Message: d.Message, Hint: d.Hint, Path: d.Path,
		jsonPlace: placeOf(in, d.At),
	}
	for _, r := range d.Related {
		j.Related = append(j.Related, jsonRelated{r.Message, placeOf(in, r.At)})
	}
	return j
}

func placeOf(in *weft.Error, at source.Span) jsonPlace {
	if in.Files == nil || !at.IsValid() {
		return jsonPlace{}
	}
	f := in.Files.File(at.Pos)
	if f == nil {
		return jsonPlace{}
	}
	start, end := f.Place(at.Offset()), f.Place(at.End())
	disk := filepath.ToSlash(in.Disk(f))
	if disk == f.Name() {
		disk = ""
	}
	return jsonPlace{f.Name(), disk, start.Line, start.Column, end.Line, end.Column}
}

// jsonLine is a message on a line of its own.
func jsonLine(d jsonDiagnostic) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(d) // strings and numbers, to a buffer
	return b.Bytes()
}

// wantsJSON reports whether --diagnostics json is among the arguments: of those that cannot be understood, that is to be said as JSON too.
func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	for i, a := range args {
		name, value, given := strings.Cut(a, "=")
		if name == "--diagnostics" && (value == "json" || !given && i+1 < len(args) && args[i+1] == "json") {
			return true
		}
	}
	return false
}
