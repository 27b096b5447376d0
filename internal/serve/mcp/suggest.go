package mcp

import (
	"context"
	"os"
	"path/filepath"

	"weft"
	"weft/internal/lang/diag"
)

// suggest finds the change of the sources that gives a changed output, and writes it if the call asks for it.
func suggest(ctx context.Context, args *arguments) (*report, error) {
	if len(args.Changes) == 0 {
		return nil, diag.Failf(CodeArgument, "`changes` is empty").
			WithHint("say what should be different, such as Deployment/web:spec.replicas=5")
	}
	p, err := args.open(ctx)
	if err != nil {
		return nil, err
	}
	env, err := args.environment(p)
	if err != nil {
		return nil, err
	}
	if _, err := args.sceneOf(p, env, ""); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(p.Root())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	r, err := suggestion(ctx, args, p, weft.SuggestOptions{FS: root.FS(), Environment: env})
	if err != nil {
		return nil, err
	}
	text, err := written(r, weft.ReportOptions{})
	switch {
	case err != nil:
		return nil, err
	case r.Same():
		return &report{summary: "nothing changes: the output is like this already"}, nil
	case !r.Found():
		return &report{summary: "no change of the sources is proved", data: text, failed: true}, nil
	}
	patch, err := written(r, weft.ReportOptions{Format: weft.Patch})
	if err != nil { // it would show a secret
		patch = "without the patch: " + weft.ErrorOf(err).Diagnostics()[0].Message + "\n"
	}
	text += "\n" + patch
	if !args.Write {
		summary := "the change of the sources, proved by rendering; nothing is written"
		return &report{summary: summary, data: text}, nil
	}
	return &report{
		summary: "the change of the sources, proved by rendering, is written", data: text,
		write: func() error { return write(ctx, p, r) },
	}, nil
}

// suggestion asks for a suggestion, with paths below the root of the project.
func suggestion(
	ctx context.Context, args *arguments, p *weft.Project, opts weft.SuggestOptions,
) (*weft.SuggestReport, error) {
	given, err := args.values()
	if err != nil {
		return nil, err
	}
	file, err := filepath.Abs(p.Path())
	if err != nil {
		return nil, err
	}
	if file, err = filepath.Rel(p.Root(), file); err != nil {
		return nil, err
	}
	opts.Project, opts.Set = filepath.ToSlash(file), args.Changes
	opts.Options = weft.Options{Warnings: weft.WarningsOff, DataValues: weft.DataValues{KVYAML: given}}
	opts.Show = func(name string) string { return filepath.ToSlash(here(p, name)) }
	return weft.Suggest(ctx, opts)
}

// here returns a path below the root of a project as it is from the directory of the server.
func here(p *weft.Project, name string) string {
	path := filepath.Join(p.Root(), filepath.FromSlash(name))
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil {
			return rel
		}
	}
	return path
}

// write writes a suggestion, if all its files are in the directory of the server.
func write(ctx context.Context, p *weft.Project, r *weft.SuggestReport) error {
	for _, f := range r.Files() {
		if err := inside(here(p, f.Path)); err != nil {
			return diag.Failf(CodeArgument, "the suggestion is not written: %s", err).
				WithHint("start weft mcp in the directory of the project")
		}
	}
	return r.WriteFiles(ctx, p.Root())
}
