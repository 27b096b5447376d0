package suggest

import (
	"cmp"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// target reads the edited documents.
func (s *search) target() error {
	s.files = &source.Set{}
	s.edited = s.docs
	if s.in.Edited != nil {
		s.edited = nil
		chosen, err := s.chosen()
		if err != nil {
			return err
		}
		for i, d := range s.docs {
			if !chosen[i] {
				s.edited = append(s.edited, d)
			}
		}
		kept := len(s.edited)
		for _, f := range s.in.Edited {
			if err := s.readEdited(f); err != nil {
				return &diag.Failure{Files: s.files, List: diag.Of(err)}
			}
		}
		if len(s.edited) == kept && len(s.docs) > kept {
			// More likely than the wish to remove everything: the command that should write it failed.
			return diag.Failf(CodeSet, "the edited output has no documents").WithHint("%s", s.hintForNone())
		}
		if s.in.Live != NotLive {
			if err := s.live(s.edited); err != nil {
				return err
			}
		}
	}
	for _, text := range s.in.Set {
		if err := s.set(text); err != nil {
			return &diag.Failure{Files: s.files, List: diag.Of(err)}
		}
	}
	for _, x := range s.in.At {
		if err := s.setAt(x); err != nil {
			return &diag.Failure{Files: s.files, List: diag.Of(err)}
		}
	}
	return nil
}

// hintForNone returns how to get documents to edit.
func (s *search) hintForNone() string {
	switch {
	case s.in.Live != NotLive:
		return "`kubectl get -o yaml` prints objects; does the command before the pipe fail?"
	case s.in.Env != "":
		return "write it with `weft render " + s.in.Env + "`, and edit what it prints"
	}
	return "render to a file with the same flags, and edit what weft prints"
}

// setAt sets the value at a path of a document.
func (s *search) setAt(x SetAt) error {
	v, err := s.readValue("the value", x.Value)
	if err != nil {
		return err
	}
	if x.Document < 0 || x.Document >= len(s.edited) {
		return diag.Failf(CodeSet, "the output has no document %d", x.Document+1)
	}
	s.edited = append([]tree.Doc(nil), s.edited...)
	d := &s.edited[x.Document]
	old, _ := tree.At(d.Value, x.Path.Steps())
	v = inPlaceOf(old, v)
	d.Value = with(d.Value, x.Path.Steps(), &v)
	return nil
}

// inPlaceOf returns a value as it is meant in place of another: a number, true or false in place of a string is
// a string, unless a tag says what it is.
func inPlaceOf(old, v tree.Value) tree.Value {
	t, n, ok := v.Syntax()
	if !ok || t.Kind(n) != yaml.Scalar || t.HasTag(n) || old.Kind() != tree.ScalarKind {
		return v
	}
	was, _ := old.Scalar()
	if val, _ := v.Scalar(); was.Kind == yaml.String && val.Kind != yaml.String && val.Kind != yaml.Null {
		return tree.String(v.Written())
	}
	return v
}

// chosen returns which of the printed documents can be edited.
func (s *search) chosen() ([]bool, error) {
	list, err := selector.ParseAll("DOCUMENT", s.in.Select)
	if err != nil {
		return nil, err
	}
	docs := selector.Of(s.docs, s.res.Files)
	if err := selector.Unused("DOCUMENT", list, docs); err != nil {
		return nil, err
	}
	return selector.Any(list, docs), nil
}

// readEdited reads the documents of a file. Nothing in it is evaluated.
func (s *search) readEdited(file File) error {
	f, err := s.files.Add(file.Path, file.Data)
	if err != nil {
		return err
	}
	u, err := compile.Plain(f, compile.Options{YAML: s.syntax()})
	if err != nil {
		return err
	}
	for _, t := range u.Trees {
		for doc := range t.Documents() {
			if v := tree.FromSyntax(t, t.Root(doc)); !v.Empty() {
				s.edited = append(s.edited, tree.Doc{Value: v, Pos: t.Start(doc)})
			}
		}
	}
	return nil
}

// set makes one change: DOCUMENT:PATH=VALUE, DOCUMENT:PATH[+]=VALUE for a new item at the end of a list, or
// DOCUMENT:PATH- to remove what is there.
func (s *search) set(text string) error {
	object, rest, ok := strings.Cut(text, ":")
	var way, value string
	var op operation
	if ok {
		i := path.Index(rest, '=')
		if ok = i < len(rest); ok {
			way, value = rest[:i], rest[i+1:]
		} else if way, ok = strings.CutSuffix(rest, "-"); ok {
			op = removes
		}
		if list, is := strings.CutSuffix(way, "[+]"); is && op != removes {
			way, op = list, adds
		}
	}
	if !ok || object == "" || way == "" {
		return diag.Failf(CodeSet, "expected DOCUMENT:PATH=VALUE, but found '%s'", diag.Shortened(text)).
			WithHint("write --set Deployment/web:spec.replicas=5; PATH[+]=VALUE adds an item, PATH- removes")
	}
	sel, err := selector.Parse("--set", object)
	if err != nil {
		return err
	}
	pattern, err := path.Parse("--set", way)
	if err != nil {
		return err
	}
	v, err := s.readValue("--set", value)
	if err != nil {
		return err
	}
	return s.setIn(sel, pattern, way, v, op)
}

// operation is what a change does with the place that it names.
type operation int

const (
	sets    operation = iota
	adds              // an item at the end of the list there
	removes           // what is there
)

// on returns what is at a place after the operation: nil for nothing.
func (op operation) on(old, v tree.Value) *tree.Value {
	switch {
	case op == removes:
		return nil
	case op == adds:
		v = tree.Of(tree.NewArray(append(slices.Clone(old.Entries()), tree.Item{Value: v}), old.Start()))
	default:
		v = inPlaceOf(old, v)
	}
	return &v
}

// readValue reads a value in YAML. name is what messages call it.
func (s *search) readValue(name, text string) (v tree.Value, err error) {
	f, err := s.files.AddArgument(name, name, []byte(text))
	if err != nil {
		return v, err
	}
	u, err := compile.Plain(f, compile.Options{YAML: s.syntax()})
	if err != nil {
		return v, err
	}
	for _, t := range u.Trees {
		for doc := range t.Documents() {
			v = tree.FromSyntax(t, t.Root(doc))
		}
	}
	return v, nil
}

// setIn changes a value in the documents that are selected.
func (s *search) setIn(
	sel selector.Selector, pattern path.Pattern, way string, v tree.Value, op operation,
) error {
	docs := selector.Of(s.docs, s.res.Files)
	if err := selector.Unused("--set", []selector.Selector{sel}, docs); err != nil {
		x := *diag.Of(err)[0]
		x.Code = CodeSet // a mistake in the change, and not in the project
		return &x
	}
	now := append([]tree.Doc(nil), s.edited...)
	found := false
	var near path.Near
	for i, chosen := range sel.Select(docs) {
		if !chosen {
			continue
		}
		hits := pattern.Find(now[i].Value)
		for _, hit := range slices.Backward(hits) { // what is removed moves what follows
			if op == adds && hit.Value.Kind() != tree.ArrayKind {
				return diag.Failf(CodeSet, "'%s' of '%s' is no list", hit.Path, sel)
			}
			now[i].Value = with(now[i].Value, hit.Path.Steps(), op.on(hit.Value, v))
		}
		if len(hits) == 0 {
			n := pattern.Near(now[i].Value)
			if added := newKeys(pattern, way, &n); added != nil && op != removes {
				now[i].Value = with(now[i].Value, append(path.Of(n.Way).Steps(), added...), op.on(tree.Value{}, v))
				hits = append(hits, path.Found{})
			} else if near.Next == nil || n.Better(&near) {
				near = n
			}
		}
		found = found || len(hits) > 0
	}
	if !found {
		d := diag.Failf(CodeSet, "nothing in '%s' is at '%s'", sel, diag.Shortened(way))
		if quoted := inQuotes(way); quoted != "" {
			return d.WithHint("put a key with dots in quotes: %s", diag.Shortened(quoted))
		}
		hint := cmp.Or(near.Hint(), "weft render shows what there is")
		if near.Value.Kind() == tree.ArrayKind {
			hint += "; PATH[+]=VALUE adds an item"
		}
		return d.WithHint("%s", hint)
	}
	s.edited = now
	return nil
}

// newKeys returns the keys at the end of a path that a map does not have: one, or several if no other key was
// probably meant. It returns nil if they cannot be added.
func newKeys(pattern path.Pattern, way string, n *path.Near) []tree.Step {
	exact, ok := path.Read(way)
	switch {
	case n.Value.Kind() != tree.MapKind:
		return nil
	case !ok && len(n.Taken)+1 == len(pattern):
		return keys(pattern.Sought())
	case !ok || len(exact) != len(pattern):
		return nil
	}
	added := exact[len(n.Taken):]
	isKey := func(s path.Segment) bool { return s.Kind == path.Key }
	if len(added) > 1 && (n.Nearest != "" || inQuotes(way) != "" ||
		slices.ContainsFunc(added, func(s path.Segment) bool { return !isKey(s) })) {
		return nil
	}
	return added.Steps()
}

// mapsOfTexts are keys of Kubernetes whose values are maps of texts. Keys of those often have dots.
var mapsOfTexts = []string{
	"annotations", "binaryData", "data", "labels", "matchLabels", "nodeSelector", "stringData",
}

// inQuotes returns a path with its last keys as one key with dots, if that is what must have been meant:
// a map of texts has no maps in it.
func inQuotes(way string) string {
	exact, ok := path.Read(way)
	at := slices.IndexFunc(exact, func(s path.Segment) bool {
		return s.Kind == path.Key && slices.Contains(mapsOfTexts, tree.KeyText(s.Key))
	})
	if !ok || at < 0 || at+2 >= len(exact) {
		return ""
	}
	before := exact[:at+1].String() + "."
	key, ok := strings.CutPrefix(way, before)
	if !ok || strings.ContainsAny(key, `"'[]*`) {
		return ""
	}
	return before + path.Path{path.ToKey(tree.String(strings.ReplaceAll(key, `\`, "")))}.String()
}
