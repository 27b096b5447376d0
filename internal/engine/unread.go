package engine

import (
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// codeUnread is a data value that no template reads.
const codeUnread diag.Code = "values/unread"

// reads records which values of the library are read, by all its evaluations together. It is nil
// unless requested.
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

// unread warns about values that no template has read and no code could read: those set for the run
// itself, and those that the libraries that it evaluated declare.
func (r *evaluation) unread(final tree.Value) diag.List {
	if !r.config.WarnUnused {
		return nil
	}
	code := r.mentions().all()
	if code.Nothing() {
		return nil
	}
	var list diag.List
	declared := map[string]tree.Value{"": final}
	for files, l := range r.rendered {
		prefix := l.scope.Prefix()
		if _, ok := declared[prefix]; ok {
			continue
		}
		// otherwise its values are valid only together with those that are passed to it
		if vals := files.ownValues(l); vals.err == nil {
			declared[prefix] = vals.stack.Value
		}
	}
	for _, prefix := range slices.Sorted(maps.Keys(declared)) {
		list = append(list, unreadIn(declared[prefix], prefix, r.reads[prefix], code)...)
	}
	return list
}

// mentioned is what code may read: that of files that only declare data values, and that of all others.
type mentioned struct{ declaring, rest compile.Mentions }

// mentions returns what the code of the session may read.
func (r *evaluation) mentions() *mentioned {
	if r.mentioned == nil {
		r.mentioned = &mentioned{}
		declaring, rest := Declaring(r.session.Analyse(r.ctx))
		for _, a := range declaring {
			r.mentioned.declaring.Add(a)
		}
		for _, a := range rest {
			r.mentioned.rest.Add(a)
		}
	}
	return r.mentioned
}

// all returns what the code of all files may read.
func (m *mentioned) all() *compile.Mentions {
	var all compile.Mentions
	all.Join(&m.rest)
	all.Join(&m.declaring)
	return &all
}

// unreadIn warns about data values of the project, or of the library in a folder, that were not read.
func unreadIn(declared tree.Value, prefix string, reads *tree.Reads, code *compile.Mentions) diag.List {
	if reads == nil {
		return nil
	}
	whose := "any template"
	if prefix != "" {
		whose = "any template of library '" + strings.TrimSuffix(prefix, "/") + "'"
	}
	var list diag.List
	reads.Unread(declared, func(path []tree.Value, it tree.Item) {
		eachUnmentioned(code, path, it, func(path []tree.Value, it tree.Item) {
			list = append(list, unreadNote(path, it, whose))
		})
	})
	return list
}

// eachUnmentioned calls f with a value that was not read, unless code in a branch that was not taken
// may read it. In that case it continues with the values inside that value.
func eachUnmentioned(
	code *compile.Mentions, path []tree.Value, it tree.Item, f func([]tree.Value, tree.Item),
) {
	names := make([]string, len(path))
	for i := range path {
		names[i] = tree.KeyText(path[i])
	}
	reads, inside := code.Reads(names)
	switch m, isMap := it.Value.Map(); {
	case reads:
	case !inside:
		f(path, it)
	case isMap:
		for _, it := range m.Entries() {
			eachUnmentioned(code, append(slices.Clone(path), it.Key), it, f)
		}
	}
}

func unreadNote(path []tree.Value, it tree.Item, whose string) *diag.Diagnostic {
	key, _ := starlark.AsString(it.Key.Starlark())
	return diag.Warningf(it.Pos.To(it.Pos.Offset()+max(1, len(key))), codeUnread,
		"data value %s is not read by %s", values.KeyPath(path), whose).
		WithHint("remove it, or say why it is needed: `#! weft: ignore[values/unread] reason`")
}

// noteRendered records that the templates of a library were evaluated.
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
