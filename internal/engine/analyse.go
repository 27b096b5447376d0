package engine

import (
	"context"
	"path"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/parallel"
)

// Analyse returns the analyses of the files of the project, including private libraries: see
// compile.Analysis. Files that are only read as data are left out. If the session will be reloaded, or
// is for the linter, which needs them again, each file is analyzed once, until it changes.
func (s *Session) Analyse(ctx context.Context) []*compile.Analysis { return s.analyse(ctx, s.inputs) }

func (s *Session) analyse(ctx context.Context, all []load.Input) []*compile.Analysis {
	var inputs []load.Input
	for _, in := range all {
		if in.File != nil && (in.Type == load.YAML || in.Type == load.Starlark || in.Template) {
			inputs = append(inputs, in)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := make(map[load.Input]*compile.Analysis, len(s.inputs)) // other sessions may share the old map
	for _, in := range s.inputs {
		if a := s.analyses[in]; a != nil {
			known[in] = a
		}
	}
	var list []*compile.Analysis
	parallel.InOrder(s.config.Workers, len(inputs), func(i int) *compile.Analysis {
		if a := s.analyses[inputs[i]]; a != nil || ctx.Err() != nil {
			return a
		}
		return compile.Analyse(inputs[i].File, KindOf(inputs[i]), s.config.Compile)
	}, func(a *compile.Analysis) bool {
		if a == nil {
			return false
		}
		in := inputs[len(list)]
		if s.analyses[in] == nil {
			s.analysed++
		}
		known[in] = a
		list = append(list, a)
		return true
	})
	if ctx.Err() == nil && (s.config.Again || s.config.WarnUnused) {
		s.analyses = known
	}
	return list
}

// Declaring splits analyses into those of files that declare data values or their schema and nothing else,
// and those of all other files.
func Declaring(list []*compile.Analysis) (declaring, rest []*compile.Analysis) {
	for _, a := range list {
		if onlyDeclares(a) {
			declaring = append(declaring, a)
		} else {
			rest = append(rest, a)
		}
	}
	return declaring, rest
}

func onlyDeclares(a *compile.Analysis) bool {
	return a.Kind == compile.YAML && !strings.Contains("/"+a.File.Name(), "/_ytt_lib/") &&
		len(a.Errors) == 0 && (a.Role == compile.ForSchema || a.Role == compile.ForValues)
}

// Analysed returns how many files have been analysed since the session was opened or reloaded.
func (s *Session) Analysed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.analysed
}

// Inputs returns the files of the project, including private libraries, in order. Do not change
// them.
func (s *Session) Inputs() []load.Input { return s.inputs }

// Dependents returns the path of a file, and the paths of files that load it or may load it: only the
// last parts of their names are compared.
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

// KindOf returns how an input is read.
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
