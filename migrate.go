package weft

import (
	"context"
	"io"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/rewrite/migrate"
)

// Migration is files rewritten for Edition2026, and what is known about the result.
type Migration struct {
	// Unproven lists why the migration is not proven. If it is empty, all runs produce the same
	// documents and text files before and after.
	Unproven []Unproven

	// RefusedEnv are the prefixes of environment variables that the project names but runs did not
	// read, because Options.AllowEnv does not allow them.
	RefusedEnv []string

	res migrate.Migration
}

// Unproven is why a run may not produce the same documents: an error, or a difference.
type Unproven struct {
	Run        string      // its environment, or "" if a file cannot be rewritten at all
	Err        error       // an *Error: a file cannot be rewritten, or the new files cannot be rendered
	Difference *DiffReport // what changes, if there is no error
}

// Migrate rewrites files so that they mean in Edition2026 what they mean in EditionYTT, and proves
// it: each run is rendered before and after, and the documents must be equal. If p is nil, there is
// one run, with opts. Otherwise there is one for each environment of the project, whose options opts
// override, and the edition in the project file changes too. Migrate writes nothing: see
// Migration.WriteFiles. If the input is wrong before the migration, the error is an *Error.
func Migrate(ctx context.Context, p *Project, opts Options) (*Migration, error) {
	envs := []string{""}
	if p != nil && len(p.Names()) > 0 {
		envs = p.Names()
	}
	m, stdin := &Migration{}, load.Share(opts.Stdin)
	runs := make([]migrate.Run, len(envs))
	for i, env := range envs {
		before, err := m.runOptions(p, env, opts)
		if err != nil {
			return nil, err
		}
		after := before
		before.Edition, after.Edition = EditionYTT, Edition2026
		before.Stdin, after.Stdin = stdin.Reader(), stdin.Reader()
		runs[i] = migrate.Run{Name: env, Before: before.config(), After: after.config()}
	}
	res, err := migrate.Files(ctx, runs)
	if err != nil {
		return nil, public(err)
	}
	m.res = *res
	for _, u := range res.Unproven {
		m.Unproven = append(m.Unproven, unproven(u))
	}
	if p != nil {
		err = m.rewriteEdition(p)
	}
	return m, err
}

// runOptions returns the options of an environment, without the variables that it may not read.
func (m *Migration) runOptions(p *Project, env string, opts Options) (Options, error) {
	if p == nil {
		return opts, nil
	}
	opts, err := p.Options(env, opts)
	opts, refused := opts.WithoutRefusedEnv()
	m.RefusedEnv = append(m.RefusedEnv, refused...)
	return opts, err
}

// rewriteEdition changes the edition of the project file. Files that it extends have their own.
func (m *Migration) rewriteEdition(p *Project) error {
	for _, f := range p.loaded().Sources() {
		if f.Path != p.Path() {
			continue
		}
		text, err := migrate.Edition(f.Source, Edition2026.String())
		if err != nil {
			return newError(p.loaded().Files, diag.Of(err))
		}
		m.res.Add(migrate.Rewritten{Path: f.Path, Shown: f.Path, Old: f.Source.Data(), New: text})
	}
	return nil
}

func unproven(u migrate.Unproven) Unproven {
	if u.Failure != nil {
		return Unproven{Run: u.Run, Err: public(u.Failure)}
	}
	return Unproven{Run: u.Run, Difference: &DiffReport{comparison: u.Difference}}
}

// Files returns the files that change, with their new contents.
func (m *Migration) Files() []File {
	var files []File
	for _, c := range m.res.Changed {
		files = append(files, File{Path: c.Shown, Data: c.New})
	}
	return files
}

// Write writes the names of the files that change as Text, or the changes as Patch.
func (m *Migration) Write(w io.Writer, how ReportOptions) error {
	var names []string
	for _, c := range m.res.Changed {
		names = append(names, c.Shown)
	}
	return how.write(w, writers{
		Text:  func(w io.Writer) error { return writeNames(w, names) },
		Patch: func(w io.Writer) error { return written(w, m.res.Diff()) },
	})
}

// Warnings returns what the author should know about the new files, such as removed entries that had
// no effect.
func (m *Migration) Warnings() Messages {
	if m.res.Warnings == nil {
		return Messages{}
	}
	return Messages{m.res.Warnings.Files, m.res.Warnings.List}
}

// WriteFiles writes the changed files, all of them or none, and returns their names. It writes nothing
// if the migration is not proven, or if a file has changed since it was read.
func (m *Migration) WriteFiles(ctx context.Context) ([]string, error) {
	if len(m.Unproven) > 0 {
		return nil, ErrorOf(diag.Failf(migrate.CodeUnproven, "the values may change, so nothing is written"))
	}
	names, err := m.res.Write(ctx)
	return names, public(err)
}
