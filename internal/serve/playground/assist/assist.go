// Package assist answers the editor of the playground while someone types: what can be written at
// the cursor, and what is known of what is at a place. The answers are those of the language
// server, for the files as the page has them.
//
// It is a package of its own since browsers load it as a program of its own (cmd/weft-assist-wasm),
// which no one waits for who only looks at an example. Like package playground it touches neither
// the disk nor the network nor the environment, and everything has a limit.
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

// Request is what the editor asks. It wants complete, hover, or prepare: that what is asked next is
// answered soon.
type Request struct {
	playground.Request

	// Where the cursor is in Request.File, both from 0; a character is a UTF-16 unit.
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Response is the answer.
type Response struct {
	// Problem says why there is no answer.
	Problem string `json:"problem,omitempty"`

	Items []protocol.CompletionItem `json:"items,omitempty"`
	Hover *protocol.Hover           `json:"hover,omitempty"`
}

// Failure returns the response to a request that cannot be answered.
func Failure(message string) Response { return Response{Problem: message} }

// maxItems is how many items a list may have. No one reads as many.
const maxItems = 1000

// Assistant keeps what it knows of the files from one request to the next.
type Assistant struct {
	mu    sync.Mutex // of whoever is answered
	files *workspace.Memory
}

// New makes an assistant that knows no files.
func New() *Assistant { return &Assistant{files: workspace.NewMemory()} }

// Answer answers a request. It always has an answer: what is wrong is a problem.
func (a *Assistant) Answer(
	ctx context.Context, req Request, limits playground.Limits,
) (res Response) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer func() {
		if v := recover(); v != nil { // a bug of weft, and the page goes on
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
