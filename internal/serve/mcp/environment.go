package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project"
)

// CodeArgument is the code of errors about an argument of a call.
const CodeArgument diag.Code = "mcp/argument"

// open opens the project of a call. It returns nil if the call names files.
func (a *arguments) open(ctx context.Context) (*weft.Project, error) {
	if len(a.Files) > 0 {
		if a.Project != "" || a.Environment != "" {
			return nil, diag.Failf(CodeArgument, "files are rendered without a project, but the call names both").
				WithHint("leave out `files`, or `project` and `environment`")
		}
		return nil, alone(ctx)
	}
	file, err := a.projectFile()
	if err != nil {
		return nil, err
	}
	p, err := weft.OpenProject(ctx, weft.ProjectOptions{Path: file})
	if errors.Is(err, weft.ErrNoProject) {
		return nil, withProjects(diag.Failf(CodeArgument,
			"found no %s, neither in the directory of the server nor above", project.FileName))
	}
	return p, err
}

// projectFile returns the path of the project file that a call names, or "".
func (a *arguments) projectFile() (string, error) {
	if a.Project == "" {
		return "", nil
	}
	if err := inside(a.Project); err != nil {
		return "", err
	}
	info, err := os.Stat(a.Project)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", withProjects(diag.Failf(CodeArgument, "there is no directory '%s'", diag.Shortened(a.Project)))
	case err == nil && info.IsDir():
		file := filepath.Join(a.Project, project.FileName)
		if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
			return "", withProjects(diag.Failf(CodeArgument, "there is no %s in '%s'", project.FileName,
				diag.Shortened(a.Project)))
		}
		return file, inside(file)
	case filepath.Base(a.Project) != project.FileName: // errors would show the lines of any file
		return "", withProjects(diag.Failf(CodeArgument, "expected a directory or a %s, but found '%s'",
			project.FileName, diag.Shortened(a.Project)))
	}
	return a.Project, nil
}

// withProjects returns an error with a hint that names projects.
func withProjects(d *diag.Diagnostic) *diag.Diagnostic {
	list := project.Below(".")
	if len(list) == 0 {
		return d.WithHint("name the directory of a project with `project`; some tools also take `files`")
	}
	return d.WithHint("name the directory of a project with `project`, such as %s", strings.Join(list, ", "))
}

// alone returns an error if files may be part of a project. A project knows which of its values are secret; read
// without it, a file of values would show them. Hiding the secrets of all environments instead would not be safe:
// those of an environment that does not render are unknown, and short ones cannot be hidden in other text.
func alone(ctx context.Context) error {
	file, err := project.Nearby(ctx, ".")
	if err != nil || file == "" {
		return err
	}
	return diag.Failf(CodeArgument,
		"`files` are for directories without a project, but there is a project here: '%s'", file).
		WithHint("leave out `files`, and name `environment`, and `project` if there are several")
}

// longestPath is the maximum length of a path that a call names; longer ones exist on no common system.
const longestPath = 4096

// inside returns an error for a path outside of the directory of the server.
func inside(name string) error {
	if strings.Contains(name, "://") || strings.ContainsRune(name, 0) || name == "-" ||
		len(name) > longestPath {
		return diag.Failf(CodeArgument, "expected the path of a file or directory, but found '%s'",
			diag.Shortened(name))
	}
	bounds := project.NewBounds(".", "the directory of the server", nil)
	if d := bounds.CheckInside(name, source.Span{}); d != nil {
		return diag.Failf(CodeArgument, "%s", d.Message).
			WithHint("name another path, inside of the directory in which weft mcp was started")
	}
	return nil
}

// environment returns the name of the environment of a call.
func (a *arguments) environment(p *weft.Project) (string, error) {
	if p == nil || a.Environment != "" {
		return a.Environment, nil
	}
	return p.Default()
}

// scene is what a call is about: an environment, or files.
type scene struct {
	weft.Options
	note string // about the environment and variables that were left out, or ""
}

// scene returns what a call is about.
func (a *arguments) scene(ctx context.Context) (*scene, error) {
	p, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	env, err := a.environment(p)
	if err != nil {
		return nil, err
	}
	s, err := a.sceneOf(p, env, "")
	if err == nil && p != nil && a.Environment == "" && len(p.Names()) > 1 {
		s.note += "; in the default environment"
	}
	return s, err
}

// sceneOf returns an environment of a project, or the files of the call. Projects get no environment
// variables: the person at the command line allowed none. The revision is the commit that the project is of,
// or "" for the working tree.
func (a *arguments) sceneOf(p *weft.Project, env, revision string) (*scene, error) {
	given, err := a.values()
	if err != nil {
		return nil, err
	}
	base := weft.Options{
		Env: os.Environ(), Keep: weft.KeepNothing, Warnings: weft.WarningsOff,
		DataValues: weft.DataValues{KVYAML: given}, Revision: revision,
	}
	if p == nil {
		for _, name := range a.Files {
			if err := inside(name); err != nil {
				return nil, err
			}
			if strings.Contains(name, "=") { // NAME=PATH would name another file
				return nil, diag.Failf(CodeArgument, "expected a path without '=', but found '%s'", name)
			}
		}
		base.Inputs = a.Files
		return &scene{Options: base}, nil
	}
	opts, err := p.Options(env, base)
	if err != nil {
		return nil, err
	}
	s := &scene{}
	var refused []string
	if s.Options, refused = opts.WithoutRefusedEnv(); len(refused) > 0 {
		s.note = "; environment variables that the project names are left out"
	}
	return s, nil
}

// values returns the data values that a call sets, as the flag for YAML takes them.
func (a *arguments) values() (list []string, err error) {
	for _, key := range slices.Sorted(maps.Keys(a.Set)) {
		text, err := json.Marshal(a.Set[key])
		if err != nil {
			return nil, err
		}
		list = append(list, key+"="+string(text))
	}
	return list, nil
}

// written returns a report as text.
func written(r weft.Report, how weft.ReportOptions) (string, error) {
	var b strings.Builder
	err := r.Write(&b, how)
	return b.String(), err
}
