package lint

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// checkComments finds comments that look like code or annotations.
func (f *file) checkComments() {
	for _, c := range f.Tree.Comments() {
		text := f.Tree.CommentText(c)
		at := f.Tree.CommentSpan(c)
		trimmed := bytes.TrimLeft(text, " \t")
		rest, almost := bytes.CutPrefix(trimmed, []byte("@"))
		switch {
		case almost && len(trimmed) < len(text) && isAnnotation(rest):
			d := f.report(at, codeTemplateAlmostAnnotation, "a blank before `@` makes this a plain comment").
				WithHint("write `#@%s`, or `#! ` for a comment", firstWord(rest))
			d.Fix = &diag.Fix{Title: "remove the blank", Edits: []diag.Edit{
				f.edit(at.Offset()+1, at.Offset()+1+len(text)-len(trimmed), ""),
			}}
		case f.isTemplate() && !f.all.PlainComments && !bytes.HasPrefix(text, []byte("@")) &&
			!bytes.HasPrefix(text, []byte("!")):
			d := f.report(at, compile.CodeComment, "in a template every comment begins with `#@` (code, "+
				"annotation) or `#!` (comment), but this one begins with neither").
				WithHint("write `#!`")
			d.Fix = &diag.Fix{Title: "write #!", Edits: []diag.Edit{f.edit(at.Offset(), at.Offset()+1, "#!")}}
		}
	}
}

// isAnnotation reports whether a text begins with the name of an annotation.
func isAnnotation(text []byte) bool {
	return tree.Means(firstWord(text))
}

func firstWord(text []byte) string {
	word, _, _ := bytes.Cut(text, []byte(" "))
	return string(word)
}

// checkBlocks finds blocks around one node, which have a shorter form.
func (f *file) checkBlocks() {
	if !f.isTemplate() {
		return
	}
	for _, b := range f.Blocks() {
		i, j := f.markAt(b.Off), f.markAt(b.End)
		if !b.Begins() || j == len(f.Marks) || slices.ContainsFunc(f.Marks[i+1:j], isCode) {
			continue
		}
		open, end := f.Marks[i], f.Marks[j]
		word, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(f.text(open.At), "#@")), " ")
		if word != "if" && word != "for" || !f.oneNode(open, end) {
			continue
		}
		d := f.report(open.At, codeTemplateOneNodeBlock, "a block around one node").
			WithHint("write `%s/end` and remove the `end`", word)
		if from, to := f.wholeLine(b.End); strings.TrimSpace(string(f.File.Data()[from:to])) == "#@ end" {
			d.Fix = &diag.Fix{Title: "write " + word + "/end", Edits: []diag.Edit{
				f.edit(b.Off, b.Off+len(word), word+"/end"), f.edit(from, to, ""),
			}}
		}
	}
}

// markAt returns the index of the mark at an offset.
func (f *file) markAt(off int) int {
	return sort.Search(len(f.Marks), func(i int) bool { return f.Marks[i].At.End() > off })
}

func isCode(m compile.Mark) bool { return m.Kind == compile.CodeMark }

// oneNode reports whether exactly one node is in a block, and is written in one line. In a longer block, an
// `end` shows where it ends.
func (f *file) oneNode(open, end compile.Mark) bool {
	owner := open.Owner
	if owner == yaml.NoOwner || f.Tree.Start(owner).Offset() > end.At.Offset() {
		return false
	}
	if f.Tree.Kind(owner) == yaml.Document {
		return false // there is more content after the node
	}
	next := f.Tree.Next(owner)
	if f.isKey(owner) {
		next = f.Tree.Next(next)
	}
	if f.File.Line(f.Tree.ContentEnd(next-1)) != f.File.Line(f.Tree.Start(owner).Offset()) {
		return false
	}
	return !f.Tree.More(next) || f.Tree.Start(next).Offset() > end.At.Offset()
}

// isKey reports whether an item is the key of a mapping.
func (f *file) isKey(n yaml.NodeID) bool {
	data := f.File.Data()
	at := f.Tree.Start(n).Offset()
	return !(at < len(data) && data[at] == '-' && f.Tree.Span(n).Offset() > at)
}

// secretName matches keys whose values are usually secret.
var secretName = lazy.Regexp{Text: `(?i)(^|[_\-.]|[a-z])` +
	`(password|passwd|secret|token|api_?key|private_?key|credentials?)$`}

