package shortcut

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	yamlv3 "go.yaml.in/yaml/v3"

	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/testing/yamltest"
)

type object = map[string]any

// The pod templates of each kind, as the API of Kubernetes has them.
var podPaths = map[string][]string{
	"Pod": {}, "Deployment": {"spec", "template"}, "CronJob": {"spec", "jobTemplate", "spec", "template"},
	"PodTemplate": {"template"}, "Rollout": {"spec", "template"},
}

// imageName is the grammar of image names: a registry with a port, a path, a tag, a digest.
var imageName = regexp.MustCompile(`^((?:[a-z0-9.-]+(?::[0-9]+)?/)?[a-z0-9/._-]+?)(?::([A-Za-z0-9_.-]+))?(?:@(.+))?$`)

// FuzzShortcuts compares short cuts with an oracle that changes plain Go maps by the paths of each kind.
func FuzzShortcuts(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		docs := []object{{
			"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			"metadata": object{"name": "rollouts.example.com"},
			"spec": object{
				"group": "example.com", "scope": "Namespaced", "names": object{"kind": "Rollout"},
				"template": object{"spec": object{"containers": []any{object{"image": "app"}}}},
			},
		}}
		for i := range 1 + r.IntN(6) {
			docs = append(docs, randomObject(r, i))
		}
		c := randomConfig(r)
		text, err := yamlv3.Marshal(docs[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs[1:] {
			more, err := yamlv3.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			text = append(append(text, "---\n"...), more...)
		}
		s := yamltest.Read(t, string(text))
		out, err := Apply([][]tree.Doc{s.Docs}, c, Options{
			Place: func(values.Place) source.Span { return source.Span{} },
			Warn:  func(*diag.Diagnostic) {},
		})
		if err != nil {
			t.Fatalf("%s\n%s", err, text)
		}
		for i := range docs {
			want := fmt.Sprint(expected(docs, docs[i], c))
			if got := fmt.Sprint(out.Docs[0][i].Value.Go()); got != want {
				t.Errorf("%+v of\n%s\n got %s\nwant %s", c, text, got, want)
			}
		}
		other := randomConfig(r)
		var paths []string
		for _, d := range Differ(c, other) {
			paths = append(paths, d.Path)
		}
		if list := Differ(c.With(other, paths), other); len(list) > 0 {
			t.Errorf("%+v with all that differs of %+v still differs: %+v", c, other, list)
		}
		if c.IsZero() && !reflect.DeepEqual(out.Docs[0], s.Docs) {
			t.Error("no short cuts, but something changed")
		}
	})
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func randomObject(r *rand.Rand, i int) object {
	kind := pick(r, "Pod", "Deployment", "CronJob", "PodTemplate", "Rollout", "ConfigMap", "ClusterRole", "Namespace",
		"RoleBinding", "ServiceAccount")
	version := map[string]string{"Rollout": "example.com/v1", "Deployment": "apps/v1"}[kind]
	if version == "" {
		version = "v1"
	}
	o := object{"apiVersion": version, "kind": kind, "metadata": object{"name": pick(r, "web", "db", "job")}}
	if kind == "ServiceAccount" && r.IntN(2) == 0 {
		o["metadata"].(object)["namespace"] = "other"
	}
	if r.IntN(3) == 0 {
		o["metadata"].(object)["labels"] = object{"team": "old", "x": "y"}
	}
	if path, ok := podPaths[kind]; ok {
		pod := object{}
		for _, key := range []string{"containers", "initContainers", "ephemeralContainers"} {
			if key == "containers" || r.IntN(2) == 0 {
				pod[key] = []any{
					object{"name": "a", "image": pick(r, "app", "app:1", "reg:5000/app", "reg:5000/app:2@sha256:ab")},
					object{"name": "b", "image": pick(r, "apple:1", "app@sha256:cd", "x/app:1")},
				}
			}
		}
		at := o
		for _, key := range path {
			next := object{}
			at[key] = next
			at = next
		}
		at["spec"] = pod
		if kind == "Deployment" {
			o["spec"].(object)["replicas"] = i
			o["spec"].(object)["selector"] = object{"matchLabels": object{"app": "web"}}
		}
	}
	if kind == "RoleBinding" {
		o["subjects"] = []any{
			object{"kind": "ServiceAccount", "name": "web"},
			object{"kind": "ServiceAccount", "name": "db", "namespace": "other"},
			object{"kind": "User", "name": "web"},
		}
	}
	return o
}

// randomConfig returns short cuts that several environments share: an entry may match nothing.
func randomConfig(r *rand.Rand) *Config {
	c := &Config{}
	if r.IntN(2) == 0 {
		c.Images = append(c.Images, Image{
			Entry: Entry{Key: "images", Name: "app", Uses: 2}, Tag: pick(r, "", "9"), To: pick(r, "", "corp:1/new"),
		})
	}
	if r.IntN(2) == 0 {
		c.Images = append(c.Images, Image{Entry: Entry{Key: "images", Name: "reg:5000/app", Uses: 2}, Digest: "sha256:ff"})
	}
	if r.IntN(2) == 0 {
		c.Replicas = []Replicas{{Entry: Entry{Key: "replicas", Name: "web", Uses: 2}, N: 7}}
	}
	if r.IntN(2) == 0 {
		c.Namespace = Text{Entry: Entry{Key: "namespace"}, Text: "shop"}
	}
	if r.IntN(2) == 0 {
		c.Labels = []Text{{Entry: Entry{Key: "labels", Name: "team"}, Text: "new"}}
	}
	if r.IntN(2) == 0 {
		c.Annotations = []Text{{Entry: Entry{Key: "annotations", Name: "note"}, Text: "n"}}
	}
	return c
}

// expected returns what short cuts make of an object, by the rules of the reference.
func expected(all []object, o object, c *Config) any {
	o = clone(o).(object)
	kind, meta := o["kind"].(string), o["metadata"].(object)
	tag := func(meta object) {
		for _, x := range c.Labels {
			sub(meta, "labels")[x.Name] = x.Text
		}
		for _, x := range c.Annotations {
			sub(meta, "annotations")[x.Name] = x.Text
		}
	}
	tag(meta)
	if c.Namespace.Text != "" {
		if kind != "ClusterRole" && kind != "Namespace" && kind != "CustomResourceDefinition" {
			meta["namespace"] = c.Namespace.Text
		}
		subjects, _ := o["subjects"].([]any)
		for _, s := range subjects {
			s := s.(object)
			known := false
			for _, d := range all {
				same := d["metadata"].(object)["namespace"] == s["namespace"]
				known = known || same && d["kind"] == "ServiceAccount" && d["metadata"].(object)["name"] == s["name"]
			}
			if s["kind"] == "ServiceAccount" && (s["namespace"] == nil || known) {
				s["namespace"] = c.Namespace.Text
			}
		}
	}
	for _, x := range c.Replicas {
		if kind == "Deployment" && meta["name"] == x.Name {
			o["spec"].(object)["replicas"] = x.N
		}
	}
	path, ok := podPaths[kind]
	if !ok {
		return o
	}
	at := o
	for _, key := range path {
		at = at[key].(object)
	}
	if kind != "Pod" && len(c.Labels)+len(c.Annotations) > 0 {
		tag(sub(at, "metadata"))
	}
	for key, list := range at["spec"].(object) {
		if !strings.HasSuffix(strings.ToLower(key), "containers") {
			continue
		}
		for _, x := range list.([]any) {
			x := x.(object)
			x["image"] = expectedImage(x["image"].(string), c.Images)
		}
	}
	return o
}

func expectedImage(image string, list []Image) string {
	m := imageName.FindStringSubmatch(image)
	for _, x := range list {
		if m[1] != x.Name {
			continue
		}
		rest := strings.TrimPrefix(image, m[1])
		switch {
		case x.Tag != "":
			rest = ":" + x.Tag
		case x.Digest != "":
			rest = "@" + x.Digest
		}
		if x.To != "" {
			return x.To + rest
		}
		return m[1] + rest
	}
	return image
}

func sub(o object, key string) object {
	if _, ok := o[key]; !ok {
		o[key] = object{}
	}
	return o[key].(object)
}

func clone(v any) any {
	switch x := v.(type) {
	case object:
		out := object{}
		for k, v := range x {
			out[k] = clone(v)
		}
		return out
	case []any:
		var out []any
		for _, v := range x {
			out = append(out, clone(v))
		}
		return out
	}
	return v
}
