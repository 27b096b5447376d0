package explain

import (
	"slices"
	"strings"

	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
)

// Hide returns steps with their secrets hidden. texts are the secret data values: see
// engine.Result.Secrets.
func Hide(steps []Step, rules secret.Rules, texts []string) []Step {
	if rules.Show {
		return steps
	}
	rules.Hide(texts)
	read := pathReader{}
	steps = slices.Clone(steps)
	for i := range steps {
		s := &steps[i]
		s.Effects = slices.Clone(s.Effects)
		for k := range s.Effects {
			c := &s.Effects[k]
			kind := ""
			if c.Target >= 0 {
				kind = s.Matched[c.Target].kind
			}
			if at := read.path(c.Path); at.ok {
				hideEffect(c, at.path, kind, &rules)
			}
		}
		s.Skipped = slices.Clone(s.Skipped)
		for k := range s.Skipped {
			s.Skipped[k].Near = slices.Clone(s.Skipped[k].Near)
			for n := range s.Skipped[k].Near {
				near := &s.Skipped[k].Near[n]
				near.Message = rules.MaskText(near.Message)
			}
		}
	}
	return steps
}

// hideEffect hides the secrets of an effect at a path of a document of a kind.
func hideEffect(c *Effect, at path.Path, kind string, rules *secret.Rules) {
	var within path.Path
	switch {
	case kind == "Secret":
		within = at
	case strings.HasSuffix(kind, "List") && len(at) > 2:
		within = at[2:] // items[0]: an item of unknown kind may be a Secret
	}
	mask := func(v tree.Value) tree.Value { return rules.Mask(v, at, within) }
	if strings.HasSuffix(kind, "List") && within == nil {
		mask = func(v tree.Value) tree.Value { return maskInList(v, at, kind, rules) }
	}
	x, y := mask(c.Old), mask(c.New)
	hidden := x != c.Old || y != c.New
	both := x.Kind() == tree.ScalarKind && y.Kind() == tree.ScalarKind && x.Written() == y.Written()
	if c.Kind == Changed && hidden && both {
		y = tree.String(secret.Changed)
	}
	c.Old, c.New = x, y
}

// pathReader reads each path once: an overlay changes the same paths in many documents.
type pathReader map[string]readPath

// readPath is a path that was read, if it could be.
type readPath struct {
	path path.Path
	ok   bool
}

func (r pathReader) path(text string) readPath {
	at, known := r[text]
	if !known {
		at.path, at.ok = readOutside(text)
		r[text] = at
	}
	return at
}

// readOutside reads a path, up to the first step into a string.
func readOutside(text string) (path.Path, bool) {
	for i := range len(text) {
		if strings.HasPrefix(text[i:], intoString) {
			if at, ok := path.Read(text[:i]); ok {
				return at, true
			}
		}
	}
	return path.Read(text)
}

// maskInList hides the secrets of the items of a list, or of one item. Items may lack a kind.
func maskInList(v tree.Value, at path.Path, kind string, rules *secret.Rules) tree.Value {
	const toItems, toItem = 1, 2 // path lengths: items, items[0]
	_, known := v.Lookup("kind")
	switch {
	case len(at) == toItem && !known:
		return rules.MaskObject(v, at)
	case len(at) == toItems && kind == "SecretList":
		return rules.MaskItems(v, at)
	}
	return rules.Mask(v, at, nil)
}
