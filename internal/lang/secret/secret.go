// Package secret decides which values are hidden in what weft reports about documents, and what is
// shown instead. It never changes rendered documents.
//
// Three things are secret: the data of Kubernetes Secrets, even of those inside a string; values at
// the paths that the user names; and the text of data values that a schema marks with
// @schema/secret. When documents are compared, a value hidden on one side must not be shown on the
// other, so the text of secret data is hidden wherever it appears. No hash of a secret is shown: a
// short password could be guessed from it.
package secret

import (
	"slices"
	"strings"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// What is shown in place of secrets.
const (
	Hidden  = "‹secret›"
	Changed = "‹secret changed›"
)

// Rules decide what is secret. The zero value hides the data of Kubernetes Secrets.
type Rules struct {
	Show  bool           // nothing is secret
	Paths []path.Pattern // places in every document
	Texts []string       // hidden wherever they appear; set by Hide

	finder *finder // of Texts; nil if there are none
}

// Hide sets the texts that are hidden wherever they appear, in all their forms.
func (r *Rules) Hide(texts []string) {
	r.Texts, r.finder = texts, nil
	if len(texts) > 0 {
		r.finder = newFinder(texts)
	}
}

// Hides reports whether the value at a path of a document is secret, or is inside a secret value.
// within is the part of the path inside the innermost Kubernetes Secret, if there is one: see
// IsObject.
func (r *Rules) Hides(at, within path.Path) bool {
	if r.Show {
		return false
	}
	return r.isNamed(at) || leadsToData(within)
}

// lastApplied is the annotation in which kubectl stores the complete applied object.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// dataFields are the fields of a Secret whose whole content is secret.
var dataFields = [...]string{"data", "stringData"}

func isData(key tree.Value) bool { return key.IsString("data") || key.IsString("stringData") }

// IsObject reports whether a map is a Kubernetes Secret.
func IsObject(v tree.Value) bool {
	kind, ok := v.Lookup("kind")
	return ok && kind.IsString("Secret")
}

// IsList reports whether a map is a list of Kubernetes Secrets, whose items may omit their kind.
func IsList(v tree.Value) bool {
	kind, ok := v.Lookup("kind")
	return ok && kind.IsString("SecretList")
}

// role is what is known about a value from what is around it.
type role uint8

const (
	other  role = iota
	items       // the items of a list of Secrets
	object      // a Secret
)

// below returns the role of the value of a key of v, or of its items.
func (is role) below(v, key tree.Value) role {
	switch {
	case is == items:
		return object
	case v.Kind() == tree.MapKind && key.IsString("items") && IsList(v):
		return items
	}
	return other
}

// leadsToData reports whether a path into a Secret ends at or inside secret data.
func leadsToData(at path.Path) bool {
	if len(at) < 2 {
		return false
	}
	switch key := at[0].Key; {
	case isData(key):
		return true
	case key.IsString("metadata"):
		return len(at) > 2 && at[1].Key.IsString("annotations") && at[2].Key.IsString(lastApplied)
	}
	return false
}

// HidesData reports whether a value at a path of a Secret is data to hide as a whole. A map is not:
// its keys are shown.
func (r *Rules) HidesData(v tree.Value, within path.Path) bool {
	return !r.Show && len(within) == 1 && isData(within[0].Key) && v.Kind() != tree.MapKind &&
		!v.IsNull()
}

// HidesText reports whether a scalar contains a hidden text, or the manifest of a Secret.
func (r *Rules) HidesText(v tree.Value) bool {
	if r.Show || v.Kind() != tree.ScalarKind {
		return false
	}
	text := v.Text()
	return r.MaskText(text) != text
}

// MaskText returns text with each secret in it hidden. A text that contains the manifest of a
// Secret is hidden as a whole.
func (r *Rules) MaskText(text string) string {
	if r.Show {
		return text
	}
	if HoldsManifest(text) {
		return Hidden
	}
	return r.MaskWritten(text)
}

// MaskMessage returns a message with each secret, and each long part of one, hidden: functions and
// libraries quote parts of texts in their messages.
func (r *Rules) MaskMessage(text string) string {
	if r.Show || r.finder == nil {
		return r.MaskText(text)
	}
	if HoldsManifest(text) {
		return Hidden
	}
	return r.finder.maskParts(text)
}

// MaskWritten returns a report with each secret in it hidden, whatever its format.
func (r *Rules) MaskWritten(text string) string {
	if r.Show || len(r.Texts) == 0 {
		return text
	}
	if r.finder == nil {
		r.finder = newFinder(r.Texts)
	}
	return r.finder.mask(text)
}

// MaskKey returns a key with each secret in it hidden.
func (r *Rules) MaskKey(key tree.Value) tree.Value {
	if len(r.Texts) == 0 || key.Kind() != tree.ScalarKind {
		return key
	}
	return r.maskScalar(key)
}

// Mask returns the value at a path of a document with the secrets in it hidden, or v itself if
// there are none. within is as for Hides.
func (r *Rules) Mask(v tree.Value, at, within path.Path) tree.Value {
	if r.Show {
		return v
	}
	if r.Hides(at, within) {
		return tree.String(Hidden)
	}
	if len(within) > 0 {
		v = maskWithin(within, v)
	}
	return r.mask(v, at)
}

// MaskObject is like Mask for a value that is known to be a Kubernetes Secret, even if its kind is
// missing.
func (r *Rules) MaskObject(v tree.Value, at path.Path) tree.Value { return r.maskIn(v, at, object) }

// MaskItems is like Mask for the items of a list of Kubernetes Secrets.
func (r *Rules) MaskItems(v tree.Value, at path.Path) tree.Value { return r.maskIn(v, at, items) }

func (r *Rules) maskIn(v tree.Value, at path.Path, as role) tree.Value {
	if r.Show {
		return v
	}
	return r.maskAs(v, at, as)
}

// maskWithin hides the secret parts of the value at a path of a Secret.
func maskWithin(rest path.Path, v tree.Value) tree.Value {
	around := v
	for _, s := range slices.Backward(rest[1:]) {
		if s.Kind != path.Key {
			return v // a list has no data
		}
		around = tree.Of(tree.NewMap([]tree.Item{{Key: s.Key, Value: around}}, source.Pos{}))
	}
	masked, ok := maskField(tree.Item{Key: rest[0].Key, Value: around})
	if !ok {
		return v
	}
	for range rest[1:] {
		m, ok := masked.Map()
		if !ok {
			return masked
		}
		masked = m.Entries()[0].Value
	}
	return masked
}

func (r *Rules) mask(v tree.Value, at path.Path) tree.Value { return r.maskAs(v, at, other) }

func (r *Rules) maskAs(v tree.Value, at path.Path, as role) tree.Value {
	if r.isNamed(at) {
		return tree.String(Hidden)
	}
	at = at[:len(at):len(at)]
	switch v.Kind() {
	case tree.ScalarKind:
		if r.HidesInside(v, at) {
			return tree.String(Hidden)
		}
		return r.maskScalar(v)
	case tree.ArrayKind:
		a, _ := v.Array()
		items, changed := r.maskItems(a.Entries(), func(i int, it tree.Item) tree.Value {
			below := as.below(v, tree.Value{})
			return r.maskAs(it.Value, append(at, path.ToValue(i, it.Value)), below)
		})
		if changed {
			return tree.Of(tree.NewArray(items, a.Pos))
		}
		return v
	}
	m, _ := v.Map()
	secret := as == object || IsObject(v)
	items, changed := r.maskItems(m.Entries(), func(_ int, it tree.Item) tree.Value {
		if secret {
			if masked, ok := maskField(it); ok {
				return r.maskKeys(masked)
			}
		}
		return r.maskAs(it.Value, append(at, path.ToKey(it.Key)), other.below(v, it.Key))
	})
	if changed {
		return tree.Of(tree.NewMap(items, m.Pos))
	}
	return v
}

// HidesInside reports whether v is a string that contains YAML or JSON with a value at one of the
// paths: the rest of such a string cannot be shown either.
func (r *Rules) HidesInside(v tree.Value, at path.Path) bool {
	if r.Show || !r.mayNameBelow(at) {
		return false
	}
	inner, ok := collectionIn(v)
	found := false
	if ok {
		at = append(at[:len(at):len(at)], path.Segment{Kind: path.Inside})
		r.eachNamed(inner, at, func(tree.Value) { found = true })
	}
	return found
}

// eachNamed calls f for each value in v at one of the paths, also inside strings that hold YAML or
// JSON.
func (r *Rules) eachNamed(v tree.Value, at path.Path, f func(tree.Value)) {
	if len(at) > 0 && r.isNamed(at) {
		f(v)
		return
	}
	if len(at) > maxDepth || !r.mayNameBelow(at) {
		return
	}
	at = at[:len(at):len(at)]
	var reader tree.Reader
	kind := v.Kind()
	if kind == tree.ScalarKind {
		if inner, ok := collectionIn(v); ok {
			r.eachNamed(inner, append(at, path.Segment{Kind: path.Inside}), f)
		}
		return
	}
	for i, it := range reader.Items(nil, v) {
		to := path.ToValue(i, it.Value)
		if kind == tree.MapKind {
			to = path.ToKey(it.Key)
		}
		r.eachNamed(it.Value, append(at, to), f)
	}
}

func (r *Rules) isNamed(at path.Path) bool {
	return slices.ContainsFunc(r.Paths, func(p path.Pattern) bool { return p.Match(at) })
}

func (r *Rules) mayNameBelow(at path.Path) bool {
	return slices.ContainsFunc(r.Paths, func(p path.Pattern) bool { return p.MayMatchBelow(at) })
}

// NamedTexts adds the texts of the values at the paths in a document, so that they are hidden
// elsewhere too.
func (r *Rules) NamedTexts(list []string, v tree.Value) []string {
	if r.Show || len(r.Paths) == 0 {
		return list
	}
	r.eachNamed(v, nil, func(found tree.Value) {
		eachString(found, func(text string) {
			if text = strings.TrimSpace(text); len(text) >= shortest {
				list = append(list, text)
			}
		})
	})
	return list
}

// maxDepth is the maximum length of a path that is searched: strings may contain strings.
const maxDepth = 500

// maskItems masks items; it copies them if something changes.
func (r *Rules) maskItems(
	items []tree.Item, mask func(int, tree.Item) tree.Value,
) ([]tree.Item, bool) {
	out := items
	for i, it := range items {
		key, v := r.MaskKey(it.Key), mask(i, it)
		if v == it.Value && key == it.Key {
			continue
		}
		if &out[0] == &items[0] {
			out = append([]tree.Item(nil), items...)
		}
		out[i].Key, out[i].Value = key, v
	}
	return out, len(items) > 0 && &out[0] != &items[0]
}

// maskField hides the secret parts of a field of a Secret. It returns false for other fields.
func maskField(it tree.Item) (tree.Value, bool) {
	switch {
	case isData(it.Key):
		m, ok := it.Value.Map()
		if !ok {
			return tree.String(Hidden), true
		}
		return hideEach(m, func(tree.Value) bool { return true }), true
	case it.Key.IsString("metadata"):
		m, ok := it.Value.Map()
		if !ok {
			return tree.Value{}, false
		}
		i := m.Find(tree.String("annotations").Starlark())
		if i < 0 {
			return tree.Value{}, false
		}
		annotations, ok := m.Entries()[i].Value.Map()
		if !ok {
			return tree.Value{}, false
		}
		items := append([]tree.Item(nil), m.Entries()...)
		items[i].Value = hideEach(annotations, func(key tree.Value) bool {
			return key.IsString(lastApplied)
		})
		return tree.Of(tree.NewMap(items, m.Pos)), true
	}
	return tree.Value{}, false
}

func hideEach(m *tree.Map, is func(key tree.Value) bool) tree.Value {
	items := append([]tree.Item(nil), m.Entries()...)
	for i := range items {
		if is(items[i].Key) {
			items[i].Value = tree.String(Hidden)
		}
	}
	return tree.Of(tree.NewMap(items, source.Pos{}))
}

// maskKeys masks the keys of a map, and those of its values that are not hidden already.
func (r *Rules) maskKeys(v tree.Value) tree.Value {
	if len(r.Texts) == 0 {
		return v
	}
	return r.mask(v, nil)
}

func (r *Rules) maskScalar(v tree.Value) tree.Value {
	text := v.Text()
	if masked := r.MaskText(text); masked != text {
		return tree.String(masked)
	}
	return v
}
