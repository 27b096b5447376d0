//go:build !playground

package feature

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/syntax"

	"weft/internal/lang/script"
)

// Each name of a matcher is followed once, even if its expression has the name itself many times.
func TestMatcherNames(t *testing.T) {
	t.Parallel()
	assigned := map[string]syntax.Expr{}
	for name, text := range map[string]string{
		"again": `both(again, again, again, overlay.subset({"kind": "Service"}), again, again, a)`,
		"a":     "b", "b": "c", "c": "d", "d": "e", "e": "f",
		"f": `overlay.subset({"apiVersion": "apps/v1", "kind": "Deployment"})`,
	} {
		assigned[name] = parsed(t, text)
	}
	m := matcherText{assigned: assigned}
	m.read(parsed(t, "match(by=again)"))
	var kinds []string
	for _, d := range m.dicts {
		kinds = append(kinds, textAt(d, "kind"))
	}
	if diff := cmp.Diff([]string{"Service", "Deployment"}, kinds); diff != "" {
		t.Error(diff)
	}
}

func parsed(t *testing.T, text string) syntax.Expr {
	t.Helper()
	e, err := script.Options().ParseExpr("", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
