package compare

import (
	"context"
	"path"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// plainFile is a file that was read as data.
type plainFile struct {
	key   plainKey
	path  string // relative to what was named
	file  *source.File
	docs  []tree.Doc
	text  bool // it is not YAML
	named bool // it is an argument itself, not in a directory that is one
}

// readPlain reads the inputs of a configuration as data: nothing is evaluated. Of the files in a
// directory, those that are neither YAML nor JSON by their names are text; a file that is named
// itself is YAML. Files that are kept from before are not read again; kept may be nil.
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
			errs[i] = files[i].parse(config.Compile)
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

// isData reports whether a file holds YAML or JSON, by its name.
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
	for _, t := range u.Trees {
		for doc := range t.Documents() {
			f.docs = append(f.docs, tree.Doc{
				Value: tree.FromSyntax(t, t.Root(doc)), Pos: t.Start(doc),
			})
		}
	}
	return nil
}

// Text is a file as it was and as it is to be: nil where it is not there.
type Text struct {
	Path     string
	Old, New []byte
}

// Texts compares files in two versions. What is not YAML or JSON by its name, or cannot be
// read as that, is compared as text.
func Texts(texts []Text, names [2]string, opt diff.Options) (*Comparison, error) {
	c := &Comparison{options: opt}
	sides := [2]*sided{}
	for i := range sides {
		s := &sided{Side: diff.Side{Name: names[i], Files: &source.Set{}}}
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
				_ = f.parse(compile.Options{}) // nothing can be wrong with text
			}
			s.add(&f)
		}
		sides[i] = s
	}
	c.a, c.b = sides[0], sides[1]
	c.compare()
	return c, nil
}

// add adds the documents of a file. One that holds null is none; an empty map or list is one, since
// it is not the other.
func (s *sided) add(f *plainFile) {
	s.plain = append(s.plain, *f)
	for _, d := range f.docs {
		if f.text || !d.Value.IsNull() {
			s.Docs = append(s.Docs, diff.SideDocument{
				Value: d.Value, Pos: d.Pos, File: f.path, Text: f.text,
			})
		}
	}
}
