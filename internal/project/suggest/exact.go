package suggest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/keep"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
	"weft/internal/project/fleet"
)

// This file is about outputs that keep comments and layout: they must be what was edited byte for byte.

// isExact reports whether the text of the output counts, and not only what it means.
func (in *Input) isExact() bool { return in.Exact && len(in.Edited) == 1 && len(in.Select) == 0 }

// exactly renders an environment with the files of a draft, with what is kept of them.
func (t *trial) exactly(d draft, env string) (*fleet.Result, error) {
	return t.keeping(keep.Everything, d, env)
}

// keeping renders an environment with the files of a draft. Of what is kept of them, it keeps only what is asked.
func (t *trial) keeping(what keep.What, d draft, env string) (*fleet.Result, error) {
	o, err := t.options(d, env)
	if err != nil {
		return nil, err
	}
	config := o.Config()
	config.Once, config.Keep = true, config.Keep&what
	s, err := engine.Open(t.ctx, config)
	if err != nil {
		return nil, err
	}
	res, err := s.Evaluate(t.ctx, engine.Request{})
	if err != nil {
		return nil, err
	}
	return o.Result(res), nil
}

// textOf returns what an environment prints.
func textOf(r *fleet.Result) []byte {
	var b bytes.Buffer
	_, _ = r.WriteTo(&b) // a buffer cannot fail
	return b.Bytes()
}

// sameText reports whether another environment prints the same text with a draft, if the text counts.
func (s *search) sameText(d draft, env string) (bool, error) {
	if !s.in.isExact() {
		return true, nil
	}
	before, err := s.exactly(draft{}, env)
	if err != nil {
		return false, err
	}
	after, err := s.exactly(d, env)
	if err != nil {
		return false, err
	}
	return bytes.Equal(textOf(before), textOf(after)), nil
}

// proveText returns an error if a draft does not print the edited text.
func (s *search) proveText(d draft) error {
	if !s.in.isExact() {
		return nil
	}
	r, err := s.exactly(d, s.in.Env)
	if err != nil {
		return err
	}
	got, want := unified.Lines(textOf(r)), unified.Lines(s.in.Edited[0].Data)
	for i := range max(len(got), len(want)) {
		a, b := lineAt(got, i), lineAt(want, i)
		if a == b {
			continue
		}
		text := fmt.Sprintf("as '%s', not '%s'", diag.Shortened(strings.TrimSuffix(a, "\n")),
			diag.Shortened(strings.TrimSuffix(b, "\n")))
		if s.hidesLine(got, i) || s.hidesLine(want, i) {
			text = "differently; it is not shown, because its document has a secret"
		}
		return diag.Failf(CodeNone, "line %d would be printed %s", i+1, text).
			WithHint("without --keep, only what documents mean has to be the same")
	}
	return nil
}

// hidesLine reports whether a line of a text cannot be shown: it has a hidden text, or is in a document with a
// secret. A secret can be written in so many ways that a line by itself does not tell.
func (s *search) hidesLine(lines []string, i int) bool {
	if i >= len(lines) || s.rules.Show {
		return false
	}
	from, end := i, i+1
	for from > 0 && !isMarker(lines[from]) {
		from--
	}
	for end < len(lines) && !isMarker(lines[end]) {
		end++
	}
	_, docs, err := parse([]byte(strings.Join(lines[from:end], "")), "", s.syntax())
	return err != nil || s.rules.MaskText(lines[i]) != lines[i] ||
		slices.ContainsFunc(docs, func(v tree.Value) bool {
			return secret.IsObject(v) || !edit.Equal(s.rules.Mask(v, nil, nil), v)
		})
}

// isMarker reports whether a line begins a document.
func isMarker(line string) bool { return strings.HasPrefix(line, "---") }

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// isPrinted reports whether the environment prints the edited text today.
func (s *search) isPrinted() bool { return s.proveText(draft{}) == nil }

// copied is a file that is printed as it is, from a line of the output on.
type copied struct {
	file       *source.File
	from, end  int // its lines in the output
	text       []string
	gone, more int // how many lines were removed and added
}

// rewritten makes the edits of a text in the files that are printed as they are: in files without code that nothing
// changes. Edits of other lines are left. It returns nil if there are no edits for such files. An edited text is
// data: one with code must not become part of a file, where the proof would run it.
func (s *search) rewritten() *beginning {
	r, err := s.exactly(draft{}, s.in.Env)
	if err != nil {
		return nil
	}
	was, now := unified.Lines(textOf(r)), unified.Lines(s.in.Edited[0].Data)
	files := s.copiedFiles(r, was)
	for _, e := range slices.Backward(unified.CompareLines(was, now)) { // the last one first: others stay
		i := slices.IndexFunc(files, func(c *copied) bool { return c.from <= e.A0 && e.A1 <= c.end })
		if i < 0 {
			continue
		}
		c := files[i]
		c.text = slices.Replace(c.text, e.A0-c.from, e.A1-c.from, now[e.B0:e.B1]...)
		c.gone, c.more = c.gone+e.A1-e.A0, c.more+e.B1-e.B0
	}
	b := &beginning{}
	for _, c := range files {
		text := []byte(strings.Join(c.text, ""))
		if c.gone+c.more == 0 || hasCode(text) {
			continue
		}
		b.draft = b.draft.with(c.file.Shown(), text)
		b.steps = append(b.steps, Step{
			Kind: Literal, File: c.file.Shown(), Name: "text", Documents: 1,
			Change: diag.Count(c.gone, "line") + " → " + diag.Count(c.more, "line"),
		})
	}
	if b.steps == nil {
		return nil
	}
	if b.docs, err = s.gives(b.draft); err != nil {
		return nil
	}
	return b
}

// copiedFiles returns the files without code that are in the output as they are, each with its lines. Files are
// printed in their order, so each one is searched for after the one before.
func (s *search) copiedFiles(r *fleet.Result, output []string) (list []*copied) {
	places := map[string][]int{}
	for i, line := range output {
		places[line] = append(places[line], i)
	}
	end := 0
	for i := range r.Outputs {
		f := r.Outputs[i].File.Input.File
		if r.Outputs[i].File.Input.Type != load.YAML || hasCode(f.Data()) {
			continue
		}
		text := unified.Lines(f.Data())
		from := indexOf(output, text, end, places)
		if from < 0 {
			continue
		}
		end = from + len(text)
		if s.mayChange(f) && (s.attempt.shared || !s.isShared(f.Shown())) {
			list = append(list, &copied{file: f, from: from, end: end, text: slices.Clone(text)})
		}
	}
	return list
}

// indexOf returns where lines are in an output from a line on, or -1. It looks where their rarest line is: most
// files begin like others.
func indexOf(output, lines []string, from int, places map[string][]int) int {
	rare := 0
	for i, line := range lines {
		if len(places[line]) < len(places[lines[rare]]) {
			rare = i
		}
	}
	if len(lines) == 0 {
		return -1
	}
	at := places[lines[rare]]
	first, _ := slices.BinarySearch(at, from+rare)
	for _, i := range at[first:] {
		i -= rare
		if end := i + len(lines); end <= len(output) && slices.Equal(output[i:end], lines) {
			return i
		}
	}
	return -1
}
