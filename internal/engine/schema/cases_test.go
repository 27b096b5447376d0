package schema_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"weft/internal/engine/compile"
	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/testing/cases"
)

// TestCases runs recorded cases of the reference program, if WEFT_CASES names the folder that they
// are in. Those are left out that need more than a schema and simple values: overlays, several
// schema documents, libraries.
func TestCases(t *testing.T) {
	root := cases.Folder(t, "WEFT_CASES")
	for _, group := range []string{
		"own-schema", "own-schema-openapi", "own-validation", "own-validation-openapi", "own-dv", "own-dv-noschema", "filetests-validations",
		"unit-cmd-schema_author", "unit-cmd-schema_consumer", "unit-cmd-schema_inspect",
	} {
		dirs, err := filepath.Glob(filepath.Join(root, group, "*"))
		if err != nil || len(dirs) == 0 {
			t.Errorf("no cases in %s: %v", group, err)
		}
		for _, dir := range dirs {
			t.Run(group+"/"+filepath.Base(dir), func(t *testing.T) { recorded(t, dir) })
		}
	}
}

// errNotHere says that a case is for another test.
var errNotHere = errors.New("not a case of schemas alone")

func recorded(t *testing.T, dir string) {
	c, err := readCase(dir)
	if err != nil {
		t.Skip(err)
	}
	p, list := run(t, c.files)
	out := ""
	if list == nil {
		out, list = c.result(t, p)
	}
	stdout, _ := os.ReadFile(filepath.Join(dir, "stdout"))
	stderr, _ := os.ReadFile(filepath.Join(dir, "stderr"))
	if bytes.Contains(stderr, []byte("matched nodes")) {
		t.Skip(errNotHere)
	}
	_, err = os.Stat(filepath.Join(dir, "exit"))
	switch fails := err == nil; {
	case !fails && list != nil:
		t.Errorf("it fails:\n%s", p.render(list))
	case !fails && out != string(stdout):
		t.Errorf("got:\n%s\nwant:\n%s", out, stdout)
	case fails && list == nil:
		t.Errorf("it gives:\n%s\nwant:\n%s", out, stderr)
	case fails:
		got := p.render(list)
		for _, place := range places.FindAllString(string(stderr), -1) {
			if !strings.Contains(got, place+":") {
				t.Errorf("%s is not named in:\n%s\nwant:\n%s", place, got, stderr)
			}
		}
	}
}

// places are the file:line that a message names.
var places = regexp.MustCompile(`[\w/.-]+\.ya?ml:\d+|\([a-z-]+ arg\):\d+`)

// recordedCase is a case whose command line is understood.
type recordedCase struct {
	files   []load.Memory
	flags   []flagValue
	inspect bool
	openAPI bool
}

// flagValue is a flag that sets values.
type flagValue struct{ flag, text string }

// skipped are words in files that need more than this package.
var skipped = regexp.MustCompile(
	`#@\s*overlay/|library|#@data/values-schema[^§]*#@data/values-schema`,
)

func readCase(dir string) (*recordedCase, error) {
	cmd, err := os.ReadFile(filepath.Join(dir, "cmd"))
	if err != nil {
		return nil, err
	}
	args := words(string(cmd))
	c := &recordedCase{}
	for i := 0; i < len(args); i++ {
		next := func() string { i++; return args[min(i, len(args)-1)] }
		switch flag := args[i]; flag {
		case "-f":
			name, path, ok := strings.Cut(next(), "=")
			if !ok {
				path = name
			}
			if err := c.read(dir, name, path); err != nil {
				return nil, err
			}
		case "-v", "--data-value", "--data-value-yaml", "--data-values-file":
			text := next()
			if flag == "--data-values-file" {
				data, err := os.ReadFile(filepath.Join(dir, "in", text))
				if err != nil {
					return nil, err
				}
				text += "\x00" + string(data)
			}
			c.flags = append(c.flags, flagValue{flag, text})
		case "--data-values-inspect":
			c.inspect = true
		case "--data-values-schema-inspect":
		case "-o":
			if next() != "openapi-v3" || c.openAPI {
				return nil, errNotHere
			}
			c.openAPI = true
		default:
			return nil, errNotHere
		}
	}
	if c.openAPI && !slices.Contains(args, "--data-values-schema-inspect") ||
		!c.openAPI && slices.Contains(args, "--data-values-schema-inspect") {
		return nil, errNotHere
	}
	// The order of precedence.
	order := []string{"--data-values-file", "-v", "--data-value", "--data-value-yaml"}
	slices.SortStableFunc(
		c.flags,
		func(a, b flagValue) int { return slices.Index(order, a.flag) - slices.Index(order, b.flag) },
	)
	return c, nil
}

