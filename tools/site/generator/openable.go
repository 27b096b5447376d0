package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"weft/internal/serve/playground"
)

// opened is what the playground needs to show an example, besides its files.
type opened struct {
	Values      []string `json:"values,omitempty"`
	Environment string   `json:"environment,omitempty"`
}

// limits are far above those of a page: what takes long there is stopped there.
var limits = playground.Limits{Steps: 20e6, Time: time.Minute, Memory: 1 << 30}

// isLive reports whether the engine of the playground prints what the page shows.
func (r run) isLive() bool {
	return len(r.files) > 0 && r.screen(r.args) == r.output
}

// screen returns what the engine of the playground prints for arguments of weft.
func (r run) screen(args []string) string {
	req := playground.Request{Args: args, Files: r.pageFiles(), Want: []string{"screen"}}
	return playground.Run(context.Background(), req, limits).Screen
}

// pageFiles returns the files in the form of the playground.
func (r run) pageFiles() (list []playground.File) {
	for _, name := range sortedKeys(r.files) {
		list = append(list, playground.File{Path: name, Data: r.files[name]})
	}
	return list
}

// inPlayground returns how the playground shows an example, or nil if it would show another result:
// the page renders all files, in the order of their paths, and has no flags. What explains an
// output is opened with that output, which the page explains, too.
func (r run) inPlayground() *opened {
	o, args, want := opened{}, r.args, r.output
	if len(args) > 0 && (args[0] == "explain" || args[0] == "blame") {
		args = args[1:]
		want = r.screen(args)
	}
	if !o.read(args) {
		return nil
	}
	req := playground.Request{
		Files: r.pageFiles(), Values: o.Values, Environment: o.Environment, Want: []string{"output"},
	}
	res := playground.Run(context.Background(), req, limits)
	switch {
	case len(req.Files) == 0 || o.Environment != "" && res.Environment != o.Environment:
		return nil
	case res.Failed && strings.Contains(want, ": error: "+res.Diagnostics[0].Message):
		return &o
	case !res.Failed && len(res.Texts) == 0 && res.Output == want:
		return &o
	}
	return nil
}

// read reads the arguments of weft. It reports whether the playground has a place for each of them.
func (o *opened) read(args []string) bool {
	if len(args) > 0 && args[0] == "render" {
		args = args[1:]
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		o.Environment, args = args[0], args[1:]
	}
	for ; len(args) > 1; args = args[2:] {
		switch args[0] {
		case "-f", "--file":
		case "-v", "--data-value":
			key, value, _ := strings.Cut(args[1], "=")
			text, _ := json.Marshal(value) // which cannot fail
			o.Values = append(o.Values, key+"="+string(text))
		case "--data-value-yaml":
			o.Values = append(o.Values, args[1])
		default:
			return false
		}
	}
	return len(args) == 0
}
