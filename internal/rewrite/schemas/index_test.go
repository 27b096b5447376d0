package schemas

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Keys are found where they are, whatever happened to the fields of a node and of its copies.
func TestFindsFields(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		nodes := []*node{{}}
		for range 200 {
			n := nodes[rnd.IntN(len(nodes))]
			key := fmt.Sprint("k", rnd.IntN(100))
			want := slices.IndexFunc(n.fields, func(f field) bool { return f.key == key })
			if got := n.find(key); got != want {
				t.Fatalf("%s of %d fields is at %d, want %d", key, len(n.fields), got, want)
			}
			switch {
			case rnd.IntN(30) == 0:
				copied := *n
				copied.fields = slices.Clip(copied.fields)
				nodes = append(nodes, &copied)
			case want < 0 && rnd.IntN(10) == 0:
				n.fields = append([]field{{key, &node{}}}, n.fields...)
			case want < 0:
				n.fields = append(n.fields, field{key, &node{}})
			}
		}
	}
}

// A large map is searched by its index.
func TestIndexesLargeMaps(t *testing.T) {
	n := &node{}
	for i := range 1000 {
		key := fmt.Sprint("k", i)
		if n.field(key) == nil {
			n.fields = append(n.fields, field{key, &node{}})
		}
	}
	if n.field("k500") == nil || n.index.known < 500 || len(n.index.at) != n.index.known {
		t.Errorf("the index knows %d of 1000 keys", n.index.known)
	}
}
