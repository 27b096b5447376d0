package main

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/serve/playground"
)

// example is an entry of the gallery. The file web/playground/examples/NN-ID.txtar has its settings, one
// per line, then an empty line, a short description, and its files.
type example struct {
	ID          string            `json:"id"`
	Title       string            `json:"title"`
	Group       string            `json:"group"`
	Text        string            `json:"text"`
	Open        string            `json:"open,omitempty"`        // the file to show first
	Environment string            `json:"environment,omitempty"` // of the project
	Fails       bool              `json:"fails,omitempty"`       // it shows a mistake
	Files       []playground.File `json:"files"`
	Output      string            `json:"output,omitempty"` // shown until weft is loaded
}

// readExamples reads the gallery, in the order of its files.
func readExamples(dir fs.FS) ([]example, error) {
	texts, names, err := readAll(dir, "*.txtar")
	if err != nil {
		return nil, err
	}
	var list []example
	for _, name := range names {
		x, err := parseExample(name, texts[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, x)
	}
	return list, nil
}

func parseExample(name string, text []byte) (example, error) {
	archive := txtar.Parse(text)
	_, id, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".txtar"), "-")
	x := example{ID: id}
	head, about, _ := strings.Cut(string(archive.Comment), "\n\n")
	x.Text = strings.Join(strings.Fields(about), " ")
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "title":
			x.Title = value
		case "group":
			x.Group = value
		case "open":
			x.Open = value
		case "environment":
			x.Environment = value
		case "fails":
			x.Fails = value == "yes"
		default:
			return x, fmt.Errorf("unknown setting '%s'", key)
		}
	}
	for _, f := range archive.Files {
		x.Files = append(x.Files, playground.File{Path: f.Name, Data: string(f.Data)})
	}
	if x.Title == "" || x.Group == "" || x.Text == "" || len(x.Files) == 0 {
		return x, fmt.Errorf("a title, a group, a text and files are needed")
	}
	return x, x.render()
}

// render renders the example as the page will.
func (x *example) render() error {
	res := playground.Run(context.Background(), playground.Request{
		Files: x.Files, Environment: x.Environment, Want: []string{"output"},
	}, x.limits())
	if res.Failed != x.Fails {
		return fmt.Errorf("failed is %v: %+v", res.Failed, res.Diagnostics)
	}
	x.Output = res.Output
	return nil
}

// limits returns the limits for an example, on a machine that may be busy.
func (x *example) limits() playground.Limits {
	return playground.Limits{Steps: 20e6, Time: time.Minute, Memory: 1 << 30}
}
