package values

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// CodeFlag is the code of errors about an invalid flag.
const CodeFlag diag.Code = "values/flag"

// Flags are the data values of the command line, each kind in the order given. The kinds are listed
// from the weakest to the strongest.
type Flags struct {
	Project *ProjectValues // values that a project sets, weaker than all flags; may be nil

	Files []string      // --data-values-file: plain YAML at a path
	Texts []load.Memory // like Files, as text from the caller
	// --data-values-env: the environment variables that begin with a prefix, as strings
	Env     []string
	EnvYAML []string // --data-values-env-yaml: like Env, as YAML
	KV      []string // --data-value: key=string
	KVYAML  []string // --data-value-yaml: key=YAML
	KVFile  []string // --data-value-file: key=path of a file whose content is the value

	// --data-values-json-schema: paths of JSON Schemas that the final data values must fit
	JSONSchemas []string
}

// Environment is what the flags depend on.
type Environment struct {
	Files *source.Set
	Vars  []string // KEY=VALUE, as os.Environ returns them
	// Allowed are prefixes of Vars that a project may read; see Flags.Allowed.
	Allowed []string
	// the YAML files at a path of --data-values-file
	Read     func(path string) ([]load.Input, error)
	ReadFile func(path string) (string, error) // the content of the file of --data-value-file
	YAML     yaml.Options
	Strict   bool

	// Typed means that the texts of --data-value and of variables are read by the types that the
	// schema declares; otherwise they are always strings.
	Typed bool

	Warn func(*diag.Diagnostic) // called for flags without an effect; may be nil

	FileFlag string // the flag of Flags.Files, if it is not --data-values-file

	Project []*ProjectFile // the files that the places in Flags.Project refer to

	shown map[string]int // how many arguments are shown under a name: see argument
}

// FlagDocument is a document of data values from outside of the templates, and the library that it
// is for.
type FlagDocument struct {
	tree.Doc
	By    tree.Setter // its source: a file, a variable or a flag
	Ref   Ref         // the library; empty for the run itself
	At    source.Span // where the library is named, or the document begins
	Level int         // the level of the project's layer that it comes from: see Required
}

// Documents converts the flags to documents, in the order in which they are merged. The error is a
// diag.List.
func (f Flags) Documents(env Environment) ([]FlagDocument, error) {
	env.shown = map[string]int{}
	var docs []FlagDocument
	var list diag.List
	add := func(more []FlagDocument, err error) {
		docs = append(docs, more...)
		list = append(list, diag.Of(err)...)
	}
	if f.Project != nil {
		add(env.project(f.Project))
	}
	below := len(docs)
	for _, arg := range f.Files {
		add(env.file(arg))
	}
	for _, m := range f.Texts {
		add(env.text(m))
	}
	for _, arg := range f.Env {
		add(env.environment(arg, "data-values-env", false))
	}
	for _, arg := range f.EnvYAML {
		add(env.environment(arg, "data-values-env-yaml", true))
	}
	for _, arg := range f.KV {
		add(env.keyValue(arg, "data-value", false))
	}
	for _, arg := range f.KVYAML {
		add(env.keyValue(arg, "data-value-yaml", true))
	}
	for _, arg := range f.KVFile {
		add(env.keyFile(arg))
	}
	if list != nil {
		return nil, list
	}
	for i := below; i < len(docs); i++ {
		docs[i].Level = outside
	}
	return docs, nil
}

// argument is the value of a flag or of an environment variable, with its name in templates and in
// messages.
type argument struct {
	env       *Environment
	name      string
	valueName string // the name of its value, if that is YAML
	shown     string
}

// flag returns the argument of a flag, named in messages as the user wrote it. If two look the same,
// they are numbered.
func (env *Environment) flag(flag, arg string) argument {
	shown := "--" + flag
	if flag == "data-values-file" && env.FileFlag != "" {
		shown = env.FileFlag
	}
	shown += " " + shortArgument(arg)
	if env.shown[shown]++; env.shown[shown] > 1 {
		shown += " #" + strconv.Itoa(env.shown[shown])
	}
	name := "(" + flag + " arg)"
	return argument{env, name, name, shown}
}

