package override

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
	"weft/internal/testing/yamltest"
)

// TestRoutesLeadToAllMatches: no override that is for a document is missed, however it selects.
func TestRoutesLeadToAllMatches(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		word := func() string { return []string{"a", "b", "Web", "svc", "Service", "x.y"}[rng.IntN(6)] }
		var docs, overrides strings.Builder
		for range 6 {
			fmt.Fprintf(&docs, "---\nkind: %s\nmetadata: {name: %s}\n", word(), word())
			fmt.Fprint(&overrides, "---\n")
			switch rng.IntN(6) {
			case 0:
				fmt.Fprintf(&overrides, "kind: %s\nmetadata: {name: %s}\n", word(), word())
			case 1:
				fmt.Fprintf(&overrides, "$select: %s/%s\n", word(), word())
			case 2:
				fmt.Fprintf(&overrides, "$select: [{kind: %s}, {metadata.name: [%s, %s]}]\n", word(), word(), word())
			case 3:
				fmt.Fprintf(&overrides, "$select: {metadata.name: {$not: %s}}\n", word())
			case 4:
				fmt.Fprintf(&overrides, "$select: f.yml#%d\n", 1+rng.IntN(6))
			}
			fmt.Fprint(&overrides, "v: 1\n")
		}
		left := yamltest.Read(t, docs.String()).Docs
		opt := &Options{ByName: true}
		patches := opt.patchesOf(yamltest.Read(t, overrides.String()).Docs)
		files := []string{"f.yml"}
		numbered := numberedOver(patches, [][]tree.Doc{left}, files)
		routes := routesOf(patches, numbered)
		for j, doc := range left {
			at, d := docPlace{0, j}, selectable(Place{Doc: j}, doc.Value, files)
			list := routes.of(at, routes.keysOf(d))
			for k, o := range patches {
				m := newMerger(opt, nil)
				m.picked, m.numbered = make([]bool, len(patches)), numbered
				if m.picks(k, o, at, d) && !slices.Contains(list, k) {
					t.Fatalf("seed %d: override %d of document %d is missed\n%s\n%s", seed, k, j, &docs, &overrides)
				}
			}
		}
	}
}

// TestRoutesAreShort: as many overrides as documents, each for one of them, are looked at once.
func TestRoutesAreShort(t *testing.T) {
	const n = 200
	for _, form := range []string{
		"$select: {kind: A, metadata.name: d%d}\n", "$select: A/d%d\n", "$select: f.yml#%d\n",
		"kind: A\nmetadata: {name: d%d}\n",
	} {
		var docs, overrides strings.Builder
		for i := range n {
			fmt.Fprintf(&docs, "---\nkind: A\nmetadata: {name: d%d}\n", i+1)
			fmt.Fprintf(&overrides, "---\n"+form+"v: 1\n", i+1)
		}
		left, files := yamltest.Read(t, docs.String()).Docs, []string{"f.yml"}
		patches := (&Options{ByName: true}).patchesOf(yamltest.Read(t, overrides.String()).Docs)
		routes := routesOf(patches, numberedOver(patches, [][]tree.Doc{left}, files))
		total := 0
		for j, doc := range left {
			total += len(routes.of(docPlace{0, j}, selector.Selectable{Value: doc.Value, File: "f.yml"}.Keys()))
		}
		if total != n {
			t.Errorf("%q: %d documents look at %d overrides", form, n, total)
		}
	}
}
