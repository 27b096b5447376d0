package eval

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// dataModule is @ytt:data as seen by the file of p: paths are relative to that file.
//
// `data.values` is compiled to a call that finds the values of the file for which it runs: see
// values.
type dataModule struct{ p *proc }

var _ starlark.HasAttrs = (*dataModule)(nil)

// String implements starlark.Value.
func (d *dataModule) String() string { return `<module "data">` }

// Type implements starlark.Value.
func (d *dataModule) Type() string { return "module" }

// Freeze implements starlark.Value. From then on, several threads may call functions that read the
// values.
func (d *dataModule) Freeze() {
	if d.p.vals != nil {
		d.p.vals.Freeze()
	} else {
		d.p.vals = d.p.run.dataValues() // frozen; rarely used
	}
}

// Truth implements starlark.Value.
func (d *dataModule) Truth() starlark.Bool { return true }

// Hash implements starlark.Value.
func (d *dataModule) Hash() (uint32, error) { return 0, errors.New("unhashable type: module") }

// AttrNames implements starlark.HasAttrs.
func (d *dataModule) AttrNames() []string { return []string{"list", "read", "values"} }

// Attr implements starlark.HasAttrs.
func (d *dataModule) Attr(name string) (starlark.Value, error) {
	switch name {
	case "values": // read in another way than as `data.values`
		return d.p.dataValues(), nil
	case "read":
		return starlark.NewBuiltin("data.read", d.read), nil
	case "list":
		return starlark.NewBuiltin("data.list", d.list), nil
	}
	return nil, nil
}

func (d *dataModule) read(
	t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	name, err := oneString(b, args)
	if err != nil {
		return nil, err
	}
	f, err := d.here(t).read(name)
	if err != nil {
		procOf(t).needs.lists = true // the file may exist in the next evaluation
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	procOf(t).needsFile(f)
	text, err := f.content()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	return starlark.String(text), nil
}

func (d *dataModule) list(
	t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) > 1 {
		return nil, fmt.Errorf("%s: expected at most one argument", b.Name())
	}
	name := ""
	if len(args) == 1 {
		var ok bool
		if name, ok = starlark.AsString(args[0]); !ok {
			return nil, fmt.Errorf("%s: expected a string, but was %s", b.Name(), args[0].Type())
		}
	}
	procOf(t).needs.lists = true
	paths, err := d.here(t).list(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	elems := make([]starlark.Value, len(paths))
	for i, p := range paths {
		elems[i] = starlark.String(p)
	}
	return starlark.NewList(elems), nil
}

// dataValues returns the data values for the file of p. Each file has its own copy, so that no
// other file sees its changes to a list. The parts of the copy are created when they are read.
func (p *proc) dataValues() starlark.Value {
	if p.vals == nil {
		if s, ok := p.run.dataValues().(*tree.Struct); ok {
			p.vals = s.Copy()
		} else {
			p.vals = tree.StructOf(p.run.opt.Values)
		}
	}
	return p.vals
}

// dataValues returns the data values of the run, frozen.
func (r *run) dataValues() starlark.Value {
	r.valuesOnce.Do(func() {
		r.values = r.opt.Reads.StructOf(r.opt.Values)
		r.values.Freeze()
	})
	return r.values
}

// list returns the files below a folder, relative to it. A name with a leading slash is relative to
// the root of the library, and so are the results.
func (s site) list(name string) ([]string, error) {
	dir, prefix := dirOf(s.file.Input.Path), ""
	rel, abs := strings.CutPrefix(name, "/")
	if abs {
		dir, prefix = s.root, "/"
	}
	dir = path.Join(dir, rel)
	if dir == "." {
		dir = ""
	}
	lib := s.file.lib
	if !lib.dirs[dir] || slices.Contains(strings.Split(rel, "/"), privateDir) {
		return nil, diag.Hintf(
			fmt.Errorf("did not find '%s'", name),
			"%sonly folders of files included via -f flag are available",
			didYouMean(name, lib.below(dirOf(s.file.Input.Path))),
		)
	}
	var out []string
	for _, f := range lib.listing(dir) {
		out = append(out, prefix+f)
	}
	return out, nil
}

// listing returns the files below a folder, each folder before its subfolders, in input order.
func (lib *Library) listing(dir string) []string {
	paths := lib.list(dir)
	slices.SortStableFunc(paths, func(a, b string) int {
		x, y := splitPath(dirOf(a)), splitPath(dirOf(b))
		for i := 0; i < len(x) && i < len(y); i++ {
			if x[i] != y[i] {
				return strings.Compare(x[i], y[i])
			}
		}
		return len(x) - len(y)
	})
	return paths
}
