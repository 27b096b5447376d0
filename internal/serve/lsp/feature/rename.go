package feature

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"go.starlark.net/starlark"

	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// refuse returns an error that says why something is not renamed.
func refuse(format string, args ...any) error {
	return wire.Errorf(wire.RequestFailed, format, args...)
}

// PrepareRename returns what would be renamed at a place, or an error that says why nothing can be
// renamed.
func PrepareRename(
	ctx context.Context, doc *workspace.TextDocument, p protocol.PrepareRenameParams,
) (*protocol.PrepareRename, error) {
	w, s, err := lookup(ctx, doc, p.Position)
	if err != nil {
		return nil, err
	}
	r, err := w.renaming(s)
	if err != nil {
		return nil, err
	}
	at, ok := w.positions(s.source, s.at)
	if !ok {
		return nil, refuse("this place has been edited and cannot be read")
	}
	return &protocol.PrepareRename{Range: at, Placeholder: r.old}, nil
}

// Rename returns the edits that rename a data value, a function, a variable or an argument in all files
// of the project, or an error that says why that is not possible.
func Rename(
	ctx context.Context, doc *workspace.TextDocument, p protocol.RenameParams,
) (*protocol.WorkspaceEdit, error) {
	if err := doc.LoadAll(ctx); err != nil {
		return nil, err
	}
	w, s, err := lookup(ctx, doc, p.Position)
	if err != nil {
		return nil, err
	}
	r, err := w.renaming(s)
	if err != nil {
		return nil, err
	}
	r.to = p.NewName
	if r.to == r.old {
		return workspace.Edits{}.Workspace(w.snap), nil
	}
	if err := w.readable(r.old); err != nil {
		return nil, err
	}
	if s.isSymbol() {
		err = r.symbol(s)
	} else {
		err = r.value(s.values[0])
	}
	if err != nil {
		return nil, err
	}
	if err := r.checkNeighbors(ctx, s); err != nil {
		return nil, err
	}
	if err := r.prove(ctx); err != nil {
		return nil, err
	}
	edits, err := r.changes()
	if err != nil {
		return nil, err
	}
	return edits.Workspace(r.snap), nil
}

// renaming is a rename: the edits of each file, which do not overlap.
type renaming struct {
	*indexedDoc
	old, to string
	edits   map[*index.Source][]rewrite
}

// rewrite is the replacement of a range of a file.
type rewrite struct {
	at   index.Range
	text string
}

// renaming begins the rename of a subject, if it can be renamed.
func (w *indexedDoc) renaming(s *subject) (*renaming, error) {
	r := &renaming{indexedDoc: w, edits: map[*index.Source][]rewrite{}}
	switch {
	case s == nil:
		return nil, refuse("there is nothing here that weft can rename: it renames data values, " +
			"functions, variables and arguments")
	case s.path != nil && s.path.Kind == index.Environment:
		return nil, refuse("environments are named on the command line, too: weft cannot rename them")
	case s.path != nil && (s.path.Kind == index.Library || s.path.Kind == index.Folder):
		return nil, refuse("rename the folder: weft then changes the names and paths that lead to it")
	case s.path != nil:
		return nil, refuse("rename the file: weft then changes the paths that lead to it")
	case s.isSymbol():
		r.old = s.symbol.Bound().Name
		if s.name != nil && !s.name.Module {
			r.old = string(s.source.File.Text.Data()[s.at.Start:s.at.End])
		}
		return r, nil
	case len(s.values) != 1:
		return nil, refuse("this may be one of several data values: %s and %s", show(s.values[0]),
			show(s.values[1]))
	}
	path := s.values[0].Path
	if r.old = path[len(path)-1]; r.old == index.Any {
		return nil, refuse("items of lists have no names")
	}
	return r, nil
}

// show returns a data value for messages.
func show(v index.Value) string {
	text := ""
	for i, step := range v.Path {
		if i > 0 && step != index.Any {
			text += "."
		}
		if step == index.Any {
			step = "[]"
		}
		text += step
	}
	if v.Library != "" {
		return fmt.Sprintf("'%s' of library '%s'", text, v.Library)
	}
	return "'" + text + "'"
}

// where returns a place for messages.
func (r *renaming) where(src *index.Source, at index.Range) string {
	p := src.File.Text.Place(at.Start)
	return fmt.Sprintf("%s:%d:%d", src.Path, p.Line, p.Column)
}

