package feature

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/hints"
	"weft/internal/engine/overlay"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/lazy"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/workspace"
)

// repair is a change that resolves a diagnostic. Unlike a diag.Fix, it may not be what the author
// wants.
type repair struct {
	title  string
	edits  workspace.Edits
	likely bool // it comes before others, and editors may make it without asking
}

// repairer returns the changes that resolve a diagnostic.
type repairer func(*workspace.TextDocument, report.Finding) []repair

// repairs return the changes that resolve diagnostics, by code. Changes that are certainly right are
// part of the diagnostic: see diag.Fix.
var repairs = lazy.Value[map[diag.Code]repairer]{New: func() map[diag.Code]repairer {
	return map[diag.Code]repairer{
		overlay.CodeCount:      repairMatch,
		script.CodeSyntax:      addColon,
		script.CodeUnclosed:    closeBlock,
		script.CodeUndefined:   repairName,
		hints.CodeEval:         repairCode,
		yaml.CodeKey:           separate,
		schema.CodeKey:         declareKey,
		schema.CodeType:        retypeScalar,
		schema.CodeValidation:  allowedValue,
		yaml.CodeStrict:        quoteScalars,
		"yaml/changed-scalar":  quoteScalars,
		"kubernetes/value":     retypeScalar,
		"values/unread":        removeValue,
		"template/unused-load": respellLoaded,
	}
}}

// repairMatch returns the changes that resolve a wrong number of matches.
func repairMatch(doc *workspace.TextDocument, x report.Finding) []repair {
	return append(respellMatcher(doc, x), allowMatches(doc, x)...)
}

// repairName returns the changes that resolve a name that is not defined.
func repairName(doc *workspace.TextDocument, x report.Finding) []repair {
	return append(respellLoaded(doc, x), addLoad(doc, x)...)
}

// repairCode returns the changes that resolve an error of an evaluation.
func repairCode(doc *workspace.TextDocument, x report.Finding) []repair {
	return slices.Concat(declareRead(doc, x), renameKeyword(doc, x), respellText(doc, x))
}

// fileAt returns the file that a finding is in.
func fileAt(x report.Finding) *source.File { return x.Files.File(x.Of.At.Pos) }

// one returns a repair with one edit of the file of a finding, or nil if its text has changed.
func one(doc *workspace.TextDocument, x report.Finding, title string, start, end int, text string) []repair {
	edits := workspace.Edits{}
	if !edits.Add(doc.Snapshot(), fileAt(x), start, end, text) {
		return nil
	}
	return []repair{{title: title, edits: edits}}
}

// keyword matches an argument of overlay/match in a hint.
var keyword = lazy.Regexp{Text: "`((?:missing_ok|when|expects)=[^`]*)`"}

// expectsArgument matches the argument `expects`, which a hint may replace by another one.
var expectsArgument = lazy.Regexp{Text: `expects=("[^"]*"|'[^']*'|\[[^\]]*\]|\w+)`}

// allowMatches adds the argument that a hint names to the annotation of a node with too few or too many
// matches, or adds the annotation.
func allowMatches(doc *workspace.TextDocument, x report.Finding) (list []repair) {
	f := fileAt(x)
	a := doc.Analysis()
	if f == nil || !doc.Is(f) || a.Tree == nil || !f.SameText(a.File) {
		return nil
	}
	owner := a.Tree.NodeAt(x.Of.At.Offset())
	for _, m := range keyword.Get().FindAllStringSubmatch(x.Of.Hint, -1) {
		list = append(list, addArgument(doc, x, owner, m[1])...)
	}
	return list
}

func addArgument(doc *workspace.TextDocument, x report.Finding, owner yaml.NodeID, argument string) []repair {
	a := doc.Analysis()
	title := "add " + argument
	for _, m := range a.Marks {
		if m.Owner != owner || m.Name != "overlay/match" {
			continue
		}
		text := a.File.Data()[m.At.Offset():m.At.End()]
		if at := expectsArgument.Get().FindIndex(text); at != nil {
			return one(doc, x, title, m.At.Offset()+at[0], m.At.Offset()+at[1], argument)
		}
		end := m.At.Offset() + len(bytes.TrimRight(text, " \t\r"))
		if bytes.HasSuffix(bytes.TrimRight(text, " \t\r"), []byte("overlay/match")) {
			return one(doc, x, title, end, end, " "+argument)
		}
		return one(doc, x, title, end, end, ", "+argument)
	}
	if !a.Tree.More(owner) {
		return nil
	}
	start, indent := lineOf(a.File, a.Tree.Start(owner).Offset())
	if strings.TrimSpace(indent) != "" {
		return nil // an annotation needs its own line
	}
	return one(doc, x, title, start, start, indent+"#@overlay/match "+argument+newline(a.File))
}

