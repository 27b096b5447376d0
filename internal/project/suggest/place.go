package suggest

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"weft/internal/engine/gitdir"
	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/project"
)

// This file decides where a new overlay goes: to a file that only the environment reads, which weft.yml
// names, or without a project to one that the command line has to name.

// placing is where new documents of the environment go.
type placing struct {
	kind  Kind   // New or Patched
	file  string // the file
	entry []tree.Step
	name  string // how weft.yml names the file
	old   []byte // the text of the file, if it is there already and the environment has it
	read  bool   // it is in a folder that is an input, so the command line need not name it
}

// projectSyntax is how weft.yml is read.
var projectSyntax = yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core}

// key returns the key of weft.yml that lists the file.
func (p *placing) key() string { return string(p.kind) + "s" }

// placeFor returns where new overlays or overrides go.
func (t *trial) placeFor(kind Kind) (placing, error) {
	p := placing{kind: kind}
	key := p.key()
	if t.now == nil {
		name, err := t.freeName(path.Join(t.in.Root, string(kind)+"-edits"))
		p.file, p.read = name, kind == New && slices.ContainsFunc(t.in.Options.Inputs, func(x string) bool {
			_, dir, _ := strings.Cut("="+x, "=")
			return isBelow(name, x) || isBelow(name, dir)
		})
		return p, err
	}
	entry, why := t.entryOf(key)
	if why != nil {
		return p, why
	}
	dir := path.Dir(t.in.Project)
	folder, base := key, t.in.Env
	if base == "" {
		base = "edits"
	}
	if t.isInput(path.Join(dir, folder)) || t.isElsewhere(path.Join(dir, folder)) {
		folder = "edits"
		if key != "overlays" {
			base += "-" + key
		}
	}
	if t.isElsewhere(path.Join(dir, folder)) {
		return p, diag.Failf(CodeNone, "'%s' is a link, so a new overlay has no folder", path.Join(dir, folder)).
			WithHint("replace the link with a folder")
	}
	if t.isInput(path.Join(dir, folder)) {
		return p, diag.Failf(CodeNone, "every file of the project is an input of all environments, "+
			"so a new overlay would change all of them").
			WithHint("list folders in `inputs` of %s instead of the project itself", t.in.Project)
	}
	p.entry = entry
	if x := t.ownFile(key, path.Join(dir, folder, base+".yml")); x != "" {
		return p.at(t, x)
	}
	name, err := t.freeName(path.Join(dir, folder, base))
	p.file, p.name = name, strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
	return p, err
}

// at returns the placing in a file that is there.
func (p placing) at(t *trial, name string) (placing, error) {
	old, err := t.read(name)
	p.file, p.entry, p.name, p.old = name, nil, "", old
	return p, err
}

// ownFile returns the file for new overlays or overrides that only this environment has: the one with a name, or
// the last one that can be changed. It returns "" if there is none.
func (t *trial) ownFile(key, name string) string {
	own := t.ownFiles(key)
	switch {
	case len(own) == 0:
		return ""
	case slices.Contains(own, name):
		return name
	}
	return own[len(own)-1]
}

// ownFiles returns the files with overlays or overrides that only this environment has, and that can be
// changed.
func (t *trial) ownFiles(key string) []string {
	return slices.DeleteFunc(t.ownItems(key), func(name string) bool {
		info, err := fs.Lstat(t.in.FS, name)
		return err != nil || !info.Mode().IsRegular() || t.isVendored(name) || !t.isWritable(name)
	})
}

// isElsewhere reports whether a folder is a link: what is written there would be in another folder,
// which may be an input of all environments, outside of the project, or git's.
func (t *trial) isElsewhere(dir string) bool {
	parent, _ := gitdir.RealIn(t.in.FS, path.Dir(dir))
	real, ok := gitdir.RealIn(t.in.FS, dir)
	return !ok || real != path.Join(parent, path.Base(dir))
}

// freeName returns the name of a file that does not exist.
func (t *trial) freeName(base string) (string, error) {
	for n := 1; ; n++ {
		name := base + ".yml"
		if n > 1 {
			name = base + "-" + strconv.Itoa(n) + ".yml"
		}
		_, err := fs.Lstat(t.in.FS, name)
		if errors.Is(err, fs.ErrNotExist) {
			t.texts[name] = nil
			return name, nil
		}
		if err != nil {
			return "", diag.Failf(project.CodePath, "'%s': %s", name, err)
		}
	}
}

