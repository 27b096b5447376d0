package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/shortcut"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/diff"
)

// toggle is a difference between the inputs of two sides that can be applied on its own.
type toggle struct {
	cause  diff.Cause
	source string // toggles with the same source are merged if there are too many

	values    []string // data values, as arguments of --data-value-yaml
	all       bool     // all data values
	libraries bool     // data values of libraries
	files     []inputKey
	shortcuts []string // paths of short cuts of weft.yml
	overrides bool
	// charts and kustomizations, and their values files
	generators []engine.GeneratorChange
	never      bool // the difference cannot be applied on its own
}

// maxToggles is the maximum number of evaluations used to find causes.
const maxToggles = 32

// attribute finds which change of the inputs causes which change of the documents. It applies the
// differences between the inputs to the first side, one by one: the documents that change are the effect
// of that difference. If there are more than maxToggles differences, those in one file or folder count as
// one.
func (c *Comparison) attribute(ctx context.Context) {
	list := group(c.toggles(ctx))
	causes, alone := make([]diff.Cause, len(list)), make([]*diff.Difference, len(list))
	for i := range list {
		causes[i] = list[i].cause
		if len(list) > 1 && ctx.Err() == nil {
			alone[i] = c.effectOf(ctx, &list[i])
		}
	}
	for i := range causes {
		causes[i].Title = c.options.Secrets.MaskText(causes[i].Title)
		causes[i].Place = c.options.Secrets.MaskText(causes[i].Place)
	}
	c.Attribute(causes, alone)
}

// effectOf returns the difference that one toggle makes, or nil if it cannot be evaluated.
func (c *Comparison) effectOf(ctx context.Context, t *toggle) *diff.Difference {
	if t.never {
		return nil
	}
	s, layers := c.a.session, c.a.layers
	var err error
	if len(t.files)+len(t.shortcuts) > 0 || t.overrides {
		take := map[inputKey]bool{}
		for _, k := range t.files {
			take[k] = true
		}
		if s, err = mixed(c.a.session, c.b.session, take, t.shortcuts, t.overrides); err != nil {
			return nil
		}
	}
	if len(t.generators) > 0 {
		s = s.TakeGenerators(c.b.session, t.generators)
	}
	switch {
	case t.all:
		layers = c.b.layers.In(s)
	case t.libraries:
		layers = layers.WithLibraries(c.b.layers).In(s)
	case len(t.values) > 0:
		top, err := s.Layers(ctx, values.Flags{KVYAML: t.values})
		if err != nil {
			return nil
		}
		layers = top.Over(layers).In(s)
	default:
		layers = layers.In(s)
	}
	res, err := s.Evaluate(ctx, engine.Request{Layers: layers})
	if err != nil {
		return nil
	}
	opt := c.options
	return diff.Compare(c.a.Side, diff.Side{Docs: sideDocuments(res.Outputs), Files: res.Files}, opt)
}

// toggles returns the differences between the inputs of the two sides.
func (c *Comparison) toggles(ctx context.Context) []toggle {
	list := c.valueToggles(ctx)
	if !c.a.layers.SameLibraries(c.b.layers) {
		list = append(list, toggle{
			cause: diff.Cause{Title: "data values of libraries"}, libraries: true,
		})
	}
	for _, f := range filesThatDiffer(c.a.session, c.b.session) {
		t := toggle{cause: diff.Cause{Title: f.shown}, files: []inputKey{f.key}}
		t.source, _, _ = strings.Cut(f.key.path, "/")
		switch {
		case !f.a:
			t.cause.Note = onlyIn(c.b.Name)
		case !f.b:
			t.cause.Note = onlyIn(c.a.Name)
		default:
			t.cause.Note = "changed"
		}
		list = append(list, t)
	}
	list = append(list, c.generatorToggles(ctx)...)
	list = append(list, c.shortcutToggles()...)
	if !c.a.session.SameOverrides(c.b.session) {
		list = append(list, toggle{cause: diff.Cause{Title: "--overrides"}, overrides: true})
	}
	return list
}

// shortcutToggles returns the short cuts of weft.yml that differ.
func (c *Comparison) shortcutToggles() (list []toggle) {
	for _, d := range shortcut.Differ(c.a.session.Shortcuts(), c.b.session.Shortcuts()) {
		t := toggle{
			cause:     diff.Cause{Title: d.Path, Before: d.Before, After: d.After},
			shortcuts: []string{d.Path}, source: "weft.yml",
		}
		at := c.b.session.PlaceOf(d.At)
		if f := c.b.session.Files().File(at.Pos); f != nil && d.After != nil {
			t.cause.Place = f.WhereLine(at.Offset())
		}
		list = append(list, t)
	}
	return list
}

func onlyIn(name string) string {
	if name == "" {
		return "only on one side"
	}
	return "only in " + name
}

// valueToggles returns the data values that change when the files of the first side are evaluated with the
// data values of the second.
func (c *Comparison) valueToggles(ctx context.Context) []toggle {
	s := c.a.session
	other := c.b.layers.In(s)
	before, err := s.Evaluate(ctx, engine.Request{Goal: engine.DataValues, Layers: c.a.layers})
	after, err2 := s.Evaluate(ctx, engine.Request{Goal: engine.DataValues, Layers: other})
	if err != nil || err2 != nil {
		if c.a.layers.Same(c.b.layers) {
			return nil
		}
		return []toggle{{cause: diff.Cause{Title: "data values"}, all: true}}
	}
	opt := diff.Options{Order: true, KeyOf: func(path.Path) string { return "" }, YAML: c.options.YAML}
	opt.Secrets.Show = true
	d := diff.Compare(valuesSide(before, c.a.layers.Files()), valuesSide(after, c.b.layers.Files()), opt)
	var list []toggle
	seen := map[string]bool{}
	for i := range d.Changes {
		t := c.valueToggle(&d.Changes[i], before, after)
		if !seen[t.cause.Title] {
			seen[t.cause.Title] = true
			list = append(list, t)
		}
	}
	return list
}

