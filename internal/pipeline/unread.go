package pipeline

import (
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/tree"
	"weft/internal/values"
)

// codeUnread is a data value that no template reads.
const codeUnread diag.Code = "values/unread"

// reads notes which values of the library are read, by all its evaluations together. It is nil if
// nobody asked.
func (l *library) reads() *tree.Reads {
	r := l.run
	if !r.config.WarnUnused {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	key := l.scope.Prefix()
	if r.reads[key] == nil {
		if r.reads == nil {
			r.reads = map[string]*tree.Reads{}
		}
		r.reads[key] = &tree.Reads{}
	}
	return r.reads[key]
}

// unread warns of the values that no template has read: those of the run itself, which are given,
// and those that the libraries declare which it has evaluated.
func (r *evaluation) unread(final tree.Value) diag.List {
	var list diag.List
	declared := map[string]tree.Value{"": final}
	for files, l := range r.rendered {
		prefix := l.scope.Prefix()
		if _, ok := declared[prefix]; ok {
			continue
		}
		if own := files.ownValues(l); own.err == nil { // else it stands only with what it is given
			declared[prefix] = own.stack.Value
		}
	}
	for _, prefix := range slices.Sorted(maps.Keys(declared)) {
		whose := "any template"
		if prefix != "" {
			whose = "any template of library '" + strings.TrimSuffix(prefix, "/") + "'"
		}
		reads := r.reads[prefix]
		if reads == nil {
			continue
		}
		reads.Unread(declared[prefix], func(path []tree.Value, it tree.Item) {
			name := values.KeyPath(path)
			key, _ := starlark.AsString(it.Key.Starlark())
			list = append(
				list,
				diag.Warningf(
					it.Pos.To(it.Pos.Offset()+max(1, len(key))),
					codeUnread,
					"data value %s is not read by %s",
					name,
					whose,
				).WithHint("remove it, unless a template reads it when other values are set: "+
					"then `#! weft: ignore[values/unread]` above it keeps weft lint quiet"),
			)
		})
	}
	return list
}

// noteRendered notes that the templates of a library were evaluated.
func (r *evaluation) noteRendered(files *declared, l *library) {
	if !r.config.WarnUnused {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rendered == nil {
		r.rendered = map[*declared]*library{}
	}
	r.rendered[files] = l
}