// readable returns an error if a file that may use a name cannot be parsed.
func (w *indexedDoc) readable(name string) error {
	for _, src := range w.all.Sources {
		text, broken := src.File.Text, src.File.Broken
		if now := w.snap.OpenText(src.Path); now != nil && !now.SameText(text) {
			text, broken = now, true
		}
		if broken && bytes.Contains(text.Data(), []byte(name)) {
			return refuse("%s has errors, so weft does not know how it uses '%s': "+
				"correct them first", src.Path, name)
		}
	}
	return nil
}

func (r *renaming) add(src *index.Source, at index.Range, text string) {
	list := r.edits[src]
	if !slices.ContainsFunc(list, func(e rewrite) bool { return e.at == at }) {
		r.edits[src] = append(list, rewrite{at, text})
	}
}

// symbol renames a function, a variable or an argument.
func (r *renaming) symbol(s *subject) error {
	if !isIdentifier(r.to) {
		return refuse("'%s' is not a name: a name is letters, digits and underscores, and no keyword",
			r.to)
	}
	if starlark.Universe.Has(r.to) {
		return refuse("'%s' is a function or constant of Starlark", r.to)
	}
	uses, err := r.usesOf(s)
	if err != nil {
		return err
	}
	for _, u := range uses {
		r.add(u.Source, u.At, r.to)
	}
	if err := r.free(s.symbol.Source); err != nil {
		return err
	}
	for _, src := range r.all.Sources {
		if err := r.free(src); err != nil {
			return err
		}
	}
	return nil
}

// free returns an error if a file to edit already has the new name.
func (r *renaming) free(src *index.Source) error {
	if len(r.edits[src]) == 0 {
		return nil
	}
	for _, b := range src.File.Bindings {
		if b.Name == r.to {
			return refuse("%s binds the name '%s' already", r.where(src, b.At), r.to)
		}
	}
	return nil
}

// usesOf returns the places to rename.
func (r *renaming) usesOf(s *subject) ([]index.Use, error) {
	b := s.symbol.Bound()
	if b.Kind == index.Parameter && b.Function >= 0 {
		fn := index.Symbol{
			Source: s.symbol.Source, ID: s.symbol.Source.File.Functions[b.Function].Binding,
		}
		var err error
		r.all.CallsOf(fn, func(src *index.Source, c *index.Call) {
			if c.Spread {
				err = refuse("%s calls the function with **: weft does not know the names of its arguments",
					r.where(src, c.At))
			}
		})
		if err != nil {
			return nil, err
		}
	}
	if s.name != nil && s.source.File.Bindings[s.name.Binding].Kind == index.Loaded && !s.name.Module {
		local := &s.source.File.Bindings[s.name.Binding]
		if local.Name != local.From || b.Kind == index.Loaded {
			return r.alias(s.source, s.name.Binding), nil
		}
	}
	if b.Kind == index.Loaded {
		return nil, refuse("'%s' is not defined in the project", b.Name)
	}
	all := r.all.Uses(s.symbol)
	// Files that load it with an alias keep the alias.
	return slices.DeleteFunc(all, func(u index.Use) bool { return u.Name != b.Name }), nil
}

// alias returns the places of the name that a file uses for a loaded name. If that was the name in
// the module, the edits turn it into an alias.
func (r *renaming) alias(src *index.Source, id index.ID) []index.Use {
	b := &src.File.Bindings[id]
	var list []index.Use
	for _, n := range src.File.Names {
		if n.Binding != id || n.Module && b.Name != b.From {
			continue
		}
		if n.Module { // "name" becomes new="name"
			quoted := index.Range{Start: n.At.Start - 1, End: n.At.End + 1}
			r.add(src, quoted, r.to+"="+string(src.File.Text.Data()[quoted.Start:quoted.End]))
			continue
		}
		if b.Name == b.From && n.At == b.At {
			continue // both are at the same place
		}
		list = append(list, index.Use{Source: src, At: n.At, Name: b.Name})
	}
	return list
}

