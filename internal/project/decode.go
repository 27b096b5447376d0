package project

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// The codes of this package's diagnostics.
const (
	CodeFile        diag.Code = "project/file"        // weft.yml is missing or cannot be read
	CodeKey         diag.Code = "project/key"         // an unknown, missing or duplicate key
	CodeValue       diag.Code = "project/value"       // a value of another kind than expected
	CodeCycle       diag.Code = "project/cycle"       // what extends itself
	CodeDepth       diag.Code = "project/depth"       // too many that extend each other
	CodePath        diag.Code = "project/path"        // a path that leads nowhere
	CodeOutside     diag.Code = "project/outside"     // a path that leads out of the project
	CodeGit         diag.Code = "project/git"         // a path that belongs to git
	CodeEnvironment diag.Code = "project/environment" // an environment that there is not, or twice
	CodeOutput      diag.Code = "project/output"      // an output that is missing, or taken
)

// maxNodes is how many nodes a project file may have once its aliases are expanded.
const maxNodes = 200_000

// syntax is how project files are read: they are always YAML 1.2.
var syntax = yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core, MaxNodes: maxNodes}

// Parse reads the YAML of a project file.
func Parse(f *source.File) (*yaml.Tree, error) { return yaml.Parse(f, syntax) }

// Decode reads a project file and checks it against the table of keys. It looks at no other file.
// The error is a diag.List.
func Decode(f *source.File) (*Node, error) {
	t, err := Parse(f)
	if err != nil {
		return nil, diag.Of(err)
	}
	if t.Len() == 0 || !t.More(t.First()) {
		return nil, empty(f)
	}
	d := decoder{tree: t}
	root := d.read(t.Root(t.First()), 0)
	switch second := t.Next(t.First()); {
	case t.More(second):
		at := t.Start(second)
		d.fail(at.To(at.Offset()+1), CodeValue, "expected one document, but found another one").
			WithHint("a project file is one mapping: remove the `---` line, or what follows it")
	case root.isNull():
		return nil, empty(f)
	case d.list == nil:
		d.check(root, topShape())
	}
	if d.list != nil {
		d.list.Sort()
		return nil, d.list
	}
	return root, nil
}

func empty(f *source.File) diag.List {
	return diag.List{diag.Errorf(f.Span(0, 0), CodeKey, "the project file is empty").
		WithHint("begin it with the edition, `weft: 2026`")}
}

// The shapes of a file, of an environment, and of a family of environments.
var (
	topShape = sync.OnceValue(func() *Shape { return record(Keys()...).requiring(keyWeft) })

	plainShape = sync.OnceValue(func() *Shape {
		return record(without(EnvironmentKeys(), keyEach)...)
	})
	familyShape = sync.OnceValue(func() *Shape {
		return record(EnvironmentKeys()...).requiring(keyEach)
	})
)

func without(keys []Key, name string) []Key {
	return slices.DeleteFunc(keys, func(k Key) bool { return k.Name == name })
}

// decoder reads the tree of one file and gathers all that is wrong with it.
type decoder struct {
	tree *yaml.Tree
	list diag.List
}

func (d *decoder) fail(at source.Span, code diag.Code, format string, args ...any) *diag.Diagnostic {
	e := diag.Errorf(at, code, format, args...)
	d.list = append(d.list, e)
	return e
}

// read makes nodes of syntax. Aliases are replaced by what they stand for; the parser has limited
// how much that may become.
func (d *decoder) read(n yaml.NodeID, depth int) *Node {
	t := d.tree
	n = t.Target(n)
	node := &Node{At: t.Span(n), Kind: t.Kind(n)}
	switch node.Kind {
	case yaml.Sequence:
		for c := range t.Items(n) {
			node.Items = append(node.Items, d.read(c, depth+1))
		}
	case yaml.Mapping:
		d.readMapping(node, n, depth)
	default:
		c := yaml.Composer{Tree: t}
		value, text := c.Scalar(n)
		node.Scalar, node.Text = value, string(text)
	}
	return node
}

func (d *decoder) readMapping(node *Node, n yaml.NodeID, depth int) {
	t := d.tree
	seen := map[string]source.Span{}
	for k, v := range t.Pairs(n) {
		key := d.read(k, depth+1)
		e := Entry{Key: key.Text, KeyAt: key.At, Value: d.read(v, depth+1)}
		switch first, again := seen[e.Key]; {
		case key.Kind != yaml.Scalar:
			d.fail(key.At, CodeKey, "expected text as a key, but found %s", key.found())
		case e.Key == "<<" && t.Style(t.Target(k)) == yaml.Plain:
			d.fail(key.At, CodeKey, "YAML 1.2 has no merge keys").
				WithHint("use `extends` to build on other environments")
		case again:
			d.fail(key.At, CodeKey, "duplicate key '%s'", diag.Shortened(e.Key)).
				WithRelated(first, "it is already here")
		default:
			seen[e.Key] = key.At
			node.Entries = append(node.Entries, e)
		}
	}
}

