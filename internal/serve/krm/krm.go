// Package krm runs weft as a KRM function: a program that kustomize, kpt and others call with a
// ResourceList on standard input, and that returns another one.
//
// Each item of the list is rendered as a plain file, together with the templates and overlays that
// the function's configuration names. The result of a file replaces the item. Comments, order and
// layout stay, as with --keep all.
//
//	krm.go      one call: list → options → result → list
//	list.go     the list that is read
//	cut.go      the text of an item as a document
//	config.go   the configuration of the function
//	output.go   documents → items; the list that is written
//	tracking.go annotations by which the caller recognizes items
//	results.go  diagnostics as KRM results
package krm

import (
	"context"
	"errors"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/yaml"
	"weft/internal/project"
	"weft/internal/project/fleet"
)

// The codes of this package's diagnostics.
const (
	CodeList   diag.Code = "krm/list"   // the input is not a ResourceList
	CodeConfig diag.Code = "krm/config" // the configuration of the function is wrong
	CodeItem   diag.Code = "krm/item"   // an item that a list cannot contain
)

// Outcome is the result of a call.
type Outcome struct {
	Text   []byte       // the list; nil if the input is not a list
	Result *weft.Result // what was rendered; nil after an error, and if there was nothing to render
}

// Run handles a call: text is the list, and opts are what the command line adds to the configuration
// in it. Paths in the configuration must stay within the bounds. After an error, the list has its
// original items, and the error in its results.
func Run(ctx context.Context, text []byte, opts weft.Options, bounds *project.Bounds) (Outcome, error) {
	l, err := read(text, syntaxOf(opts))
	if err != nil {
		return Outcome{}, err
	}
	conf, failed := l.readConfig()
	if failed == nil {
		failed = conf.check(bounds)
	}
	opts.UntrustedURLs, opts.AllowURLs = conf.urls, bounds.URLs()
	if opts = conf.over(opts); syntaxOf(opts) != l.yaml { // the configuration sets the edition
		if l, err = read(text, syntaxOf(opts)); err != nil {
			return Outcome{}, err
		}
	}
	res, items, err := (*weft.Result)(nil), []document(nil), l.failure(failed)
	if failed == nil {
		res, items, err = l.render(ctx, opts, conf.inline)
	}
	switch {
	case err == nil && res == nil: // there is nothing to render
		return Outcome{Text: l.write(items, l.appended(nil))}, nil
	case err == nil:
		list := l.appended(diagnosed(l, res.Warnings().Diagnostics()))
		return Outcome{Text: l.write(items, list), Result: res}, nil
	case ctx.Err() != nil:
		return Outcome{}, err
	}
	list := l.appended(diagnosed(l, weft.ErrorOf(err).Diagnostics()))
	return Outcome{Text: l.write(l.unchanged(), list)}, err
}

// syntaxOf returns how a run with these options reads YAML.
func syntaxOf(opts weft.Options) yaml.Options {
	return fleet.Options{
		Edition: fleet.Edition(opts.Edition), YAML: fleet.Version(opts.YAML),
		ImplicitMapKeyOverrides: opts.ImplicitMapKeyOverrides,
		Limits:                  fleet.Limits(opts.Limits),
	}.Syntax()
}

// render renders the items together with the files of the configuration.
func (l *list) render(
	ctx context.Context, opts weft.Options, inline []weft.File,
) (*weft.Result, []document, error) {
	if err := l.checkItems(); err != nil {
		return nil, nil, l.failure(err)
	}
	opts.Keep, opts.Format, opts.Stdin = weft.KeepAll, weft.YAML, taken{}
	for _, it := range l.items {
		if !it.own {
			file := weft.File{Path: it.name, Data: it.text, Plain: true}
			opts.Files = append(opts.Files, file)
		}
	}
	opts.Files = append(opts.Files, inline...)
	if len(opts.Files)+len(opts.Inputs) == 0 {
		return nil, l.unchanged(), nil
	}
	res, err := weft.Render(ctx, opts)
	if err != nil {
		return nil, nil, err
	}
	items, err := l.documents(res)
	return res, items, err
}

// taken replaces standard input, which the list was read from.
type taken struct{}

func (taken) Read([]byte) (int, error) {
	return 0, errors.New("standard input is the ResourceList, and cannot be a file too")
}
