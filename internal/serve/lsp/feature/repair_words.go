package feature

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/lazy"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/workspace"
)

// meant matches the word that a hint proposes.
var meant = lazy.Regexp{Text: "^did you mean [\"'`]?([^\"'`?]+)[\"'`]?\\?"}

// respell replaces the word that a diagnostic marks by the one that its hint proposes, if that is similar.
func respell(doc *workspace.TextDocument, x report.Finding) []repair {
	m := meant.Get().FindStringSubmatch(x.Of.Hint)
	f := fileAt(x)
	if m == nil || f == nil || x.Of.Fix != nil {
		return nil
	}
	at := x.Of.Marked(x.Files)
	was := strings.Trim(string(f.Data()[at.Offset():at.End()]), `"'`)
	if was == "" || diag.Nearest(was, m[1:]) == "" {
		return nil
	}
	start := at.Offset() + bytes.Index(f.Data()[at.Offset():at.End()], []byte(was))
	return one(doc, x, "write "+m[1], start, start+len(was), m[1])
}

// literal matches a string in code.
var literal = lazy.Regexp{Text: `"([^"\\]*)"|'([^'\\]*)'`}

// respellMatcher replaces a misspelled text of the matcher of an overlay.
func respellMatcher(doc *workspace.TextDocument, x report.Finding) []repair {
	m := meant.Get().FindStringSubmatch(x.Of.Hint)
	f, a := fileAt(x), doc.Analysis()
	if m == nil || f == nil || !doc.Is(f) || a.Tree == nil || !f.SameText(a.File) {
		return nil
	}
	owner := a.Tree.NodeAt(x.Of.At.Offset())
	for _, mark := range a.Marks {
		if mark.Owner != owner || mark.Name != "overlay/match" {
			continue
		}
		from := mark.At.Offset()
		for _, at := range literal.Get().FindAllIndex(f.Data()[from:mark.At.End()], -1) {
			text := string(f.Data()[from+at[0]+1 : from+at[1]-1])
			if diag.Nearest(text, m[1:]) != "" {
				return one(doc, x, "write "+m[1], from+at[0]+1, from+at[1]-1, m[1])
			}
		}
	}
	return nil
}

// respellText replaces a misspelled text in the line of an error of an evaluation.
func respellText(doc *workspace.TextDocument, x report.Finding) []repair {
	m := meant.Get().FindStringSubmatch(x.Of.Hint)
	f := fileAt(x)
	if m == nil || f == nil {
		return nil
	}
	from := f.LineStart(x.Of.At.Offset())
	for _, at := range literal.Get().FindAllIndex(f.Data()[from:f.LineEnd(from)], -1) {
		text := string(f.Data()[from+at[0]+1 : from+at[1]-1])
		if text != m[1] && diag.Nearest(text, m[1:]) != "" {
			return one(doc, x, "write "+m[1], from+at[0]+1, from+at[1]-1, m[1])
		}
	}
	return nil
}

// addColon adds the colon that is missing at the end of a line of code.
func addColon(doc *workspace.TextDocument, x report.Finding) []repair {
	f := fileAt(x)
	if f == nil || !doc.Is(f) || !strings.Contains(x.Of.Message, "want ':'") {
		return nil
	}
	line := f.Data()[:f.LineEnd(x.Of.At.Offset())]
	end := len(bytes.TrimRight(line, " \t\r\n"))
	s := edit.Splice{From: end, To: end, Text: ":"}
	if !resolves(doc, f, s, x.Of.Code) {
		return nil
	}
	return one(doc, x, "add ':'", s.From, s.To, s.Text)
}

// retypeScalar removes the quotes of a scalar that should not be a string, or adds them to one that should be.
func retypeScalar(doc *workspace.TextDocument, x report.Finding) []repair {
	f := fileAt(x)
	if f == nil {
		return nil
	}
	at := x.Of.At
	text := string(f.Data()[at.Offset():at.End()])
	isQuoted := len(text) > 2 && strings.ContainsRune(`"'`, rune(text[0])) && text[0] == text[len(text)-1]
	switch {
	case isQuoted && (strings.HasSuffix(x.Of.Hint, "without quotes") || x.Of.Hint == "remove the quotes"):
		return one(doc, x, "remove the quotes", at.Offset(), at.End(), text[1:len(text)-1])
	case strings.HasPrefix(x.Of.Hint, "put it in quotes") && text != "":
		return quoteScalars(doc, report.Finding{Of: &diag.Diagnostic{At: at}, Files: x.Files})
	}
	return nil
}

// maxChoices limits the values that are offered instead of a wrong one.
const maxChoices = 5

// allowedValue replaces a data value by one of those that are allowed, the most similar first.
func allowedValue(doc *workspace.TextDocument, x report.Finding) (list []repair) {
	v, f := doc.View(), fileAt(x)
	way, ok := path.Read(x.Of.Path)
	if v == nil || f == nil || !ok || !strings.HasPrefix(x.Of.Message, "must be: one of ") {
		return nil
	}
	o := v.ValuesOutline(doc.Context(), doc.Snapshot())
	for _, s := range way {
		if s.Kind == path.Item {
			o = o.Item(s.Index)
		} else {
			o = o.Field(tree.KeyText(s.Key))
		}
	}
	var texts []string
	for _, value := range o.Values() {
		texts = append(texts, string(edit.AppendScalar(nil, value)))
	}
	was := strings.Trim(string(f.Data()[x.Of.At.Offset():x.Of.At.End()]), `"'`)
	near := jsonschema.Nearest(was, texts)
	slices.SortStableFunc(texts, func(a, b string) int { return boolOrder(b == near) - boolOrder(a == near) })
	for _, text := range texts[:min(len(texts), maxChoices)] {
		list = append(list, one(doc, x, "write "+text, x.Of.At.Offset(), x.Of.At.End(), text)...)
	}
	return list
}

// renameUses adds edits that give the uses of a loaded name its new name, if a fix changes it in the load.
func renameUses(doc *workspace.TextDocument, x report.Finding, fix *diag.Fix, edits workspace.Edits) bool {
	_, src, err := doc.Index(doc.Context(), false)
	if err != nil || len(fix.Edits) != 1 {
		return true
	}
	e := fix.Edits[0]
	f := x.Files.File(e.At.Pos)
	if f == nil || !doc.Is(f) || !f.SameText(src.File.Text) {
		return true
	}
	isAt := func(n index.Name) bool { return n.Module && n.At.Start == e.At.Offset() && n.At.End == e.At.End() }
	i := slices.IndexFunc(src.File.Names, isAt)
	if i < 0 || src.File.Bindings[src.File.Names[i].Binding].Name != e.Was {
		return true // not a load, or one that gives the name another one
	}
	for _, n := range src.File.Names {
		if n.Binding == src.File.Names[i].Binding && !n.Bound && !n.Module &&
			!edits.Add(doc.Snapshot(), f, n.At.Start, n.At.End, e.Text) {
			return false
		}
	}
	return true
}
