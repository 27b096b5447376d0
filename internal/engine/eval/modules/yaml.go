package modules

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

func newYAML(opt yaml.Options) starlark.StringDict {
	return export("yaml", map[string]function{
		"encode": func(
			thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
		) (starlark.Value, error) {
			if err := exactly(1, args); err != nil {
				return nil, err
			}
			text, err := encodeYAML(thread, args[0])
			if err != nil {
				return nil, err
			}
			return starlark.String(text), nil
		},
		"decode": ofString(func(s string) (starlark.Value, error) { return decodeYAML(s, opt) }),
	}, nil)
}

// encodeYAML returns x as YAML text. The documents of a set are printed as in a file, so empty ones
// are omitted.
func encodeYAML(thread *starlark.Thread, x starlark.Value) ([]byte, error) {
	var w yaml.YAMLWriter
	var p tree.Printer
	if set, ok := x.(*tree.DocumentSet); ok {
		for _, doc := range set.Documents() {
			if doc.Value.Empty() {
				continue
			}
			if len(w.Bytes()) > 0 {
				w.Separator()
			}
			p.Write(&w, doc.Value)
		}
		return w.Bytes(), nil
	}
	v, err := tree.FromStarlark(x)
	if err != nil {
		return nil, err
	}
	if err := checkEncoded(thread, v); err != nil {
		return nil, err
	}
	if v.Starlark() == starlark.None {
		return nil, nil
	}
	p.Write(&w, v)
	return w.Bytes(), nil
}

// decodeYAML returns the only document of s as dicts, lists and scalars, or None if there is none.
func decodeYAML(s string, opt yaml.Options) (starlark.Value, error) {
	var set source.Set
	f, err := set.Add("", []byte(s))
	if err != nil {
		return nil, err
	}
	t, err := yaml.Parse(f, opt)
	if err != nil {
		return nil, placed(f, err)
	}
	if list := t.Check(false); list.Failed() {
		return nil, placed(f, list)
	}
	doc := t.First()
	if !t.More(doc) {
		return starlark.None, nil
	}
	if t.More(t.Next(doc)) {
		//lint:ignore ST1005 the reference's text, which assert.try_to shows to programs
		return nil, errors.New("Expected to find exactly one YAML document")
	}
	if err := checkRepeats(t); err != nil {
		return nil, err
	}
	return tree.ToStarlark(tree.FromSyntax(t, t.Root(doc)))
}

// placed returns the first diagnostic of err as a plain error with its line number: the text is not
// a file, so there is no location to show.
func placed(f *source.File, err error) error {
	d := diag.Of(err)[0]
	text := d.Message
	if d.At.IsValid() {
		at := f.Place(d.At.Offset())
		text = fmt.Sprintf("line %d, column %d: %s", at.Line, at.Column, text)
	}
	return diag.Hintf(errors.New(text), "%s", d.Hint)
}

// checkRepeats finds a key that occurs twice in a mapping, compared as in a dict, where 1 and 1.0
// are the same key. Keys from a merge key do not count: they are meant to be overridden.
func checkRepeats(t *yaml.Tree) error {
	type key struct {
		v    yaml.Value
		text string
	}
	c := yaml.Composer{Tree: t}
	seen := map[key]bool{}
	for n := t.First(); t.More(n); n++ {
		if t.Kind(n) != yaml.Mapping {
			continue
		}
		if len(seen) > 64 {
			seen = map[key]bool{} // clearing a map costs as much as its largest size
		}
		clear(seen)
		for k := range t.Pairs(n) {
			target := t.Target(k)
			if t.Kind(target) != yaml.Scalar || t.IsMerge(k) {
				continue
			}
			v, text := c.Scalar(target)
			one := key{v: v}
			switch v.Kind {
			case yaml.String:
				one.text = string(text)
			case yaml.Float:
				if f := v.Float(); f == float64(int64(f)) {
					one.v = yaml.IntValue(int64(f))
				}
			}
			if seen[one] {
				return fmt.Errorf("line %d: key %s is already defined in this "+
					"map", t.Line(k), yaml.AppendValue(nil, v, text, 0))
			}
			seen[one] = true
		}
	}
	return nil
}
