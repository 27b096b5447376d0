package pipeline

import (
	"context"

	"weft/internal/compile"
	"weft/internal/load"
	"weft/internal/parallel"
)

// Analyse tells what the files of the project say, those of private libraries too: see
// compile.Analysis. Files that are read as data alone are left out.
func (s *Session) Analyse(ctx context.Context) []*compile.Analysis {
	var inputs []load.Input
	for _, in := range s.inputs {
		if in.File != nil && (in.Type == load.YAML || in.Type == load.Starlark || in.Template) {
			inputs = append(inputs, in)
		}
	}
	var list []*compile.Analysis
	parallel.InOrder(s.config.Workers, len(inputs), func(i int) *compile.Analysis {
		if ctx.Err() != nil {
			return nil
		}
		return compile.Analyse(inputs[i].File, kindOf(inputs[i]), s.config.Compile)
	}, func(a *compile.Analysis) bool {
		if a != nil {
			list = append(list, a)
		}
		return ctx.Err() == nil
	})
	return list
}

// kindOf is what an input is read as.
func kindOf(in load.Input) compile.Kind {
	switch {
	case in.Type == load.Starlark:
		return compile.Starlark
	case in.Type == load.Text:
		return compile.Text
	case in.Template:
		return compile.YAML
	}
	return compile.PlainYAML
}
