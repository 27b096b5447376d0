package migrate

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// Advice is the comment above a project file that weft init drafts for files of edition ytt. It
// explains why the edition is not the newest, and becomes obsolete after a migration.
const Advice = "edition ytt: the files mean what ytt takes them to mean; " +
	"`weft migrate --write` moves them to edition 2026"

// Edition returns the text of a project file with another edition, without the advice to migrate.
// The text stays the same if the file names no edition. The error is a diag.List.
func Edition(f *source.File, edition string) ([]byte, error) {
	t, err := yaml.Parse(f, yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core})
	if err != nil {
		return nil, diag.Of(err)
	}
	if !t.More(t.First()) {
		return f.Data(), nil
	}
	root := t.Root(t.First())
	if t.Kind(root) != yaml.Mapping {
		return f.Data(), nil
	}
	for key, value := range t.Pairs(root) {
		if string(t.Text(key)) == "weft" {
			at := t.Span(value)
			named := edit.Splice{From: at.Offset(), To: at.End(), Text: edition}
			return edit.Spliced(f.Data(), append(withoutAdvice(t), named)), nil
		}
	}
	return f.Data(), nil
}

// withoutAdvice removes the line with the advice to migrate, if it is still there.
func withoutAdvice(t *yaml.Tree) []edit.Splice {
	for _, c := range t.Comments() {
		at := t.CommentSpan(c)
		from := at.Offset()
		alone := from == t.File().LineStart(from)
		if !alone || strings.TrimSpace(string(t.CommentText(c))) != Advice {
			continue
		}
		return []edit.Splice{{From: from, To: t.File().LineEnd(at.End())}}
	}
	return nil
}
