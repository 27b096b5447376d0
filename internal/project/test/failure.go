package test

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Failure is a difference from what a test expects.
type Failure struct {
	At      string   // where the test expects it, as FILE:LINE
	Object  string   // the document, such as Deployment/web; or ""
	Path    string   // the path in the document, or ""
	Message string   // what was expected and what was found
	Below   []string // more lines
	Found   string   // where the value that was found comes from, or ""

	// The place of the found value, to look up its origin: the index of its document, or -1, and
	// the path to it.
	Doc       int
	ValuePath path.Path
}

// Line formats a failure, without the origin of the value.
func (f *Failure) Line() string {
	var words []string
	for _, w := range []string{f.Object, f.Path} {
		if w != "" {
			words = append(words, diag.Visible(w))
		}
	}
	head := strings.Join(words, " ")
	if head == "" {
		return f.Message
	}
	return head + ": " + f.Message
}

// Rendered is the output that a test checks.
type Rendered struct {
	Docs    []tree.Doc  // without empty documents
	Files   *source.Set // the files that their positions refer to
	Secrets secret.Rules
}

// name returns what messages call a document.
func (r *Rendered) name(doc int) string {
	return selector.Names(r.selectable())[doc]
}

// selectable returns the documents with the files that they come from.
func (r *Rendered) selectable() []selector.Selectable {
	return selector.Of(r.Docs, r.Files)
}

// where returns a place for people, or "".
func (r *Rendered) where(at source.Pos) string {
	if f := r.Files.File(at); f != nil {
		return f.WhereLine(at.Offset())
	}
	return ""
}

// within returns the part of a path inside the innermost Kubernetes Secret, if there is one.
func within(doc tree.Value, way path.Path) path.Path {
	var inner path.Path
	v := doc
	for i := 0; ; i++ {
		if secret.IsObject(v) {
			inner = way[i:]
		}
		if i == len(way) {
			return inner
		}
		for j, it := range v.Entries() {
			s := path.ToItem(j, j)
			if v.Kind() == tree.MapKind {
				s = path.ToKey(it.Key)
			}
			if s.Kind == way[i].Kind && (s.Kind == path.Item && s.Index == way[i].Index ||
				s.Kind == path.Key && tree.SameScalar(s.Key, way[i].Key)) {
				v = it.Value
				break
			}
		}
	}
}

// shown returns a value of a document with the secrets in it hidden.
func (r *Rendered) shown(doc int, f path.Found) tree.Value {
	inner := within(r.Docs[doc].Value, f.Path)
	if r.Secrets.Hides(f.Path, inner) {
		return tree.String(secret.Hidden)
	}
	return r.Secrets.Mask(f.Value, f.Path, inner)
}
