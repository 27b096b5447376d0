package compile

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file finds annotations without an effect: unknown names, unknown keywords, and code that
// lacks the space after `#@`.

func (c *compiler) warn(d *diag.Diagnostic) { c.unit.Warnings = append(c.unit.Warnings, d) }

// refuse adds an error if unknown annotations are errors. Otherwise it adds a warning, whose
// message also says that the annotation is ignored.
func (c *yamlCompiler) refuse(d *diag.Diagnostic, ignored string) {
	if d.Hint == "" {
		d.WithHint("remove it, or write `#!` instead of `#@` for a comment")
	}
	if c.opt.KnownAnnotations {
		d.Severity = diag.Error
		c.fail(d)
		return
	}
	d.Message += ignored
	c.warn(d)
}

// lintOutput warns about an annotation of documents on another node, where it would do nothing: without a
// line `---` below it, it belongs to the first key.
func (c *yamlCompiler) lintOutput(name string, at source.Span, owner yaml.NodeID) {
	if owner == yaml.NoOwner || c.tree.Kind(owner) == yaml.Document {
		return
	}
	at = at.To(min(at.End(), at.Offset()+len("#@")+len(name)))
	d := diag.Warningf(at, CodeUnknown, "@%s is for documents, but here it belongs to a node of one", name).
		WithHint("write it above the line `---` of the document; add this line if it is missing")
	c.refuse(d, ", and is ignored")
}

// lintName warns about an unknown annotation and suggests a known one. body is everything after
// `#@`, and owner the node that the comment belongs to.
func (c *yamlCompiler) lintName(name string, body []byte, at source.Span, owner yaml.NodeID) {
	beside := c.inPlaceOfValue(owner, at.Offset())
	group, rest, grouped := cutGroup(name)
	at = at.To(min(at.End(), at.Offset()+len("#@")+len(name)))
	switch word := codeWord(name); {
	case !beside && (word != "" || isAssigned(name, body)):
		d := diag.Warningf(at, CodeSpace, "`#@%s` is read as an annotation", cmp.Or(word, name)).
			WithHint("write `#@ %s`, with a space, for code", cmp.Or(word, name))
		d.Fix = addSpace(at)
		c.refuse(d, ", and is ignored")
	case grouped && tree.Known(group+"/") == nil:
		c.refuse(unknownNote(at, CodeUnknown, name, nearGroup(group, rest)), " is ignored")
	case strings.HasPrefix(name, "="):
		code := firstWords(bytes.TrimLeft(body[1:], " "))
		c.refuse(diag.Warningf(at, CodeSpace, "`#@=` is read as an annotation, and inserts nothing").
			WithHint("write `key: #@ %[1]s` to insert the value, or `_: #@ "+
				"template.replace(%[1]s)` to insert its items", code), "")
	case grouped:
		c.refuse(suggest(at, group, rest), " is ignored")
	case beside:
		d := diag.Warningf(at, CodeSpace, "`#@%s` is read as an annotation, so the value is null", name).
			WithHint("did you mean `#@ %s`, with a space?", firstWords(body))
		d.Fix = addSpace(at)
		c.refuse(d, "")
	default:
		c.refuse(unknownNote(at, CodeUnknown, name, misjoined(name)), " is ignored")
	}
}

// addSpace returns the fix of an annotation that was meant to be code.
func addSpace(at source.Span) *diag.Fix {
	return &diag.Fix{Title: "add a space after #@", Edits: []diag.Edit{{At: at, Was: "#@", Text: "#@ "}}}
}

// codeWord returns the keyword that a name without a space after `#@` begins with, such as `load` of
// `load("x",`, or "".
func codeWord(name string) string {
	whole := name
	if i := strings.IndexAny(name, "(:"); i >= 0 {
		whole = name[:i]
	}
	if word := strings.TrimSuffix(whole, "/end"); word == "end" || isKeyword(word) {
		return whole
	}
	return ""
}

// isAssigned reports whether what follows `#@` assigns to a name.
func isAssigned(name string, body []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(body, []byte(name)), " ")
	return !strings.Contains(name, "/") &&
		bytes.HasPrefix(text, []byte("=")) && !bytes.HasPrefix(text, []byte("=="))
}

