package engine

import (
	"context"

	"weft/internal/engine/values"
	"weft/internal/lang/tree"
)

// Changed returns the layers of the command line, with the given data values merged into them.
func (s *Session) Changed(ctx context.Context, changes []tree.Value) (*Layers, error) {
	base, err := s.commandLine(ctx)
	if err != nil {
		return nil, s.config.Fail(ctx, s.files, err)
	}
	top := &Layers{files: base.files}
	for _, v := range changes {
		top.docs = append(top.docs, values.Changed(v))
	}
	return top.Over(base), nil
}
