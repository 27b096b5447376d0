package compare

import (
	"bytes"
	"context"
	"path"
	"path/filepath"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/diff"
)

// plainFile is a file that was read as data.
type plainFile struct {
	key   plainKey
	path  string // relative to the argument
	file  *source.File
	docs  []tree.Doc
	trees []*yaml.Tree // of YAML
	text  bool         // it is not YAML
	named bool         // it is an argument itself, not found in a directory
}

// readPlain reads the inputs of a configuration as data, without evaluating anything. Files in a directory
// are text unless their names say YAML or JSON; a file passed as an argument is always YAML. Files in
// kept, which may be nil, are not read again.
func readPlain(
	ctx context.Context, config *engine.Config, kept *PlainFiles,
) ([]plainFile, *source.Set, error) {
	known, set := kept.begin()
	opt := config.Loading(ctx)
	var files []plainFile
	for _, arg := range opt.Paths {
		inputs, err := opt.Find(arg)
		if err != nil {
			return nil, nil, config.Fail(ctx, set, err)
		}
		for _, in := range inputs {
			f, ok := known[plainKeyOf(in)]
			if !ok {
				if f, err = readPlainFile(set, &opt, in); err != nil {
					return nil, nil, config.Fail(ctx, set, err)
				}
			}
			files = append(files, f)
		}
	}
	errs := make([]error, len(files))
	config.Workers.Each(len(files), func(i int) {
		if files[i].docs == nil {
			if errs[i] = files[i].parse(config.Compile); errs[i] == nil {
				errs[i] = files[i].template()
			}
		}
	})
	var list diag.List
	for _, err := range errs {
		list = append(list, diag.Of(err)...)
	}
	if list != nil || ctx.Err() != nil {
		return nil, nil, config.Fail(ctx, set, list)
	}
	kept.end(files, set)
	return files, set, nil
}

func readPlainFile(set *source.Set, opt *load.Options, in load.Input) (plainFile, error) {
	data, err := opt.Bytes(in)
	if err != nil {
		return plainFile{}, err
	}
	f := plainFile{path: in.Path, named: !in.Listed(), key: plainKeyOf(in)}
	f.text = in.IsFile() && in.Listed() && !isData(in.Path)
	if f.file, err = set.AddShown(in.Path, in.Shown(), data); err != nil {
		return f, diag.Failf(load.CodeTooLarge, "%s", err)
	}
	return f, nil
}

// isData reports whether a file name is that of YAML or JSON.
func isData(name string) bool {
	switch path.Ext(name) {
	case ".yml", ".yaml", ".json":
		return true
	}
	return false
}

func (f *plainFile) parse(opt compile.Options) error {
	if f.text {
		f.docs = []tree.Doc{{Value: tree.String(string(f.file.Data())), Pos: f.file.Pos(0)}}
		return nil
	}
	u, err := compile.Plain(f.file, opt)
	if err != nil {
		return err
	}
	f.trees = u.Trees
	for _, t := range u.Trees {
		for doc := range t.Documents() {
			f.docs = append(f.docs, tree.Doc{
				Value: tree.FromSyntax(t, t.Root(doc)), Pos: t.Start(doc),
			})
		}
	}
	return nil
}

// CodeTemplate is the code of errors about a template that is compared as data.
const CodeTemplate diag.Code = "diff/template"

// template returns an error if the file is a template: its code is not evaluated here, so a
// difference in code would not be seen.
func (f *plainFile) template() error {
	for _, t := range f.trees {
		for _, c := range t.Comments() {
			if bytes.HasPrefix(t.CommentText(c), []byte("@")) {
				sides := "--a '-f A' --b '-f B'"
				if f.named {
					sides = "--a '-f x.yml=A' --b '-f x.yml=B'" // so that both sides have the same name
				}
				return diag.Errorf(t.CommentSpan(c), CodeTemplate,
					"%s is a template, but diff compares the text of arguments", f.file.Shown()).
					WithHint("compare what templates render: weft diff %s", sides)
			}
		}
	}
	return nil
}

// namingSides returns an error about a template with the two arguments in its hint.
func namingSides(ctx context.Context, err error, a, b *Side) error {
	first, second := a.Config.Loading(ctx).Paths, b.Config.Loading(ctx).Paths
	if len(first) != 1 || len(second) != 1 {
		return err
	}
	for _, d := range diag.FailureOf(err).List {
		if d.Code != CodeTemplate {
			continue
		}
		name := ""
		if strings.Contains(d.Hint, "x.yml=") { // both sides must have the same name
			name = path.Base(filepath.ToSlash(first[0])) + "="
		}
		side := func(arg string) string { return diag.InShell("-f " + diag.InShell(name+arg)) }
		d.Hint = "compare what templates render: weft diff --a " + side(first[0]) + " --b " + side(second[0])
	}
	return err
}

// Text is a file before and after a change. A nil text means that the file does not exist.
type Text struct {
	Path     string
	Old, New []byte
}

// Texts compares two versions of files. Files that are not YAML or JSON by name, or that cannot be parsed,
// are compared as text.
func Texts(texts []Text, names [2]string, opt diff.Options) (*Comparison, error) {
	c := &Comparison{options: opt}
	sides := [2]*loadedSide{}
	for i := range sides {
		s := &loadedSide{Side: diff.Side{Name: names[i], Files: &source.Set{}}}
		for _, t := range texts {
			data := [...][]byte{t.Old, t.New}[i]
			if data == nil {
				continue
			}
			f := plainFile{path: t.Path, text: !isData(t.Path)}
			var err error
			if f.file, err = s.Side.Files.AddShown(t.Path, t.Path, data); err != nil {
				return nil, &diag.Failure{List: diag.Of(diag.Failf(load.CodeTooLarge, "%s", err))}
			}
			if f.parse(compile.Options{YAML: opt.YAML}) != nil {
				f.text = true
				_ = f.parse(compile.Options{}) // text is not parsed, so this cannot fail
			}
			s.add(&f)
		}
		sides[i] = s
	}
	c.a, c.b = sides[0], sides[1]
	c.compare()
	return c, nil
}

// add adds the documents of a file. It skips documents that are null, but not empty maps and lists: `{}` and
// `[]` differ.
func (s *loadedSide) add(f *plainFile) {
	s.plain = append(s.plain, *f)
	for _, d := range f.docs {
		if f.text || !d.Value.IsNull() {
			s.Docs = append(s.Docs, diff.SideDocument{
				Value: d.Value, Pos: d.Pos, File: f.path, Text: f.text,
			})
		}
	}
}