// variable returns the environment variable that a flag reads.
func (env *Environment) variable(flag, arg, name string) argument {
	from := "(" + flag + " arg)"
	return argument{env, from + " " + arg, from, "$" + name}
}

// maxArgument is the maximum length of an argument in its name in messages, which also show the
// wrong line.
const maxArgument = 60

// shortArgument returns the first line of an argument, cut if it is long.
func shortArgument(arg string) string {
	line, _, more := strings.Cut(arg, "\n")
	line = strings.TrimSuffix(line, "\r")
	if n := maxArgument; len(line) > n {
		for !utf8.RuneStart(line[n]) {
			n--
		}
		line, more = line[:n], true
	}
	switch {
	case more:
		line += "..."
	case line == "":
		line = "''"
	}
	return line
}

// file registers text of the argument as a file, so that messages can show it.
func (a argument) file(text string) (*source.File, error) {
	f, err := a.env.Files.AddArgument(a.name, a.shown, []byte(text))
	if err != nil {
		return nil, diag.Errorf(source.Span{}, CodeFlag, "%s", err)
	}
	return f, nil
}

// keyValue reads `key=value`.
func (env *Environment) keyValue(arg, flag string, isYAML bool) ([]FlagDocument, error) {
	from := env.flag(flag, arg)
	f, err := from.file(arg)
	if err != nil {
		return nil, err
	}
	key, value, ok := cutKey(arg)
	if !ok {
		return nil, noEquals(f, arg).WithHint("%s", equalsHint(arg))
	}
	if err := env.spaced(key, value, f); err != nil {
		return nil, err
	}
	ref, path, err := splitRef(key, f)
	if err != nil {
		return nil, err
	}
	v, notes := tree.String(value), stringNotes
	if env.Typed {
		notes = typedNotes
	}
	if isYAML {
		if v, err = from.yamlValue(value); err != nil {
			return nil, err
		}
		notes = replaceNotes
	}
	return []FlagDocument{env.document(ref, path, v, notes, f)}, nil
}

// cutKey splits at the first `=`.
func cutKey(arg string) (key, value string, ok bool) { return strings.Cut(arg, "=") }

func noEquals(f *source.File, arg string) *diag.Diagnostic {
	return diag.Errorf(f.Span(0, len(arg)), CodeFlag, "expected format key=value")
}

// emptyHint is the hint for an argument without a key, which people rarely write by hand.
const emptyHint = "the argument is empty: check that the shell variable is set"

// equalsHint returns how to write a value, for an argument that has no `=`.
func equalsHint(arg string) string {
	if arg == "" {
		return emptyHint
	}
	library := strings.HasPrefix(arg, "@")
	if library && !strings.Contains(arg, ":") {
		return "write " + arg + ":KEY=VALUE to set a value of a library"
	}
	if key, value, ok := strings.Cut(arg, ": "); ok && !library && !strings.Contains(key, " ") {
		return "write = instead of the colon: " + diag.InShell(key+"="+strings.TrimSpace(value))
	}
	if key, value, ok := strings.Cut(arg, ":"); ok && !library && key != "" && value != "" {
		return "write = instead of the colon: " + diag.InShell(key+"="+value)
	}
	return "write " + arg + "=VALUE"
}

