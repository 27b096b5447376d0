package shortcut

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/testing/yamltest"
)

// everything has one of each.
func everything() *Config {
	return &Config{
		Images: []Image{{
			Entry: Entry{Key: "images", Name: "app", Uses: 2, At: values.Place{Start: 1}}, Tag: "x",
		}},
		Replicas:    []Replicas{{Entry: Entry{Key: "replicas", Name: "web", Uses: 2}, N: 2}},
		Namespace:   Text{Entry: Entry{Key: "namespace"}, Text: "shop"},
		Labels:      []Text{{Entry: Entry{Key: "labels", Name: "team"}, Text: "new"}},
		Annotations: []Text{{Entry: Entry{Key: "annotations", Name: "note"}, Text: "n"}},
	}
}

func apply(t testing.TB, text string, c *Config, matched func(Match)) (*Result, error) {
	t.Helper()
	s := yamltest.Read(t, text)
	return Apply([][]tree.Doc{s.Docs}, c, Options{
		Place: func(values.Place) source.Span { return source.Span{} }, Warn: func(*diag.Diagnostic) {},
		Matched: matched,
	})
}

// What is not as Kubernetes has it stays as it is, and nothing else is lost.
func TestWrongTypesStay(t *testing.T) {
	for _, text := range []string{
		"[1]", "a", "null", "{kind: Deployment}", "{apiVersion: v1, kind: [a]}",
		"{apiVersion: v1, kind: List, items: {a: 1}}",
		"{apiVersion: v1, kind: List, items: [5, null, {kind: Pod}, [a]]}",
		"{apiVersion: v1, kind: PodList, items: []}",
		"{apiVersion: v1, kind: Namespace, metadata: text}",
	} {
		res, err := apply(t, text, everything(), func(m Match) { t.Errorf("%s: set %s", text, m.Path) })
		if err != nil {
			t.Errorf("%s: %s", text, err)
			continue
		}
		want := yamltest.Read(t, text).Docs[0].Value.Go()
		if got := res.Docs[0][0].Value.Go(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s became %v", text, got)
		}
	}
}

// Each match names its place in the document, also in lists of objects whose items have no kind.
func TestMatches(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{
			"{apiVersion: v1, kind: PodList, items: [{metadata: {name: p}, spec: {containers: [{image: 'app:1'}]}}]}",
			"+items[0].metadata.namespace +items[0].metadata.labels.team +items[0].metadata.annotations.note " +
				"~items[0].spec.containers[0].image",
		},
		{
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}}",
			"+spec.replicas ~metadata.namespace +metadata.labels.team +metadata.annotations.note",
		},
		{
			"{apiVersion: ray.io/v1, kind: Ray, metadata: {labels: [x], annotations: text}, " +
				"spec: {a: [{podTemplate: {metadata: [], spec: {" +
				"initContainers: [5, {image: [x]}, {image: app@sha256:1}], containers: []}}}], containers: [{image: app}]}}",
			"+metadata.namespace ~spec.a[0].podTemplate.spec.initContainers[2].image",
		},
		{
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, " +
				"spec: {names: text, template: {spec: {containers: [{image: app}]}}}}",
			"+metadata.labels.team +metadata.annotations.note",
		},
		{
			"{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, subjects: {a: {kind: ServiceAccount}}}",
			"+metadata.namespace +metadata.labels.team +metadata.annotations.note",
		},
	} {
		var got []string
		_, err := apply(t, c.text, everything(), func(m Match) {
			sign := "+"
			if m.Had {
				sign = "~"
			}
			got = append(got, sign+m.Path)
		})
		if err != nil {
			t.Fatal(err)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, s, c.want)
		}
	}
}

// A label that a service selects pods by must not get lost; pods of others do not count.
func TestServiceSelector(t *testing.T) {
	const service = "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {team: old}}}\n---\n"
	const pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {team: %s}}, " +
		"spec: {containers: [{image: app}]}}"
	const job = "{apiVersion: batch/v1, kind: Job, spec: {template: {metadata: {labels: {team: %s}}, " +
		"spec: {containers: []}}}}"
	for _, c := range []struct {
		text  string
		wrong bool
	}{
		{service + fmt.Sprintf(pod, "old"), true},
		{service + fmt.Sprintf(job, "old"), true},
		{service + fmt.Sprintf(pod, "other"), false},
		{service + "{apiVersion: v1, kind: ConfigMap, metadata: {labels: {team: old}}}", false},
	} {
		if _, err := apply(t, c.text, everything(), nil); (err != nil) != c.wrong {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// A tally has an error only if all environments that use an entry were there, and all of them miss it.
func TestTally(t *testing.T) {
	const pod = "{apiVersion: v1, kind: Pod, spec: {containers: [{image: %s}]}}"
	for _, c := range []struct {
		runs string // environment=image
		want int
	}{
		{"a=x", 0}, {"a=x a=x", 0}, {"a=x b=x", 1}, {"a=x b=app", 0}, {"a=app b=x a=x", 0}, {"=x =x", 0},
	} {
		tally := &Tally{}
		config := everything()
		config.Replicas = nil
		for run := range strings.FieldsSeq(c.runs) {
			env, image, _ := strings.Cut(run, "=")
			res, err := apply(t, fmt.Sprintf(pod, image), config, nil)
			if err != nil {
				t.Fatal(err)
			}
			ctx := InEnvironment(WithTally(context.Background(), tally), env)
			Record(ctx, res, &source.Set{})
			Record(WithTally(ctx, nil), res, &source.Set{})
		}
		if n := len(tally.Unmatched()); n != c.want {
			t.Errorf("%s: %d errors, want %d", c.runs, n, c.want)
		}
	}
}

// Eight times the documents, images and keys take eight times the memory, and not 64 times.
func TestGrowth(t *testing.T) {
	for name, input := range map[string]func(n int) (string, *Config){
		"documents": func(n int) (string, *Config) {
			return strings.Repeat("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"+
				"spec: {template: {spec: {containers: [{image: app}]}}}\n", n), everything()
		},
		"keys": func(n int) (string, *Config) {
			var b strings.Builder
			b.WriteString("apiVersion: a/v1\nkind: A\nspec:\n")
			for i := range n {
				fmt.Fprintf(&b, "  k%d: {template: {spec: {containers: [{image: app}]}}}\n", i)
			}
			return b.String(), everything()
		},
		"images": func(n int) (string, *Config) {
			var b strings.Builder
			c := &Config{}
			for i := range n {
				fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Pod\nspec: {containers: [{image: app%d}]}\n", i)
				c.Images = append(c.Images, Image{Entry: Entry{Key: "images", Name: fmt.Sprint("app", i)}, Tag: "1"})
			}
			return b.String(), c
		},
	} {
		bytes := func(n int) uint64 {
			text, c := input(n)
			docs := [][]tree.Doc{yamltest.Read(t, text).Docs}
			opt := Options{
				Place: func(values.Place) source.Span { return source.Span{} }, Warn: func(*diag.Diagnostic) {},
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := Apply(docs, c, opt); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		if small, large := bytes(100), bytes(800); large > 12*small {
			t.Errorf("%s: %d bytes for 100, %d for 800", name, small, large)
		}
	}
}
