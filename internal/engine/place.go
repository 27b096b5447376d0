package engine

import (
	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// place drops the documents that are annotated with output/skip, and reports whether others name the files
// that they are written to. The error is a diag.List.
func place(outputs []eval.Output) (named bool, err error) {
	var list diag.List
	for i := range outputs {
		out := &outputs[i]
		kept, moved := out.Docs, false
		for n, d := range out.Docs {
			file, skip, problem := emit.Place(d.Annotations)
			if problem != nil {
				list = append(list, problem)
			}
			if (skip || file != "") && !moved {
				moved, kept = true, append([]tree.Doc(nil), out.Docs[:n]...)
			}
			if moved && !skip {
				kept = append(kept, d)
			}
			named = named || file != ""
		}
		if moved {
			out.Docs, out.Kept = kept, false // nothing is written if no documents are left
		}
	}
	if list != nil {
		return false, list
	}
	return named, nil
}