// value renames a data value.
func (r *renaming) value(v index.Value) error {
	if r.to == "" {
		return refuse("a key needs a name")
	}
	to := index.Value{Library: v.Library, Path: append(slices.Clone(v.Path[:len(v.Path)-1]), r.to)}
	var err error
	fail := func(format string, args ...any) {
		if err == nil {
			err = refuse(format, args...)
		}
	}
	r.all.Keys(to, func(src *index.Source, k *index.Key) {
		if k.Kind == index.Declares || k.Kind == index.Sets {
			fail("%s declares or sets %s already", r.where(src, k.At), show(to))
		}
	})
	declared := false
	r.all.Keys(v, func(src *index.Source, k *index.Key) {
		declared = true
		if !r.all.KeyValue(src, k).Equal(v) {
			fail("%s may be about another data value", r.where(src, k.At))
		}
		r.write(src, k.At, k.Form, fail)
	})
	if !declared {
		fail("nothing declares or sets %s", show(v))
	}
	r.all.Reads(v, func(src *index.Source, read *index.Read, exactly bool) {
		if !exactly {
			fail("%s reads '%s' of several data values", r.where(src, read.At), r.old)
		}
		r.write(src, read.At, read.Form, fail)
	})
	r.all.Blind(v, func(src *index.Source, read *index.Read) {
		if read.Whole {
			fail("%s uses the whole map around %s, with its keys", r.where(src, read.At), show(v))
		}
		fail("%s reads a data value whose name is only known at run time: it may be %s",
			r.where(src, read.At), show(v))
	})
	for _, flag := range r.doc.Snapshot().Settings().DataValues {
		if name, _, ok := strings.Cut(flag, "="); ok && v.Library == "" && name == dotted(v) {
			fail("the settings of the editor set %s", show(v))
		}
	}
	return err
}

// dotted returns the path of a data value as in flags.
func dotted(v index.Value) string { return strings.Join(v.Path, ".") }

// isIdentifier reports whether a word can be a name in code.
func isIdentifier(word string) bool {
	for i, c := range word {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return word != "" && script.IsName(word)
}

// write replaces an old name by the new one, in the form of the old one.
func (r *renaming) write(
	src *index.Source, at index.Range, form index.Form, fail func(format string, args ...any),
) {
	text := r.to
	switch form {
	case index.Identifier:
		if !isIdentifier(text) {
			fail("'%s' cannot follow a dot in code, as at %s", text, r.where(src, at))
		}
	case index.String:
		if strings.ContainsAny(text, "\"'\\\n\r") {
			fail("'%s' cannot be written in a string of code without escapes, as at %s", text, r.where(src, at))
		}
	case index.Dotted:
		if strings.ContainsAny(text, ".\\=@\"' ,:#\n") {
			fail("'%s' cannot be part of a path, as at %s", text, r.where(src, at))
		}
	case index.Scalar:
		text = keyText(text)
	}
	r.add(src, at, text)
}

// keyText returns a key as YAML writes it.
func keyText(key string) string {
	if yaml.QuotingOf([]byte(key)) == yaml.AsPlain && !strings.ContainsAny(key, ",[]{}") {
		return key
	}
	return string(yaml.AppendDouble(nil, []byte(key)))
}

// changes returns the edits for the client.
func (r *renaming) changes() (workspace.Edits, error) {
	all := workspace.Edits{}
	for _, src := range r.all.Sources {
		list := r.edits[src]
		slices.SortFunc(list, func(a, b rewrite) int { return a.at.Start - b.at.Start })
		for _, e := range list {
			at, ok := r.positions(src, e.at)
			if !ok {
				return nil, refuse("%s has been edited and cannot be read", src.Path)
			}
			all[src.Path] = append(all[src.Path], protocol.TextEdit{Range: at, NewText: e.text})
		}
	}
	return all, nil
}

// texts returns the texts of the files after the edits.
func (r *renaming) texts() map[string][]byte {
	texts := map[string][]byte{}
	for src, list := range r.edits {
		slices.SortFunc(list, func(a, b rewrite) int { return a.at.Start - b.at.Start })
		old := src.File.Text.Data()
		var text []byte
		from := 0
		for _, e := range list {
			text = append(append(text, old[from:e.at.Start]...), e.text...)
			from = e.at.End
		}
		texts[src.Path] = append(text, old[from:]...)
	}
	return texts
}

// prove renders all environments with and without the edits, and returns an error if the output
// differs.
func (r *renaming) prove(ctx context.Context) error {
	p := r.doc.Project()
	if p == nil {
		return nil
	}
	if err := p.SameOutput(ctx, r.snap, r.texts(), r.doc.Path()); err != nil {
		return refuse("the output would not be the same: %s", err)
	}
	return nil
}
