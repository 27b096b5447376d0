package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"

	"weft"
	"weft/internal/engine/budget"
	"weft/internal/serve/lsp/wire"
)

// tool answers one kind of question.
type tool struct {
	name, title string
	description string   // what it answers, for the model
	takes       []string // its arguments, without those that all tools take
	needs       []string // those of its arguments that must be there
	writes      bool     // it may write files

	answer func(context.Context, *arguments) (*report, error)
}

// describedTool is a tool as clients see it.
type describedTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  inputSchema     `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  annotations     `json:"annotations"`
}

// annotations tell clients what a tool cannot do.
type annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"` // no tool deletes anything
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// described returns all tools.
func (s *server) described() []describedTool {
	var list []describedTool
	for _, t := range s.tools() {
		list = append(list, describedTool{
			t.name, t.title, t.description, t.schema(), outputSchema,
			annotations{ReadOnly: !t.writes, Idempotent: true},
		})
	}
	return list
}

// call prepares the call of a tool.
func (s *server) call(params json.RawMessage) (wire.Answer, error) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := wire.Decode(params, &p); err != nil {
		return nil, err
	}
	for _, t := range s.tools() {
		if t.name != p.Name {
			continue
		}
		args, err := t.decode(p.Arguments)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (any, error) { return s.run(ctx, t, args) }, nil
	}
	return nil, wire.Errorf(wire.InvalidParams, "weft has no tool %.100q", p.Name)
}

// run calls a tool when there is a slot for it. A call that does not end in time is abandoned, and keeps its
// slot until it does.
func (s *server) run(ctx context.Context, t tool, args *arguments) (any, error) {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	message := fmt.Sprintf("the call took longer than %s, the limit of the server", s.opt.Timeout)
	ctx, cancel := budget.Timeout(ctx, s.opt.Timeout, message, smaller)
	defer cancel()
	type outcome struct {
		answer any
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { <-s.slots }()
		defer func() {
			if v := recover(); v != nil {
				s.opt.Log("%s: internal error: %v\n%s", t.name, v, debug.Stack())
				done <- outcome{err: wire.Errorf(wire.InternalError, "internal error: this is a bug in weft")}
			}
		}()
		answer, err := s.ask(ctx, t, args)
		done <- outcome{answer, err}
	}()
	select {
	case o := <-done:
		return o.answer, o.err
	case <-ctx.Done():
	}
	select { // most of weft looks at the context, and says where it was
	case o := <-done:
		return o.answer, o.err
	case <-time.After(endTime):
		return failed(message), nil
	}
}

// smaller is the hint for a call that uses too much.
const smaller = "ask about one environment or one document"

// endTime is how long a call may take to notice that it is to end.
const endTime = 3 * time.Second

// ask calls a tool within the limits of memory, and turns its report into an answer.
func (s *server) ask(ctx context.Context, t tool, args *arguments) (*answer, error) {
	ctx, stop := weft.LimitMemory(budget.WithHint(ctx, smaller), s.opt.Memory)
	defer stop()
	var redactor weft.Redactor
	ctx = weft.WithRedactor(ctx, &redactor)
	return s.inTurn(ctx, t, args).answer(t.name, args, &redactor)
}

// inTurn calls a tool. Calls that write do so one after the other: what one has proved holds only for the files
// as they were.
func (s *server) inTurn(ctx context.Context, t tool, args *arguments) *report {
	if args.Write {
		select {
		case s.turn <- struct{}{}:
			defer func() { <-s.turn }()
		case <-ctx.Done():
			return failure(ctx, ctx.Err())
		}
	}
	r, err := hideDerived(ctx, t, args, t.report(ctx, args))
	if err == nil && r.write != nil {
		err = r.write()
	}
	if err != nil {
		return failure(ctx, err)
	}
	return r
}

// report returns what the tool found out; an error is a report, too.
func (t tool) report(ctx context.Context, args *arguments) *report {
	r, err := t.answer(ctx, args)
	if err != nil {
		return failure(ctx, err)
	}
	return r
}
