//go:build !js

package remote

import (
	"errors"

	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// release is one version of a chart in an index.yaml.
type release struct {
	version string
	digest  string // "" if the index has none
	url     string // absolute, or relative to the repository
}

// maxIndexNodes is the maximum number of nodes of an index.yaml after its aliases are expanded. The largest
// public ones have about a million.
const maxIndexNodes = 20_000_000

var errNoChart = errors.New("no such chart")

// releasesOf returns the releases of a chart in an index.yaml, and the names of all charts. Entries without
// a version or a URL are left out, as by Helm.
func releasesOf(text []byte, chart string) (releases []release, names []string, err error) {
	file, err := new(source.Set).Add("index.yaml", text)
	if err != nil {
		return nil, nil, err
	}
	t, err := yaml.Parse(file, yaml.Options{Schema: yaml.Core, MaxNodes: maxIndexNodes})
	if err != nil {
		return nil, nil, errors.New("it is not valid YAML")
	}
	if t.Len() == 0 || !t.More(t.First()) {
		return nil, nil, errors.New("it is empty")
	}
	entries, ok := child(t, t.Root(t.First()), "entries")
	if !ok || t.Kind(entries) != yaml.Mapping {
		return nil, nil, errors.New("it has no `entries`")
	}
	for k, v := range t.Pairs(entries) {
		name := scalar(t, k)
		names = append(names, name)
		if v = t.Target(v); name != chart || t.Kind(v) != yaml.Sequence {
			continue
		}
		for item := range t.Items(v) {
			if r := releaseOf(t, item); r.version != "" && r.url != "" {
				releases = append(releases, r)
			}
		}
	}
	if releases == nil {
		return nil, names, errNoChart
	}
	return releases, names, nil
}

func releaseOf(t *yaml.Tree, n yaml.NodeID) (r release) {
	if v, ok := child(t, n, "version"); ok {
		r.version = scalar(t, v)
	}
	if v, ok := child(t, n, "digest"); ok {
		r.digest = scalar(t, v)
	}
	if v, ok := child(t, n, "urls"); ok && t.Kind(v) == yaml.Sequence {
		for u := range t.Items(v) {
			r.url = scalar(t, u)
			break // the others are for the case that it fails, and Helm never uses them
		}
	}
	return r
}

// child returns the value of a key of a mapping.
func child(t *yaml.Tree, n yaml.NodeID, key string) (value yaml.NodeID, ok bool) {
	if n = t.Target(n); t.Kind(n) != yaml.Mapping {
		return 0, false
	}
	for k, v := range t.Pairs(n) {
		if scalar(t, k) == key {
			return t.Target(v), true
		}
	}
	return 0, false
}

// scalar returns the text of a scalar, or "". A version such as 1.10 is text, whatever YAML takes it for.
func scalar(t *yaml.Tree, n yaml.NodeID) string {
	if n = t.Target(n); t.Kind(n) != yaml.Scalar {
		return ""
	}
	return string(t.Text(n))
}
