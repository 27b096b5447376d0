package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// mapping is a data value that is a map. Other data values are a string, an int, a bool, nil or a list
// ([]any).
type mapping struct {
	keys  []string
	items map[string]any
	open  bool // its schema allows any keys
}

func newMap(open bool, pairs ...any) *mapping {
	m := &mapping{open: open, items: map[string]any{}}
	for i := 0; i < len(pairs); i += 2 {
		m.keys = append(m.keys, pairs[i].(string))
		m.items[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// MarshalJSON implements json.Marshaler: keys keep their order.
func (m *mapping) MarshalJSON() ([]byte, error) {
	b := []byte("{")
	for i, k := range m.keys {
		if i > 0 {
			b = append(b, ", "...)
		}
		v, err := json.Marshal(m.items[k])
		if err != nil {
			return nil, err
		}
		b = fmt.Appendf(b, "%q: %s", k, v)
	}
	return append(b, '}'), nil
}

// clone returns a deep copy of v.
func clone(v any) any {
	switch v := v.(type) {
	case *mapping:
		m := &mapping{keys: slices.Clone(v.keys), items: map[string]any{}, open: v.open}
		for k, x := range v.items {
			m.items[k] = clone(x)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, x := range v {
			l[i] = clone(x)
		}
		return l
	}
	return v
}

// layer is the file that sets a top-level key.
type layer int

const (
	inSchema layer = iota // the default of the schema
	inFirst               // values1.yml
	inSecond              // values2.yml
	inBoth                // values1.yml has another value
)

// dataValues holds the data values of a project, and which file sets each of them.
type dataValues struct {
	root   *mapping
	layers map[string]layer
	first  *mapping // the values in values1.yml that values2.yml overrides
}

// words are the strings that data values have and that code compares them with.
var words = []string{"shop", "web", "prod", "front", "app"}

// numbers are on both sides of those that code compares with.
var numbers = []int{0, 1, 3, 5, 11, 50, 9000}

// drawValues draws data values.
func drawValues(r *rand.Rand) *dataValues {
	// Avoid equal values: they would hide which of them is used.
	used := map[any]bool{}
	word := func() string {
		w := words[r.IntN(len(words))]
		for n := r.IntN(90); used[w]; n++ {
			w = fmt.Sprintf("%s%d", words[r.IntN(len(words))], n)
		}
		used[w] = true
		return w
	}
	number := func() int {
		n := 1 + r.IntN(30)
		for used[n] {
			n = 1 + r.IntN(80)
		}
		used[n] = true
		return n
	}
	flag := func() bool { return r.IntN(2) == 0 }
	draw := func() *mapping {
		hosts, nums := []any{}, []any{}
		for i := range 1 + r.IntN(3) {
			hosts = append(hosts, word()+"-"+string(rune('a'+i)))
			nums = append(nums, number())
		}
		nums = append(nums, number())
		var ports []any
		for _, name := range []string{"http", "admin", "grpc"}[:1+r.IntN(3)] {
			ports = append(ports, newMap(false, "name", name, "port", number()+8000, "tls", flag()))
		}
		var users []any
		for _, name := range []string{"ann", "bob"} {
			roles := []any{}
			for range r.IntN(3) {
				roles = append(roles, word())
			}
			users = append(users, newMap(false, "name", name, "roles", roles))
		}
		var opt, optmap any
		if flag() {
			opt = word()
		}
		if flag() {
			optmap = newMap(false, "host", word(), "port", number())
		}
		return newMap(
			false,
			"name", word(), "env", word(), "mode", word(), "title", word(),
			"count", number(), "limit", number(), "public", flag(), "debug", flag(),
			"opt", opt, "optmap", optmap, "hosts", hosts, "nums", nums, "ports", ports, "users", users,
			"db", newMap(false, "host", word(), "port", number(), "pool",
				newMap(false, "size", number(), "wait", flag())),
			"images", newMap(false, "web", newMap(false, "repo", word(), "tag", number()),
				"job", newMap(false, "repo", word(), "tag", number())),
			"labels", newMap(true, "team", word(), "tier", word(), "app.io/part", word()),
			"features", newMap(true, "login", flag(), "chat", flag()),
			"extra", newMap(true, "list", []any{word(), number()}, "deep", newMap(true, "a", word())),
		)
	}
	d := &dataValues{root: draw(), first: draw(), layers: map[string]layer{}}
	for _, k := range d.root.keys {
		switch d.root.items[k].(type) {
		case string, int, bool:
			d.layers[k] = layer(r.IntN(4))
		default:
			d.layers[k] = inFirst + layer(r.IntN(2))
		}
	}
	for _, k := range []string{"db", "images", "count"} {
		if r.IntN(3) == 0 {
			d.layers[k] = inBoth
		}
	}
	return d
}

// files returns the files that declare and set the data values in root.
func (d *dataValues) files(root *mapping) map[string]string {
	var schema strings.Builder
	schema.WriteString("#@data/values-schema\n---\n")
	first, second := newMap(false), newMap(false)
	put := func(m *mapping, k string, v any) {
		m.keys = append(m.keys, k)
		m.items[k] = v
	}
	for _, k := range root.keys {
		v := root.items[k]
		switch d.layers[k] {
		case inFirst:
			put(first, k, v)
		case inSecond:
			put(second, k, v)
		case inBoth:
			put(first, k, d.first.items[k])
			put(second, k, v)
		}
		schema.WriteString(d.schemaOf(k, v))
	}
	return map[string]string{
		"schema.yml":  schema.String(),
		"values1.yml": "#@data/values\n---\n" + lines(first),
		"values2.yml": "#@data/values\n---\n" + lines(second),
	}
}

func lines(m *mapping) string {
	var b strings.Builder
	for _, k := range m.keys {
		text, err := json.Marshal(m.items[k])
		if err != nil {
			panic(err)
		}
		if m, ok := m.items[k].(*mapping); ok && m.open {
			b.WriteString("#@overlay/match-child-defaults missing_ok=True\n")
		}
		fmt.Fprintf(&b, "%s: %s\n", k, text)
	}
	if len(m.keys) == 0 {
		return "{}\n"
	}
	return b.String()
}

// schemaOf returns the part of the schema for a top-level key, with its default.
func (d *dataValues) schemaOf(k string, v any) string {
	if d.layers[k] == inSchema {
		text, _ := json.Marshal(v)
		return fmt.Sprintf("%s: %s\n", k, text)
	}
	return map[string]string{
		"name": "name: a\n", "env": "env: a\n", "mode": "mode: a\n", "title": "title: a\n",
		"count": "count: 0\n", "limit": "limit: 0\n", "public": "public: false\n",
		"debug":  "debug: false\n",
		"opt":    "#@schema/nullable\nopt: \"\"\n",
		"optmap": "#@schema/nullable\noptmap:\n  host: \"\"\n  port: 0\n",
		"hosts":  "hosts: [\"\"]\n", "nums": "nums: [0]\n",
		"ports":    "ports:\n- name: \"\"\n  port: 0\n  tls: false\n",
		"users":    "users:\n- name: \"\"\n  roles: [\"\"]\n",
		"db":       "db:\n  host: \"\"\n  port: 0\n  pool:\n    size: 0\n    wait: false\n",
		"images":   "images:\n  web: {repo: \"\", tag: 0}\n  job: {repo: \"\", tag: 0}\n",
		"labels":   "#@schema/type any=True\nlabels: {}\n",
		"features": "#@schema/type any=True\nfeatures: {}\n",
		"extra":    "#@schema/type any=True\nextra: {}\n",
	}[k]
}

// change is another value for one of the data values.
type change struct {
	path string // as blame names it
	root *mapping
	keys bool // it adds or removes items of a collection
}

// changes returns the changes to try, each of one data value.
func (d *dataValues) changes() []change {
	var list []change
	add := func(way []any, v any, keys bool) {
		root := clone(d.root).(*mapping)
		set(root, way, v)
		list = append(list, change{pathText(way), root, keys})
	}
	var walk func(way []any, v any, open bool)
	walk = func(way []any, v any, open bool) {
		way = slices.Clip(way)
		nullable := open || len(way) == 1 && (way[0] == "opt" || way[0] == "optmap")
		if nullable && v != nil {
			_, scalar := v.(string)
			add(way, nil, !scalar)
		}
		switch v := v.(type) {
		case nil:
			if len(way) == 1 && way[0] == "optmap" {
				add(way, newMap(false, "host", "shop", "port", 7), false)
			} else {
				add(way, "web", false)
			}
		case string:
			others := []string{v + "z", ""}
			for _, k := range []string{"name", "env", "mode", "title"} {
				others = append(others, d.root.items[k].(string))
			}
			for _, w := range append(others, words...) {
				if w != v {
					add(way, w, false)
				}
			}
		case int:
			for _, n := range append([]int{v - 1, v + 1}, numbers...) {
				if n != v {
					add(way, n, false)
				}
			}
		case bool:
			add(way, !v, false)
		case []any:
			for i, x := range v {
				walk(append(way, i), x, open)
			}
			if len(v) > 0 {
				add(way, v[:len(v)-1], true)
				add(way, []any{}, true)
				add(way, append(slices.Clone(v), clone(v[0])), true)
				turned := slices.Clone(v)
				slices.Reverse(turned)
				add(way, turned, true)
			} else {
				add(way, []any{"web"}, true)
			}
		case *mapping:
			for _, k := range v.keys {
				walk(append(way, k), v.items[k], v.open)
				if v.open {
					less := clone(v).(*mapping)
					less.keys = slices.DeleteFunc(less.keys, func(x string) bool { return x == k })
					delete(less.items, k)
					add(way, less, true)
					list[len(list)-1].path = pathText(append(way, k))
				}
			}
			if v.open && len(v.keys) > 0 {
				for _, k := range []string{"nope", words[0]} {
					more := clone(v).(*mapping)
					if _, ok := more.items[k]; ok {
						continue
					}
					more.keys = append(more.keys, k)
					more.items[k] = more.items[v.keys[0]]
					add(way, more, true)
				}
			}
		}
	}
	for _, k := range d.root.keys {
		walk([]any{k}, d.root.items[k], false)
	}
	return list
}

// beside returns a copy of the data values in which about one in n is changed: whole top-level values,
// and scalars, most of which become a value that code compares with.
func (d *dataValues) beside(r *rand.Rand, n int) *dataValues {
	root := clone(d.root).(*mapping)
	other := map[string][]change{}
	for _, c := range d.changes() {
		top, _, _ := strings.Cut(strings.ReplaceAll(c.path, "[", "."), ".")
		other[top] = append(other[top], c)
	}
	for _, k := range root.keys {
		if r.IntN(2*n) == 0 {
			root.items[k] = clone(other[k][r.IntN(len(other[k]))].root.items[k])
		}
		root.items[k] = stirred(r, root.items[k], n)
	}
	return &dataValues{root: root, layers: d.layers, first: d.first}
}

// stirred changes about one in n of the scalars in v, and returns v.
func stirred(r *rand.Rand, v any, n int) any {
	switch v := v.(type) {
	case *mapping:
		for _, k := range v.keys {
			v.items[k] = stirred(r, v.items[k], n)
		}
	case []any:
		for i := range v {
			v[i] = stirred(r, v[i], n)
		}
	case string:
		if r.IntN(n) == 0 {
			return words[r.IntN(len(words))]
		}
	case int:
		if r.IntN(n) == 0 {
			return numbers[r.IntN(len(numbers))]
		}
	case bool:
		return v != (r.IntN(n) == 0)
	}
	return v
}

// set sets the value at a path.
func set(m *mapping, way []any, v any) {
	var at any = m
	for i, step := range way {
		last := i == len(way)-1
		switch x := at.(type) {
		case *mapping:
			k := step.(string)
			if last {
				x.items[k] = v
			}
			at = x.items[k]
		case []any:
			n := step.(int)
			if last {
				x[n] = v
			}
			at = x[n]
		}
	}
}

// pathText returns a path as blame writes it.
func pathText(way []any) string {
	var b strings.Builder
	for i, step := range way {
		switch s := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		case string:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		}
	}
	return b.String()
}
