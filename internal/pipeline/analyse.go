package pipeline

import (
	"context"
	"path"

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
		return compile.Analyse(inputs[i].File, KindOf(inputs[i]), s.config.Compile)
	}, func(a *compile.Analysis) bool {
		if a != nil {
			list = append(list, a)
		}
		return ctx.Err() == nil
	})
	return list
}

// Inputs are the files of the project, those of private libraries too, in their order. Nobody may
// change them.
func (s *Session) Inputs() []load.Input { return s.inputs }

// Dependents are the paths of a file, by its path, and of those that load it, or may: files are told
// apart by the last part of their names.
func (s *Session) Dependents(ctx context.Context, file string) []string {
	_ = s.Compile(ctx) // files with errors load nothing
	loaders := map[string][]string{}
	for _, u := range s.lib.Root().Units() {
		for _, l := range u.Loads {
			name := path.Base(l.Module)
			loaders[name] = append(loaders[name], u.File.Name())
		}
	}
	found, seen := []string{file}, map[string]bool{file: true}
	for i := 0; i < len(found); i++ {
		for _, by := range loaders[path.Base(found[i])] {
			if !seen[by] {
				seen[by] = true
				found = append(found, by)
			}
		}
	}
	return found
}

// KindOf is what an input is read as.
func KindOf(in load.Input) compile.Kind {
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
