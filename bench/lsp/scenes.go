//go:build unix

package main

import (
	"fmt"
	"time"

	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
)

// The files that the user edits.
const (
	template = "config/app-00500.yml"
	overlay  = "overlays/ov-000.yml"
	values   = "envs/dev.yml"
	schema   = "config/schema.yml"
)

// scene is an action of a user, repeated often enough to measure its time.
type scene struct {
	name   string
	budget time.Duration // 0 if it has none
	play   func(e *editor, r *recorder) error
}

var scenes = []scene{
	{"first diagnostics after the start", time.Second, first},
	{"all diagnostics after the start", 0, all},
	{"tier 1: an error of the text", 10 * ms, quick("#@ name", "#@ name +", anything)},
	{
		"tier 2: an error of the evaluation", 50 * ms,
		quick("data.values.replicas", "data.values.replicaz", says("replicaz")),
	},
	{
		"tier 3: an overlay", 400 * ms,
		deep(overlay, `by=overlay.subset({"kind": "Deployment"}), expects="0+"`,
			`by=overlay.subset({"kind": "Nothing"}), expects="1+"`, "expected"),
	},
	{"tier 3: data values", 400 * ms, deep(values, "replicas: 1", "replicas: many", "int")},
	{"hover", 30 * ms, ask("textDocument/hover", "data.values.namespace", 14)},
	{"hover, right after a key", 30 * ms, typed("textDocument/hover", "data.values.namespace", 14)},
	{"completion", 30 * ms, ask("textDocument/completion", "data.values.namespace", 12)},
	{
		"completion, right after a key", 30 * ms,
		typed("textDocument/completion", "data.values.namespace", 12),
	},
	{"definition", 30 * ms, ask("textDocument/definition", "data.values.namespace", 14)},
	{
		"definition, right after a key", 30 * ms,
		typed("textDocument/definition", "data.values.namespace", 14),
	},
	{"references", 100 * ms, ask("textDocument/references", "data.values.namespace", 14)},
	{
		"references, right after a key", 100 * ms,
		typed("textDocument/references", "data.values.namespace", 14),
	},
	{"rename of a data value", 300 * ms, ask("textDocument/rename", "data.values.ports", 14)},
	{
		"rename, right after a key", 300 * ms,
		typed("textDocument/rename", "data.values.ports", 14),
	},
	{"semantic tokens", 20 * ms, ask("textDocument/semanticTokens/full", "data", 0)},
	{"preview of a file", 500 * ms, ask("weft/preview", "data", 0)},
}

const ms = time.Millisecond

// repeats is the number of repetitions of a scene in a round.
const repeats = 16

// pause is the time between two keys of a fast typist.
const pause = 100 * ms

// first opens a template with an error that only an evaluation finds, and waits for the first
// diagnostics.
func first(e *editor, r *recorder) error {
	r.from(e.began, 0)
	for _, path := range []string{overlay, values} {
		if err := e.open(path, "", ""); err != nil {
			return err
		}
	}
	if err := e.open(template, "data.values.replicas", "data.values.replicaz"); err != nil {
		return err
	}
	if _, err := e.await(template, anything); err != nil {
		return err
	}
	r.done(e)
	return nil
}

// all waits for that error.
func all(e *editor, r *recorder) error {
	r.from(e.began, 0)
	if _, err := e.await(template, says("replicaz")); err != nil {
		return err
	}
	r.done(e)
	if err := e.settle(); err != nil {
		return err
	}
	if err := e.edit(template, "data.values.replicaz", "data.values.replicas"); err != nil {
		return err
	}
	return e.settle()
}

// quick makes a mistake in a template, and corrects it.
func quick(old, text string, wanted func([]protocol.Diagnostic) bool) func(*editor, *recorder) error {
	return func(e *editor, r *recorder) error {
		for range repeats {
			r.begin(e)
			if err := e.edit(template, old, text); err != nil {
				return err
			}
			if _, err := e.await(template, wanted); err != nil {
				return err
			}
			r.done(e)
			time.Sleep(pause)
			if err := e.edit(template, text, old); err != nil {
				return err
			}
			time.Sleep(pause)
		}
		return e.settle()
	}
}

// deep makes a mistake that only an evaluation of everything finds, and corrects it. It measures from
// the end of the server's delay after the last key.
func deep(path, old, text, message string) func(*editor, *recorder) error {
	return func(e *editor, r *recorder) error {
		for range repeats / 4 {
			r.from(time.Now().Add(lsp.DefaultDebounce), e.cpu())
			if err := e.edit(path, old, text); err != nil {
				return err
			}
			if _, err := e.await(path, says(message)); err != nil {
				return err
			}
			r.done(e)
			if err := e.edit(path, text, old); err != nil {
				return err
			}
			if err := e.settle(); err != nil {
				return err
			}
		}
		return nil
	}
}

// ask sends a request about a place in a template while the server is idle.
func ask(method, text string, into int) func(*editor, *recorder) error {
	return func(e *editor, r *recorder) error {
		for range repeats / 2 {
			if err := e.ask(r, method, text, into); err != nil {
				return err
			}
		}
		return nil
	}
}

// typed is like ask, but right after an edit, before the server has analyzed the new text.
func typed(method, text string, into int) func(*editor, *recorder) error {
	return func(e *editor, r *recorder) error {
		for i := range repeats / 2 {
			now := fmt.Sprintf("initialDelaySeconds: %d", 5+i)
			if err := e.edit(template, now, fmt.Sprintf("initialDelaySeconds: %d", 6+i)); err != nil {
				return err
			}
			if err := e.ask(r, method, text, into); err != nil {
				return err
			}
			time.Sleep(pause)
		}
		if err := e.edit(template, fmt.Sprintf("initialDelaySeconds: %d", 5+repeats/2),
			"initialDelaySeconds: 5"); err != nil {
			return err
		}
		return e.settle()
	}
}

func (e *editor) ask(r *recorder, method, text string, into int) error {
	at, err := e.position(template, text, into)
	if err != nil {
		return err
	}
	params := map[string]any{
		"textDocument": protocol.DocumentIdentifier{URI: e.uri(template)}, "position": at,
		"newName": "renamed", "context": map[string]any{"includeDeclaration": true}, "scope": "file",
	}
	var answer any
	r.begin(e)
	if err := e.call(method, params, &answer); err != nil {
		return err
	}
	r.done(e)
	if answer == nil {
		return fmt.Errorf("%s has no answer", method)
	}
	return nil
}
