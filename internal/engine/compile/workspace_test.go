package compile

import (
	"strings"
	"testing"
)

// A unit does not share memory with those that are compiled after it.
func TestUnitsAreTheirOwn(t *testing.T) {
	const text = `#@ def labels(name):
a: 1
b: #@ name
#@ end
#@ for i in range(3):
---
name: #@ "x" + str(i)
#@overlay/match missing_ok=True
plain:
  c: 1
_: #@ labels("y")
#@ end
`
	compiled := func(text string) *Unit {
		u, err := Template(file(t, "in.yml", text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	first := compiled(text)
	before := string(first.Dump())
	for n := range 8 {
		compiled(strings.Repeat("#@ if True:\nother:\n- x: #@ 1 + 2\n- y\n#@ end\n---\n", n+1))
	}
	if after := string(first.Dump()); after != before {
		t.Errorf("the unit was\n%s\nand became\n%s", before, after)
	}
	inserts := 0
	for _, d := range first.Drops {
		if d.Inserts != nil {
			inserts++
		}
		if d.Inserts != nil && d.Inserts.Key.Starlark().String() != `"_"` {
			t.Errorf("the node of %q became %v", first.Code(&d), d.Inserts.Key)
		}
	}
	if inserts != 1 {
		t.Errorf("%d values may be meant to be inserted, want 1", inserts)
	}
}