// fileHint returns how to name a file, for an argument that has no `=`.
func fileHint(arg string) string {
	switch {
	case arg == "":
		return emptyHint
	case isValuesFile(arg):
		return fmt.Sprintf("a file that has many values is given with --data-values-file %s; to "+
			"set one value to the text of the file, write KEY=%[1]s", diag.InShell(arg))
	case strings.ContainsAny(arg, `./\`):
		return "write KEY=" + arg + ", with the value that the text of the file is for"
	}
	return "write " + arg + "=PATH"
}

// isValuesFile reports whether a path looks like that of a file with values.
func isValuesFile(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yml", ".yaml", ".json":
		return true
	}
	return false
}

// keyFile reads `key=path`.
func (env *Environment) keyFile(arg string) ([]FlagDocument, error) {
	from := env.flag("data-value-file", arg)
	from.name += " " + arg
	f, err := from.file(arg)
	if err != nil {
		return nil, err
	}
	key, path, ok := cutKey(arg)
	if !ok {
		return nil, noEquals(f, arg).WithHint("%s", fileHint(arg))
	}
	ref, keys, err := splitRef(key, f)
	if err != nil {
		return nil, err
	}
	text, err := env.ReadFile(path)
	if err != nil {
		return nil, placed(err, f.Span(len(arg)-len(path), len(arg)))
	}
	return []FlagDocument{env.document(ref, keys, tree.String(text), replaceNotes, f)}, nil
}

// placed returns the errors about a file that a flag names: errors without a place in the file are
// shown at the flag.
func placed(err error, flag source.Span) diag.List {
	list := diag.Of(err)
	for _, d := range list {
		if !d.At.IsValid() {
			d.At = flag
		}
	}
	return list
}

// environment reads the variables that begin with a prefix. The rest of a name is a path whose keys
// are separated by two underscores.
func (env *Environment) environment(arg, flag string, isYAML bool) ([]FlagDocument, error) {
	f, err := env.flag(flag, arg).file(arg)
	if err != nil {
		return nil, err
	}
	ref, prefix := Ref{}, arg
	if strings.HasPrefix(arg, "@") {
		lib, rest, ok := strings.Cut(arg, ":")
		if !ok {
			return nil, diag.Errorf(f.Span(0, len(arg)), CodeFlag,
				"expected the prefix of the variables after the library, as in @lib:PREFIX")
		}
		if ref, err = ParseRef(lib); err != nil {
			return nil, diag.Errorf(f.Span(0, len(lib)), CodeFlag, "%s", err)
		}
		prefix = rest
	}
	return env.variables(f.Span(len(arg)-len(prefix), len(arg)), ref, prefix, flag, isYAML)
}

// variables reads the variables that begin with a prefix, which is named at a place.
func (env *Environment) variables(
	at source.Span, ref Ref, prefix, flag string, isYAML bool,
) ([]FlagDocument, error) {
	arg := prefix
	if len(ref) > 0 {
		arg = ref.String() + ":" + prefix
	}
	var docs []FlagDocument
	var names []string
	for _, kv := range slices.Sorted(slices.Values(env.Vars)) {
		name, value, _ := strings.Cut(kv, "=")
		rest, ok := strings.CutPrefix(name, prefix+"_")
		if !ok {
			names = append(names, name)
			continue
		}
		from := env.variable(flag, arg, name)
		text, err := from.file(kv)
		if err != nil {
			return nil, err
		}
		v, notes := tree.String(value), envNotes
		if env.Typed {
			notes = typedEnvNotes
		}
		if isYAML {
			if v, err = from.yamlValue(value); err != nil {
				return nil, err
			}
			notes = replaceNotes
		}
		doc := env.document(ref, splitVariable(name, len(name)-len(rest)), v, notes, text)
		doc.By = tree.ByVariable
		docs = append(docs, doc)
	}
	if docs == nil {
		env.warnPrefix(at, prefix, names)
	}
	return docs, nil
}

// CodePrefix is the code of a warning that no variable has a prefix.
const CodePrefix diag.Code = "values/env-prefix"

// warnPrefix warns about a prefix that no variable has, if another was probably meant: otherwise it
// is not a mistake.
func (env *Environment) warnPrefix(at source.Span, prefix string, names []string) {
	if env.Warn == nil || prefix == "" {
		return
	}
	without := strings.TrimRight(prefix, "_")
	other := slices.IndexFunc(names, func(name string) bool {
		return len(name) > len(prefix) && name[len(prefix)] == '_' &&
			strings.EqualFold(name[:len(prefix)], prefix)
	})
	d := diag.Warningf(at, CodePrefix, "no environment variable begins with %s_", prefix)
	switch {
	case without != prefix:
		env.Warn(
			d.WithHint(
				"write the prefix without the underscore that follows it: `%s` reads %s_name as name",
				without,
				without,
			),
		)
	case other >= 0:
		env.Warn(d.WithHint("prefixes are case-sensitive: write `%s`", names[other][:len(prefix)]))
	}
}

// yamlValue parses a YAML value: its first document. An empty text is null.
func (a argument) yamlValue(text string) (tree.Value, error) {
	a.name = a.valueName
	f, err := a.file(text)
	if err != nil {
		return tree.Value{}, err
	}
	t, err := yaml.Parse(f, a.env.YAML)
	if err != nil {
		return tree.Value{}, err
	}
	if list := t.Check(a.env.Strict); list != nil {
		return tree.Value{}, list
	}
	if t.Len() == 0 {
		return tree.Null, nil
	}
	return tree.FromSyntax(t, t.Root(t.First())).WithoutLiterals(), nil
}

// document returns a document with one value at a path. Missing keys of the path are added; the
// value replaces any old one.
func (env *Environment) document(
	ref Ref,
	path []piece,
	v tree.Value,
	notes *tree.Annotations,
	at *source.File,
) FlagDocument {
	for i := len(path) - 1; i >= 0; i-- {
		pos := at.Pos(path[i].off)
		item := tree.Item{Key: tree.String(path[i].key), Value: v, Pos: pos, Annotations: notes}
		v = tree.Of(tree.NewMap([]tree.Item{item}, pos))
		notes = missingNotes
	}
	return FlagDocument{
		Doc: tree.Doc{Value: v, Pos: at.Pos(0)},
		By:  tree.ByFlag,
		Ref: ref,
		At:  at.Span(0, len(ref.String())),
	}
}

// The annotations that make documents of flags overlays.
var (
	missingNotes = (*tree.Annotations)(nil).With(matchMissing)
	replaceNotes = missingNotes.With(
		tree.Annotation{
			Name:   "overlay/replace",
			Kwargs: []starlark.Tuple{{starlark.String("or_add"), starlark.True}},
		},
	)
	// Copies of replaceNotes for flags that always set strings: --data-value and --data-values-env.
	stringNotes, envNotes = clone(replaceNotes), clone(replaceNotes)
	// Copies of replaceNotes for texts that are read by the type of the schema: see
	// Environment.Typed.
	typedNotes, typedEnvNotes = clone(replaceNotes), clone(replaceNotes)
	// A copy of missingNotes for documents: see opened.
	openNotes = clone(missingNotes)
	// replaceDocument is for a document that is not a map.
	replaceDocument = (*tree.Annotations)(nil).With(tree.Annotation{Name: "overlay/replace"})

	matchMissing = tree.Annotation{
		Name:   "overlay/match",
		Kwargs: []starlark.Tuple{{starlark.String("missing_ok"), starlark.True}},
	}
)

// file reads the documents of --data-values-file.
func (env *Environment) file(arg string) ([]FlagDocument, error) {
	f, err := env.flag("data-values-file", arg).file(arg)
	if err != nil {
		return nil, err
	}
	ref, path := Ref{}, arg
	if strings.HasPrefix(arg, "@") {
		lib, rest, ok := strings.Cut(arg, ":")
		if !ok {
			return nil, diag.Errorf(f.Span(0, len(arg)), CodeFlag,
				"expected a path after the library, as in @lib:PATH")
		}
		if ref, err = ParseRef(lib); err != nil {
			return nil, diag.Errorf(f.Span(0, len(lib)), CodeFlag, "%s", err)
		}
		path = rest
	}
	return env.files(path, ref, f.Span(len(arg)-len(path), len(arg)))
}

// files reads the documents at a path, which is named at a place.
func (env *Environment) files(path string, ref Ref, at source.Span) ([]FlagDocument, error) {
	inputs, err := env.Read(path)
	if err != nil {
		return nil, placed(err, at)
	}
	var docs []FlagDocument
	var list diag.List
	for _, in := range inputs {
		more, err := env.plainFile(in, ref)
		docs = append(docs, more...)
		list = append(list, diag.Of(err)...)
	}
	if list != nil {
		return nil, list
	}
	return docs, nil
}

// text reads the documents of a text.
func (env *Environment) text(m load.Memory) ([]FlagDocument, error) {
	f, err := env.Files.AddShown(m.Path, m.Path, bytes.Clone(m.Data))
	if err != nil {
		return nil, diag.Failf(CodeFile, "%s", err)
	}
	return env.plainFile(load.Input{File: f, Path: m.Path}, Ref{})
}

// CodeFile is the code of a file of data values that has annotations.
const CodeFile diag.Code = "values/file"

// plainFile reads the documents of one file, for the library ref.
func (env *Environment) plainFile(in load.Input, ref Ref) ([]FlagDocument, error) {
	t, err := yaml.Parse(in.File, env.YAML)
	if err != nil || t.Check(env.Strict) != nil {
		return nil, yaml.Errors(in.File, env.YAML, env.Strict)
	}
	for _, c := range t.Comments() {
		if bytes.HasPrefix(t.CommentText(c), []byte("@")) {
			return nil, diag.Errorf(t.CommentSpan(c), CodeFile, "checking data values file '%s': "+
				"expected to be plain YAML, having no annotations", in.Shown()).
				WithHint("remove comments starting with `#@`, or pass the file with -f and annotate " +
					"its documents with #@data/values")
		}
	}
	var docs []FlagDocument
	for doc := range t.Documents() {
		v := tree.FromSyntax(t, t.Root(doc))
		if v.IsNull() {
			continue
		}
		at := t.Start(doc)
		docs = append(
			docs,
			FlagDocument{
				Doc: PlainDocument(v, at), By: tree.ByFile, Ref: ref, At: at.To(at.Offset() + 1),
			},
		)
	}
	return docs, nil
}

