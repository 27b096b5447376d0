package kustomization

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"weft/internal/project/engines/wire"
)

// refusal returns why kustomize must not see a kustomization, or nil.
func refusal(file string, text []byte) *wire.Error {
	root, err := yaml.Parse(string(text))
	if err != nil {
		return nil // kustomize reports it
	}
	for _, e := range entriesOf(root.YNode()) {
		switch e.key {
		case "helmCharts", "helmChartInflationGenerator":
			return &wire.Error{
				Code: wire.CodeHelm, File: file, Line: e.line,
				Message: fmt.Sprintf("%s: weft renders charts itself", e.key),
			}
		case "resources", "bases", "components", "generators", "transformers", "validators":
			if e.item != nil && isRemote(e.item.Value) {
				return remote(file, e.key, e.item)
			}
		}
		if n := remoteFile(e.item); n != nil {
			return remote(file, e.key, n)
		}
	}
	return nil
}

// explodes reports whether the aliases of a file stand for too many nodes.
func explodes(text []byte) bool {
	if !bytes.ContainsRune(text, '*') || !bytes.ContainsRune(text, '&') {
		return false
	}
	for _, c := range chunksOf(text) {
		root, err := yaml.Parse(c.text)
		if err == nil && root != nil && size(root.YNode(), map[*yaml.Node]int{}) > maxNodes {
			return true
		}
	}
	return false
}

// size counts nodes as if aliases were copies. It stops counting soon after maxNodes.
func size(n *yaml.Node, known map[*yaml.Node]int) int {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		if _, ok := known[n.Alias]; !ok {
			known[n.Alias] = maxNodes + 1 // if it contains itself
			known[n.Alias] = size(n.Alias, known)
		}
		return known[n.Alias]
	}
	sum := 1
	for _, c := range n.Content {
		if sum += size(c, known); sum > maxNodes {
			return sum
		}
	}
	return sum
}

func remote(file, key string, n *yaml.Node) *wire.Error {
	return &wire.Error{
		Code: wire.CodeRemote, File: file, Line: n.Line,
		Message: fmt.Sprintf("%s: '%s' is not in the repository, and nothing is fetched", key, n.Value),
	}
}

// entry is an entry of a kustomization: an item of a list, or else a key with its value.
type entry struct {
	key  string
	line int
	item *yaml.Node
}

// entriesOf returns the entries of a kustomization in their order.
func entriesOf(root *yaml.Node) []entry {
	if root.Kind == yaml.DocumentNode && len(root.Content) > 0 {
		root = root.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return nil
	}
	var list []entry
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], follow(root.Content[i+1])
		if value.Kind != yaml.SequenceNode || len(value.Content) == 0 {
			list = append(list, entry{key.Value, key.Line, value})
			continue
		}
		for _, item := range value.Content {
			list = append(list, entry{key.Value, item.Line, follow(item)})
		}
	}
	return list
}

func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// remoteFile returns a file that kustomize would fetch, in an entry such as one of patches or of
// configMapGenerator. Values of other keys are not read as files.
func remoteFile(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := follow(n.Content[i+1])
		switch n.Content[i].Value {
		case "path", "env":
			if isURL(value.Value) {
				return value
			}
		case "files", "envs":
			for _, item := range value.Content {
				if _, after, _ := strings.Cut(item.Value, "="); isURL(item.Value) || isURL(after) {
					return item
				}
			}
		}
	}
	return nil
}

// isURL reports whether kustomize fetches a file.
func isURL(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

var user = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]*@`)

// isRemote reports whether kustomize fetches a file or clones a repository.
func isRemote(name string) bool {
	if strings.ContainsAny(name, "\n") {
		return false
	}
	lower := strings.TrimPrefix(strings.ToLower(name), "git::")
	for _, scheme := range []string{"http://", "https://", "ssh://", "file://"} {
		if strings.HasPrefix(lower, scheme) {
			return true
		}
	}
	lower = user.ReplaceAllString(lower, "")
	return strings.HasPrefix(lower, "github.com/") || strings.HasPrefix(lower, "github.com:") ||
		user.MatchString(name) && strings.ContainsAny(name, ":/")
}
