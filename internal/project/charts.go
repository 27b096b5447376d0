package project

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/shape"
	"weft/internal/lang/source"
)

// Chart is an entry of the key charts: a Helm chart whose documents are part of the output.
type Chart struct {
	Name string
	At   source.Span // where it is named

	Chart       Item // the path of a directory or an archive
	Release     Item
	Namespace   Item
	Kubernetes  Item // the version that templates see
	APIVersions []Item
	Values      []Item // paths of values files, the weakest first
	Hooks       Item   // keep or drop
	Order       Item   // helm4 or helm3
	Random      Item   // error or seeded
	CRDs        Item   // true or false
}

// Kustomization is an entry of the key kustomizations.
type Kustomization struct {
	Name string
	At   source.Span // where it is named
	Dir  Item        // the path of a directory with a kustomization
}

// chartKeys are the keys of a chart. Only some of them are needed in each file: see checkCharts.
func chartKeys() []shape.Key {
	return []shape.Key{
		{
			Name: "chart", Shape: filePath(),
			Doc: "The chart: a directory or a `.tgz` archive of the repository. `{env}` is the name of the " +
				"environment. Required.",
		},
		{
			Name: "kubernetes", Shape: clusterVersion(),
			Doc: "The version of Kubernetes that templates see. Required: weft asks no cluster.",
		},
		{
			Name: "apiVersions", Shape: shape.ListOf(text()),
			Doc: "API versions that templates see in addition to those of Kubernetes, such as " +
				"`monitoring.coreos.com/v1`.",
		},
		{
			Name: "release", Shape: releaseName(),
			Doc: "The name of the release. The default is the name of the entry.",
		},
		{
			Name: "namespace", Shape: namespace(),
			Doc: "The namespace of the release. The default is `default`.",
		},
		{
			Name: "values", Shape: shape.OneOrMore(filePath()),
			Doc: "Values files, merged as Helm does; the last one wins. A file with `#@` is a template " +
				"whose only document has the values. `{env}` is the name of the environment.",
		},
		{
			Name: "crds", Shape: boolean(),
			Doc: "Whether the output has the files of the folder `crds`. The default is `true`.",
		},
		{
			Name: "hooks", Shape: shape.OneOf("keep", "drop"),
			Doc: "Whether the output has hooks. The default is `keep`.",
		},
		{
			Name: "order", Shape: shape.OneOf("helm4", "helm3"),
			Doc: "The order of documents. Helm 3 prints webhook configurations last. The default is `helm4`.",
		},
		{
			Name: "random", Shape: shape.OneOf("error", "seeded"),
			Doc: "What happens if a template calls a function with another result each time, such as " +
				"`randAlphaNum`: it is an error, or the result is `seeded` by release and chart, and " +
				"**predictable**. The default is `error`.",
		},
	}
}

// clusterVersion returns the shape of the Kubernetes version of a chart. It may be a number.
func clusterVersion() *shape.Shape {
	const pattern = `^v?[0-9]{1,9}(\.[0-9]{1,9}){1,2}([+-][0-9A-Za-z.+-]{1,99})?$`
	return &shape.Shape{
		Kind: shape.Scalar, Pattern: pattern, Expected: "a version of Kubernetes such as 1.31",
		Noun: "version", JSON: shape.Object{"type": []string{"string", "number"}, "pattern": pattern},
	}
}

func releaseName() *shape.Shape {
	return matching("name", `^[a-z0-9]([a-z0-9.-]{0,51}[a-z0-9])?$`,
		"at most 53 lower-case letters, digits, `-` and `.`")
}

// charts merges the charts of a fragment: an entry adds to the one of the same name.
func (m *merger) charts(f fragment) {
	for _, e := range entriesOf(f.node.Get(keyCharts)) {
		list := &m.settings.Charts
		i := slices.IndexFunc(*list, func(c Chart) bool { return c.Name == e.Key })
		if i < 0 {
			i = len(*list)
			*list = append(*list, Chart{Name: e.Key, At: e.KeyAt})
		}
		m.chart(&(*list)[i], f, e.Value)
	}
}

// chart sets what a fragment says about a chart.
func (m *merger) chart(c *Chart, f fragment, n *Node) {
	if x := n.Get("chart"); x != nil {
		c.Chart = m.inEnvironment(f, x)
	}
	for key, to := range map[string]*Item{
		"release": &c.Release, "namespace": &c.Namespace, "kubernetes": &c.Kubernetes, "hooks": &c.Hooks,
		"order": &c.Order, "random": &c.Random, "crds": &c.CRDs,
	} {
		if x := n.Get(key); x != nil {
			*to = Item{x.Text, x.At}
		}
	}
	for _, x := range n.Get("apiVersions").texts() {
		c.APIVersions = append(slices.Clip(c.APIVersions), Item{x.Text, x.At})
	}
	for _, x := range n.Get("values").texts() {
		c.Values = append(slices.Clip(c.Values), m.inEnvironment(f, x))
	}
}

