package engine

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/engine/eval"
	"weft/internal/engine/eval/modules"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// CodeFunction is the code of a missing function of a script.
const CodeFunction diag.Code = "test/function"

// Script is a Starlark file outside of a project, whose functions check documents. It is safe for
// concurrent use.
type Script struct {
	files   *source.Set
	res     *eval.Result
	globals starlark.StringDict
	path    string
}

// OpenScript evaluates a Starlark file. It may load others in its folder. The error is a
// *diag.Failure if the file is wrong.
func OpenScript(ctx context.Context, config Config, path string) (*Script, error) {
	s := &Script{files: &source.Set{}, path: path}
	name := filepath.Base(path)
	opt := load.Options{
		Paths: []string{name + "=" + path}, Symlinks: config.Load.Symlinks, Workers: 1,
		Marks: []string{"**/*:type=starlark"},
	}
	for _, p := range ScriptNeighbors(path) {
		opt.Paths = append(opt.Paths, filepath.Base(p)+"="+p)
	}
	inputs, err := load.Read(s.files, opt)
	if err != nil {
		return nil, config.Fail(ctx, s.files, err)
	}
	scope := eval.NewLibrary(inputs, config.Compile).Root()
	one := scope.Named(name)
	if _, err := one[0].Unit(); err != nil {
		return nil, config.Fail(ctx, s.files, err)
	}
	s.res, err = eval.Files(ctx, scope, one, eval.Options{
		MaxSteps: config.Eval.MaxSteps, MaxNodes: config.Eval.MaxNodes, Workers: 1, Files: s.files,
		Env: &modules.Env{YAML: config.Compile.YAML},
	})
	if err != nil {
		return nil, config.Fail(ctx, s.files, err)
	}
	for _, e := range s.res.Exports {
		s.globals = e.Globals
	}
	return s, nil
}

// ScriptNeighbors returns the other Starlark files in a script's folder, which OpenScript reads too:
// check them first if you do not trust the folder.
func ScriptNeighbors(path string) []string {
	dir, base := filepath.Split(filepath.Clean(path))
	entries, _ := os.ReadDir(cmp.Or(dir, ".")) // a file that cannot be listed cannot be loaded either
	var found []string
	for _, e := range entries {
		if name := e.Name(); name != base && filepath.Ext(name) == ".star" && !e.IsDir() {
			found = append(found, filepath.Join(dir, name))
		}
	}
	return found
}

// Call calls a function of the script with documents, and returns what it printed. The error is a
// *diag.Failure.
func (s *Script) Call(
	ctx context.Context, name string, docs []tree.Doc,
) (prints []string, err error) {
	fn, ok := s.globals[name].(starlark.Callable)
	if !ok {
		return nil, &diag.Failure{Files: s.files, List: diag.List{s.unknown(name)}}
	}
	thread := s.res.Thread(ctx)
	thread.Print = func(_ *starlark.Thread, line string) { prints = append(prints, line) }
	_, err = starlark.Call(thread, fn, starlark.Tuple{tree.NewDocumentSet(docs)}, nil)
	switch {
	case err == nil:
		return prints, nil
	case ctx.Err() != nil:
		return prints, ended(ctx, err, s.files)
	}
	return prints, &diag.Failure{Files: s.files, List: s.res.Diagnose(err)}
}

func (s *Script) unknown(name string) *diag.Diagnostic {
	d := diag.Failf(CodeFunction, "'%s' has no function '%s'", s.path, name)
	if s.globals[name] != nil {
		d.Message = "'" + name + "' of '" + s.path + "' is not a function"
		return d
	}
	return d.WithNearest(name, slices.Sorted(maps.Keys(s.globals)))
}
