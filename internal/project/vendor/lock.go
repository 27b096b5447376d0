package vendor

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/shape"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/project"
)

// Entry is what weft.lock says about one source.
type Entry struct {
	Name    string
	From    string   // where it comes from, such as git+https://…
	Version string   // the version that was chosen, or "" if the source has none
	Commit  string   // of git
	Digest  string   // of OCI artifacts, charts and files: sha256:…
	Paths   []string // the patterns of files that were taken
	Exclude []string // the patterns of files that were left out

	Executable []string // the names of programs, for systems whose files are not marked as such
	Tree       string   // the hash of the files: see Tree.Hash

	at     source.Span // where the lock names it
	branch bool        // the version is a branch, which is expected to move
}

// id returns what identifies the files of a version: a commit, a digest, or "".
func (e Entry) id() string { return cmp.Or(e.Commit, e.Digest) }

// Lock is the content of weft.lock.
type Lock struct {
	path    string
	files   *source.Set
	text    []byte // nil if there is no file
	entries map[string]Entry
}

// Entry returns the entry of a source.
func (l *Lock) Entry(name string) (Entry, bool) {
	e, ok := l.entries[name]
	return e, ok
}

// lockPath returns the path of the lock of a project file.
func lockPath(file string) string {
	return strings.TrimSuffix(file, filepath.Ext(file)) + ".lock"
}

// lockKeys are the keys of an entry of the lock, in their order.
func lockKeys() []shape.Key {
	text := &shape.Shape{Kind: shape.Scalar, Expected: "a text"}
	hash := &shape.Shape{Kind: shape.Text, Pattern: `^sha256:[0-9a-f]{64}$`, Expected: "sha256: and 64 digits"}
	return []shape.Key{
		{Name: "from", Shape: text},
		{Name: "version", Shape: text},
		{
			Name:  "commit",
			Shape: &shape.Shape{Kind: shape.Scalar, Pattern: `^([0-9a-f]{40}|[0-9a-f]{64})$`, Expected: "a commit"},
		},
		{Name: "digest", Shape: hash},
		{Name: "paths", Shape: shape.ListOf(text)},
		{Name: "exclude", Shape: shape.ListOf(text)},
		{Name: "executable", Shape: shape.ListOf(text)},
		{Name: "tree", Shape: hash},
	}
}

// readLock reads the lock beside a project file. It is empty if there is none.
func readLock(p *project.Description) (*Lock, error) {
	l := &Lock{path: lockPath(p.Path()), files: &source.Set{}, entries: map[string]Entry{}}
	if d := p.Bounds().CheckInside(l.path, source.Span{}); d != nil {
		return nil, d
	}
	data, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, diag.Failf(CodeLock, "cannot read '%s': %s", l.path, err)
	}
	l.text = data
	if err := l.parse(data); err != nil {
		return nil, &diag.Failure{Files: l.files, List: diag.Of(err)}
	}
	return l, nil
}

// parse reads the text of a lock.
func (l *Lock) parse(data []byte) error {
	f, err := l.files.AddShown(l.path, l.path, data)
	if err != nil {
		return diag.Failf(CodeLock, "%s", err)
	}
	t, err := project.Parse(f)
	if err != nil {
		list := diag.Of(err)
		for _, d := range list {
			switch {
			case strings.Contains(string(data), "<<<<<<<"):
				d.WithHint("a merge left it half done: keep the lines of one side, and fetch what they lock: " +
					"weft vendor --force")
			case d.Hint == "":
				d.WithHint("take the last version from your repository: weft itself writes this file")
			}
		}
		return list
	}
	doc := t.First()
	if !t.More(doc) {
		return nil
	}
	root := tree.FromSyntax(t, t.Root(doc))
	c := shape.New(&shape.Language{Key: CodeLock, Value: CodeLock})
	if root.IsNull() {
		return nil
	}
	c.Check(root, shape.MapOf(shape.RecordOf(lockKeys()...).Requiring("from", "tree")))
	if c.List != nil {
		return c.List
	}
	for _, it := range root.Entries() {
		e := entryOf(shape.KeyText(it.Key), it)
		if _, again := l.entries[e.Name]; again {
			return diag.Errorf(e.at, CodeLock, "'%s' is locked twice", e.Name).
				WithHint("remove one of the two entries")
		}
		l.entries[e.Name] = e
	}
	return nil
}

func entryOf(name string, it tree.Item) Entry {
	e := Entry{Name: name, at: it.Key.Span()}
	text := func(key string) string {
		v, ok := it.Value.Lookup(key)
		if !ok {
			return ""
		}
		return v.Written()
	}
	texts := func(key string) (all []string) {
		v, ok := it.Value.Lookup(key)
		if !ok {
			return nil
		}
		for x := range v.Elements() {
			all = append(all, x.Written())
		}
		return all
	}
	e.From, e.Version, e.Commit = text("from"), text("version"), text("commit")
	e.Digest, e.Tree = text("digest"), text("tree")
	e.Paths, e.Exclude, e.Executable = texts("paths"), texts("exclude"), texts("executable")
	return e
}

// lockHeader tells people what the file is.
const lockHeader = "# Written by weft vendor. Commit it, and do not edit it.\n"

// format returns the text of a lock with some entries. It is sorted and has no times, so that
// versions of it merge line by line.
func format(entries map[string]Entry) []byte {
	var b strings.Builder
	b.WriteString(lockHeader)
	var names []string
	for name := range entries {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		e := entries[name]
		b.WriteString(scalar(name) + ":\n")
		for _, f := range []struct{ key, value string }{
			{"from", scalar(e.From)},
			{"version", scalar(e.Version)},
			{"commit", scalar(e.Commit)},
			{"digest", scalar(e.Digest)},
			{"paths", list(e.Paths)},
			{"exclude", list(e.Exclude)},
			{"executable", list(e.Executable)},
			{"tree", scalar(e.Tree)},
		} {
			if f.value != "" {
				b.WriteString("  " + f.key + ": " + f.value + "\n")
			}
		}
	}
	return []byte(b.String())
}

// list returns texts as a list on one line, or "" if there are none.
func list(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	var quoted []string
	for _, x := range texts {
		quoted = append(quoted, project.Quote(x))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// scalar returns text as a YAML scalar: plain, unless a reader might take it for something else. It returns
// "" for no text.
func scalar(text string) string {
	const plain = `^[a-z]+(\+[a-z]+)?://[A-Za-z0-9+./:@~_-]*[A-Za-z0-9/]$|^dir\+[A-Za-z0-9./_-]+$`
	const version = `^[0-9]+\.[0-9]+\.[0-9]+(-[A-Za-z0-9.-]+)?$|^[0-9a-f]*[a-df][0-9a-f]*$`
	if text == "" || shape.Matches(plain, text) || shape.Matches(version, text) && len(text) != 1 {
		return text
	}
	return project.Quote(text)
}