// misjoined returns the annotation meant by a name without a slash, such as `overlay.remove` or
// `remove`.
func misjoined(name string) string {
	if full := ungrouped(name); full != "" {
		return full
	}
	i := strings.IndexAny(name, ".:_-\\")
	if i <= 0 {
		return ""
	}
	group, rest := name[:i], name[i+1:]
	if tree.Known(group+"/") == nil {
		return nearGroup(group, rest)
	}
	return nearName(group, rest)
}

// unknownNote returns a warning about an unknown annotation. meant is the suggestion, or "".
func unknownNote(at source.Span, code diag.Code, name, meant string) *diag.Diagnostic {
	d := diag.Warningf(at, code, "unknown annotation @%s", name)
	if meant != "" {
		d.WithHint("did you mean @%s?", meant).WithFix("#@"+name, "#@"+meant)
	}
	return d
}

// nearGroup returns the annotation that was probably meant if its group is misspelled, or "".
func nearGroup(group, name string) string {
	near := diag.Nearest(strings.ToLower(group), groups())
	if near == "" {
		return ""
	}
	return nearName(near, strings.ToLower(name))
}

// groups returns the groups that people may misspell. It leaves out template, which only programs
// write.
func groups() (names []string) {
	for _, full := range tree.Known("") {
		group, _, _ := strings.Cut(full, "/")
		if group != "template" && !slices.Contains(names, group) {
			names = append(names, group)
		}
	}
	return names
}

// unknownCode returns the code for an unknown annotation. Some groups have their own, for
// historical reasons.
func unknownCode(group string) diag.Code {
	switch group {
	case "overlay":
		return codeOverlay
	case "schema":
		return codeSchema
	}
	return CodeUnknown
}

// cutGroup cuts the name of an annotation at its first slash, if the part before the slash is a
// word.
func cutGroup(name string) (group, rest string, ok bool) {
	group, rest, ok = strings.Cut(name, "/")
	for i := range len(group) {
		c := group[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return "", "", false
		}
	}
	return group, rest, ok && group != ""
}

// suggest returns a warning about an unknown annotation in a known group, with a suggestion.
func suggest(at source.Span, group, name string) *diag.Diagnostic {
	d := unknownNote(at, unknownCode(group), group+"/"+name, "")
	if i := strings.IndexAny(name, "(\t:,=\"'"); i > 0 {
		if tree.Means(group + "/" + name[:i]) {
			if name[i] == '(' {
				return d.WithHint("write the arguments without parentheses, after a space: "+
					"`#@%s/%s ...`", group, name[:i])
			}
			return d.WithHint("put a space after the name: `#@%s/%s ...`", group, name[:i])
		}
	}
	all := tree.Known(group + "/")
	if meant := nearName(group, name); meant != "" {
		return unknownNote(at, d.Code, group+"/"+name, meant)
	}
	if len(all) == 1 {
		return d.WithHint("the only annotation of this group is @%s", all[0])
	}
	return d.WithHint("the annotations of this group are @%s", strings.Join(all, ", @"))
}

// nearName returns the annotation in a known group that a name may mean, or "".
func nearName(group, name string) string {
	if tree.Means(group + "/" + name) {
		return group + "/" + name
	}
	if meant := synonyms.Get()[group+"/"+name]; meant != "" {
		return meant
	}
	if meant := ungrouped(name); meant != "" {
		return meant
	}
	all := tree.Known(group + "/")
	names := make([]string, len(all))
	for i, full := range all {
		names[i] = strings.TrimPrefix(full, group+"/")
	}
	if near := diag.Nearest(strings.ToLower(strings.ReplaceAll(name, "_", "-")), names); near != "" {
		return group + "/" + near
	}
	return ""
}

// ungrouped returns the annotation that has this name in its group, or "" unless there is exactly
// one.
func ungrouped(name string) string {
	if meant := map[string]string{
		"data-values":        ValuesAnnotation,
		"data-values-schema": SchemaAnnotation,
	}[name]; meant != "" {
		return meant
	}
	found := ""
	for _, full := range tree.Known("") {
		if strings.HasSuffix(full, "/"+name) && !strings.HasPrefix(full, "template/") {
			if found != "" {
				return ""
			}
			found = full
		}
	}
	return found
}

