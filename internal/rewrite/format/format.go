// Package format lays out templates, plain YAML and scripts in one style. It changes only white space: it
// checks that the tree, the owners of comments and the program stay the same before it returns a result.
//
// A file is a table of lines (page.go). The walk over the tree (tree.go) decides in which column each line
// begins; the code in comments (code.go) and scripts (star.go) have their own rules. All other lines stay
// as they are.
package format

import (
	"bytes"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// CodeUnsafe reports that the result would not mean the same as the file.
const CodeUnsafe diag.Code = "fmt/unsafe"

// Options configure the style.
type Options struct {
	YAML      yaml.Options
	Sequences Sequences
}

// Sequences tells where lists below a key begin.
type Sequences uint8

const (
	Majority Sequences = iota // like most lists in the file; flush if there are as many of both
	Flush                     // in the column of the key
	Indented                  // two columns to the right
)

// KindOf returns the kind of a file by its name: .star is a script, anything else is YAML.
func KindOf(name string) compile.Kind {
	if strings.HasSuffix(name, ".star") {
		return compile.Starlark
	}
	return compile.YAML
}

// File returns the text of a YAML file or a script in weft's style. The error is a diag.List if the file
// cannot be read.
func File(f *source.File, kind compile.Kind, opt Options) ([]byte, error) {
	if isGenerated(f.Data()) {
		return f.Data(), nil
	}
	a := compile.Analyse(f, kind, compile.Options{YAML: opt.YAML, IgnoreUnknownComments: true})
	if list := unreadable(a.Errors); len(list) > 0 {
		return nil, list
	}
	var out []byte
	if kind == compile.Starlark {
		out = layoutScript(f)
	} else {
		out = layoutYAML(a, opt)
	}
	if bytes.Equal(out, f.Data()) {
		return out, nil
	}
	return out, checkSame(a, out, opt)
}

// unreadable returns the errors that prevent a file from being read, as opposed to errors in its meaning.
func unreadable(errs diag.List) diag.List {
	var list diag.List
	for _, d := range errs {
		switch area, _, _ := strings.Cut(string(d.Code), "/"); {
		case area == "yaml", area == "script" && d.Code != script.CodeUndefined && d.Code != script.CodeResolve:
			list = append(list, d)
		}
	}
	return list
}

// generated matches comments that mark generated files, which should not be edited.
var generated = lazy.Regexp{Text: `(?i)\bgenerated\b.*\bdo not edit\b`}

// isGenerated reports whether one of the first five lines marks the file as generated.
func isGenerated(text []byte) bool {
	for range 5 {
		line, rest, more := bytes.Cut(text, []byte("\n"))
		if generated.Get().Match(line) {
			return true
		}
		if !more {
			return false
		}
		text = rest
	}
	return false
}