// PlainDocument returns v as an overlay that needs no annotations: its maps are merged, and
// everything else is replaced.
func PlainDocument(v tree.Value, pos source.Pos) tree.Doc {
	d := tree.Doc{Value: plain(v), Pos: pos}
	if _, ok := v.Map(); !ok {
		d.Annotations = replaceDocument
	}
	return d
}

func plain(v tree.Value) tree.Value {
	m, ok := v.Map()
	if !ok {
		return v
	}
	items := slices.Clone(m.Entries())
	for i := range items {
		it := &items[i]
		if inner, ok := it.Value.Map(); ok && len(inner.Entries()) > 0 {
			it.Value, it.Annotations = plain(it.Value), missingNotes
		} else {
			it.Annotations = replaceNotes
		}
	}
	return tree.Of(tree.NewMap(items, m.Pos))
}

// splitRef splits `@lib@child:a.b` into the library and the path of the key. A dot in a key is
// written `\.`.
func splitRef(key string, f *source.File) (Ref, []piece, error) {
	ref, off := Ref{}, 0
	switch lib, rest, ok := strings.Cut(key, ":"); {
	case ok && strings.HasPrefix(key, "@"):
		var err error
		if ref, err = ParseRef(lib); err != nil {
			return ref, nil, diag.Errorf(f.Span(0, len(lib)), CodeFlag, "%s", err)
		}
		off = len(key) - len(rest)
	case ok:
		return ref, nil, diag.Errorf(f.Span(0, len(key)), CodeFlag,
			"expected at most one library-key separator ':' in '%s'", key).
			WithHint("write a leading @ before the library: @lib:key=value")
	}
	return ref, splitKey(key, off), nil
}

