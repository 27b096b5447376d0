package kustomization

import (
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// parallel is the same place in the documents of several builds. A build that has no such place has nil.
type parallel struct {
	path                 []string
	out                  *yaml.Node // the document that is printed
	key, claimed         *yaml.Node // its key, if it has one, and itself, in the build for claims
	withTokens, noCopies *yaml.Node
}

// at returns the place of a key below a mapping.
func (p parallel) at(key string, out *yaml.Node) parallel {
	next := parallel{path: append(p.path[:len(p.path):len(p.path)], key), out: out}
	next.claimed = field(p.claimed, key)
	next.withTokens, next.noCopies = field(p.withTokens, key), field(p.noCopies, key)
	if next.claimed != nil {
		for i := 0; i+1 < len(p.claimed.Content); i += 2 {
			if p.claimed.Content[i].Value == key {
				next.key = p.claimed.Content[i]
			}
		}
	}
	return next
}

// item returns the place of an item of a list. Lists of another length have no such place, unless exactly one
// of their items is equal.
func (p parallel) item(i int, out *yaml.Node) parallel {
	next := parallel{path: append(p.path[:len(p.path):len(p.path)], strconv.Itoa(i)), out: out}
	pick := func(list *yaml.Node) *yaml.Node {
		if list == nil || list.Kind != yaml.SequenceNode {
			return nil
		}
		if len(list.Content) == len(p.out.Content) {
			return follow(list.Content[i])
		}
		return onlyEqual(list, out)
	}
	next.claimed, next.withTokens, next.noCopies = pick(p.claimed), pick(p.withTokens), pick(p.noCopies)
	return next
}

// onlyEqual returns the item of a list that is equal to a node, if exactly one is.
func onlyEqual(list, n *yaml.Node) *yaml.Node {
	var found *yaml.Node
	for _, item := range list.Content {
		if equal(follow(item), n) {
			if found != nil {
				return nil
			}
			found = follow(item)
		}
	}
	return found
}

// equal reports whether two nodes have the same values.
func equal(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	switch a.Kind {
	case yaml.ScalarNode:
		return sameScalar(a, b)
	case yaml.MappingNode:
		for i := 0; i+1 < len(a.Content); i += 2 {
			other := field(b, a.Content[i].Value)
			if other == nil || !equal(follow(a.Content[i+1]), other) {
				return false
			}
		}
		return true
	}
	for i := range a.Content {
		if !equal(follow(a.Content[i]), follow(b.Content[i])) {
			return false
		}
	}
	return true
}

// sameScalar reports whether two scalars are the same value, which may be written in two ways.
func sameScalar(a, b *yaml.Node) bool {
	if a.Value == b.Value {
		return true
	}
	var x, y any
	return a.Decode(&x) == nil && b.Decode(&y) == nil && x == y
}

// indexes returns the paths of the items of a list.
func indexes(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(i)
	}
	return list
}
