package split

import (
	"path"
	"strconv"
	"strings"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// FileDocument is a document that gets its own file.
type FileDocument struct {
	tree.Doc
	File  string // the relative path of the file it comes from
	Index int    // its index in that file, from 1
}

// maxErrors is the maximum number of documents without a name that are reported: the others usually
// have the same mistake.
const maxErrors = 20

// Names returns the paths of documents, in their order. The error is a diag.List.
func (p *Pattern) Names(docs []FileDocument) ([]string, error) {
	names := make([]string, len(docs))
	var list diag.List
	first := make(map[string]int, len(docs))
	for i := range docs {
		name, err := p.name(&docs[i])
		if err == nil {
			if j, taken := first[folded(name)]; taken {
				err = p.collision(docs, names, j, i, name)
			} else {
				first[folded(name)] = i
			}
		}
		if err != nil {
			if list = append(list, err); len(list) == maxErrors {
				break
			}
		}
		names[i] = name
	}
	if list != nil {
		return nil, list
	}
	return names, nil
}

// folded returns a path as systems compare it that ignore case. It converts to upper case first,
// since some letters have more than one lower case: σ and ς.
func folded(p string) string { return strings.ToLower(strings.ToUpper(p)) }

// collision reports two documents that would be written to one file.
func (p *Pattern) collision(docs []FileDocument, names []string, i, j int, name string) *diag.Diagnostic {
	d := diag.Errorf(docs[j].at(), Code, "two documents would be written to '%s'", name)
	if names[i] != name {
		d = diag.Errorf(docs[j].at(), Code, "two documents would be written to '%s' and '%s', which "+
			"are one file where upper and lower case are the same", names[i], name)
	}
	return d.WithRelated(docs[i].at(), "this is the other document").
		WithHint("add what tells them apart, such as %s; or give one of them another name", p.more())
}

// more returns a field that the pattern does not use yet.
func (p *Pattern) more() string {
	for _, field := range []string{nameField, kindField, namespaceField, groupField, fileField} {
		if !strings.Contains(p.text, "{"+field) {
			return "{" + field + "}"
		}
	}
	return "{index}"
}

// at returns where the document begins: at its first item, if it has any.
func (d *FileDocument) at() source.Span {
	pos := d.Pos
	if m, ok := d.Value.Starlark().(*tree.Map); ok && len(m.Entries()) > 0 {
		pos = m.Entries()[0].Pos
	}
	return pos.To(pos.Offset())
}

// name returns the path of a document.
func (p *Pattern) name(d *FileDocument) (string, *diag.Diagnostic) {
	var b strings.Builder
	for _, x := range p.parts {
		if x.field == "" {
			b.WriteString(x.text)
			continue
		}
		value, err := x.value(p, d)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
	}
	name := b.String()
	if problem := emit.PathProblem(name); problem != "" {
		return "", diag.Errorf(d.at(), Code, "cannot write this document to '%s': %s",
			diag.Visible(name), problem).WithHint("change the pattern '%s'", p.text)
	}
	return path.Clean(name), nil
}

// value returns the value of a field in the name of a document.
func (x *part) value(p *Pattern, d *FileDocument) (string, *diag.Diagnostic) {
	value := d.field(x.field)
	if value == "" && x.given {
		return x.other, nil
	}
	if value == "" {
		return "", diag.Errorf(d.at(), Code, "this document has no %s, which the pattern '%s' needs",
			described.Get()[x.field], p.text).
			WithHint("say what to write instead: {%s:-none}", x.source())
	}
	if x.lower {
		value = strings.ToLower(value)
	}
	if x.safe {
		value = strings.Map(safe, value)
	}
	if i := strings.IndexFunc(value, unsafe); i >= 0 && x.field != fileField {
		return "", diag.Errorf(d.at(), Code, "the %s '%s' of this document cannot be part of a "+
			"file name: it contains %q", described.Get()[x.field], diag.Visible(value), value[i:i+1]).
			WithHint("write {%s|safe}, which replaces such characters by dashes", x.source())
	}
	return value, nil
}

// source returns the field with its filters, as it is written between braces.
func (x *part) source() string {
	s := x.field
	if x.lower {
		s += "|lower"
	}
	if x.safe {
		s += "|safe"
	}
	return s
}

// unsafe reports whether r is not allowed in names of files on some system, or is a separator.
func unsafe(r rune) bool { return r < ' ' || strings.ContainsRune(`/\<>:"|?*`, r) }

// safe replaces characters that names of files must not contain.
func safe(r rune) rune {
	if unsafe(r) {
		return '-'
	}
	return r
}

// described is the descriptions of fields in messages.
var described = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		kindField:       "kind",
		nameField:       "metadata.name",
		namespaceField:  "metadata.namespace",
		apiVersionField: "apiVersion",
		groupField:      "group in its apiVersion",
		versionField:    "apiVersion",
		fileField:       "file",
		indexField:      "index",
	}
}}

// field returns the text of a field, or "".
func (d *FileDocument) field(name string) string {
	group, version, grouped := strings.Cut(d.Value.TextAt("apiVersion"), "/")
	if !grouped {
		group, version = "", group
	}
	switch name {
	case nameField, namespaceField:
		if d.Value.Kind() == tree.MapKind {
			if meta, ok := d.Value.Lookup("metadata"); ok {
				return meta.TextAt(name)
			}
		}
		return ""
	case groupField:
		return group
	case versionField:
		return version
	case fileField:
		return strings.TrimSuffix(d.File, path.Ext(d.File))
	case indexField:
		return strconv.Itoa(d.Index)
	}
	return d.Value.TextAt(name)
}
