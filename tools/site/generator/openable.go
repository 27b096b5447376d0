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

// inPlayground returns how the playground shows an example, or nil if it would show another result: the page
// renders all files, in the order of their paths, and has no flags.
func (r run) inPlayground() *opened {
	o := opened{}
	if !o.read(r.args) {
		return nil
	}
	req := playground.Request{Values: o.Values, Environment: o.Environment, Want: []string{"output"}}
	for _, name := range sortedKeys(r.files) {
		req.Files = append(req.Files, playground.File{Path: name, Data: r.files[name]})
	}
	limits := playground.Limits{Steps: 20e6, Time: time.Minute, Memory: 1 << 30}
	res := playground.Run(context.Background(), req, limits)
	switch {
	case len(req.Files) == 0 || o.Environment != "" && res.Environment != o.Environment:
		return nil
	case res.Failed && strings.Contains(r.output, ": error: "+res.Diagnostics[0].Message):
		return &o
	case !res.Failed && len(res.Texts) == 0 && res.Output == r.output:
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
