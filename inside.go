package weft

import (
	"io"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project/inside"
)

func init() {
	inside.Config = func(o any) engine.Config { return o.(*Options).config() }
	inside.Result = func(o any, res *engine.Result) io.WriterTo { return o.(*Options).result(res) }
	inside.Hold = func(o any, urls, allowed []string) {
		o.(*Options).held, o.(*Options).allowed = urls, allowed
	}
	inside.Error = func(files *source.Set, list diag.List) error { return &Error{files, list} }
	inside.Diagnostics = func(e error) (diag.List, *source.Set) {
		return e.(*Error).list, e.(*Error).files
	}
	inside.Schemas = func(o any) *lint.Schemas { return o.(*Options).schemas() }
}
