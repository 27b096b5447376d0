package workspace

import (
	"path/filepath"

	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
)

// Evaluated returns where a place of an evaluation is now; false if it is not in a file of the
// folder any more.
func (s *Snapshot) Evaluated(files *source.Set, at source.Span) (protocol.Location, bool) {
	f := files.File(at.Pos)
	if f == nil || f.Argument() {
		return protocol.Location{}, false
	}
	path, now := filepath.ToSlash(f.Shown()), f
	start, end := at.Offset(), at.End()
	if text := s.OpenText(path); text != nil {
		shift := NewShift(f.Data(), text.Data())
		var ok bool
		if start, ok = shift.Now(start); !ok {
			return protocol.Location{}, false
		}
		end, _ = shift.Now(end)
		now = text
	} else if _, err := s.Files().Stat(path); err != nil {
		return protocol.Location{}, false
	}
	return protocol.Location{URI: s.URI(path), Range: s.MapperOf(now).Range(start, end)}, true
}
