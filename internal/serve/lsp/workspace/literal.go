package workspace

import (
	"context"
	"slices"
	"strings"
	"sync"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
)

// literals are the documents of templates as they are written. Those of a file are kept as long as its
// text stays the same.
type literals struct {
	mu    sync.Mutex
	known map[*index.File][]tree.Doc
}

// The sizes in bytes of the templates that are read without an evaluation, of each and of all: a person
// is typing.
const (
	maxLiteral    = 64 << 10
	maxLiteralAll = 512 << 10
)

// LiteralDocs returns the documents of the project's templates as they are written, without the
// document itself: values of code are null. They are all that is known about the output of a project
// that cannot be rendered.
func (d *TextDocument) LiteralDocs(ctx context.Context) (docs []tree.Doc) {
	all, here, err := d.Index(ctx, false)
	if err != nil {
		return nil
	}
	l := &d.snap.folder.literals
	l.mu.Lock()
	defer l.mu.Unlock()
	kept, left := map[*index.File][]tree.Doc{}, maxLiteralAll
	for _, src := range all.Sources {
		size := len(src.File.Text.Data())
		if src == here || src.Input == "" || src.Loadable || all.Root(src) != "" || size > min(left, maxLiteral) {
			continue
		}
		if ctx.Err() != nil {
			return docs
		}
		left -= size
		found, ok := l.known[src.File]
		if !ok {
			found = d.snap.literal(src)
		}
		kept[src.File] = found
		docs = append(docs, found...)
	}
	l.known = kept
	return docs
}

// literal returns the documents of a file that are neither overlays nor data values.
func (s *Snapshot) literal(src *index.Source) (docs []tree.Doc) {
	d := s.Document(src.Path)
	if d == nil {
		return nil
	}
	a := d.Analysis()
	if text := src.File.Text; !text.SameText(d.file) { // an older one, without errors
		a = d.Analyse(text)
	}
	if a.Tree == nil || a.Role != compile.ForOutput || !isLiteral(a) {
		return nil
	}
	for n := range a.Tree.Documents() {
		isMatch := func(m compile.Mark) bool { return m.Owner == n && m.Name == "overlay/match" }
		if !slices.ContainsFunc(a.Marks, isMatch) {
			docs = append(docs, tree.Doc{Value: tree.FromSyntax(a.Tree, a.Tree.Root(n))})
		}
	}
	return docs
}

// isLiteral reports whether the YAML of a file can be read as it is: only its code may have errors, and
// there are no aliases, which may stand for a lot of text.
func isLiteral(a *compile.Analysis) bool {
	if slices.ContainsFunc(a.Errors, func(d *diag.Diagnostic) bool {
		return !strings.HasPrefix(string(d.Code), "script/")
	}) {
		return false
	}
	for n := range yaml.NodeID(a.Tree.Len()) {
		if a.Tree.Kind(n) == yaml.Alias {
			return false
		}
	}
	return true
}
