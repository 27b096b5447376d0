package lint

import (
	"iter"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// written is information about overlays that their text shows and a run does not.
type written struct {
	mayMiss  map[source.Pos]bool // nodes with expects="0+", and those that are removed where they exist
	constant map[source.Pos]bool // documents without code, which do the same in every run
}

// annotated returns the files of the project that are YAML, with their annotations.
func (r *run) annotated() iter.Seq[*file] {
	return func(yield func(*file) bool) {
		for _, a := range r.project.Files {
			if a.Tree == nil {
				continue
			}
			f := &file{Analysis: a, all: &project{facts: newFacts()}, words: map[string]bool{}}
			f.readAnnotations()
			if !yield(f) {
				return
			}
		}
	}
}

// written reads the overlays of the project, once.
func (r *run) written() *written {
	if r.text != nil {
		return r.text
	}
	r.text = &written{mayMiss: map[source.Pos]bool{}, constant: map[source.Pos]bool{}}
	for f := range r.annotated() {
		for i := range f.annotations {
			an := &f.annotations[i]
			if f.Tree.More(an.Owner) && (an.Name == "overlay/match" && an.mayMiss() || an.Name == "overlay/remove") {
				r.text.mayMiss[f.Tree.Start(an.Owner)] = true
			}
		}
		f.constants(r.text.constant)
	}
	return r.text
}

// mayMiss reports whether the annotation allows any number of matches, including none.
func (a *annotation) mayMiss() bool {
	expects, _, _ := a.keyword("expects")
	return allowsNone(expects)
}

func allowsNone(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		s, _ := script.StringOf(e)
		return s == "0+" || e.Raw == "0"
	case *syntax.ListExpr:
		return slices.ContainsFunc(e.List, allowsNone)
	case *syntax.TupleExpr:
		return slices.ContainsFunc(e.List, allowsNone)
	}
	return false
}

// constants records the documents without code in them or around them.
func (f *file) constants(into map[source.Pos]bool) {
	var docs []yaml.NodeID
	for doc := range f.Tree.Documents() {
		docs = append(docs, doc)
	}
	computed := map[yaml.NodeID]bool{}
	for _, m := range f.Marks {
		if m.Owner != yaml.NoOwner && f.computes(m) {
			i, found := slices.BinarySearch(docs, m.Owner)
			if !found {
				i--
			}
			computed[docs[i]] = true
		}
	}
	blocks, end := f.Blocks(), 0 // the end of the blocks that begin before a document
	for _, doc := range docs {
		start := f.Tree.Start(doc)
		for len(blocks) > 0 && blocks[0].Off < start.Offset() {
			end = max(end, blocks[0].End)
			blocks = blocks[1:]
		}
		if end < start.Offset() && !computed[doc] {
			into[start] = true
		}
	}
}

// computes reports whether a mark makes its node depend on code.
func (f *file) computes(m compile.Mark) bool {
	if m.Kind == compile.AnnotationMark {
		return m.Name == "yaml/text-templated-strings"
	}
	code := strings.TrimSpace(strings.TrimPrefix(f.text(m.At), "#@"))
	return !strings.HasPrefix(code, "load(") && code != "end"
}
