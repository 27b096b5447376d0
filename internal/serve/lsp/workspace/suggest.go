//go:build !playground

package workspace

import (
	"context"

	"weft/internal/project/suggest"
	"weft/internal/serve/lsp/protocol"
)

// Suggest returns the changes of the sources that give another output of the view. Nothing is written.
func (v *View) Suggest(
	ctx context.Context, s *Snapshot, p *Configuration, in suggest.Input,
) (*suggest.Report, error) {
	session := v.folder.session
	in.FS, in.Project, in.Env, in.Engines = s.Files(), p.file, v.Env, session.opt.Engines
	in.Options, in.All = session.options(s.Settings(), s.Files()), true
	in.Given = func(string) bool { return false }
	if p.file == "" {
		in.Options = v.Options()
		in.Options.FS = s.Files()
	}
	limit, stop := limited(ctx)
	defer stop()
	return suggest.Find(limit, in)
}

// Rewriting returns a plan as edits. It returns nil if the client cannot make them: only some clients create
// files, and only one at a time.
func (s *Snapshot) Rewriting(
	plan *suggest.Plan, edit func(path string, old, now []byte) []protocol.TextEdit,
) *protocol.WorkspaceEdit {
	if len(plan.Arguments) > 0 {
		return nil // no file names the new one
	}
	edits := Edits{}
	created := ""
	for _, f := range plan.Files {
		if f.Old == nil {
			if created != "" || !s.folder.session.opt.MakesFiles {
				return nil
			}
			created = f.Path
			edits[f.Path] = []protocol.TextEdit{{NewText: string(f.New)}}
			continue
		}
		edits[f.Path] = edit(f.Path, f.Old, f.New)
	}
	w := edits.Workspace(s)
	if created != "" {
		w.Create = s.URI(created)
	}
	return w
}
