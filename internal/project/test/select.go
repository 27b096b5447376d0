package test

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
)

// selector reads what documents a check is about: KIND/NAME, or conditions such as
// `kind=Deployment, metadata.name=shop`.
func (d *decoder) selector(v tree.Value) selector.Selector {
	s, err := selector.Parse("select", textOf(v).Text)
	if err != nil {
		e := diag.Of(err)[0]
		d.Fail(v.Span(), CodeValue, "%s", e.Message).WithHint("%s", e.Hint)
	}
	return s
}
