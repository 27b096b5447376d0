package report

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// convert returns a finding as the client receives it. It returns false if the text that the finding
// is about has changed.
func convert(s *workspace.Snapshot, x finding) (protocol.Diagnostic, bool) {
	d := protocol.Diagnostic{
		Severity: severityOf(x.Severity), Code: string(x.Code), Source: "weft",
		Message: x.files.ConcealedMessage(x.Message), Tags: tagsOf(x.Code),
	}
	if x.lint {
		d.Source = "weft lint"
	}
	if len(x.envs) > 0 {
		d.Message += " (" + strings.Join(x.envs, ", ") + ")"
	}
	if x.Hint != "" {
		d.Message += "\nhint: " + x.files.ConcealedMessage(x.Hint)
	}
	if file := fileOf(x.files, x.At); file != nil {
		at := x.Marked(x.files)
		if !file.Holds(at.Pos) {
			at = x.At
		}
		r, ok := rangeNow(s, x.path, file, at)
		if !ok {
			return d, false
		}
		d.Range = r
	}
	for _, rel := range x.Related {
		file := fileOf(x.files, rel.At)
		if file == nil {
			continue
		}
		path := filepath.ToSlash(file.Shown())
		if r, ok := rangeNow(s, path, file, rel.At); ok {
			d.RelatedInformation = append(d.RelatedInformation, protocol.RelatedInformation{
				Location: protocol.Location{URI: s.URI(path), Range: r},
				Message:  x.files.ConcealedMessage(rel.Message),
			})
		}
	}
	return d, true
}

// rangeNow returns where a place of a file, as it was evaluated, is in the client's text.
func rangeNow(
	s *workspace.Snapshot, path string, file *source.File, at source.Span,
) (protocol.Range, bool) {
	text, shift := s.TextNow(path, file)
	start, ok := shift.Now(at.Offset())
	end, _ := shift.Now(visibleEnd(file.Data(), at))
	return s.MapperOf(text).Range(start, end), ok
}

// visibleEnd returns where the range of a place ends. Editors hardly show ranges of one character or
// none, so a range at the start of a word, or at the dot before one, includes the word.
func visibleEnd(text []byte, at source.Span) int {
	end := at.End()
	if at.Len > 1 || end >= len(text) || text[end] == '\n' || text[end] == '\r' {
		return end
	}
	if at.Len == 1 && text[at.Offset()] != '.' && !diag.IsWord(text[at.Offset()]) {
		return end
	}
	for end < len(text) && diag.IsWord(text[end]) {
		end++
	}
	if end == at.Offset() {
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	return end
}

func severityOf(s diag.Severity) protocol.DiagnosticSeverity {
	switch s {
	case diag.Error:
		return protocol.SeverityError
	case diag.Warning:
		return protocol.SeverityWarning
	}
	return protocol.SeverityHint
}

// tagsOf returns how editors show the text of a finding: faded if it is unnecessary.
func tagsOf(c diag.Code) []protocol.DiagnosticTag {
	_, name, _ := strings.Cut(string(c), "/")
	switch {
	case name == "deprecated":
		return []protocol.DiagnosticTag{protocol.Deprecated}
	case name == "unread", name == "shadowed", strings.HasPrefix(name, "unused-"):
		return []protocol.DiagnosticTag{protocol.Unnecessary}
	}
	return nil
}
