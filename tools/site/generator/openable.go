package main

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"

	"weft/internal/serve/playground"
)

// opened is what the playground needs to show an example.
type opened struct {
	Files       []string `json:"files"`           // those that are opened
	Below       string   `json:"below,omitempty"` // the folder of all of them, with a slash, which is left out
	Values      []string `json:"values,omitempty"`
	Environment string   `json:"environment,omitempty"`

	inputs []string // what -f names
	exact  bool     // flags that the playground does not have decide what is rendered
}

// limits are far above those of a page: what takes long there is stopped there.
var limits = playground.Limits{Steps: 20e6, Time: time.Minute, Memory: 1 << 30}

// isLive reports whether a program of the playground prints what the page shows.
func (r run) isLive() bool {
	if len(r.files) == 0 {
		return false
	}
	req := playground.Request{Args: r.args, Files: r.pageFiles(), Want: []string{"screen"}}
	return playground.Run(context.Background(), req, limits).Screen == r.output
}

// pageFiles returns the files in the form of the playground.
func (r run) pageFiles() (list []playground.File) {
	for _, name := range sortedKeys(r.files) {
		list = append(list, playground.File{Path: name, Data: r.files[name]})
	}
	return list
}

// inPlayground returns how the playground shows what an example renders, or nil if it would show something else:
// the page renders all its files, in the order of their paths, and has no flags. Commands such as blame and
// test do more with what they render; it is opened all the same.
func (r run) inPlayground() *opened {
	o := r.settings()
	want := r.rendered(o)
	if want == nil {
		return nil
	}
	req := playground.Request{
		Files: o.take(r), Values: o.Values, Environment: o.Environment, Want: []string{"output"},
	}
	got := playground.Run(context.Background(), req, limits)
	switch {
	case o.Environment != "" && got.Environment != o.Environment:
		return nil
	case got.Failed && strings.Contains(r.output, ": error: "+got.Diagnostics[0].Message):
		return o
	case !got.Failed && (got.Output == r.output || !o.exact && got.Output == want.Output):
		return o
	}
	return nil
}

// settings reads the arguments of weft that say what is rendered.
func (r run) settings() *opened {
	o := &opened{}
	next := func(i int) string {
		if i+1 < len(r.args) {
			return r.args[i+1]
		}
		return ""
	}
	for i, arg := range r.args {
		switch arg {
		case "-f", "--file":
			o.inputs = append(o.inputs, next(i))
		case "-e", "--environment", "render", "explain", "suggest", "blame":
			if name := next(i); r.hasEnvironment(name) {
				o.Environment = name
			}
		case "diff": // the playground shows the later of two
			for _, name := range []string{next(i), next(i + 1)} {
				if r.hasEnvironment(name) {
					o.Environment = name
				}
			}
		case "-v", "--data-value":
			key, value, _ := strings.Cut(next(i), "=")
			text, _ := json.Marshal(value) // which cannot fail
			o.Values = append(o.Values, key+"="+string(text))
		case "--data-value-yaml":
			o.Values = append(o.Values, next(i))
		case "--project":
			o.Below = path.Dir(next(i)) + "/"
		case "--data-values-file", "--data-value-file", "--data-values-inspect", "--edition", "--yaml", "--keep",
			"--overrides", "--overrides-file", "--file-mark", "-o", "override", "--data-values-schema-inspect":
			o.exact = true
		}
	}
	return o
}

// hasEnvironment reports whether a word is the name of an environment: a name that weft.yml has.
func (r run) hasEnvironment(name string) bool {
	for file, text := range r.files {
		if path.Base(file) == "weft.yml" && strings.Contains(text, "\n  "+name+":") {
			return true
		}
	}
	return false
}

// take returns the files that the playground opens: those that -f names, or those of the project.
func (o *opened) take(r run) (list []playground.File) {
	for _, f := range r.pageFiles() {
		given := slices.ContainsFunc(o.inputs, func(in string) bool {
			return in == "." || f.Path == in || strings.HasPrefix(f.Path, strings.TrimSuffix(in, "/")+"/")
		})
		if len(o.inputs) > 0 && !given || !strings.HasPrefix(f.Path, o.Below) {
			continue
		}
		o.Files = append(o.Files, f.Path)
		f.Path = strings.TrimPrefix(f.Path, o.Below)
		list = append(list, f)
	}
	return list
}

// rendered returns what weft renders with the settings, or nil if there is nothing to render.
func (r run) rendered(o *opened) *playground.Response {
	req := playground.Request{
		Files: r.pageFiles(), Inputs: o.inputs, Values: o.Values, Environment: o.Environment,
		Want: []string{"output"},
	}
	if len(o.inputs) == 0 {
		if r.files[o.Below+"weft.yml"] == "" {
			return nil
		}
		req.Files = (&opened{Below: o.Below}).take(r)
	}
	res := playground.Run(context.Background(), req, limits)
	return &res
}