func (c *recordedCase) read(dir, name, path string) error {
	root := filepath.Join(dir, "in", path)
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if skipped.Match(data) {
			return errNotHere
		}
		rel := name
		if p != root {
			rel, _ = filepath.Rel(root, p)
		}
		c.files = append(c.files, load.Memory{Path: filepath.ToSlash(rel), Data: data})
		return nil
	})
}

// words splits a command line as a shell does, as far as the cases need it.
func words(s string) []string {
	var out []string
	word, quoted, in := "", false, false
	for _, r := range strings.TrimSpace(s) {
		switch {
		case r == '\'':
			quoted, in = !quoted, true
		case (r == ' ' || r == '\n') && !quoted:
			if in {
				out = append(out, word)
			}
			word, in = "", false
		default:
			word, in = word+string(r), true
		}
	}
	if in {
		out = append(out, word)
	}
	return out
}

// result is what the case prints.
func (c *recordedCase) result(t *testing.T, p *program) (string, diag.List) {
	documents := p.values
	for _, f := range c.flags {
		docs, err := p.flag(f)
		if err != nil {
			t.Skip(err)
		}
		documents = append(documents, docs...)
	}
	typ, list := p.typ()
	if list.Failed() {
		return "", list
	}
	if c.openAPI {
		return print(typ.OpenAPI()), nil
	}
	var told diag.List
	doc, list := p.resolve(typ, documents, &told)
	if list != nil {
		return "", list
	}
	if c.inspect {
		return print(doc.Value), nil
	}
	res, err := eval.Files(
		t.Context(),
		p.scope,
		p.scope.With(compile.ForOutput),
		eval.Options{Values: doc.Value},
	)
	if err != nil {
		return "", diag.Of(err)
	}
	var all []tree.Doc
	for _, o := range res.Outputs {
		all = append(all, o.Docs...)
	}
	var b bytes.Buffer
	_, _ = emit.YAML(&b, all, 0)
	return b.String(), nil
}

// flag is the documents that a flag gives.
func (p *program) flag(f flagValue) ([]tree.Doc, error) {
	parse := func(name, text string) ([]tree.Doc, error) {
		file, err := p.files.Add(name, []byte(text))
		if err != nil {
			return nil, err
		}
		u, err := compile.Plain(file, compile.Options{})
		if err != nil {
			return nil, err
		}
		var docs []tree.Doc
		for doc := range u.Tree.Documents() {
			if v := tree.FromSyntax(u.Tree, u.Tree.Root(doc)); !v.IsNull() {
				docs = append(docs, tree.Doc{Value: v, Pos: u.Tree.Start(doc)})
			}
		}
		return docs, nil
	}
	if f.flag == "--data-values-file" {
		name, text, _ := strings.Cut(f.text, "\x00")
		return parse(name, text)
	}
	key, text, ok := strings.Cut(f.text, "=")
	if !ok || strings.Contains(key, "@") {
		return nil, errNotHere
	}
	name := "data-value"
	v := tree.String(text)
	if f.flag == "--data-value-yaml" {
		name = f.flag[2:]
		docs, err := parse("", text)
		if err != nil {
			return nil, errNotHere
		}
		v = tree.Null
		if len(docs) > 0 {
			v = docs[0].Value
		}
	}
	file, err := p.files.Add("("+name+" arg)", []byte(f.text))
	if err != nil {
		return nil, err
	}
	parts := strings.Split(key, ".")
	slices.Reverse(parts)
	for _, part := range parts {
		v = tree.Of(
			tree.NewMap(
				[]tree.Item{{Key: tree.String(part), Value: v, Pos: file.Pos(0)}},
				source.Pos{},
			),
		)
	}
	return []tree.Doc{{Value: v, Pos: file.Pos(0)}}, nil
}
