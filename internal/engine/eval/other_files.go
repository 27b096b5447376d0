package eval

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// otherFiles adds hints to compilation errors about names and anchors that another file of the
// scope defines: definitions are local to a file. The files are searched once, and only if there is
// such an error.
type otherFiles struct {
	files   []*File
	defined map[string]definition
	values  map[string]bool
	anchors map[string]definition
}

// hint returns the diagnostics of file f with hints added.
func (e *otherFiles) hint(f *File, list diag.List) diag.List {
	for i, d := range list {
		if name, ok := strings.CutPrefix(d.Message, "undefined: "); ok && d.Code == script.CodeUndefined {
			if hinted := e.nameHint(f, d, name); hinted != nil {
				list = slices.Clone(list) // a copy, because other evaluations share it
				list[i] = hinted
			}
		}
		if name, ok := anchorName(d); ok && len(d.Related) == 0 {
			if e.anchors == nil {
				e.anchors = anchorsIn(e.files)
			}
			if at, ok := e.anchors[name]; ok && at.file != f {
				list = slices.Clone(list) // a copy, because other evaluations share it
				list[i] = at.anchorHint(d, name)
			}
		}
	}
	return list
}

// definition is the place where a file defines a name.
type definition struct {
	span source.Span
	file *File
}

// nameHint returns d with a hint on how file f can reach the definition of the missing name.
func (at definition) nameHint(f *File, d *diag.Diagnostic, name string) *diag.Diagnostic {
	hinted := *d
	hinted.Fix = nil // to write a similar name
	hinted.WithRelated(at.span, "another file defines this name")
	if at.file.Input.Library {
		return hinted.WithHint("load it first: %s", at.loadIn(f, name))
	}
	if at.makesNodes() {
		return hinted.WithHint(
			"each file has its own names: move the function to a `.lib.yml` file, and load it: "+
				"`load(\"/names.lib.yml\", \"%s\")`",
			name,
		)
	}
	return hinted.WithHint(
		"each file has its own names: move the definition to a `.star` file, and load it: "+
			"`load(\"/names.star\", \"%s\")`",
		name,
	)
}

// loadIn returns the statement that loads the definition of a name into file f.
func (at definition) loadIn(f *File, name string) string {
	load := fmt.Sprintf("load(%s, %q)", syntax.Quote("/"+at.file.Input.Path, false), name)
	return script.Statement(f.Input.File, load)
}

// makesNodes reports whether the definition is a function that contains YAML, which only YAML files
// can have: the line after it is not code.
func (at definition) makesNodes() bool {
	f := at.file.Input.File
	data := f.Data()
	line := data[f.LineStart(at.span.Offset()):at.span.Offset()]
	_, below, ok := bytes.Cut(data[at.span.End():], []byte("\n"))
	below = bytes.TrimLeft(below, " \t")
	return ok && at.file.Input.Type == load.YAML && bytes.Contains(line, []byte("def ")) &&
		!bytes.HasPrefix(below, []byte("#@ "))
}

// anchorHint returns d with a hint on how to reach the missing anchor.
func (at definition) anchorHint(d *diag.Diagnostic, name string) *diag.Diagnostic {
	hinted := *d
	return hinted.WithRelated(at.span, "another file defines this anchor").
		WithHint("an anchor is visible only in its own document: return the value from a "+
			"function in a `.lib.yml` file, load it, and write `#@ %s()` in place of "+
			"`*%s`", identifier(name), name)
}

// defines matches text that looks like the definition of a name in code.
var defines = lazy.Regexp{
	Text: `(?m)^[ \t]*(?:#@[ \t]+|\(@-?[ \t]+)?(?:def[ \t]+)?([A-Za-z]\w*)[ \t]*(\(|=[^=])`,
}

// definitions returns the first definition of each name in files. It only matches the text, which
// is good enough for a hint.
func definitions(files []*File) map[string]definition {
	found := map[string]definition{}
	for _, f := range files {
		if f.Input.File == nil {
			continue
		}
		data := f.Input.File.Data()
		for _, m := range defines.Get().FindAllSubmatchIndex(data, -1) {
			line, name := data[m[0]:m[1]], string(data[m[2]:m[3]])
			isDef := bytes.Contains(line, []byte("def ")) || bytes.Contains(line, []byte("def\t"))
			isInside := f.Input.Type == load.Starlark && line[0] <= ' ' // it is local, or an argument
			if isInside || isDef != (data[m[4]] == '(') ||
				f.Input.Type != load.Starlark && !bytes.Contains(line, []byte("@")) {
				continue
			}
			if _, ok := found[name]; !ok {
				found[name] = definition{f.Input.File.Span(m[2], m[3]), f}
			}
		}
	}
	return found
}

// anchorName returns the name of the anchor that d reports as unknown.
func anchorName(d *diag.Diagnostic) (string, bool) {
	if d.Code != yaml.CodeAnchor {
		return "", false
	}
	rest, ok := strings.CutPrefix(d.Message, "unknown anchor '")
	name, _, ok2 := strings.Cut(rest, "'")
	return name, ok && ok2
}

// anchor matches text that looks like an anchor.
var anchor = lazy.Regexp{Text: `(?m)(?:^|[\s\[{,])&([^\s\[\]{},]+)`}

// anchorsIn returns the first anchor of each name in files.
func anchorsIn(files []*File) map[string]definition {
	found := map[string]definition{}
	for _, f := range files {
		if f.Input.File == nil || f.Input.Type != load.YAML {
			continue
		}
		data := f.Input.File.Data()
		for _, m := range anchor.Get().FindAllSubmatchIndex(data, -1) {
			if name := string(data[m[2]:m[3]]); found[name].file == nil {
				found[name] = definition{f.Input.File.Span(m[2]-1, m[3]), f}
			}
		}
	}
	return found
}

// identifier returns a function name that resembles the name of an anchor.
func identifier(name string) string {
	id := strings.Map(func(r rune) rune {
		if r < 0x80 && diag.IsWord(byte(r)) {
			return r
		}
		return '_'
	}, name)
	if id[0] >= '0' && id[0] <= '9' {
		return fmt.Sprintf("f_%s", id)
	}
	return id
}
