package override

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// directives checks the keys of an override that begin with a dollar, before it is applied to any
// document.
type directives struct {
	rules   *Rules // nil if lists are not merged by the user's rules
	generic bool
	path    Path
	// keys with a dollar that are not directives. They may be keys of the documents.
	unknown []tree.Item
}

// check finds directives that have no meaning where they are.
func (d *directives) check(over tree.Value) error {
	if over.Kind() == tree.ScalarKind {
		return nil
	}
	if directive(over, keyRemove) {
		return diag.Errorf(
			KeySpan(over, keyRemove),
			CodeDirective,
			"%s must name an entry or a mapping inside a document, not the document itself",
			keyRemove,
		)
	}
	return d.in(over, inDocument)
}

// Where a mapping of an override is.
type position uint8

const (
	inDocument position = iota // it is the override
	inMapping                  // it is the value of a key
	inList                     // it is an entry of a list
)

func (d *directives) in(v tree.Value, where position) error {
	var r tree.Reader
	isMap := v.Kind() == tree.MapKind
	below := inMapping
	if !isMap {
		below = inList
	}
	for i, it := range r.Items(nil, v) {
		s := Segment{entry: true}
		switch {
		case !isMap:
			if err := d.entry(it); err != nil {
				return err
			}
		case d.generic && isAddress(it.Key, where):
			if err := d.address(v, it, i, where); err != nil {
				return err
			}
			continue
		case IsDirective(it.Key):
			if val, _ := it.Value.Scalar(); it.Value.Kind() != tree.ScalarKind ||
				val.Kind != yaml.Bool {
				return diag.Errorf(ItemSpan(it), CodeDirective,
					"%s takes true or false, but found %s", KeyText(it.Key), Brief(it.Value, 40))
			}
		default:
			s = Segment{text: KeyText(it.Key)}
			if isDollar(s.text) || isLost(it) {
				d.unknown = append(d.unknown, it)
			}
		}
		if it.Value.Kind() == tree.ScalarKind {
			continue
		}
		d.path = append(d.path, s)
		if err := d.in(it.Value, below); err != nil {
			return err
		}
		d.path = d.path[:len(d.path)-1]
	}
	return nil
}

// isAddress reports whether a key of a mapping says which documents or entries of lists it is for. Elsewhere
// it may be a key of the documents.
func isAddress(key tree.Value, where position) bool {
	switch where {
	case inDocument:
		return key.IsString(keySelect) || key.IsString(keyRemoveItems)
	case inList:
		return key.IsString(keyAt) || key.IsString(keyMatch) || key.IsString(keyRemoveItems)
	}
	return key.IsString(keyRemoveItems)
}

// address checks a key that selects documents or entries of lists: that it means something in the mapping v,
// and what its value is.
func (d *directives) address(v tree.Value, it tree.Item, i int, where position) (err error) {
	key := KeyText(it.Key)
	misplaced := func(format string, args ...any) error {
		x := diag.Errorf(ItemSpan(it), CodeDirective, format, args...)
		x.Path = d.path.String()
		return x
	}
	switch {
	case key == keySelect && i > 0:
		return misplaced("%s selects documents: it must be the first key of an override", key)
	case key == keySelect:
		_, err = SelectorOf(key, it.Value)
	case key == keyRemoveItems && where == inDocument:
		return misplaced("%s removes scalars from a list: write it below the key of the list", key)
	case key == keyRemoveItems && v.Len() > 1:
		return misplaced("%s must be the only key of its mapping", key)
	case key == keyRemoveItems:
		_, err = dropsOf(v)
	case key == keyMatch && hasLookup(v, keyAt):
		return misplaced("%s and %s cannot be in one entry: each says which entry is meant", keyAt, keyMatch)
	default:
		_, err = targetOf(v)
	}
	return err
}

func hasLookup(v tree.Value, key string) bool {
	_, ok := v.Lookup(key)
	return ok
}

// entry rejects a list entry that is to be removed but does not say which one.
func (d *directives) entry(it tree.Item) error {
	if !d.generic || !directive(it.Value, keyRemove) || hasLookup(it.Value, keyAt) ||
		hasLookup(it.Value, keyMatch) {
		return nil
	}
	mode, key := d.rules.of(d.path, map[string]bool{})
	if mode != ByKey || hasKey(it, key) {
		return nil
	}
	err := diag.Errorf(
		KeySpan(it.Value, keyRemove),
		CodeDirective,
		"%s removes the entry that has the same `%s`, but this one has no `%s`",
		keyRemove,
		key,
		key,
	)
	err.Path = d.path.String()
	var r tree.Reader
	for _, other := range r.Items(nil, it.Value) {
		if !IsDirective(other.Key) && other.Value.Kind() == tree.ScalarKind &&
			!other.Value.IsNull() {
			if d.rules != nil {
				key := KeyText(other.Key)
				return err.WithHint("if `%s` identifies the entries of this list, add --merge-key %s", key,
					diag.InShell(patternText(d.path)+"="+key))
			}
		}
	}
	return err.WithHint("name the entry, as in {%s: x, %s: true}", key, keyRemove)
}

