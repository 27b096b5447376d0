package workspace

import (
	"weft/internal/engine/values"
	"weft/internal/project/fleet"
)

// withoutRefusedEnv returns options without the environment variables that the user has not allowed
// the project to read. It says so once.
func (s *Session) withoutRefusedEnv(opts fleet.Options) fleet.Options {
	opts, refused := opts.WithoutRefusedEnv()
	if refused != nil && s.opt.Warn != nil {
		s.refused.Do(func() { s.opt.Warn(values.RefusedNote(refused)) })
	}
	return opts
}