// check holds a value to a shape.
func (d *decoder) check(n *Node, s *Shape) {
	switch s.Kind {
	case List:
		if n.Kind != yaml.Sequence {
			d.mismatch(n, s)
			return
		}
		for _, item := range n.Items {
			d.check(item, s.Item)
		}
	case Map, AnyMap, Record, Environments:
		if n.Kind != yaml.Mapping {
			d.mismatch(n, s)
			return
		}
		d.checkMapping(n, s)
	case Either:
		d.checkEither(n, s)
	default:
		d.checkScalar(n, s)
	}
}

func (d *decoder) checkMapping(n *Node, s *Shape) {
	switch s.Kind {
	case Record:
		d.checkRecord(n, s)
	case Environments:
		for _, e := range n.Entries {
			d.checkEnvironment(e)
		}
	case Map:
		for _, e := range n.Entries {
			if e.Key == "" {
				d.fail(e.KeyAt, CodeKey, "expected a key, but found empty text")
			}
			d.check(e.Value, s.Item)
		}
	}
}

// checkEnvironment checks one environment, of which nothing at all may be said.
func (d *decoder) checkEnvironment(e Entry) {
	family := strings.Contains(e.Key, "*")
	pattern := namePattern
	if family {
		pattern = familyPattern
	}
	if !matches(pattern, e.Key) {
		d.fail(e.KeyAt, CodeKey, "'%s' is no name of an environment", diag.Shortened(e.Key)).
			WithHint("names have letters, digits, '.', '_' and '-', and begin with a letter, a " +
				"digit or '_'; one * is replaced by what the * of `each` matches")
		return
	}
	shape := plainShape()
	if family {
		shape = familyShape()
	}
	switch {
	case e.Value.isNull() && !family:
	case e.Value.isNull():
		d.fail(e.KeyAt, CodeKey, "environment '%s' needs the key 'each'", e.Key).
			WithHint("its * stands for what the * of `each` matches, such as `each: envs/*.yml`")
	case !family && e.Value.Get(keyEach) != nil:
		each := e.Value.Get(keyEach)
		d.fail(e.KeyAt, CodeKey, "environment '%s' has `each`, but no * in its name", e.Key).
			WithRelated(each.At, "each is here").
			WithHint("add a * to the name: it is replaced by what the * of `each` matches")
	default:
		d.check(e.Value, shape)
	}
}

func (d *decoder) checkRecord(n *Node, s *Shape) {
	names := namesOf(s.Keys)
	for _, e := range n.Entries {
		i := slices.Index(names, e.Key)
		if i < 0 {
			d.unknown(e, s)
			continue
		}
		d.check(e.Value, s.Keys[i].Shape)
	}
	for _, key := range s.Required {
		if n.Get(key) == nil {
			e := d.fail(source.Span{Pos: n.At.Pos}, CodeKey, "the key '%s' is missing", key)
			switch key {
			case keyWeft:
				e.WithHint("begin the file with the edition, `weft: 2026`")
			case keyEach:
				e.WithHint("a name with a * needs a pattern of files, such as `each: envs/*.yml`")
			}
		}
	}
	if s.Excluded != nil {
		first, second := n.Get(s.Excluded[0]), n.Get(s.Excluded[1])
		if first != nil && second != nil {
			d.fail(second.At, CodeKey, "'%s' and '%s' cannot be used together",
				s.Excluded[0], s.Excluded[1]).WithRelated(first.At, "the other one is here")
		}
	}
}

// unknown says that a record has no such key, and which may be meant.
func (d *decoder) unknown(e Entry, s *Shape) {
	names := namesOf(s.Keys)
	err := d.fail(e.KeyAt, CodeKey, "unknown key '%s'", diag.Shortened(e.Key))
	near := diag.Nearest(e.Key, names)
	isFlag := s.Flags
	if isFlag {
		err.Message = "a project cannot set the flag '" + diag.Shortened(e.Key) + "'"
	}
	switch {
	case isFlag && strings.HasPrefix(e.Key, "dangerous-"):
		err.WithHint("give dangerous flags on the command line")
	case isFlag && strings.HasPrefix(e.Key, "-"):
		err.WithHint("write flags without dashes: %s", strings.TrimLeft(e.Key, "-"))
	case isFlag && insteadOf[e.Key] != "":
		err.WithHint("use `%s` instead", insteadOf[e.Key])
	case isFlag && slices.Contains(CommandLineOnly, e.Key):
		err.WithHint("give it on the command line: it is up to who runs weft")
	case synonyms[e.Key] != "" && slices.Contains(names, synonyms[e.Key]):
		err.WithHint("did you mean %s?", synonyms[e.Key]).WithFix(e.Key, synonyms[e.Key])
	case near != "":
		err.WithHint("did you mean %s?", near).WithFix(e.Key, near)
	case slices.Contains(namesOf(table()), e.Key) && slices.Contains(names, keyEnvironments):
		err.WithHint("`%s` belongs in an environment", e.Key)
	case slices.Contains(namesOf(table()), e.Key) && slices.Contains(names, keyLabels):
		err.WithHint("`%s` belongs at the top of the file", e.Key)
	case slices.Contains(names, keyFlags) && slices.Contains(FlagNames(), e.Key):
		err.WithHint("`%s` is a flag: put it below `flags`", e.Key)
	default:
		err.WithHint("keys are %s", oneOf(names))
	}
}