// synonyms maps words that people use, often from other tools, to annotations.
var synonyms = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"assert/check":           "assert/validate",
		"assert/valid":           "assert/validate",
		"assert/validation":      "assert/validate",
		"assert/rule":            "assert/validate",
		"data/value":             "data/values",
		"data/default":           "data/values",
		"data/defaults":          "data/values",
		"data/schema":            "data/values-schema",
		"data/value-schema":      "data/values-schema",
		"data/values/schema":     "data/values-schema",
		"library/get":            "library/ref",
		"library/name":           "library/ref",
		"library/target":         "library/ref",
		"library/reference":      "library/ref",
		"library/lib":            "library/ref",
		"overlay/delete":         "overlay/remove",
		"overlay/del":            "overlay/remove",
		"overlay/drop":           "overlay/remove",
		"overlay/rm":             "overlay/remove",
		"overlay/unset":          "overlay/remove",
		"overlay/add":            "overlay/append",
		"overlay/push":           "overlay/append",
		"overlay/concat":         "overlay/append",
		"overlay/prepend":        "overlay/insert",
		"overlay/set":            "overlay/replace",
		"overlay/overwrite":      "overlay/replace",
		"overlay/override":       "overlay/replace",
		"overlay/change":         "overlay/replace",
		"overlay/update":         "overlay/merge",
		"overlay/patch":          "overlay/merge",
		"overlay/modify":         "overlay/merge",
		"overlay/apply":          "overlay/merge",
		"overlay/select":         "overlay/match",
		"overlay/find":           "overlay/match",
		"overlay/where":          "overlay/match",
		"overlay/filter":         "overlay/match",
		"overlay/by":             "overlay/match",
		"overlay/child-defaults": "overlay/match-child-defaults",
		"overlay/defaults":       "overlay/match-child-defaults",
		"overlay/match-defaults": "overlay/match-child-defaults",
		"overlay/missing_ok":     "overlay/match",
		"overlay/missing-ok":     "overlay/match",
		"overlay/check":          "overlay/assert",
		"overlay/expect":         "overlay/assert",
		"overlay/validate":       "overlay/assert",
		"schema/null":            "schema/nullable",
		"schema/optional":        "schema/nullable",
		"schema/nilable":         "schema/nullable",
		"schema/none":            "schema/nullable",
		"schema/description":     "schema/desc",
		"schema/doc":             "schema/desc",
		"schema/comment":         "schema/desc",
		"schema/help":            "schema/desc",
		"schema/name":            "schema/title",
		"schema/example":         "schema/examples",
		"schema/sample":          "schema/examples",
		"schema/any":             "schema/type",
		"schema/kind":            "schema/type",
		"schema/validate":        "schema/validation",
		"schema/rule":            "schema/validation",
		"schema/check":           "schema/validation",
		"schema/assert":          "schema/validation",
		"schema/values":          "data/values",
		"schema/required":        "schema/validation",
		"schema/enum":            "schema/validation",
		"schema/one-of":          "schema/validation",
		"schema/one_of":          "schema/validation",
		"schema/min":             "schema/validation",
		"schema/max":             "schema/validation",
		"schema/min_len":         "schema/validation",
		"schema/max_len":         "schema/validation",
		"schema/not_null":        "schema/validation",
		"template/exec":          "template/code",
		"template/script":        "template/code",
		"template/eval":          "template/value",
		"template/expr":          "template/value",
		"template/expression":    "template/value",
		"template/replace":       "template/value",
		"yaml/text-templated":    "yaml/text-templated-strings",
		"yaml/text-template":     "yaml/text-templated-strings",
		"yaml/text-templates":    "yaml/text-templated-strings",
		"yaml/templated-strings": "yaml/text-templated-strings",
		"yaml/template-strings":  "yaml/text-templated-strings",
		"yaml/override":          "yaml/map-key-override",
		"yaml/key-override":      "yaml/map-key-override",
		"yaml/map-key-overrides": "yaml/map-key-override",
		"yaml/duplicate-keys":    "yaml/map-key-override",
	}
}}

