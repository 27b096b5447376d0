package feature

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// libraries completes the name that library.get takes: a private library of the folder, or a vendored source.
// The prefix is what comes before the name of a private library.
func (c *completion) libraries(prefix, typed string) {
	add := func(rank int, name, detail string) {
		item := protocol.CompletionItem{Kind: protocol.CompleteModule, Detail: detail}
		if bare := strings.TrimPrefix(name, "@"); strings.HasPrefix(name, typed) || strings.HasPrefix(bare, typed) {
			if !strings.HasPrefix(name, typed) {
				item.FilterText = bare
			}
			c.add(rank, len(typed), name, item)
		}
	}
	all, here := c.index()
	if all != nil {
		for _, name := range all.Libraries(here) {
			add(0, prefix+name, "")
		}
	}
	for _, l := range c.vendored() {
		add(1, "@"+l.Name, "vendored source")
	}
}

// vendored returns the vendored sources of the project.
func (c *completion) vendored() []load.Library {
	v := c.doc.View()
	if v == nil {
		return nil
	}
	return v.Options().Libraries
}

// maxVendored is how many files of a vendored source are looked at: a person is typing.
const maxVendored = 5000

// vendoredFiles completes the files of vendored sources that can be loaded. Those that no file uses are not
// in the index.
func (c *completion) vendoredFiles(typed string) {
	for _, l := range c.vendored() {
		prefix := "@" + l.Name + ":"
		if !strings.HasPrefix(prefix, typed) && !strings.HasPrefix(typed, prefix) {
			continue
		}
		dir, seen := path.Clean(filepath.ToSlash(l.Dir)), 0
		_ = fs.WalkDir(c.doc.Snapshot().Files(), dir, func(name string, d fs.DirEntry, err error) error {
			if seen++; seen > maxVendored || c.ctx.Err() != nil {
				return fs.SkipAll
			}
			text := prefix + strings.TrimPrefix(name, dir+"/")
			if err == nil && !d.IsDir() && load.Named(name).Library && strings.HasPrefix(text, typed) {
				c.add(3, len(typed), text, protocol.CompletionItem{
					Kind: protocol.CompleteFile, Detail: "vendored source",
				})
			}
			return nil
		})
	}
}

// vendoredDefs returns what a file of a vendored source defines.
func (c *completion) vendoredDefs(module string) []def {
	source, file, _ := strings.Cut(strings.TrimPrefix(module, "@"), ":")
	for _, l := range c.vendored() {
		if l.Name != source {
			continue
		}
		if d := c.doc.Snapshot().Document(path.Join(filepath.ToSlash(l.Dir), file)); d != nil {
			return defsOf(d.FileIndex(d.Analysis()))
		}
	}
	return nil
}

// libraryKeys completes a key of the data values that code passes to a library.
func (c *completion) libraryKeys(cur *cursor) {
	call := cur.Call
	if call == nil || call.Library == "" || call.Index != 0 || call.Name != "with_data_values" {
		return
	}
	dir := cur.all.LibraryDir(cur.src, call.Library)
	c.declaredKeys(cur.all, index.Value{Library: dir, Path: cur.Keys}, cur.typed, "")
}

// refKeys completes a key of data values that a document passes to a library.
func (c *completion) refKeys(at *outline.Cursor) {
	args, ok := annotationOf(at.Tree, at.Doc, "library/ref")
	all, here := c.index()
	if !ok || all == nil {
		return
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(args, `"`), `"`)
	c.keysOfLibrary(all, all.LibraryDir(here, name), at)
}

// passedKeys completes a key in the YAML of a function, if code passes what the function returns to a library.
func (c *completion) passedKeys(d *described, at *outline.Cursor) {
	name := functionAround(c.doc, c.off)
	all, _ := c.index()
	if name == "" || all == nil {
		return
	}
	for _, u := range d.callers(name) {
		s := all.Source(u.doc.Path())
		if s == nil {
			continue
		}
		for _, p := range s.File.Passed {
			if s.File.Bindings[p.Callee].Name == u.name {
				c.keysOfLibrary(all, all.LibraryDir(s, p.Library), at)
			}
		}
	}
}

// keysOfLibrary completes a key of YAML that has data values of the library in a folder.
func (c *completion) keysOfLibrary(all *index.Index, dir string, at *outline.Cursor) {
	if !at.Key {
		return
	}
	of := index.Value{Library: dir}
	for _, step := range at.Path {
		if step.Item {
			step.Key = index.Any
		}
		of.Path = append(of.Path, step.Key)
	}
	suffix := ":"
	if at.HasColon || at.Quoted {
		suffix = ""
	}
	c.declaredKeys(all, of, at.Word, suffix, at.Siblings()...)
}

// declaredKeys completes the keys that are declared below a data value. The types of libraries are not known,
// nor those of a schema that is being written.
func (c *completion) declaredKeys(
	all *index.Index, of index.Value, typed, suffix string, without ...string,
) {
	var names []string
	all.Declared(of.Library, func(v index.Value, _ *index.Source, _ *index.Key) {
		if !of.Above(v) || len(v.Path) != len(of.Path)+1 {
			return
		}
		name := v.Path[len(of.Path)]
		if !slices.Contains(without, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	item := protocol.CompletionItem{Kind: protocol.CompleteProperty, Detail: "data value"}
	if of.Library != "" {
		item.Detail += " of " + path.Base(of.Library)
	}
	for _, n := range names {
		item.Label = n
		c.add(1, len(typed), n+suffix, item)
	}
}

// texts completes a string that names a file, a library, or what a library exports.
func (c *completion) texts(cur *cursor) {
	call := cur.Call
	if call == nil || call.Index != 0 {
		return
	}
	if call.Library != "" && call.Name == "export" && call.Keyword == "" {
		c.exports(cur)
	}
	if !call.IsModule {
		return
	}
	switch call.Of + "." + call.Name {
	case "library.get":
		c.libraries("", cur.typed)
	case "overlay.map_key":
		for _, key := range c.matchKeys() {
			c.add(0, len(cur.typed), key, protocol.CompletionItem{Kind: protocol.CompleteValue})
		}
	case "data.read":
		c.files(cur, false)
	case "data.list":
		c.files(cur, true)
	}
}

// exports completes the functions and variables of a library.
func (c *completion) exports(cur *cursor) {
	for _, s := range cur.all.Below(cur.all.LibraryDir(cur.src, cur.Call.Library)) {
		if !s.Loadable {
			continue
		}
		for _, d := range defsOf(s.File) {
			if !strings.HasPrefix(d.name, "_") && !c.has(d.name) {
				c.add(boolOrder(!d.isFunc), len(cur.typed), d.name, defItem(d))
			}
		}
	}
}

// files completes the path of a file that code can read, or of a folder that it can list.
func (c *completion) files(cur *cursor, folders bool) {
	seen := map[string]bool{}
	for _, s := range cur.all.Sources {
		text := loadPath(cur.all, cur.src, s)
		item := protocol.CompletionItem{Kind: protocol.CompleteFile}
		if folders {
			text, item.Kind = strings.TrimPrefix(path.Dir(text), "."), protocol.CompleteFolder
		}
		if s == cur.src || text == "" || text == "/" || text[0] == '@' || seen[text] ||
			!strings.HasPrefix(text, cur.typed) {
			continue
		}
		seen[text] = true
		c.add(0, len(cur.typed), text, item)
	}
}
