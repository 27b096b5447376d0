package weft

import (
	"context"
	"io"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/rewrite/migrate"
)

// MigrationRun is one way to render a project: an environment, or one set of flags.
type MigrationRun struct {
	Name    string // for messages; may be empty
	Options        // Edition has no effect: it is EditionYTT before and Edition2026 after
}

// Migration is the files of a project rewritten for Edition2026, and what is known of the result.
type Migration struct {
	made    migrate.Migration
	refused []string
}

// RefusedEnv returns the prefixes of environment variables that the project names and that runs did
// not read, since Options.AllowEnv does not allow them.
func (m *Migration) RefusedEnv() []string { return m.refused }

// Migrate rewrites the files that runs read so that they mean in Edition2026 what they mean in
// EditionYTT, and proves it: each run is rendered before and after, and the documents have to be
// equal. It writes nothing: see Migration.WriteFiles. If all runs have the same Stdin, each reads all of
// it. If the input is wrong before, the error is an *Error.
func Migrate(ctx context.Context, runs []MigrationRun) (*Migration, error) {
	list := make([]migrate.Run, len(runs))
	var shared *load.Stdin
	for i, r := range runs {
		before, after := r.Options, r.Options
		before.Edition, after.Edition = EditionYTT, Edition2026
		if shared == nil {
			shared = load.Share(r.Stdin)
		}
		before.Stdin, after.Stdin = shared.Reader(), shared.Reader()
		list[i] = migrate.Run{
			Name: r.Name, Before: before.config(), After: after.config(),
		}
	}
	made, err := migrate.Files(ctx, list)
	if err != nil {
		return nil, public(err)
	}
	return &Migration{made: *made}, nil
}

// MigrateProject does the same for all environments of a project, with base over the options of
// each, and changes the edition of the project file.
func MigrateProject(ctx context.Context, p *Project, base Options) (*Migration, error) {
	names := p.Names()
	if len(names) == 0 {
		names = []string{""}
	}
	runs, refused := make([]MigrationRun, len(names)), []string(nil)
	for i, name := range names {
		opts, err := p.Options(name, base)
		if err != nil {
			return nil, err
		}
		opts, prefixes := opts.WithoutRefusedEnv()
		refused = append(refused, prefixes...)
		runs[i] = MigrationRun{Name: name, Options: opts}
	}
	m, err := Migrate(ctx, runs)
	if err != nil {
		return nil, err
	}
	m.refused = refused
	for _, f := range p.loaded().Sources() {
		if f.Path != p.Path() {
			continue // an extended file has an edition of its own
		}
		text, err := migrate.Edition(f.Source, Edition2026.String())
		if err != nil {
			return nil, newError(p.loaded().Files, diag.Of(err))
		}
		m.made.Add(migrate.Rewritten{Path: f.Path, Shown: f.Path, Old: f.Source.Data(), New: text})
	}
	return m, nil
}

// Proven reports whether all runs make the same documents and text files before and after.
func (m *Migration) Proven() bool { return len(m.made.Unproven) == 0 }

// Changed returns the names of the files that change, in the order in which they were read.
func (m *Migration) Changed() []string {
	var names []string
	for _, c := range m.made.Changed {
		names = append(names, c.Shown)
	}
	return names
}

// Files returns the files that change with their new contents.
func (m *Migration) Files() []File {
	var files []File
	for _, c := range m.made.Changed {
		files = append(files, File{Path: c.Shown, Data: c.New})
	}
	return files
}

// Write writes the names of the files that change as Text, or the changes as Patch.
func (m *Migration) Write(w io.Writer, how ReportOptions) error {
	return how.write(w, writers{
		Text:  func(w io.Writer) error { return writeNames(w, m.Changed()) },
		Patch: func(w io.Writer) error { return written(w, m.made.Diff()) },
	})
}

// Warnings returns what the author should know about the new files, such as entries that never
// counted and are removed.
func (m *Migration) Warnings() Messages {
	if m.made.Warnings == nil {
		return Messages{}
	}
	return Messages{m.made.Warnings.Files, m.made.Warnings.List}
}

// Unproven is why a run is not known to make the same documents: an error, or a difference.
type Unproven struct {
	Run        string      // the name of the run, or "" if a file cannot be rewritten for any
	Err        error       // an *Error: a file cannot be rewritten, or the new files cannot be rendered
	Difference *DiffReport // what changes, if there is no error
}

// Unproven returns everything that keeps the migration from being proven.
func (m *Migration) Unproven() []Unproven {
	var list []Unproven
	for _, u := range m.made.Unproven {
		one := Unproven{Run: u.Run}
		if u.Failure != nil {
			one.Err = newError(u.Failure.Files, u.Failure.List)
		} else {
			one.Difference = &DiffReport{u.Difference}
		}
		list = append(list, one)
	}
	return list
}

// WriteFiles writes the changed files, all of them or none, and returns their names. It writes nothing
// if the migration is not proven, or if a file has changed since it was read.
func (m *Migration) WriteFiles(ctx context.Context) ([]string, error) {
	if !m.Proven() {
		return nil, ErrorOf(diag.Failf(migrate.CodeUnproven, "the values may change, so nothing is written"))
	}
	names, err := m.made.Write(ctx)
	return names, public(err)
}