// lintKeywords warns about unknown keywords of annotations that ignore them. For the others, the
// code that reads the keywords rejects unknown ones when it runs.
func (c *yamlCompiler) lintKeywords(m *meta, names iter.Seq[string]) {
	if m.name == "schema/one-of" {
		return // the names of its alternatives are keywords
	}
	if c.opt.KnownAnnotations {
		if note, means := tree.MeaningOf(m.name); means {
			for name := range names {
				if !note.Takes(name) {
					c.refuse(c.unknownKeyword(m, name), ", and it is ignored")
				}
			}
			return
		}
	}
	switch m.name {
	case "overlay/append",
		"overlay/merge",
		"overlay/remove",
		"library/ref",
		"yaml/map-key-override",
		textTemplated:
	default:
		return
	}
	for name := range names {
		c.refuse(c.unknownKeyword(m, name), ", and it is ignored")
	}
}

// unknownKeyword returns a warning about a keyword argument that an annotation does not take.
func (c *yamlCompiler) unknownKeyword(m *meta, name string) *diag.Diagnostic {
	d := diag.Warningf(
		keywordAt(c.unit.File, m, name),
		CodeKeyword,
		"@%s takes no keyword argument %s",
		m.name,
		name,
	)
	note, _ := tree.MeaningOf(m.name)
	if near := diag.Nearest(name, note.KeywordNames()); near != "" {
		return d.WithHint("did you mean %s?", near).WithFix(name, near)
	}
	if owner := ownerOf(m.name, name); owner != "" {
		return d.WithHint("%s belongs to @%s: write `#@%s %s=...`", name, owner, owner, name)
	}
	if len(note.Keywords) == 0 {
		return d.WithHint("remove it: @%s takes no keyword arguments", m.name)
	}
	return d.WithHint("it takes %s", strings.Join(note.KeywordNames(), ", "))
}

// keywordAt returns the place of a keyword argument in an annotation, or that of the annotation's name if the
// keyword is not found.
func keywordAt(f *source.File, m *meta, name string) source.Span {
	from := m.at.Offset() + len("#@") + len(m.name)
	if from >= m.at.End() {
		return m.at
	}
	text := f.Data()[from:m.at.End()]
	for at := 0; ; at += len(name) {
		i := bytes.Index(text[at:], []byte(name))
		if i < 0 {
			return f.Span(m.at.Offset(), from)
		}
		at += i
		after := bytes.TrimLeft(text[at+len(name):], " ")
		if at > 0 && !diag.IsWord(text[at-1]) && bytes.HasPrefix(after, []byte("=")) &&
			!bytes.HasPrefix(after, []byte("==")) {
			return f.Span(from+at, from+at+len(name))
		}
	}
}

// ownerOf returns an annotation that takes a keyword, preferably one in the same group, or "".
func ownerOf(note, keyword string) string {
	group, _, _ := strings.Cut(note, "/")
	takes := func(name string) bool {
		m, _ := tree.MeaningOf(name)
		return m.Takes(keyword)
	}
	if takes("overlay/match") && group == "overlay" {
		return "overlay/match"
	}
	for _, name := range append(tree.Known(group+"/"), ValuesAnnotation) {
		if takes(name) {
			return name
		}
	}
	return ""
}

// keywordsOf returns the names of the keyword arguments in args.
func keywordsOf(args []syntax.Expr) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, a := range args {
			b, ok := a.(*syntax.BinaryExpr)
			if !ok || b.Op != syntax.EQ {
				continue
			}
			if id, ok := b.X.(*syntax.Ident); ok && !yield(id.Name) {
				return
			}
		}
	}
}

// staticKeywords is like keywordsOf, for an annotation that has already been read.
func staticKeywords(kwargs []starlark.Tuple) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, kw := range kwargs {
			if name, _ := starlark.AsString(kw[0]); !yield(name) {
				return
			}
		}
	}
}

// inPlaceOfValue reports whether a comment at off is where the value of its owner would be, as in
// `key: #@...` or `- #@...`.
func (c *yamlCompiler) inPlaceOfValue(owner yaml.NodeID, off int) bool {
	t := c.tree
	if owner == yaml.NoOwner || !c.sameLine(t.Start(owner).Offset(), off) {
		return false
	}
	before := bytes.TrimRight(c.unit.File.Data()[t.Start(owner).Offset():off], " \t")
	switch {
	case t.Kind(owner) == yaml.Document:
		return isEmpty(t, t.Root(owner))
	case t.Kind(owner) == yaml.Scalar && bytes.HasSuffix(before, []byte(":")):
		return isEmpty(t, t.Next(owner))
	}
	return isEmpty(t, owner) && len(bytes.Trim(before, "- ")) == 0
}
