package compare

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/lang/diag"
	place "weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/diff"
)

// generatorToggles returns the charts and kustomizations that differ, file by file.
func (c *Comparison) generatorToggles(ctx context.Context) (list []toggle) {
	for _, g := range c.a.session.GeneratorChanges(ctx, c.b.session) {
		of := g.Kind + " " + g.Name
		t := toggle{generators: []engine.GeneratorChange{g}, source: of}
		t.cause.Title, t.cause.Note = of, "changed"
		switch {
		case !g.Before:
			t.cause.Note = onlyIn(c.b.Name)
		case !g.After:
			t.cause.Note = onlyIn(c.a.Name)
		}
		if g.Config {
			t.cause.Note = entriesNote(t.cause.Note, &g)
		}
		switch {
		case g.Values != "":
			t.cause.Title = g.Values + " of " + of
		case g.Config, len(g.Files) == 1:
			t.cause.Title = g.Files[0] + " of " + of
		case g.Apart:
			t.cause.Note = diag.Count(len(g.Files), "other file") + " changed"
		case len(g.Files) > 1:
			t.cause.Note = diag.Count(len(g.Files), "file") + " changed"
		}
		list = append(list, t)
	}
	return list
}

// maxEntries is how many entries that changed are named.
const maxEntries = 3

// entriesNote returns a note that names the entries of a file that changed, or the note as it is if they are
// not known. Values are left out: they may be secret.
func entriesNote(note string, g *engine.GeneratorChange) string {
	if len(g.Old) == 0 || len(g.New) == 0 {
		return note
	}
	old, ok := plainSide(g.Old)
	now, ok2 := plainSide(g.New)
	if !ok || !ok2 {
		return note
	}
	var names []string
	seen := map[string]bool{}
	d := diff.Compare(old, now, diff.Options{})
	for i := range d.Changes {
		name := entryName(d.Changes[i].Path)
		if name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if more := filesBelow(g.Files); more > 0 {
		names = append(names[:min(len(names), maxEntries)], diag.Count(more, "new file"))
	}
	switch n := len(names) - maxEntries; {
	case len(names) == 0:
		return note
	case n > 1:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxEntries], ", "), n)
	}
	return strings.Join(names, ", ")
}

// filesBelow returns how many of the files after the first are in its directory or below it.
func filesBelow(files []string) (n int) {
	for _, file := range files[min(1, len(files)):] {
		if dir := path.Dir(files[0]); dir == "." || strings.HasPrefix(file, dir+"/") {
			n++
		}
	}
	return n
}

// entryName returns the path of an entry, without the wrapper. An item of a list without a name is the list.
func entryName(at place.Path) string {
	at = at[min(1, len(at)):]
	unnamed := func(s place.Segment) bool { return s.Kind != place.Key && s.By == "" }
	if i := slices.IndexFunc(at, unnamed); i >= 0 {
		at = at[:i]
	}
	return at.String()
}

// plainSide returns the first document of a file as a side. It is wrapped in a map, so that none of its keys
// is mistaken for the name of an object.
func plainSide(text []byte) (diff.Side, bool) {
	set := &source.Set{}
	f, err := set.Add("file", text)
	if err != nil {
		return diff.Side{}, false
	}
	y, err := yaml.Parse(f, yaml.Options{})
	if err != nil || y.Check(false).Failed() {
		return diff.Side{}, false
	}
	for doc := range y.Documents() {
		v := tree.FromSyntax(y, y.Root(doc))
		wrapped := tree.NewMap([]tree.Item{{Key: tree.String("file"), Value: v}}, source.Pos{})
		return diff.Side{Docs: []diff.SideDocument{{Value: tree.Of(wrapped)}}, Files: set}, true
	}
	return diff.Side{}, false
}
