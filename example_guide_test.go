package weft_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing/fstest"

	"weft"
)

// This file is the code of docs/guides/go.md, README.md and docs/guides/watch.md: see TestGoInDocs.

// Object is the part of a Kubernetes object that a program needs.
type Object struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		Replicas *int `json:"replicas"`
	} `json:"spec"`
}

func readObjects(ctx context.Context) ([]Object, error) {
	res, err := weft.Render(ctx, weft.Options{Inputs: []string{"examples/quickstart"}})
	if err != nil {
		return nil, err // each line starts with file:line:column
	}
	var objects []Object
	err = res.Decode(&objects)
	return objects, err
}

// Documents of a directory become values of a type of the program.
func ExampleResult_Decode_objects() {
	objects, err := readObjects(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range objects {
		fmt.Println(o.Kind, o.Metadata.Name, o.Spec.Replicas != nil)
	}
	// Output:
	// Deployment hello true
	// Service hello false
}

// Settings is the configuration of a program.
type Settings struct {
	Listen  string   `json:"listen"`
	Workers int      `json:"workers"`
	Hosts   []string `json:"hosts"`
}

func readSettings(ctx context.Context, dir string, values ...string) (Settings, error) {
	var s Settings
	res, err := weft.Render(ctx, weft.Options{
		FS:         settingsFiles,
		Inputs:     []string{dir},
		DataValues: weft.DataValues{KVYAML: values},
	})
	if err != nil {
		return s, err
	}
	return s, res.Decode(&s)
}

var settingsFiles = fstest.MapFS{
	"settings/schema.yml": {Data: []byte("#@data/values-schema\n---\nworkers: 4\nhosts:\n- \"\"\n")},
	"settings/app.yml": {Data: []byte(`#@ load("@ytt:data", "data")
---
listen: :8080
workers: #@ data.values.workers
hosts: #@ data.values.hosts
`)},
}

// One document becomes one struct, and data values are options.
func ExampleResult_Decode_settings() {
	s, err := readSettings(context.Background(), "settings", "workers=8", "hosts=[a.example, b.example]")
	fmt.Println(s, err)
	_, err = readSettings(context.Background(), "settings", "workers=many")
	if e, ok := errors.AsType[*weft.Error](err); ok {
		for _, d := range e.Diagnostics() {
			fmt.Println(d.Code, d.Message)
		}
	}
	// Output:
	// {:8080 8 [a.example b.example]} <nil>
	// schema/type found a string, expected an integer
}

func printEnvironments(ctx context.Context, dir string) error {
	p, err := weft.OpenProject(ctx, weft.ProjectOptions{Dir: dir})
	if err != nil {
		return err
	}
	for _, name := range p.Names() {
		opts, err := p.Options(name, weft.Options{})
		if err != nil {
			return err
		}
		res, err := weft.Render(ctx, opts)
		if err != nil {
			return err
		}
		var objects []Object
		if err := res.Decode(&objects); err != nil {
			return err
		}
		fmt.Println(name, len(objects))
	}
	return nil
}

// The environments of a weft.yml, decoded one after another.
func ExampleResult_Decode_project() {
	dir := folder(map[string]string{
		"weft.yml": "weft: 2026\ninputs: [app.yml]\nenvironments:\n  dev: {}\n  prod: {}\n",
		"app.yml":  "kind: A\n---\nkind: B\n",
	})
	defer os.RemoveAll(dir)
	fmt.Println(printEnvironments(context.Background(), dir))
	// Output:
	// dev 2
	// prod 2
	// <nil>
}

func renderTwice(ctx context.Context) error {
	cache := &weft.Cache{}
	opts := weft.Options{Inputs: []string{"examples/quickstart"}, Cache: cache}
	res, err := weft.Render(ctx, opts)
	if err != nil {
		return err
	}
	// examples/quickstart/app.yml has changed:
	cache.Changed("examples/quickstart/app.yml")
	again, err := weft.Render(ctx, opts)
	if err != nil {
		return err
	}
	fmt.Println(count(res), count(again))
	return nil
}

func count(res *weft.Result) (n int) {
	for range res.Documents() {
		n++
	}
	return n
}

// The second run reads and compiles one file.
func ExampleCache_changed() {
	fmt.Println(renderTwice(context.Background()))
	// Output:
	// 2 2
	// <nil>
}
