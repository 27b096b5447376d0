package test

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/origin/blame"
)

// Failure is something that is not as a test expects it.
type Failure struct {
	At      string   // where the test expects it, as FILE:LINE
	Object  string   // the document that it is about, as Deployment/web; or ""
	Path    string   // the place in it, or ""
	Message string   // what was expected and what was found
	Below   []string // more lines
	Found   string   // where the value that was found comes from, or ""

	// The value that was found, for those who know more of where it comes from: the number of its
	// document, or -1, and the way to it.
	Doc int
	Way path.Path
}

// Line returns what is reported a failure, without where the value comes from.
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

// Rendered is what a test looks at.
type Rendered struct {
	Docs    []tree.Doc  // none of them is empty
	Files   *source.Set // that their positions point into
	Secrets secret.Rules
}

// name returns what messages call a document.
func (r *Rendered) name(doc int) string {
	if name := blame.ObjectName(r.Docs[doc].Value); name != "" {
		return name
	}
	return "document " + itoa(doc+1)
}

// where returns a place for people, or "".
func (r *Rendered) where(at source.Pos) string {
	if f := r.Files.File(at); f != nil {
		return f.WhereLine(at.Offset())
	}
	return ""
}

// within returns the end of a path from the innermost Kubernetes Secret on, if it leads into one.
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
