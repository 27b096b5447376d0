package engine

import (
	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// place drops the documents that are annotated with output/skip, and reports whether others name the files
// that they are written to. The trace, which may be nil, records what is dropped. The error is a diag.List.
func place(outputs []eval.Output, trace *tree.Trace) (named bool, err error) {
	var list diag.List
	for i := range outputs {
		out := &outputs[i]
		kept, changed := out.Docs, false
		for n, d := range out.Docs {
			file, skip, problem := emit.Place(d.Annotations)
			if problem != nil {
				list = append(list, problem)
			}
			if d.Annotations.Has(emit.NotePrefix) && !changed {
				changed, kept = true, append([]tree.Doc(nil), out.Docs[:n]...)
			}
			if note := d.Annotations.Get(emit.NoteSkip); note != nil && trace != nil {
				if skip {
					trace.Absent(skipped(d, note))
				} else {
					d.Value = notSkipped(trace, d.Value, note)
				}
			}
			if changed && !skip {
				kept = append(kept, d)
			}
			named = named || file != ""
		}
		if changed {
			out.Docs, out.Kept = kept, out.Kept && len(kept) > 0 // without documents, nothing is written
		}
	}
	if list != nil {
		return false, list
	}
	return named, nil
}

// skipped describes a document that is left out of the output.
func skipped(d tree.Doc, note *tree.Annotation) tree.Absence {
	return tree.Absence{
		Kind: tree.Removed, By: tree.ByTemplate,
		Condition: tree.Condition{At: note.Pos.To(note.Pos.Offset()), Reads: note.Reads},
		Document:  d.Pos, Old: d.Value, Was: d.Pos.To(d.Pos.Offset()), Before: d.Value.Origin(),
	}
}

// notSkipped returns the value of a document whose annotation output/skip is false, with what decided that.
func notSkipped(trace *tree.Trace, v tree.Value, note *tree.Annotation) tree.Value {
	s, ok := trace.Of(v.Origin())
	if !ok {
		s.By = tree.ByTemplate
	}
	if s.By != tree.ByTemplate || note.Reads == 0 {
		return v
	}
	at := note.Pos.To(note.Pos.Offset())
	s.When = trace.Condition(tree.Condition{Kind: tree.Else, At: at, Reads: note.Reads}, s.When)
	return trace.Set(v, s)
}