// valuesSide returns data values as a side. They are wrapped in a map, so that none of them is mistaken
// for the name of an object.
func valuesSide(r *engine.Result, files *source.Set) diff.Side {
	v := tree.Null
	if len(r.Docs) > 0 {
		v = r.Docs[0].Value
	}
	wrapped := tree.NewMap([]tree.Item{{Key: tree.String("values"), Value: v}}, source.Pos{})
	return diff.Side{Docs: []diff.SideDocument{{Value: tree.Of(wrapped)}}, Files: files}
}

// valueToggle returns the toggle for a changed data value. Lists are changed as a whole.
func (c *Comparison) valueToggle(ch *diff.Change, before, after *engine.Result) toggle {
	at := ch.Path[min(1, len(ch.Path)):] // without the wrapper
	for i, s := range at {
		if s.Kind != path.Key {
			at = at[:i]
			break
		}
	}
	t := toggle{cause: diff.Cause{Title: at.String()}}
	if len(at) == 0 {
		t.cause.Title, t.all = "data values", true
		return t
	}
	x, had := valueAt(before, at)
	y, has := valueAt(after, at)
	if had {
		t.cause.Before = &x
	}
	if has {
		t.cause.After = &y
	}
	if f := c.b.layers.Files().File(ch.At); f != nil {
		t.source = f.Shown()
		if ch.At.IsValid() {
			t.cause.Place = f.WhereLine(ch.At.Offset())
		}
	}
	arg, ok := argumentFor(at, y)
	t.never = !ok || !has
	t.values = []string{arg}
	c.hideValue(&t.cause, at)
	return t
}

// hideValue hides secrets in the cause for a data value. The place may be a flag, which includes the
// value.
func (c *Comparison) hideValue(cause *diff.Cause, at path.Path) {
	rules := &c.options.Secrets
	cause.Secret = rules.Hides(at, nil)
	sides := []*tree.Value{cause.Before, cause.After}
	isWhole := false // one side is nothing but a secret: the other may be what it was before it was marked
	for _, v := range sides {
		if v != nil {
			cause.Secret = cause.Secret || rules.HidesText(*v)
			*v = rules.Mask(*v, at, nil)
			isWhole = isWhole || v.IsString(secret.Hidden)
		}
	}
	for _, v := range sides {
		if v != nil && isWhole {
			*v = tree.String(secret.Hidden)
		}
	}
	if cause.Secret {
		cause.Place, _, _ = strings.Cut(cause.Place, "=")
	}
	cause.Place = rules.MaskText(cause.Place)
}

func valueAt(r *engine.Result, at path.Path) (tree.Value, bool) {
	if len(r.Docs) == 0 {
		return tree.Value{}, false
	}
	v := r.Docs[0].Value
	for _, s := range at {
		m, ok := v.Map()
		if !ok {
			return tree.Value{}, false
		}
		i := m.Find(s.Key.Starlark())
		if i < 0 {
			return tree.Value{}, false
		}
		v = m.Entries()[i].Value
	}
	return v, true
}

// argumentFor returns an argument of --data-value-yaml that sets a value. It returns false if no argument
// can.
func argumentFor(at path.Path, v tree.Value) (string, bool) {
	var keys []string
	for _, s := range at {
		val, text := s.Key.Scalar()
		key := string(text)
		if val.Kind != yaml.String || strings.Contains(key, "=") || strings.HasPrefix(key, "@") {
			return "", false
		}
		keys = append(keys, strings.ReplaceAll(key, ".", `\.`))
	}
	value, err := json.Marshal(v.Go())
	if err != nil {
		return "", false
	}
	return strings.Join(keys, ".") + "=" + string(value), true
}

// group merges toggles until there are at most maxToggles: first those with the same source, then the
// rest.
func group(list []toggle) []toggle {
	if len(list) <= maxToggles {
		return list
	}
	var out []toggle
	at := map[string]int{}
	for _, t := range list {
		key := fmt.Sprint(len(t.files) > 0, " ", t.source)
		i, ok := at[key]
		if !ok && len(out) == maxToggles {
			i, ok = maxToggles-1, true
		}
		if ok {
			out[i].add(t)
			continue
		}
		at[key] = len(out)
		out = append(out, t)
	}
	return out
}

// add merges another toggle into t.
func (t *toggle) add(more toggle) {
	t.values = append(t.values, more.values...)
	t.files = append(t.files, more.files...)
	t.all, t.libraries = t.all || more.all, t.libraries || more.libraries
	t.shortcuts = append(t.shortcuts, more.shortcuts...)
	t.generators = append(t.generators, more.generators...)
	t.overrides, t.never = t.overrides || more.overrides, t.never || more.never
	if t.source != more.source {
		t.source = ""
	}
	source := t.source
	if source == "" {
		source = "several places"
	}
	title := "inputs of " + source
	switch others := t.all || t.libraries || t.overrides || t.generators != nil; {
	case others:
	case len(t.files)+len(t.shortcuts) == 0:
		title = diag.Count(len(t.values), "data value") + " of " + source
	case len(t.values)+len(t.shortcuts) == 0:
		title = diag.Count(len(t.files), "file") + " of " + source
	case len(t.values)+len(t.files) == 0:
		title = diag.Count(len(t.shortcuts), "short cut") + " of " + source
	}
	t.cause = diff.Cause{Title: title}
}
