package engines

import (
	"context"

	"weft/internal/lang/diag"
	"weft/internal/project/engines/wire"
)

// process cannot exist: a web page starts no programs.
type process struct{}

func start(context.Context, string) (*process, error) {
	return nil, diag.Failf(CodeMissing, "charts and kustomizations cannot be rendered in a web page").
		WithHint("use weft on the command line")
}

func (p *process) converse(
	context.Context, *wire.Request, func(path string) wire.Reply,
) (*wire.Answer, error) {
	return nil, context.Canceled
}

func (p *process) end() {}
