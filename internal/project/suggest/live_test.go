package suggest

import (
	"fmt"
	"strings"
	"testing"

	"weft/internal/check/jsonschema"
	"weft/internal/check/kubernetes"
	"weft/internal/lang/tree"
)

// TestNestedDefaults checks that the work to leave out defaults in each other grows with their number, and does not
// double with each.
func TestNestedDefaults(t *testing.T) {
	work := func(depth int) float64 {
		was, now, schema := nestedDefaults(t, depth)
		if got := cleaned(was, now, schema); got.Len() != 3 {
			t.Errorf("%d defaults in each other count as drift", depth)
		}
		return testing.AllocsPerRun(1, func() { cleaned(was, now, schema) })
	}
	if few, many := work(4), work(12); many > 6*few {
		t.Errorf("4 defaults in each other take %v allocations, 12 take %v", few, many)
	}
}

// nestedDefaults returns a custom resource as it is rendered, without defaults, and as a cluster has it, and its
// schema. All defaults have some of the others in them.
func nestedDefaults(t *testing.T, depth int) (was, now tree.Value, schema jsonschema.Outline) {
	nested := func(n int) string { return strings.Repeat("{a: ", n) + "{}" + strings.Repeat("}", n) }
	text := "{type: object}"
	for i := range depth {
		text = fmt.Sprintf("{type: object, default: %s, properties: {a: %s}}", nested(i/2), text)
	}
	const object = "{apiVersion: test.dev/v1, kind: Foo, metadata: {name: a}"
	_, docs, err := parse([]byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.test.dev}
spec:
  group: test.dev
  names: {kind: Foo, plural: foos}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {a: `+text+`}}}
---
`+object+`}
---
`+object+", a: "+nested(depth-1)+"}\n"), "test", projectSyntax)
	if err != nil {
		t.Fatal(err)
	}
	schemas := kubernetes.Custom().With([]tree.Doc{{Value: docs[0]}}, nil)
	found, err := schemas.Find(kubernetes.Type{APIVersion: "test.dev/v1", Kind: "Foo"})
	if err != nil {
		t.Fatal(err)
	}
	return docs[1], docs[2], found.Outline()
}