// entryOf returns the path of a key of the environment in weft.yml. The error says why only its values can be
// changed.
func (t *trial) entryOf(key string) ([]tree.Step, *diag.Diagnostic) {
	if !t.isWritable(t.in.Project) {
		return nil, diag.Failf(CodeNone, "'%s' is a link, which is not written through", t.in.Project).
			WithHint("name the file itself with --project")
	}
	if t.in.Env == "" {
		return keys(key), nil
	}
	text, err := t.read(t.in.Project)
	if err != nil {
		return nil, diag.Failf(project.CodeFile, "'%s': %s", t.in.Project, err)
	}
	_, docs, err := parse(text, t.in.Project, projectSyntax)
	way := keys("environments", t.in.Env)
	if err == nil && len(docs) == 1 {
		_, ok := tree.At(docs[0], way)
		if settings, err := t.now.Environment(t.in.Env); err == nil && settings.Each == "" {
			ok = true // it is inherited, and what is added here counts for this project
		}
		if ok {
			return append(way, keys(key)...), nil
		}
	}
	return nil, diag.Failf(CodeNone, "environment '%s' has no entry of its own in %s, so it cannot get %s "+
		"that others do not get", t.in.Env, t.in.Project, key).
		WithHint("add the environment to `environments`")
}

// keys returns a path of keys.
func keys(names ...string) (way []tree.Step) {
	for _, name := range names {
		way = append(way, tree.Step{Key: name, Index: -1})
	}
	return way
}

// isInput reports whether a folder is an input of an environment, or below one.
func (t *trial) isInput(dir string) bool {
	for _, env := range t.environments() {
		s, err := t.now.Environment(env)
		if err != nil {
			continue
		}
		for _, x := range s.Inputs {
			if isBelow(dir, x.Text) || isBelow(x.Text, dir) {
				return true
			}
		}
	}
	return false
}

// isBelow reports whether a path is that of a folder, or below it.
func isBelow(name, dir string) bool {
	dir = strings.TrimSuffix(path.Clean(dir), "/")
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// isBeyond reports whether a file is outside of the directory of weft.yml: other projects may read it.
func (t *trial) isBeyond(name string) bool {
	return t.now != nil && !isBelow(name, path.Dir(t.in.Project))
}

// isWritable reports whether a file may be written: one of the project, and not through a link.
func (t *trial) isWritable(name string) bool {
	ok, known := t.writable[name]
	if !known {
		real, inside := gitdir.RealIn(t.in.FS, name)
		ok = inside && real == path.Clean(name) && isBelow(name, cmp.Or(t.in.Root, "."))
		t.writable[name] = ok
	}
	return ok
}

// ownItems returns the overlays or overrides that only this environment has, and that may change any document.
func (t *trial) ownItems(key string) (list []string) {
	count := map[string]int{}
	for _, env := range t.environments() {
		s, err := t.now.Environment(env)
		if err != nil {
			continue
		}
		add := func(name string, forAll bool) {
			count[name]++
			if forAll && env == t.in.Env {
				list = append(list, name)
			}
		}
		if key == "overrides" {
			for _, x := range s.Overrides {
				add(x.Text, x.Select == nil)
			}
			continue
		}
		for _, x := range s.Overlays {
			add(x.Text, true)
		}
	}
	return slices.DeleteFunc(list, func(name string) bool { return count[name] > 1 || t.isBeyond(name) })
}

// add adds new documents to the files of a draft.
func (t *trial) add(d draft, p placing, text string) (draft, error) {
	if p.old != nil {
		old, err := t.text(d, p.file)
		if err != nil {
			return d, err
		}
		d = d.with(p.file, edit.Append(old, following(string(old), text, p.kind), t.in.Options.Syntax()))
	} else {
		d = d.with(p.file, []byte(text))
	}
	switch {
	case t.now != nil:
	case p.read:
		return d, nil
	case p.kind == Patched:
		d.overrides = append(slices.Clip(d.overrides), p.file)
		return d, nil
	default:
		d.inputs = append(slices.Clip(d.inputs), p.file)
		return d, nil
	}
	if p.entry == nil {
		return d, nil
	}
	old, err := t.text(d, t.in.Project)
	if err != nil {
		return d, err
	}
	_, docs, err := parse(old, t.in.Project, projectSyntax)
	if err != nil {
		return d, err
	}
	list, _ := tree.At(docs[0], p.entry)
	var items []tree.Item
	if list.Kind() == tree.ArrayKind {
		items = slices.Clip(list.Entries())
	}
	v := tree.Of(tree.NewArray(append(items, tree.Item{Value: tree.String(p.name)}), list.Start()))
	now, err := setAt(old, spot{file: t.in.Project, path: p.entry, offset: -1}, &v, projectSyntax)
	if err != nil {
		return d, err
	}
	return d.with(t.in.Project, now), nil
}

func overrideFile(name string) override.Argument { return override.Argument{Text: name, File: true} }

// following returns new documents as they are written at the end of a file.
func following(old, text string, kind Kind) string {
	if kind == Patched {
		return "---\n" + text
	}
	if strings.Contains(old, loadLine) {
		text = strings.TrimPrefix(text, loadLine+"\n")
	}
	if strings.HasSuffix(old, "\n\n") || strings.HasSuffix(old, "\n\r\n") {
		text = strings.TrimPrefix(text, "\n")
	}
	return text
}