// synonyms are what other tools call a key.
var synonyms = map[string]string{
	"edition": keyWeft, "version": keyWeft, "bases": keyExtends, "base": keyExtends,
	"include": keyExtends, "files": keyInputs, "resources": keyInputs, "templates": keyInputs,
	"file": keyInputs, "paths": keyInputs, "patches": keyOverlays, "overlay": keyOverlays,
	"valuesFiles": keyValueFiles, "dataValuesFiles": keyValueFiles, "dataValues": keyValues,
	"value": keyValues, "vars": keyValues, "envs": keyEnvironments, "env": keyEnvironments,
	"profiles": keyEnvironments, "stages": keyEnvironments, "required": keyRequire,
	"out": keyOutput, "outputs": keyOutput, "options": keyFlags, "format": keyFmt,
	"tests": keyTest, "tags": keyLabels, "ignore": keyExclude, "excludes": keyExclude,
	"fileMarks": keyMarks, "directory": "dir", "inherits": keyExtends, "parent": keyExtends,
}

// checkEither takes the alternative that is of the value's kind.
func (d *decoder) checkEither(n *Node, s *Shape) {
	for _, alternative := range s.Either {
		fits := n.Kind == yaml.Scalar && !alternative.isMap() && alternative.Kind != List ||
			n.Kind == yaml.Sequence && alternative.Kind == List ||
			n.Kind == yaml.Mapping && alternative.isMap()
		if fits && !n.isNull() {
			d.check(n, alternative)
			return
		}
	}
	d.mismatch(n, s)
}

func (d *decoder) checkScalar(n *Node, s *Shape) {
	ok := n.Kind == yaml.Scalar
	if ok {
		kind := n.Scalar.Kind
		switch s.Kind {
		case Text:
			ok = kind == yaml.String && n.Text != "" &&
				(s.Pattern == "" || matches(s.Pattern, n.Text))
		case Release:
			ok = matches(s.Pattern, n.Text)
		case Choice:
			ok = kind == yaml.String && slices.Contains(s.Choices, n.Text)
		case Bool:
			ok = kind == yaml.Bool
		case True:
			ok = n.isTrue()
		case Percent:
			ok = kind == yaml.Int && n.Scalar.Int() >= 0 && n.Scalar.Int() <= 100
		case Count:
			ok = kind == yaml.Int && n.Scalar.Int() >= 1
		case Version:
			ok = slices.Contains(s.Choices, n.Text)
		case EditionKind:
			ok = kind == yaml.Int && n.Scalar.Int() == 2026 || kind == yaml.String && n.Text == "ytt"
		}
	}
	if !ok {
		d.mismatch(n, s)
	}
}

// mismatch says that a value does not have the shape that it has to have.
func (d *decoder) mismatch(n *Node, s *Shape) {
	err := d.fail(n.At, CodeValue, "expected %s, but found %s", s.expected(), n.found())
	scalar := n.Kind == yaml.Scalar
	switch {
	case s.Kind == EditionKind && scalar && n.Scalar.Kind == yaml.String && n.Text == "2026":
		err.WithHint("remove the quotes")
	case s.Kind == EditionKind && scalar && n.Scalar.Kind == yaml.Int:
		err.WithHint("this weft knows the editions 2026 and ytt: a newer one may know more")
	case s.Kind == Text && scalar && n.Scalar.Kind != yaml.String && !n.isNull() &&
		(s.Pattern == "" || matches(s.Pattern, n.Text)):
		err.WithHint("put it in quotes: '%s'", diag.Shortened(n.Text))
	case s.Kind == Text && strings.Contains(n.Text, `\`):
		err.WithHint("write %s: paths have forward slashes on every system",
			strings.ReplaceAll(n.Text, `\`, "/"))
	case s.Kind == Choice && scalar && diag.Nearest(n.Text, s.Choices) != "":
		err.WithHint("did you mean %s?", diag.Nearest(n.Text, s.Choices))
	case s.Kind == List && scalar && !n.isNull():
		err.WithHint("write a list: [%s]", diag.Shortened(n.Text))
	case n.isNull():
		err.WithHint("remove the key, or give it a value")
	}
}

// compiled are the patterns of shapes, which are few.
var compiled sync.Map

func matches(pattern, s string) bool {
	re, ok := compiled.Load(pattern)
	if !ok {
		re, _ = compiled.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return re.(*regexp.Regexp).MatchString(s)
}