// isDollar reports whether a key looks like a directive. The keywords of JSON Schema and the like
// do not count.
func isDollar(key string) bool {
	return len(key) > 1 && key[0] == '$' && (key[1]|0x20 >= 'a' && key[1]|0x20 <= 'z') &&
		!slices.Contains(schemaWords, key)
}

// isLost reports whether a key is what a shell leaves of a directive in double quotes: `: true`.
func isLost(it tree.Item) bool {
	val, _ := it.Value.Scalar()
	return it.Key.IsNull() && KeyText(it.Key) == "" && val.Kind == yaml.Bool
}

var schemaWords = []string{
	"$schema",
	"$id",
	"$ref",
	"$defs",
	"$comment",
	"$anchor",
	"$vocabulary",
	"$dynamicRef",
	"$dynamicAnchor",
	"$recursiveRef",
	"$recursiveAnchor",
}

// kustomize lists the words of its patches, with their equivalents here.
var kustomize = []struct{ word, hint string }{
	{"$retainKeys", "write $replace: true to keep only the keys you name"},
	{"$setElementOrder", "remove it: entries keep their order, and new ones are added at the end"},
	{"$deleteFromPrimitiveList", "write $remove-items below the key of the list"},
}

// patches maps the values of kustomize's $patch to their equivalents here.
var patches = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"delete":  "write " + keyRemove + ": true instead of $patch: delete",
		"replace": "write " + keyReplace + ": true instead of $patch: replace",
		"merge":   "remove it: mappings are merged unless you write " + keyReplace,
	}
}}

// DirectiveHint returns a suggestion for a key that looks like a directive but is not one. It
// returns false for other keys.
func DirectiveHint(it tree.Item) (string, bool) {
	if !isDollar(KeyText(it.Key)) && !isLost(it) {
		return "", false
	}
	return unknownWord(it, []string{keyRemove, keyReplace}).Hint, true
}

// words returns the directives that an override may have.
func (d *directives) words() []string {
	if !d.generic {
		return []string{keyRemove, keyReplace}
	}
	return []string{keyRemove, keyReplace, keySelect, keyAt, keyMatch, keyRemoveItems}
}

// unknownWord reports a key that looks like a directive and is not in any document.
func unknownWord(it tree.Item, known []string) *diag.Diagnostic {
	word := KeyText(it.Key)
	if word == "$patch" {
		return patchWord(it)
	}
	if word == "" {
		return diag.Errorf(ItemSpan(it), CodeDirective, "there is no key before this colon").
			WithHint("if it was %s: in double quotes the shell reads it as a variable, so use single "+
				"quotes", keyRemove)
	}
	d := diag.Errorf(
		ItemSpan(it),
		CodeDirective,
		"%s is not an override directive, so it becomes a key of the document",
		word,
	)
	if near := diag.Nearest(strings.ToLower(word), known); near != "" && near != word {
		return d.WithHint("did you mean %s?", near).WithFix(word, near)
	}
	name, _, _ := strings.Cut(word, "/")
	for _, k := range kustomize {
		if k.word == name {
			return d.WithHint("%s", k.hint)
		}
	}
	if name == "$delete" || name == "$unset" || name == "$drop" {
		return d.WithHint("did you mean %s?", keyRemove).WithFix(word, keyRemove)
	}
	switch word {
	case keyAt, keyMatch:
		d.Message = word + " is for entries of a list, so here it becomes a key of the document"
		return d.WithHint("write an entry, as in `- %s: …`", word)
	case keySelect:
		d.Message = word + " is for whole documents, so here it becomes a key of the document"
		return d.WithHint("make it the first key of the override")
	}
	last := len(known) - 1
	return d.WithHint("the directives are %s and %s", strings.Join(known[:last], ", "), known[last])
}

// patchWord reports kustomize's directive. It is always an error: printed as a key, `$patch:
// delete` would be applied by whatever reads it.
func patchWord(it tree.Item) *diag.Diagnostic {
	d := diag.Errorf(ItemSpan(it), CodeDirective, "$patch belongs to kustomize, not to overrides")
	if hint := patches.Get()[Brief(it.Value, 40)]; hint != "" {
		return d.WithHint("%s", hint)
	}
	return d.WithHint(
		"write %s: true to remove what the mapping names, or %s: true to replace it",
		keyRemove,
		keyReplace,
	)
}

// words reports the unknown directives of an override once all documents have been seen. Those that
// are keys of a document are fine.
func (m *merger) words(d *directives) {
	for _, it := range d.unknown {
		if m.found[it.Pos] {
			continue
		}
		x := unknownWord(it, d.words())
		if KeyText(it.Key) == "$patch" {
			if !m.hasWarned(it.Pos) {
				m.doubts[it.Pos] = x
			}
			continue
		}
		m.warnOnce(it.Pos, x)
	}
}
