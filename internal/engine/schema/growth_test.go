package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"weft/internal/engine/load"
	"weft/internal/engine/schema"
	"weft/internal/lang/tree"
)

// entries returns n keys of a map, each with a value.
func entries(n int, value string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  key%06d: %s\n", i, value)
	}
	return b.String()
}

// checking returns a function that checks n values: those of arbitrary keys, or those of declared ones.
func checking(t testing.TB, head, declared string, n int) func() tree.Doc {
	t.Helper()
	p, list := run(t, []load.Memory{
		{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\n" + head + "m:\n" + declared)},
		{Path: "values.yml", Data: []byte("#@data/values\n---\nm:\n" + entries(n, "{image: x, replicas: 2}"))},
	})
	if list != nil {
		t.Fatal(p.render(list))
	}
	typ, list := p.typ()
	if list != nil {
		t.Fatal(p.render(list))
	}
	return func() tree.Doc {
		doc, list := typ.Assign(p.values[0], tree.Doc{})
		if list == nil {
			list = typ.Missing(doc)
		}
		if list == nil {
			doc, list = typ.Compute(doc, schema.Computing{Call: p.call})
		}
		if list == nil {
			list = typ.Validate(doc, p.call, nil)
		}
		if list != nil {
			t.Fatal(p.render(list))
		}
		return doc
	}
}

const (
	fixedItem    = "{image: nginx, replicas: 1, port: 80}"
	openItem     = "  _: " + fixedItem + "\n"
	computedItem = "  _:\n    image: nginx\n    replicas: 1\n" +
		"    #@schema/computed lambda v, it: it.replicas + 1\n    port: 80\n"
)

// TestMapGrowth counts what is allocated for a map with arbitrary keys: twice as many keys cost twice as
// much, and hardly more than keys that are declared. The same for values that are computed.
func TestMapGrowth(t *testing.T) {
	const n = 2_000
	count := func(head, declared string, n int) float64 {
		check := checking(t, head, declared, n)
		return testing.AllocsPerRun(3, func() { check() })
	}
	fixed := count("", entries(n, fixedItem), n)
	open := count("#@schema/map keys=\"^[a-z0-9]+$\"\n", openItem, n)
	if open > 1.3*fixed {
		t.Errorf("a map with arbitrary keys allocates %.0f times, one with declared keys %.0f times", open, fixed)
	}
	for name, item := range map[string]string{"arbitrary keys": openItem, "computed": computedItem} {
		once, twice := count("#@schema/map\n", item, n), count("#@schema/map\n", item, 2*n)
		if twice > 2.2*once {
			t.Errorf("%s: %.0f allocations, twice as many values %.0f", name, once, twice)
		}
	}
}

func BenchmarkAssign(b *testing.B) {
	const n = 10_000
	for name, c := range map[string]func() tree.Doc{
		"fixed": checking(b, "", entries(n, fixedItem), n),
		"open":  checking(b, "#@schema/map\n", openItem, n),
		"keys":  checking(b, "#@schema/map keys=\"^[a-z0-9]+$\"\n", openItem, n),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c()
			}
		})
	}
}
