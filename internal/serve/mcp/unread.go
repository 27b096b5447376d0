package mcp

import (
	"context"
	"slices"
	"strings"

	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
)

// unreadCodes begin the codes of errors that come before weft knows which values are secret.
var unreadCodes = []string{"yaml/", "values/", "schema/unknown-key"}

// hideUnread hides the values in the excerpts of errors about files that weft could not read: they may be
// secret, and nothing says so yet. Where they are stays visible, and so do the keys.
func hideUnread(ctx context.Context, f *diag.Failure) {
	if f.Files == nil {
		return
	}
	var list []string
	for _, d := range f.List {
		if !isUnread(string(d.Code)) {
			continue
		}
		list = appendValues(list, f.Files, d.At)
		for _, r := range d.Related {
			list = appendValues(list, f.Files, r.At)
		}
	}
	secret.KeeperOf(ctx).Add(list)
}

// isUnread reports whether a code is that of an error about a file that weft could not read.
func isUnread(code string) bool {
	return slices.ContainsFunc(unreadCodes, func(begin string) bool { return strings.HasPrefix(code, begin) }) &&
		code != string(schema.CodeRequired) // what is missing has no value
}

// appendValues adds the values in the lines of a span.
func appendValues(list []string, files *source.Set, at source.Span) []string {
	f := files.File(at.Pos)
	if f == nil || f.Argument() || !mayHoldSecrets(f.Data()) {
		return list
	}
	for n := f.Line(at.Offset()); n <= f.Line(at.End()); n++ {
		text := strings.TrimSpace(string(f.Text(n)))
		if strings.HasPrefix(text, "#") {
			continue
		}
		if _, value, ok := strings.Cut(text, ": "); ok {
			text = value
		}
		text = strings.TrimSpace(strings.TrimPrefix(text, "- "))
		list = append(list, text, strings.Trim(text, `"'`))
		between := func(r rune) bool { return strings.ContainsRune("{}[],:\"' \t", r) }
		for _, part := range strings.FieldsFunc(text, between) { // messages quote parts
			if len(part) >= shortestPart {
				list = append(list, part)
			}
		}
	}
	return list
}

// shortestPart is the minimum length of a part of a value that is hidden everywhere.
const shortestPart = 6

var (
	// valuesMark finds the comment before a document of data values.
	valuesMark = lazy.Regexp{Text: `(?m)^\s*#@\s*data/values`}
	// ofSecret finds the kind of a Secret, in the whole file or in an item of a list.
	ofSecret = lazy.Regexp{Text: `\bkind["']?:\s*["']?Secret`}
	// codeMark finds a comment with code.
	codeMark = lazy.Regexp{Text: `(?m)(^|\s)#@`}
	// objectVersion and objectKind find the keys that all Kubernetes objects have.
	objectVersion = lazy.Regexp{Text: `(?m)^["']?apiVersion["']?:`}
	objectKind    = lazy.Regexp{Text: `(?m)^["']?kind["']?:`}
)

// mayHoldSecrets reports whether a file has data values, or a Secret. Plain files are files of values unless
// they have objects.
func mayHoldSecrets(data []byte) bool {
	if valuesMark.Get().Match(data) || ofSecret.Get().Match(data) {
		return true
	}
	return !codeMark.Get().Match(data) && !(objectVersion.Get().Match(data) && objectKind.Get().Match(data))
}
