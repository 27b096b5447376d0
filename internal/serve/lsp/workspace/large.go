package workspace

import (
	"weft/internal/engine/budget"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// MaxText is the size of the largest text that is analysed. The trees, the index and the evaluations of one
// with a document on each line take a hundred times as much memory.
const MaxText = 8 << 20

// tooLarge returns the error about a text that is not analysed because of its size, or nil.
func tooLarge(size int64) *diag.Diagnostic {
	if size <= MaxText {
		return nil
	}
	return diag.Errorf(source.Span{}, load.CodeTooLarge,
		"the editor does not check this file, nor evaluate a project that contains it: it has %s, and the limit is %s",
		budget.Size(uint64(size)), budget.Size(MaxText)).
		WithHint("split it, or leave it out with exclude in weft.yml; weft render and weft lint have no such limit")
}

// Analyse analyses a text, unless it is too large. Then that is its only error.
func Analyse(f *source.File, kind compile.Kind, opt compile.Options) *compile.Analysis {
	d := tooLarge(int64(len(f.Data())))
	if d == nil || kind == compile.PlainText {
		return compile.Analyse(f, kind, opt)
	}
	d.At = f.Span(0, 0)
	return &compile.Analysis{File: f, Kind: kind, Errors: diag.List{d}}
}

// IsTooLarge reports whether the document has no features because of its size.
func (d *TextDocument) IsTooLarge() bool { return tooLarge(int64(len(d.file.Data()))) != nil }

// IsTooLarge reports whether a file of the view is so large that nothing was evaluated.
func (o *Outcome) IsTooLarge() bool {
	return o.Session == nil && len(o.Diagnostics.List) > 0 && o.Diagnostics.List[0].Code == load.CodeTooLarge
}
