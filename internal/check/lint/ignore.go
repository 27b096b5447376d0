package lint

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
)

// ignore is a comment that suppresses findings: `#! weft: ignore[code] reason`.
type ignore struct {
	at       source.Span
	codes    []string
	from, to int // the lines that it applies to
	used     map[string]bool
}

// ignores are all such comments of a project.
type ignores struct {
	byFile map[string][]*ignore // by the name that messages show
	files  map[string]*source.File
	sets   map[*source.File]*source.Set
	owners map[*diag.Diagnostic]*source.File
}

// marker matches such a comment, in YAML and in scripts.
var marker = lazy.Regexp{Text: `#!?[ \t]*weft:[ \t]*ignore\b[ \t]*(?:\[([^\]\n]*)\])?[ \t]*([^\r\n]*)`}

// readIgnores reads the comments, and adds the problems with them.
func readIgnores(files []*compile.Analysis, to *facts) *ignores {
	all := &ignores{byFile: map[string][]*ignore{}, files: map[string]*source.File{}}
	for _, a := range files {
		data := a.File.Data()
		if !bytes.Contains(data, []byte("ignore")) {
			continue
		}
		for _, m := range marker.Get().FindAllSubmatchIndex(data, -1) {
			if !isComment(a, m[0]) {
				continue
			}
			at := a.File.Span(m[0], m[1])
			ig := &ignore{at: at}
			if m[2] >= 0 {
				ig.codes = splitCodes(string(data[m[2]:m[3]]))
			}
			if d := ig.problem(strings.TrimSpace(string(data[m[4]:m[5]]))); d != nil {
				to.found = append(to.found, conditional{Diagnostic: d})
				continue
			}
			ig.from, ig.to = reach(a.File, m[0])
			name := a.File.Shown()
			all.byFile[name] = append(all.byFile[name], ig)
			all.files[name] = a.File
		}
	}
	return all
}

// in returns the comments of files in a set, none of which has suppressed anything yet.
func (all *ignores) in(set *source.Set) *ignores {
	now := &ignores{
		byFile: make(map[string][]*ignore, len(all.byFile)), files: maps.Clone(all.files),
		sets: map[*source.File]*source.Set{}, owners: map[*diag.Diagnostic]*source.File{},
	}
	for name, list := range all.byFile {
		now.sets[all.files[name]] = set
		for _, ig := range list {
			unused := *ig
			unused.used = map[string]bool{}
			now.byFile[name] = append(now.byFile[name], &unused)
		}
	}
	return now
}

// isComment reports whether a comment is at an offset.
func isComment(a *compile.Analysis, off int) bool {
	if a.Tree == nil {
		return true
	}
	for _, c := range a.Tree.Comments() {
		if at := a.Tree.CommentSpan(c); at.Offset() <= off && off < at.End() {
			return true
		}
	}
	return false
}

func splitCodes(list string) []string {
	var codes []string
	for code := range strings.SplitSeq(list, ",") {
		if code = strings.TrimSpace(code); code != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

// problem returns what is wrong with a comment.
func (ig *ignore) problem(reason string) *diag.Diagnostic {
	if len(ig.codes) == 0 {
		return diag.Errorf(ig.at, codeLintIgnore, "expected the codes that are ignored in brackets").
			WithHint("write `#! weft: ignore[template/unused-load] reason`")
	}
	for i, code := range ig.codes {
		rule, ok := Find(code)
		if !ok {
			d := diag.Errorf(ig.at, codeLintIgnore, "there is no rule '%s'", code)
			if near := diag.Nearest(code, Names()); near != "" {
				d.WithHint("did you mean %s?", near).WithFix(code, near)
			}
			return d
		}
		ig.codes[i] = string(rule.Code)
	}
	if reason == "" {
		return diag.Errorf(ig.at, codeLintIgnore, "expected a reason after the brackets").
			WithHint("say why it is fine: `#! weft: ignore[%s] reason`", ig.codes[0])
	}
	return nil
}

// reach returns the lines that a comment applies to: its own, if something precedes it; else the
// comments after it and the line that follows them.
func reach(f *source.File, off int) (from, to int) {
	from = f.Line(off)
	text := bytes.TrimSpace(f.Text(from))
	if !bytes.HasPrefix(text, []byte("#")) || bytes.HasPrefix(text, []byte("#@")) {
		return from, from
	}
	for to = from + 1; to < f.Lines(); to++ {
		if t := bytes.TrimSpace(f.Text(to)); len(t) > 0 && t[0] != '#' {
			break
		}
	}
	return from, to
}

// hides reports whether a finding is suppressed.
func (all *ignores) hides(shown string, line int, code diag.Code) bool {
	hidden := false
	for _, ig := range all.byFile[shown] {
		if ig.from <= line && line <= ig.to && slices.Contains(ig.codes, string(code)) {
			ig.used[string(code)] = true
			hidden = true
		}
	}
	return hidden
}

// unused finds comments that suppress nothing, for the codes that were checked.
func (all *ignores) unused(looked func(diag.Code) bool) diag.List {
	var list diag.List
	for name, igs := range all.byFile {
		f := all.files[name]
		for _, ig := range igs {
			for _, code := range ig.codes {
				if ig.used[code] || !looked(diag.Code(code)) {
					continue
				}
				d := diag.Warningf(ig.at, codeLintUnusedIgnore, "nothing here breaks %s", code).
					WithHint("remove the comment, or the code from it")
				if len(ig.codes) == 1 {
					d.Fix = &diag.Fix{Title: "remove the comment", Edits: []diag.Edit{removal(f, ig.at)}}
				}
				list = append(list, d)
				all.owners[d] = f
			}
		}
	}
	list.Sort()
	return list
}

// set returns the set of files that a finding of Unused points into.
func (all *ignores) set(d *diag.Diagnostic) *source.Set { return all.sets[all.owners[d]] }

// join adds the comments of files that are not known yet.
func (all *ignores) join(more *ignores) *ignores {
	if more == nil {
		return all
	}
	for name, igs := range more.byFile {
		if all.files[name] == nil {
			all.byFile[name], all.files[name] = igs, more.files[name]
			all.sets[more.files[name]] = more.sets[more.files[name]]
		}
	}
	return all
}

// removal removes a comment, and its line if it is there alone.
func removal(f *source.File, at source.Span) diag.Edit {
	data := f.Data()
	from, to := at.Offset(), at.End()
	start := f.LineStart(from)
	if len(bytes.TrimSpace(data[start:from])) == 0 {
		from, to = start, f.LineEnd(to)
	} else {
		from = start + len(bytes.TrimRight(data[start:from], " \t"))
	}
	return diag.Edit{At: f.Span(from, to), Was: string(data[from:to])}
}
