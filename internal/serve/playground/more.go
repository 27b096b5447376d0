//go:build !first

package playground

import (
	"bytes"
	"fmt"
	"strings"

	"weft"
	"weft/internal/lang/unified"
)

// wantedLater is what not every visitor asks for. It is not in the program that renders
// (cmd/weft-wasm), but in the one that the page loads later (cmd/weft-assist-wasm).
var wantedLater = []want{
	{"diff", (*run).diff},
	{"lint", (*run).lint},
	{"format", (*run).format},
	{"suggest", (*run).suggest},
}

// diff compares the output with the pinned one, as documents.
func (r *run) diff() {
	if r.res.Failed {
		return
	}
	opts := r.opts
	opts.Observe.Print = nil
	d, err := weft.Diff(r.ctx, r.pinned(), weft.Side{Options: opts, Name: "now"}, weft.DiffOptions{})
	if err != nil {
		r.fail(err)
		return
	}
	out := &Diff{Same: d.Same()}
	var b strings.Builder
	_ = d.Write(&b, weft.ReportOptions{})
	out.Text = r.limited(b.String())
	out.Patch = r.limited(r.patch(opts))
	r.res.Diff = out
}

// patch compares the output with the pinned one, as text. It returns "" if the diff would show a
// secret: the pinned output may contain an old secret that is no longer known.
func (r *run) patch(opts weft.Options) string {
	opts.Format = weft.YAML
	res, err := weft.Render(r.ctx, opts)
	if err != nil {
		return "" // the comparison by meaning has reported the error
	}
	var now bytes.Buffer
	_, _ = res.WriteTo(&now)
	patch := unified.Append(nil, "pinned", "now", []byte(r.req.Pinned), now.Bytes())
	if !bytes.Equal(r.redactor.Redact(patch), patch) {
		return ""
	}
	return string(patch)
}

// pinned returns the side that the output is compared with.
func (r *run) pinned() weft.Side {
	return weft.Side{Name: "pinned", Plain: true, Options: weft.Options{
		FS: memory([]File{{"pinned.yml", r.req.Pinned}}), Inputs: []string{"pinned.yml"},
		YAML: weft.YAML12,
	}}
}

// lint adds likely mistakes to the diagnostics. They already contain errors and warnings of the run.
func (r *run) lint() {
	if r.res.Failed {
		return
	}
	what := r.lints
	what.All = true
	opts := r.opts
	opts.Observe.Print = nil
	found, err := weft.Lint(r.ctx, []weft.Options{opts}, what)
	if err != nil {
		r.fail(err)
	}
	if found == nil {
		return
	}
	var list []weft.Diagnostic
	for _, f := range found.Findings() {
		list = append(list, f.Diagnostic)
	}
	r.addNew(problems(list))
}

// format formats one file.
func (r *run) format() {
	for _, f := range r.req.Files {
		if f.Path != r.req.File {
			continue
		}
		opts := weft.FormatOptions{Sequences: r.lists, YAML: r.opts.YAML}
		out, err := weft.FormatText(f.Path, []byte(f.Data), opts)
		if err != nil {
			r.fail(err)
			return
		}
		text := string(out)
		r.res.Formatted = &text
		return
	}
	r.fail(fmt.Errorf("there is no file '%s'", r.req.File))
}

// suggest finds the change of the files that produces the edited output.
func (r *run) suggest() {
	what := weft.SuggestOptions{
		FS: r.base.FS, Options: r.base, Edited: []weft.File{{Path: "output.yml", Data: []byte(r.req.Edited)}},
	}
	what.Options.Observe.Print = nil
	if r.res.Project {
		what.Project, what.Environment = "weft.yml", r.res.Environment
	}
	found, err := weft.Suggest(r.ctx, what)
	if err != nil {
		r.fail(err)
		return
	}
	var b, shown strings.Builder
	_ = found.Write(&b, weft.ReportOptions{})
	for line := range strings.Lines(b.String()) {
		hint := strings.HasPrefix(line, "  hint: ") || strings.HasPrefix(line, "then ")
		if !hint || !namesFlag(line) { // the page has no flags
			shown.WriteString(line)
		}
	}
	s := &Suggested{Text: r.limited(shown.String())}
	for _, f := range found.Files() {
		s.Files = append(s.Files, File{f.Path, string(f.New)})
	}
	r.res.Suggested = s
}
