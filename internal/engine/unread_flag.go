package engine

import (
	"bytes"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// unreadFlags warns about data values of flags that no template reads: most likely their names are
// misspelled. With a schema, such a name is an error already. Files are analysed only if one of the
// names occurs in none of them.
func (r *evaluation) unreadFlags() diag.List {
	var list diag.List
	var code *compile.Mentions
	for _, flag := range r.config.Values.KV {
		name, _, ok := strings.Cut(flag, "=")
		keys := strings.Split(strings.TrimSpace(name), ".")
		if !ok || strings.HasPrefix(name, "@") || r.isWritten(keys[len(keys)-1]) {
			continue
		}
		if code == nil {
			code = r.mentions().all()
		}
		if reads, inside := code.Reads(keys); reads || inside {
			continue
		}
		d := diag.Warningf(source.Span{}, codeUnread, "no template reads data value %s of --data-value", name).
			WithHint("correct its name, or remove the flag")
		list = append(list, d.WithNearest(keys[0], code.Names()))
	}
	return list
}

// isWritten reports whether a word occurs in the text of some input.
func (r *evaluation) isWritten(word string) bool {
	for _, in := range r.session.inputs {
		if in.File != nil && bytes.Contains(in.File.Data(), []byte(word)) {
			return true
		}
	}
	return false
}
