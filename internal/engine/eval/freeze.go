package eval

import (
	"regexp"

	"go.starlark.net/starlark"

	"weft/internal/engine/eval/hints"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// freeze makes the globals of a file immutable, because other files may load them.
func (p *proc) freeze(globals starlark.StringDict) error {
	var name string
	var limit *tree.LimitError
	for n, v := range globals {
		// Report the first by name: the order of a map is random.
		if err := tree.Freeze(v); err != nil && (limit == nil || n < name) {
			name, limit = n, err.(*tree.LimitError)
		}
	}
	if limit == nil {
		return nil
	}
	f := p.unit.File
	at := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).FindIndex(f.Data())
	if at == nil {
		at = []int{0, 0} // a function named by the compiler
	}
	d := diag.Errorf(
		f.Span(at[0], at[1]),
		hints.CodeLimit,
		"the variable %s cannot be shared with other files: %s",
		name,
		limit.Message,
	)
	return diag.List{d.WithHint("%s", limit.Hint)}
}
