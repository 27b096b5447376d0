package workspace

import (
	"context"
	"slices"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
)

// Move is a file or folder that gets another path in its workspace folder.
type Move struct{ Old, New string }

// Snapshots returns the workspace folders in the state of now.
func (s *Session) Snapshots() []*Snapshot {
	var list []*Snapshot
	for _, f := range s.all() {
		list = append(list, f.Snapshot())
	}
	return list
}

// Moves sorts renames of files by the folders that they are in. Those that lead from one folder to
// another, or out of all of them, are left out.
func (s *Session) Moves(files []protocol.FileRename) map[*Snapshot][]Move {
	moves := map[*Snapshot][]Move{}
	for _, x := range files {
		f, old := s.folderOf(x.OldURI)
		g, now := s.folderOf(x.NewURI)
		if f == g && f.disk != nil {
			snap := f.Snapshot()
			moves[snap] = append(moves[snap], Move{old, now})
		}
	}
	return moves
}

// Projects returns what the files of projects say about each other: those of open documents, and
// those that files belong to which move.
func (s *Snapshot) Projects(ctx context.Context, moves []Move) ([]*index.Index, error) {
	f := s.folder
	if f.disk == nil {
		return nil, nil
	}
	projects := s.OpenProjects()
	for _, m := range moves {
		if p := f.projectOf(s, m.Old); p != nil && !slices.Contains(projects, p) {
			projects = append(projects, p)
		}
	}
	var list []*index.Index
	for _, p := range projects {
		made, err := s.index(ctx, p)
		if err != nil {
			return nil, err
		}
		list = append(list, made)
	}
	return list, nil
}

// Context ends with the next edit.
func (s *Snapshot) Context() context.Context { return s.ctx }