// checkKeys finds duplicate keys, and secrets.
func (f *file) checkKeys() {
	secrets := (f.Role == compile.ForSchema || f.Role == compile.ForValues) && !isSample(f.File.Shown())
	f.eachMapping(func(n yaml.NodeID) {
		seen := map[string]yaml.NodeID{}
		for key, value := range f.Tree.Pairs(n) {
			if f.Tree.Kind(key) != yaml.Scalar || f.Tree.IsMerge(key) {
				continue
			}
			name := string(f.Tree.Text(key))
			if first, ok := seen[name]; ok && f.Kind == compile.PlainYAML {
				f.all.found = append(f.all.found, conditional{Diagnostic: f.Tree.OverriddenBy(first, key)})
			}
			seen[name] = key
			if secrets && secretName.Get().MatchString(name) {
				f.secretDefault(name, value)
			}
		}
	})
	if f.Role == compile.ForSchema {
		f.descriptions()
		f.arrayExamples()
	}
	f.emptyDocuments()
}

// emptyDocuments finds `---` lines without content after them, except in what Helm printed: there, each
// template that is switched off leaves one.
func (f *file) emptyDocuments() {
	if bytes.Contains(f.File.Data(), []byte("\n# Source: ")) {
		return
	}
	owners := map[yaml.NodeID]bool{}
	for _, m := range f.Marks {
		owners[m.Owner] = true
	}
	for doc := range f.Tree.Documents() {
		root := f.Tree.Root(doc)
		if f.Tree.Explicit(doc) && !owners[doc] && root < f.Tree.Next(doc) &&
			f.Tree.Kind(root) == yaml.Scalar && f.Tree.Span(root).Len == 0 && !f.Tree.HasTag(root) &&
			len(f.Tree.Anchor(root)) == 0 && f.Tree.More(f.Tree.Next(doc)) {
			f.report(f.Tree.Start(doc).To(f.Tree.Start(doc).Offset()+3), codeOutputEmptyDocument,
				"this `---` starts an empty document").WithHint("remove it")
		}
	}
}

// secretDefault finds a secret in a file.
func (f *file) secretDefault(name string, value yaml.NodeID) {
	if f.Tree.Kind(value) != yaml.Scalar || len(f.Tree.Text(value)) == 0 {
		return
	}
	if v := f.Tree.Schema().Resolve(f.Tree.Text(value)); f.Tree.Style(value) == yaml.Plain &&
		v.Kind != yaml.String && v.Kind != yaml.Int {
		return
	}
	if text := string(f.Tree.Text(value)); isPlaceholder(text) || isSecretName(name, text) {
		return
	}
	f.report(f.Tree.Span(value), codeSchemaSecretDefault,
		"'%s' looks like a secret, and is written in a file", name).
		WithHint("leave it empty, require it with `#@schema/validation min_len=1`, and set it from " +
			"the environment: --data-values-env")
}

// isSecretName reports whether a value is the name of a Secret of Kubernetes, as in `tls_secret: web-tls`.
func isSecretName(key, text string) bool {
	return strings.HasSuffix(strings.ToLower(key), "secret") && strings.Contains(text, "-") &&
		strings.Trim(text, "abcdefghijklmnopqrstuvwxyz-.") == ""
}

// isSample reports whether a file is in a folder for tests or examples.
func isSample(name string) bool {
	parts := strings.Split(path.Dir(filepath.ToSlash(name)), "/")
	return slices.ContainsFunc(parts, func(part string) bool {
		switch part {
		case "test", "tests", "testdata", "fixtures", "example", "examples", "sample", "samples", "sample-values":
			return true
		}
		return false
	})
}

// isPlaceholder reports whether a text is a placeholder for a secret.
func isPlaceholder(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, begin := range []string{"<", "$", "((", "{{", "[[", "%", "ref+", "vault:", "op://", "env:"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	if strings.Trim(text, "x*.-_?#") == "" || strings.Contains(text, "xxx") {
		return true
	}
	text = strings.NewReplacer("-", "", "_", "", " ", "").Replace(text)
	for _, word := range []string{
		"changeme", "changethis", "replaceme", "replacethis", "placeholder", "dummy", "fake",
		"example", "sample", "todo", "fixme", "redacted", "yourpassword", "yoursecret", "yourtoken",
		"insert", "unset", "overridden", "overrideme", "password", "secret", "token", "credential",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return strings.HasPrefix(text, "your") || strings.HasPrefix(text, "my")
}

// descriptions finds keys of a schema that are not described.
func (f *file) descriptions() {
	described := map[yaml.NodeID]bool{}
	for _, a := range f.annotations {
		if a.Name == "schema/desc" {
			described[a.Owner] = true
		}
	}
	f.eachMapping(func(n yaml.NodeID) {
		for key := range f.Tree.Pairs(n) {
			if f.Tree.Kind(key) == yaml.Scalar && !described[key] {
				f.report(f.Tree.Span(key), codeSchemaNoDescription, "'%s' has no description", f.Tree.Text(key)).
					WithHint("add `#@schema/desc` above it")
			}
		}
	})
}
