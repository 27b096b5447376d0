//go:build !playground

package workspace

import (
	"testing"

	"weft/internal/check/kubernetes"
)

// Two requests can append to the types at the same time.
func TestTypesAreShared(t *testing.T) {
	t.Parallel()
	k := &Kubernetes{types: make([]kubernetes.Type, 1, 8)}
	one := append(k.Types(), kubernetes.Type{Kind: "One"})
	two := append(k.Types(), kubernetes.Type{Kind: "Two"})
	if one[1].Kind != "One" || two[1].Kind != "Two" {
		t.Errorf("one request has %v, the other %v", one[1], two[1])
	}
}
