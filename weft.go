package weft

import (
	"context"
	"io"
	"runtime"
	"sync"

	"weft/internal/diag"
	"weft/internal/emit"
	"weft/internal/load"
	"weft/internal/source"
	"weft/internal/yaml"
)

// Render reads the inputs and gives the documents that they make. If the input is wrong, the error is an *Error.
func Render(ctx context.Context, opts Options) (*Result, error) {
	files := &source.Set{}
	fail := func(err error) (*Result, error) { return nil, &Error{Files: files, List: diag.Of(err)} }

	inputs, err := load.Read(files, load.Options{
		Paths: opts.Inputs, Marks: opts.Marks, Stdin: opts.Stdin, Symlinks: load.Symlinks(opts.Symlinks),
	})
	if err != nil {
		return fail(err)
	}
	docs, err := parse(ctx, inputs, opts)
	if err != nil {
		return fail(err)
	}
	res := &Result{docs: docs, format: opts.Format}
	if opts.Format == JSON {
		if list := emit.CheckJSON(docs); list != nil {
			return fail(list)
		}
	}
	return res, nil
}

// Result is what a run made. It can be written as often as one likes.
type Result struct {
	docs   []emit.Document
	format Format
}

// WriteTo writes the documents in the format that Options asked for.
func (r *Result) WriteTo(w io.Writer) (int64, error) {
	switch r.format {
	case JSON:
		return emit.JSON(w, r.docs)
	case Pos:
		return emit.Pos(w, r.docs)
	default:
		return emit.YAML(w, r.docs)
	}
}

// parse reads the YAML among the inputs, files side by side, and gives their documents in the order of the inputs. All files are
// read even if one is wrong: its author may as well see the errors of the others.
func parse(ctx context.Context, inputs []load.Input, opts Options) ([]emit.Document, error) {
	parse := yaml.Options{MaxDepth: opts.MaxDepth, MaxNodes: opts.MaxNodes}
	if opts.YAML == YAML12 {
		parse.Grammar, parse.Schema = yaml.YAML12, yaml.Core
	}
	trees := make([]*yaml.Tree, len(inputs))
	errs := make([]diag.List, len(inputs))
	inParallel(len(inputs), func(i int) {
		in := inputs[i]
		if in.Type != load.YAML || !in.Output || ctx.Err() != nil {
			return
		}
		t, err := yaml.Parse(in.File, parse)
		if err != nil {
			errs[i] = diag.Of(err)
			return
		}
		errs[i] = t.Check(opts.Strict)
		trees[i] = t
	})
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	var docs []emit.Document
	var list diag.List
	for i, t := range trees {
		list = append(list, errs[i]...)
		if t == nil {
			continue
		}
		for doc := t.First(); t.More(doc); doc = t.Next(doc) {
			docs = append(docs, emit.Document{Tree: t, ID: doc})
		}
	}
	if list != nil {
		return nil, list
	}
	return docs, nil
}

// inParallel calls f for 0 to n-1 on as many goroutines as there are processors.
func inParallel(n int, f func(i int)) {
	var next int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	wg.Wait()
}
