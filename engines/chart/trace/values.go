package trace

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"weft/internal/project/engines/wire"
)

// Values are the values of a chart as its templates get them: maps and lists are recognized where they are,
// and what templates changed is found out by comparing with a copy.
type Values struct {
	nodes map[pointer]node
	copy  any // all values as they were at first
	where func(path []string) (wire.Place, bool)
}

// pointer identifies a map or a list that is not empty.
type pointer struct {
	at  uintptr
	len int // of lists
}

// node is a map or a list of the values. It keeps what it describes, so that nothing else gets its pointer.
type node struct {
	path []string
	is   any
}

// NewValues returns the values of a chart. Where returns the place of the value with a path.
func NewValues(all map[string]any, where func(path []string) (wire.Place, bool)) *Values {
	v := &Values{nodes: map[pointer]node{}, where: where}
	v.copy = v.add(reflect.ValueOf(all), nil)
	return v
}

// add remembers a value and all below it, and returns a copy. What has several paths keeps its first one.
func (v *Values) add(of reflect.Value, path []string) any {
	if of.Kind() == reflect.Interface {
		of = of.Elem()
	}
	switch {
	case !of.IsValid():
		return nil
	case of.Kind() == reflect.Map && of.Type().Key().Kind() == reflect.String:
		v.remember(of, path)
		out := make(map[string]any, of.Len())
		for _, k := range sortedKeys(of) {
			out[k.String()] = v.add(of.MapIndex(k), append(slices.Clip(path), k.String()))
		}
		return out
	case of.Kind() == reflect.Slice:
		v.remember(of, path)
		out := make([]any, of.Len())
		for i := range out {
			out[i] = v.add(of.Index(i), append(slices.Clip(path), strconv.Itoa(i)))
		}
		return out
	}
	return of.Interface()
}

func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	return keys
}

func (v *Values) remember(of reflect.Value, path []string) {
	p, ok := pointerOf(of)
	if !ok {
		return
	}
	if old, ok := v.nodes[p]; !ok || len(path) < len(old.path) {
		v.nodes[p] = node{path, of.Interface()}
	}
}

func pointerOf(of reflect.Value) (pointer, bool) {
	switch of.Kind() {
	case reflect.Map:
		return pointer{of.Pointer(), 0}, !of.IsNil()
	case reflect.Slice:
		return pointer{of.Pointer(), of.Len()}, of.Len() > 0
	}
	return pointer{}, false
}

// pathOf returns the path of a map or a list.
func (v *Values) pathOf(of reflect.Value) ([]string, bool) {
	p, ok := pointerOf(of)
	if !ok {
		return nil, false
	}
	n, ok := v.nodes[p]
	return n.path, ok
}

// original returns the value that had a path at first.
func (v *Values) original(path []string) (any, bool) {
	at := v.copy
	for _, k := range path {
		switch in := at.(type) {
		case map[string]any:
			next, ok := in[k]
			if !ok {
				return nil, false
			}
			at = next
		case []any:
			i, err := strconv.Atoi(k)
			if err != nil || i < 0 || i >= len(in) {
				return nil, false
			}
			at = in[i]
		default:
			return nil, false
		}
	}
	return at, true
}

// at returns the place of a value: a field of a map, and its text.
func (v *Values) at(of reflect.Value, fields, text string) (wire.Place, bool) {
	var path []string
	known := false
	for name := range strings.SplitSeq(fields, ".") {
		for of.Kind() == reflect.Interface {
			of = of.Elem()
		}
		if of.Kind() != reflect.Map || of.Type().Key().Kind() != reflect.String {
			return wire.Place{}, false
		}
		if p, ok := v.pathOf(of); ok {
			path, known = p, true
		}
		if known {
			path = append(slices.Clip(path), name)
		}
		of = of.MapIndex(reflect.ValueOf(name).Convert(of.Type().Key()))
	}
	if !known {
		return wire.Place{}, false
	}
	if was, ok := v.original(path); !ok || fmt.Sprint(was) != text {
		return wire.Place{}, false
	}
	return v.place(path)
}

// place returns the place of the value with a path.
func (v *Values) place(path []string) (wire.Place, bool) { return v.where(path) }

// node returns the place of a map or a list, if templates have not changed it.
func (v *Values) node(of reflect.Value) (wire.Place, bool) {
	path, ok := v.unchanged(of)
	if !ok {
		return wire.Place{}, false
	}
	return v.place(path)
}

// unchanged returns the path of a map or a list that is as it was at first.
func (v *Values) unchanged(of reflect.Value) ([]string, bool) {
	path, ok := v.pathOf(of)
	if !ok {
		return nil, false
	}
	was, ok := v.original(path)
	if !ok || !reflect.DeepEqual(was, plain(of)) {
		return nil, false
	}
	return path, true
}

// plain returns a value of maps and lists of one type each.
func plain(of reflect.Value) any { return (&Values{nodes: map[pointer]node{}}).add(of, nil) }

// lines returns the path of each line of a value that was written as YAML.
func (v *Values) lines(of reflect.Value, text string) [][]string {
	path, ok := v.unchanged(of)
	if !ok {
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return nil
	}
	out := make([][]string, strings.Count(text, "\n")+1)
	linesOf(doc.Content[0], path, out)
	for i := 1; i < len(out); i++ {
		if out[i] == nil { // the text goes on
			out[i] = out[i-1]
		}
	}
	return out
}

// linesOf fills in the lines at which the items of a node begin. A line with several items, such as the first
// field of a map in a list, has the path of the innermost one.
func linesOf(n *yaml.Node, path []string, out [][]string) {
	set := func(n *yaml.Node, path []string) {
		if i := n.Line - 1; i >= 0 && i < len(out) {
			out[i] = path
		}
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			below := append(slices.Clip(path), n.Content[i].Value)
			set(n.Content[i], below)
			linesOf(n.Content[i+1], below, out)
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			below := append(slices.Clip(path), strconv.Itoa(i))
			set(item, below)
			linesOf(item, below, out)
		}
	case yaml.ScalarNode:
		if n.Line > 0 && n.Line <= len(out) && out[n.Line-1] == nil {
			out[n.Line-1] = path
		}
	}
}