// lineOf returns where the line of an offset begins, and the text on it before the offset.
func lineOf(f *source.File, off int) (start int, before string) {
	start = f.LineStart(off)
	return start, string(f.Data()[start:off])
}

// newline returns the line ending of a file.
func newline(f *source.File) string {
	if bytes.Contains(f.Data(), []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// closeBlock adds the end of a block: before the next line that is indented less, or at the end of the
// file, whichever resolves the error.
func closeBlock(doc *workspace.TextDocument, x report.Finding) []repair {
	f := fileAt(x)
	if f == nil || !doc.Is(f) {
		return nil
	}
	off := x.Of.At.Offset()
	start, before := lineOf(f, off)
	mark, indent := "#@ end", before[:len(before)-len(strings.TrimLeft(before, " "))]
	kind := doc.Kind()
	switch kind {
	case compile.Starlark:
		mark = "end"
	case compile.Text:
		mark, indent = "(@ end @)", ""
	case compile.YAML, compile.PlainYAML, compile.PlainText:
	}
	var tries []edit.Splice
	for _, r := range x.Of.Related {
		if at := r.At; bytes.HasPrefix(f.Data()[min(at.Offset(), len(f.Data())):], []byte("#@end")) {
			tries = append(tries, edit.Splice{From: at.Offset(), To: at.Offset() + 5, Text: "#@ end"})
		}
	}
	tries = append(tries, endOfBlock(f, start, len(indent), indent+mark), atEnd(f, indent+mark))
	for _, t := range tries {
		if resolves(doc, f, t, x.Of.Code) {
			return one(doc, x, "add 'end'", t.From, t.To, t.Text)
		}
	}
	return nil
}

// endOfBlock adds a line before the first line after start that is indented less than a block, or
// begins a document.
func endOfBlock(f *source.File, start, indent int, line string) edit.Splice {
	data := f.Data()
	off := start
	for text := range bytes.Lines(data[start:]) {
		trimmed := bytes.TrimLeft(text, " ")
		lineIndent := len(text) - len(trimmed)
		blank := len(bytes.TrimSpace(trimmed)) == 0
		if off > start && !blank && (lineIndent < indent || bytes.HasPrefix(text, []byte("---"))) {
			return edit.Splice{From: off, To: off, Text: line + newline(f)}
		}
		off += len(text)
	}
	return atEnd(f, line)
}

// atEnd adds a line to a file.
func atEnd(f *source.File, line string) edit.Splice {
	end := len(f.Data())
	if end > 0 && f.Data()[end-1] != '\n' {
		return edit.Splice{From: end, To: end, Text: newline(f) + line + newline(f)}
	}
	return edit.Splice{From: end, To: end, Text: line + newline(f)}
}

// resolves reports whether an edit removes errors with the given code from a file, and adds no other
// errors.
func resolves(doc *workspace.TextDocument, f *source.File, s edit.Splice, code diag.Code) bool {
	var set source.Set
	edited, err := set.Add(f.Name(), edit.Spliced(f.Data(), []edit.Splice{s}))
	if err != nil {
		return false
	}
	count := func(list diag.List) (same, others int) {
		for _, d := range list {
			if d.Code == code {
				same++
			} else {
				others++
			}
		}
		return same, others
	}
	old := doc.Analyse(f)
	remaining, others := count(old.Errors)
	remainingNow, othersNow := count(doc.Analyse(edited).Errors)
	return remainingNow < remaining && othersNow <= others
}

// separate inserts the `---` that is missing between two documents.
func separate(doc *workspace.TextDocument, x report.Finding) []repair {
	f := fileAt(x)
	if f == nil || !doc.Is(f) || !strings.Contains(x.Of.Hint, "`---`") {
		return nil
	}
	start, _ := lineOf(f, x.Of.At.Offset())
	s := edit.Splice{From: start, To: start, Text: "---" + newline(f)}
	if !resolves(doc, f, s, x.Of.Code) {
		return nil
	}
	return one(doc, x, "add ---", s.From, s.To, s.Text)
}

// quoteScalars adds quotes to scalars that YAML readers disagree about.
func quoteScalars(doc *workspace.TextDocument, x report.Finding) []repair {
	edits := workspace.Edits{}
	places := []source.Span{x.Of.At}
	for _, r := range x.Of.Related {
		places = append(places, r.At)
	}
	for _, at := range places {
		f := x.Files.File(at.Pos)
		if f == nil || at.Len == 0 {
			return nil
		}
		text := string(f.Data()[at.Offset():at.End()])
		if !edits.Add(doc.Snapshot(), f, at.Offset(), at.End(), quoted(text)) {
			return nil
		}
	}
	if len(places) > 1 {
		return []repair{{title: fmt.Sprintf("put %d scalars in quotes", len(places)), edits: edits}}
	}
	return []repair{{title: "put it in quotes", edits: edits}}
}

func quoted(text string) string {
	if strings.ContainsAny(text, `"\`) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return `"` + text + `"`
}