// piece is one key of a path, and where it begins in the text of the path.
type piece struct {
	key string
	off int
}

// splitKey splits key from off on at dots, except those after a backslash. It is the reverse of
// KeyPath.
func splitKey(key string, off int) []piece {
	var pieces []piece
	var text strings.Builder
	end := func(next int) {
		pieces = append(pieces, piece{text.String(), off})
		text.Reset()
		off = next
	}
	for i := off; i < len(key); i++ {
		switch {
		case key[i] == '\\' && i+1 < len(key) && (key[i+1] == '.' || key[i+1] == '\\'):
			i++
			text.WriteByte(key[i])
		case key[i] == '.':
			end(i + 1)
		default:
			text.WriteByte(key[i])
		}
	}
	end(len(key))
	return pieces
}

// KeyPath returns the path of a data value as a flag takes it: `a.b`, with a backslash before a dot
// that is part of a key.
func KeyPath(path []tree.Value) string {
	escape := strings.NewReplacer(`\`, `\\`, `.`, `\.`)
	pieces := make([]string, len(path))
	for i, key := range path {
		s, ok := starlark.AsString(key.Starlark())
		if !ok {
			s = key.Starlark().String()
		}
		pieces[i] = escape.Replace(s)
	}
	return strings.Join(pieces, ".")
}

// splitVariable splits the name of a variable from off on at two underscores.
func splitVariable(name string, off int) []piece {
	var pieces []piece
	for _, key := range strings.Split(name[off:], "__") {
		pieces = append(pieces, piece{key, off})
		off += len(key) + len("__")
	}
	return pieces
}
