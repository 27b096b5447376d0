// Package format lays out templates, plain YAML and scripts in one style. It changes only white space: it
// checks that the tree, the owners of comments and the program stay the same before it returns a result.
//
// A file is a table of lines (page.go). The walk over the tree (tree.go) decides in which column each line
// begins; the code in comments (code.go) and scripts (star.go) have their own rules. All other lines stay
// as they are.
package format

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// CodeUnsafe is the code of the error that a result would not mean the same.
const CodeUnsafe diag.Code = "fmt/unsafe"

// Options say what can be chosen.
type Options struct {
	YAML      yaml.Options
	Sequences Sequences
}

// Sequences is where lists below a key begin.
type Sequences uint8

// The styles of lists.
const (
	Majority Sequences = iota // as most of them do in the file; as many of both: flush
	Flush                     // in the column of the key
	Indented                  // two columns to the right
)

// KindOf returns how a file is read, by its name: a script ends in .star, all others are YAML.
func KindOf(name string) compile.Kind {
	if strings.HasSuffix(name, ".star") {
		return compile.Starlark
	}
	return compile.YAML
}

// File gives the text of a YAML file or a script in weft's style. The error is a diag.List, if the
// file cannot be read.
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

// unreadable returns the errors that keep a file from being read, as opposed to those that say that
// it makes no sense.
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

// generated matches the comments by which programs mark files that should not be edited.
var generated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bgenerated\b.*\bdo not edit\b`)
})

// isGenerated reports whether one of the first five lines says so.
func isGenerated(text []byte) bool {
	for range 5 {
		line, rest, more := bytes.Cut(text, []byte("\n"))
		if generated().Match(line) {
			return true
		}
		if !more {
			return false
		}
		text = rest
	}
	return false
}
