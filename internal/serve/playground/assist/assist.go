// Package assist answers the editor of the playground while the user types: what can be written at
// the cursor, and a description of what is at a place. The answers are those of the language server,
// for the files of the page.
//
// It is a separate package because browsers load it as a separate program (cmd/weft-assist-wasm), so
// that users who only look at an example do not wait for it. Like package playground, it does not use
// the disk, the network or the environment, and everything has a limit.
package assist

import (
	"context"
	"fmt"
	"sync"

	"weft"
	"weft/internal/serve/lsp/feature"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
	"weft/internal/serve/playground"
)

// Request is a request of the editor. It wants complete, hover, or prepare, which makes the next
// answers faster.
type Request struct {
	playground.Request

	// Where the cursor is in Request.File, both from 0; a character is a UTF-16 unit.
	Line      int `json:"line"`
	Character int `json:"character"`
}

// IsAboutCursor reports whether an Assistant answers the request; playground.Run answers all others.
func (r *Request) IsAboutCursor() bool {
	return len(r.Want) == 1 && (r.Want[0] == "complete" || r.Want[0] == "hover" || r.Want[0] == "prepare")
}

// Response is the answer.
type Response struct {
	// Problem is the reason why there is no answer.
	Problem string `json:"problem,omitempty"`

	Items []protocol.CompletionItem `json:"items,omitempty"`
	Hover *protocol.Hover           `json:"hover,omitempty"`
}

// Failure returns the response to a request that cannot be answered.
func Failure(message string) Response { return Response{Problem: message} }

// maxItems is the maximum number of items in a list. Few people read more.
const maxItems = 1000

// Assistant keeps what it knows about the files from one request to the next.
type Assistant struct {
	mu    sync.Mutex // held while a request is answered
	files *workspace.Memory
}

// New returns an assistant without files.
func New() *Assistant { return &Assistant{files: workspace.NewMemory()} }

// Answer answers a request. There is always a response: errors are in its Problem.
func (a *Assistant) Answer(
	ctx context.Context, req Request, limits playground.Limits,
) (res Response) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer func() {
		if v := recover(); v != nil { // a bug in weft must not end the page
			a.files = workspace.NewMemory()
			res = Failure(fmt.Sprintf("internal error: %v; please report it", v))
		}
	}()
	if problem := req.CheckFiles(); problem != "" {
		return Failure(problem)
	}
	ctx, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	ctx, stop := weft.LimitMemory(ctx, limits.Memory)
	defer stop()
	doc, err := a.open(&req)
	if err == nil {
		res, err = a.answer(ctx, doc, &req)
	}
	if err != nil {
		return Failure(err.Error())
	}
	return res
}

// open shows the files to the language server.
func (a *Assistant) open(req *Request) (*workspace.TextDocument, error) {
	texts := make(map[string]string, len(req.Files))
	for _, f := range req.Files {
		texts[f.Path] = f.Data
	}
	settings := workspace.Settings{
		Inputs: req.Inputs, Environment: req.Environment, YAMLValues: req.Values,
	}
	if len(settings.Inputs) == 0 {
		settings.Inputs = []string{"."}
	}
	if err := a.files.Show(texts, settings); err != nil {
		return nil, err
	}
	doc := a.files.Document(req.File)
	if doc == nil {
		return nil, fmt.Errorf("there is no file '%s'", req.File)
	}
	return doc, nil
}

func (a *Assistant) answer(
	ctx context.Context, doc *workspace.TextDocument, req *Request,
) (res Response, err error) {
	if len(req.Want) != 1 {
		return res, fmt.Errorf("one thing is wanted at a time")
	}
	at := protocol.PositionParams{Position: protocol.Position{
		Line: max(req.Line, 0), Character: max(req.Character, 0),
	}}
	switch want := req.Want[0]; want {
	case "complete":
		list, err := feature.Complete(ctx, doc, protocol.CompletionParams{PositionParams: at})
		if err == nil {
			res.Items = list.Items[:min(len(list.Items), maxItems)]
		}
		return res, err
	case "hover":
		a.files.Evaluate(ctx, doc)
		res.Hover, err = feature.Hover(ctx, doc, protocol.HoverParams{PositionParams: at})
		return res, err
	case "prepare":
		a.files.Evaluate(ctx, doc)
		return res, nil
	default:
		return res, fmt.Errorf("unknown want '%s'", want)
	}
}
