package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/serve/cli/process"
)

// outputLine is a line of a file of the output: out/prod/app.yml:374.
type outputLine struct {
	below string // the path of the file in the output
	file  string
	line  int
	dir   weft.Dir // where the environment of the file writes its output
	env   string   // the environment that writes it
}

// codeMoved is the code of a warning that a file of the output differs from what would be written
// now.
const codeMoved diag.Code = "blame/moved"

// parseOutputLine returns the file and the line that an argument names, if there is such a file.
func parseOutputLine(arg string) (at outputLine, ok bool) {
	m := regexp.MustCompile(`^(.+):(\d+)(?::\d+)?$`).FindStringSubmatch(arg)
	if m == nil {
		return at, false
	}
	at.file = m[1]
	at.line, _ = strconv.Atoi(m[2])
	info, err := os.Stat(at.file)
	return at, err == nil && info.Mode().IsRegular()
}

// takeLine makes the report about a line of an output file, in the environment that writes the file.
func (f *blameFlags) takeLine(cmd *cobra.Command, at outputLine) (err error) {
	at.below, err = f.takeWriter(cmd, &at)
	f.line = &at
	return err
}

// selectLine selects the document and the path that are on the line. It reads the file as the environment
// reads its inputs: in YAML 1.1, the key n is a boolean.
func (f *blameFlags) selectLine(opts weft.Options) error {
	at := f.line
	if at == nil {
		return nil
	}
	text, err := os.ReadFile(at.file)
	if err != nil {
		return err
	}
	files := &source.Set{}
	file, err := files.Add(at.file, text)
	if err != nil {
		return err
	}
	var syntax yaml.Options
	if opts.YAML == weft.YAML12 || opts.YAML == 0 && opts.Edition == weft.Edition2026 {
		syntax = yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core}
	}
	on, ok, err := selector.AtLine(file, syntax, at.line)
	switch {
	case err != nil:
		return process.Usagef("'%s' is not YAML: %s", at.file, diag.Of(err)[0].Message)
	case !ok:
		return process.Usagef("'%s' has no line %d", at.file, at.line).
			WithHint("it has %s", diag.Count(file.Lines(), "line"))
	}
	if f.what.Select, f.what.Path = on.Object, on.Path; on.Object == "" {
		f.what.Select = at.below + "#" + strconv.Itoa(on.N)
	}
	return nil
}

// takeWriter selects the environment that writes a file, and returns the path of the file in its
// output.
func (f *blameFlags) takeWriter(cmd *cobra.Command, at *outputLine) (below string, err error) {
	p, err := f.render.project.open(cmd)
	if err != nil || p == nil {
		return filepath.ToSlash(at.file), err
	}
	names := f.render.project.named
	if len(names) == 0 {
		names = p.Names()
	}
	envs, err := p.Environments(names...)
	if err != nil {
		return "", err
	}
	for _, e := range envs {
		dir, err := outputOf(e)
		if err != nil {
			continue // it writes no files
		}
		below, ok := within(dir.Path, at.file)
		if !ok || dir.Single != "" && below != dir.Single {
			continue
		}
		f.render.project.take([]string{e.Name})
		at.dir, at.env = dir, e.Name
		return below, nil
	}
	return "", process.Usagef("no environment writes '%s'", at.file).
		WithHint("name a file of the output, or a document: weft blame ENV Deployment/web")
}

// within returns the path of a file below a directory, if it is in the directory.
func within(dir, file string) (string, bool) {
	a, err := filepath.Abs(dir)
	b, err2 := filepath.Abs(file)
	if err != nil || err2 != nil {
		return "", false
	}
	rel, err := filepath.Rel(a, b)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel) && !strings.HasPrefix(rel, "..")
}

// warnMoved warns if the file differs from what the environment would write now: its lines may have
// moved.
func (l *outputLine) warnMoved(cmd *cobra.Command, opts weft.Options) error {
	if l == nil || l.dir.Path == "" {
		return nil
	}
	opts.Observe.Timings, opts.Observe.Print = nil, nil
	res, err := weft.Render(cmd.Context(), opts)
	if err != nil {
		return nil // blame reports the error
	}
	changed, err := res.Diff(cmd.Context(), io.Discard, l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	same := func(p string) bool { below, ok := within(p, l.file); return ok && below == "." }
	if err != nil || !slices.ContainsFunc(changed, same) {
		return err
	}
	d := diag.Warningf(source.Span{}, codeMoved,
		"'%s' is not what the environment writes now, so its lines may have moved", l.file).
		WithHint("weft render %s --write refreshes it", diag.InShell(l.env))
	return warnOrFail(cmd, d, opts.Warnings)
}