// kustomizations merges the kustomizations of a fragment: an entry replaces the one of the same name.
func (m *merger) kustomizations(f fragment) {
	for _, e := range entriesOf(f.node.Get(keyKustomizations)) {
		k := Kustomization{Name: e.Key, At: e.KeyAt, Dir: m.inEnvironment(f, e.Value)}
		list := &m.settings.Kustomizations
		i := slices.IndexFunc(*list, func(x Kustomization) bool { return x.Name == k.Name })
		if i < 0 {
			*list = append(*list, k)
		} else {
			(*list)[i] = k
		}
	}
}

// inEnvironment returns a path of a fragment in which {env} is the name of the environment.
func (m *merger) inEnvironment(f fragment, n *Node) Item {
	text := n.Text
	if strings.Contains(text, placeholder) {
		if m.settings.Name == "" {
			m.report(diag.Errorf(n.At, CodePath, "the project has no environments, but the path has %s", placeholder))
			return Item{At: n.At}
		}
		text = strings.ReplaceAll(text, placeholder, m.settings.Name)
	}
	return Item{m.project.places.from(f.file, text), n.At}
}

// checkCharts reports charts that are not complete, and paths that must not be read.
func (m *merger) checkCharts() {
	for _, c := range m.settings.Charts {
		m.checkFolder(c.Name, c.At)
		for _, x := range []struct {
			key, example string
			of           Item
		}{
			{"chart", "vendor/" + c.Name, c.Chart},
			{"kubernetes", "1.31", c.Kubernetes},
		} {
			if !x.of.At.IsValid() {
				m.report(diag.Errorf(c.At, CodeKey, "chart '%s' needs the key '%s'", c.Name, x.key).
					WithHint("add `%s: %s`", x.key, x.example))
			}
		}
		for _, x := range append([]Item{c.Chart}, c.Values...) {
			if x.Text != "" {
				m.checkPath(x.Text, x.At)
			}
		}
	}
	for _, k := range m.settings.Kustomizations {
		m.checkFolder(k.Name, k.At)
		if k.Dir.Text != "" {
			m.checkPath(k.Dir.Text, k.Dir.At)
		}
	}
}

// checkFolder reports a name that cannot be the name of a folder of the output.
func (m *merger) checkFolder(name string, at source.Span) {
	if !IsName(name) {
		m.report(diag.Errorf(at, CodeKey, "'%s' cannot be the name of a chart or a kustomization",
			diag.Shortened(name)).WithHint("names have letters, digits, '.', '_' and '-', and begin with a " +
			"letter, a digit or '_'"))
	}
}

// chartsOf returns the charts of an environment, for weft env.
func (p *Description) chartsOf(s *Settings, scalar func(string, source.Span) shown) (v shown) {
	list := func(items []Item) shown {
		out := shown{list: true}
		for _, x := range items {
			out.items = append(out.items, scalar(x.Text, x.At))
		}
		return out
	}
	for _, c := range s.Charts {
		var of shown
		add := func(key string, value shown) { of.entries = append(of.entries, shownEntry{key, value}) }
		for _, x := range []struct {
			key string
			Item
		}{
			{"chart", c.Chart},
			{"kubernetes", c.Kubernetes},
			{"release", c.Release},
			{"namespace", c.Namespace},
			{"hooks", c.Hooks},
			{"order", c.Order},
			{"random", c.Random},
		} {
			if x.Text != "" {
				add(x.key, scalar(x.Text, x.At))
			}
		}
		if c.CRDs.Text != "" {
			add("crds", shown{text: c.CRDs.Text, value: c.CRDs.Text == "true", from: p.where(c.CRDs.At)})
		}
		if c.APIVersions != nil {
			add("apiVersions", list(c.APIVersions))
		}
		if c.Values != nil {
			add("values", list(c.Values))
		}
		v.entries = append(v.entries, shownEntry{c.Name, of})
	}
	return v
}

// kustomizationsOf returns the kustomizations of an environment, for weft env.
func (p *Description) kustomizationsOf(s *Settings, scalar func(string, source.Span) shown) (v shown) {
	for _, k := range s.Kustomizations {
		v.entries = append(v.entries, shownEntry{k.Name, scalar(k.Dir.Text, k.Dir.At)})
	}
	return v
}
