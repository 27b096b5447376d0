package lsp_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"weft/internal/serve/lsp/protocol"
)

// language: the language of the file.
func (r *markerRun) language(at place, args []string) {
	var got protocol.LanguageOf
	r.call("weft/languageOf", r.document(at.path), &got)
	if got.LanguageID != args[0] {
		r.t.Errorf("%s: got the language %q, want %q", at.path, got.LanguageID, args[0])
	}
}

// preview(NAME, SCOPE, ENVIRONMENT): each line with where it comes from.
func (r *markerRun) preview(at place, args []string) {
	p := protocol.PreviewParams{DocumentParams: r.document(at.path), Scope: args[1]}
	if len(args) > 2 {
		p.Environment = args[2]
	}
	var got protocol.Preview
	r.call("weft/preview", p, &got)
	r.golden(args[0], r.showPreview(got))
}

func (r *markerRun) showPreview(p protocol.Preview) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, environment %q, stale %t\n", p.LanguageID, p.Environment, p.Stale)
	for _, e := range p.Errors {
		fmt.Fprintf(&b, "error: %s\n", e)
	}
	n := 0
	for line := range strings.Lines(p.Text) {
		from := "?"
		if i := p.Map[2*n]; i >= 0 {
			path, _, _ := strings.Cut(r.showLocation(protocol.Location{URI: p.Sources[i]}), ":")
			from = fmt.Sprintf("%s:%d", path, p.Map[2*n+1]+1)
		}
		fmt.Fprintf(&b, "%-20s | %s", from, line)
		n++
	}
	if len(p.Map) != 2*n {
		r.t.Errorf("the map has %d numbers for %d lines", len(p.Map), n)
	}
	return b.String()
}

// command runs a command about a place.
func (r *markerRun) command(name string, p protocol.CommandParams) string {
	argument, err := json.Marshal(p)
	if err != nil {
		r.t.Fatal(err)
	}
	var got protocol.CommandResult
	err = r.try("workspace/executeCommand", protocol.ExecuteCommandParams{
		Command: name, Arguments: []json.RawMessage{argument},
	}, &got)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	return fmt.Sprintf("%s, %s\n%s", got.Title, got.LanguageID, got.Text)
}

// render(NAME, SCOPE, ENVIRONMENT)
func (r *markerRun) render(at place, args []string) {
	p := protocol.CommandParams{DocumentParams: r.document(at.path), Scope: args[1]}
	if len(args) > 2 {
		p.Environment = args[2]
	}
	r.golden(args[0], r.command("weft.render", p))
}

// explain(NAME): what the overlay at the place did; explain(NAME, file): those of the file.
func (r *markerRun) explain(at place, args []string) {
	p := protocol.CommandParams{DocumentParams: r.document(at.path)}
	if len(args) < 2 {
		p.Position = &at.pos
	}
	r.golden(args[0], r.command("weft.explain", p))
}

// blame(NAME): what the line makes; blame(NAME, SCOPE, LINE): a line of the preview, from 1.
func (r *markerRun) blame(at place, args []string) {
	p := protocol.CommandParams{DocumentParams: r.document(at.path), Position: &at.pos}
	if len(args) > 2 {
		line, err := strconv.Atoi(args[2])
		if err != nil {
			r.t.Fatal(err)
		}
		line--
		p.Position, p.Scope, p.Line = nil, args[1], &line
	}
	r.golden(args[0], r.command("weft.blame", p))
}
