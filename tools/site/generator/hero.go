package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"testing/fstest"

	api "weft"
	"weft/tools/highlight"
)

//go:embed hero.yml
var heroTemplate string

const heroSchema = "#@data/values-schema\n---\nname: shop\nreplicas: 1\n"

// hero is the top of the front page: a template, and its output for some values. Lines know where they come
// from, so that the page can show it.
type hero struct {
	Template []heroLine
	Outputs  []heroOutput
}

// heroOutput is what the template produces with a number of replicas.
type heroOutput struct {
	Replicas int
	Chosen   bool
	Lines    []heroLine
}

// heroLine is a line in colors. From lists the lines of the template that produce it; Lit means that it
// depends on the value that readers choose.
type heroLine struct {
	Number int
	Code   template.HTML
	From   string
	Lit    bool
}

// newHero renders the template with each value.
func newHero() (hero, error) {
	h := hero{Template: coloredLines(heroTemplate)}
	for _, n := range []int{1, 3, 5} {
		out, err := newHeroOutput(n)
		if err != nil {
			return h, fmt.Errorf("the template of the front page: %w", err)
		}
		out.Chosen = n == 3
		h.Outputs = append(h.Outputs, out)
	}
	for i := range h.Template {
		h.Template[i].Lit = strings.Contains(string(h.Template[i].Code), "values.replicas")
	}
	return h, nil
}

func newHeroOutput(replicas int) (heroOutput, error) {
	out := heroOutput{Replicas: replicas}
	opts := api.Options{
		FS: fstest.MapFS{
			"app.yml": {Data: []byte(heroTemplate)}, "schema.yml": {Data: []byte(heroSchema)},
		},
		Inputs:     []string{"app.yml", "schema.yml"},
		DataValues: api.DataValues{KVYAML: []string{fmt.Sprintf("replicas=%d", replicas)}},
	}
	res, err := api.Render(context.Background(), opts)
	if err != nil {
		return out, err
	}
	var text bytes.Buffer
	if _, err := res.WriteTo(&text); err != nil {
		return out, err
	}
	blame, err := api.Blame(context.Background(), opts, api.BlameOptions{})
	if err != nil {
		return out, err
	}
	var report bytes.Buffer
	if err := blame.Write(&report, api.ReportOptions{Format: api.JSON, Lines: true}); err != nil {
		return out, err
	}
	out.Lines = coloredLines(text.String())
	return out, out.link(report.Bytes())
}

// link adds the origins of the lines.
func (o *heroOutput) link(report []byte) error {
	var origins struct {
		Lines []struct {
			Line int
			Node *int
		}
		Nodes []struct {
			History []struct {
				At     string
				Values []string
			}
			When []struct{ At string }
		}
	}
	if err := json.Unmarshal(report, &origins); err != nil {
		return err
	}
	for _, l := range origins.Lines {
		if l.Line == 0 || l.Node == nil || l.Line > len(o.Lines) {
			continue
		}
		line, node := &o.Lines[l.Line-1], origins.Nodes[*l.Node]
		var from []string
		for _, e := range node.History {
			from = append(from, lineOf(e.At))
			line.Lit = line.Lit || slices.Contains(e.Values, "replicas")
		}
		for _, w := range node.When {
			from = append(from, lineOf(w.At))
			line.Lit = true // the template has one condition, which reads the value
		}
		line.From = strings.Join(from, " ")
	}
	return nil
}

// lineOf returns the line of a place such as app.yml:8:3.
func lineOf(place string) string {
	parts := strings.Split(place, ":")
	return parts[len(parts)-2]
}

func coloredLines(text string) (list []heroLine) {
	colored := highlight.HTML("yaml", strings.TrimSuffix(text, "\n"))
	for i, line := range strings.Split(colored, "\n") {
		list = append(list, heroLine{Number: i + 1, Code: template.HTML(line)})
	}
	return list
}
