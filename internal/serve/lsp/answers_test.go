package lsp_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/serve/lsp/protocol"
)

// question is a file with a cursor at ‸, and what the answer at the cursor must have.
type question struct {
	path, kind, number, text string
	want                     []string
}

// readAnswers reads a file of testdata/answers: a project, questions about it, which the file itself describes,
// and files as they are after a fix, by its number.
func readAnswers(t *testing.T, name string) (in placesIn, list []question, fixed map[string][2]string) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	in, fixed = placesIn{name: name, files: map[string]string{}}, map[string][2]string{}
	for _, f := range archive.Files {
		path, rest, isQuestion := strings.Cut(f.Name, ": ")
		name, want, _ := strings.Cut(rest, " → ")
		kind, number, _ := strings.Cut(name, " ")
		switch {
		case !isQuestion:
			in.files[f.Name] = string(f.Data)
		case kind == "fixed":
			fixed[number] = [2]string{path, string(f.Data)}
		default:
			list = append(list, question{path, kind, number, string(f.Data), strings.Split(want, " | ")})
			in.list = append(in.list, typedPlace{path: path})
		}
	}
	if strings.Contains(in.files["weft.yml"], "schemas: [schemas") {
		in.addSchemas(t)
	}
	return in, list, fixed
}

// TestAnswers asks for hovers, signatures, definitions and quick fixes where people do.
func TestAnswers(t *testing.T) {
	paths, err := filepath.Glob("testdata/answers/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no lists", err)
	}
	for _, path := range paths {
		in, list, fixed := readAnswers(t, path)
		c := in.dial(t)
		for _, q := range list {
			before, after, _ := strings.Cut(q.text, "‸")
			text := before + after
			c.open(q.path, text)
			c.settle()
			at := c.at(q.path, text, before+"|"+after)
			problem := ""
			switch q.kind {
			case "hover":
				problem = c.hoverHas(at, q.want)
			case "signature":
				problem = c.signatureHas(at, q.want)
			case "definition":
				problem = c.definitionIs(at, q.want)
			case "fix":
				problem = c.fixGives(q.path, at.Position, in.files, text, fixed[q.number])
			default:
				t.Fatalf("%s: unknown question %s", path, q.kind)
			}
			if problem != "" {
				t.Errorf("%s: %s %s: %s\n%s", path, q.kind, q.number, problem, q.text)
			}
			c.conn.Notify("textDocument/didClose", protocol.DidCloseParams{DocumentParams: c.document(q.path)})
		}
		t.Logf("%s: %d questions", path, len(list))
	}
}

// hoverHas returns what is wrong with the hover at a place, or "".
func (c *client) hoverHas(at protocol.PositionParams, want []string) string {
	var got protocol.Hover
	c.call("textDocument/hover", protocol.HoverParams{PositionParams: at}, &got)
	for _, words := range want {
		without, isNot := strings.CutPrefix(words, "not: ")
		if strings.Contains(strings.ToLower(got.Contents.Value), strings.ToLower(without)) == isNot {
			return fmt.Sprintf("want %q in %q", words, got.Contents.Value)
		}
	}
	return ""
}

// signatureHas returns what is wrong with the signature at a place, or "".
func (c *client) signatureHas(at protocol.PositionParams, want []string) string {
	var got protocol.SignatureHelp
	c.call("textDocument/signatureHelp", at, &got)
	if len(got.Signatures) == 0 {
		return "there is no signature"
	}
	s := got.Signatures[got.ActiveSignature]
	active := ""
	if got.ActiveParameter < len(s.Parameters) {
		active = s.Parameters[got.ActiveParameter].Label
	}
	for _, words := range want {
		if name, ok := strings.CutPrefix(words, "active: "); ok {
			if param, _, _ := strings.Cut(strings.Trim(active, "[]"), "="); param != name {
				return fmt.Sprintf("the active parameter of %s is %q, want %q", s.Label, active, name)
			}
		} else if !strings.Contains(s.Label, words) {
			return fmt.Sprintf("want %q in %q", words, s.Label)
		}
	}
	return ""
}

// definitionIs returns what is wrong with the definitions at a place, or "".
func (c *client) definitionIs(at protocol.PositionParams, want []string) string {
	var list []protocol.Location
	c.call("textDocument/definition", protocol.DefinitionParams{PositionParams: at}, &list)
	var got []string
	for _, l := range list {
		rel, _ := filepath.Rel(c.root, l.URI.Path())
		got = append(got, fmt.Sprintf("%s:%d", filepath.ToSlash(rel), l.Range.Start.Line+1))
	}
	for _, place := range want {
		if !slices.Contains(got, place) {
			return fmt.Sprintf("want %q in %q", place, got)
		}
	}
	return ""
}

// fixGives returns why no quick fix at a place gives a file the text that is wanted, or "".
func (c *client) fixGives(
	path string, at protocol.Position, files map[string]string, text string, want [2]string,
) string {
	was := files[want[0]]
	if want[0] == path {
		was = text
	}
	var got []string
	for _, a := range c.actionsAt(path, at, protocol.QuickFix) {
		if a.Edit == nil {
			continue
		}
		edits := a.Edit.Changes[c.uri(want[0])]
		if edits == nil {
			continue
		}
		now := applyEdits(was, edits)
		if strings.TrimSpace(now) == strings.TrimSpace(want[1]) {
			return ""
		}
		got = append(got, a.Title+":\n"+now)
	}
	var found []string
	for _, d := range c.diagnostics(path) {
		found = append(found, fmt.Sprintf("%v %s", d.Range, d.Message))
	}
	return fmt.Sprintf("no fix among\n%s\ndiagnostics %q", strings.Join(got, "\n"), found)
}
