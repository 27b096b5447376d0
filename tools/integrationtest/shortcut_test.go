package integrationtest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"weft/tools/integrationtest"
)

type object = map[string]any

// TestShortcuts gives the short cuts of weft.yml, and the same in a kustomization, to random objects. The
// results are the same but for the differences on purpose, which docs/reference/weft-yml.md lists.
func TestShortcuts(t *testing.T) {
	kustomize := integrationtest.Tool(t, integrationtest.Kustomize)
	s := integrationtest.NewSandbox(t)
	used := map[string]int{}
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 7))
		objects := shortcutObjects(random)
		cuts := randomShortcuts(random)
		s.Write("all.yml", documents(t, objects))
		s.Write("weft.yml", cuts.weft(t))
		s.Write("kustomization.yaml", cuts.kustomization(t))
		theirs := byName(decoded(t, s.Run(kustomize, "build", ".")))
		ours := byName(decoded(t, s.Run(integrationtest.Weft(t), "render", "--warnings", "off")))
		for _, o := range objects {
			name := nameOf(o)
			a, b := theirs[name], ours[name]
			if a == nil && o["kind"] == "Namespace" {
				a = theirs["Namespace/"+cuts.namespace] // kustomize renames it
			}
			for _, p := range purposes {
				if p.undo(o, a, b) {
					used[p.why]++
				}
			}
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s of seed %d\n%s\nkustomize %s\nweft      %s", name, seed, cuts.weft(t),
					asJSON(t, a), asJSON(t, b))
			}
		}
	}
	for _, p := range purposes {
		if used[p.why] == 0 {
			t.Errorf("no difference on purpose: %s", p.why)
		}
	}
}

// purpose is a difference on purpose. undo makes it go away, and reports whether it was there.
type purpose struct {
	why  string
	undo func(original, theirs, ours object) bool
}

var purposes = []purpose{
	{"a Namespace keeps its name", func(o, a, b object) bool {
		return o["kind"] == "Namespace" && restore(o, a, "metadata", "name")
	}},
	{"a job template is no object: only its pod template gets labels", func(o, a, b object) bool {
		return o["kind"] == "CronJob" && restore(o, a, "spec", "jobTemplate", "metadata")
	}},
	{"pod templates of custom resources get labels", func(o, a, b object) bool {
		return o["kind"] == "Rollout" && restore(o, b, "spec", "template", "metadata")
	}},
	{"ephemeral containers have images, too", func(o, a, b object) bool {
		return o["kind"] == "Pod" && restore(o, b, "spec", "ephemeralContainers")
	}},
	{"a service account without a namespace gets one", func(o, a, b object) bool {
		return restoreSubjects(o, b, func(s object) bool { return s["name"] == "foreign" })
	}},
	{"a user has no namespace", func(o, a, b object) bool {
		return restoreSubjects(o, a, func(s object) bool { return s["kind"] == "User" })
	}},
	{"the default account of another namespace stays", func(o, a, b object) bool {
		return restoreSubjects(o, a, func(s object) bool { return s["name"] == "default" && s["namespace"] != nil })
	}},
}

// restore gives the value at a path its original value, and reports whether it had another.
func restore(original, changed object, path ...string) bool {
	for _, key := range path[:len(path)-1] {
		original, _ = original[key].(object)
		changed, _ = changed[key].(object)
	}
	last := path[len(path)-1]
	was, is := original[last], changed[last]
	if changed == nil || reflect.DeepEqual(was, is) {
		return false
	}
	if was == nil {
		delete(changed, last)
	} else {
		changed[last] = was
	}
	return true
}

// restoreSubjects gives some subjects of a role binding their original namespaces.
func restoreSubjects(original, changed object, which func(subject object) bool) (done bool) {
	was, _ := original["subjects"].([]any)
	is, _ := changed["subjects"].([]any)
	for i := range min(len(was), len(is)) {
		if s := was[i].(object); which(s) {
			done = restore(s, is[i].(object), "namespace") || done
		}
	}
	return done
}

// shortcutObjects returns objects of many kinds, no two with the same name.
func shortcutObjects(random *rand.Rand) (list []object) {
	versions := map[string]string{
		"Pod": "v1", "Service": "v1", "ServiceAccount": "v1", "ConfigMap": "v1", "Namespace": "v1",
		"Deployment": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "ReplicaSet": "apps/v1",
		"Job": "batch/v1", "CronJob": "batch/v1", "Rollout": "argoproj.io/v1alpha1",
		"RoleBinding": "rbac.authorization.k8s.io/v1", "ClusterRoleBinding": "rbac.authorization.k8s.io/v1",
		"ClusterRole": "rbac.authorization.k8s.io/v1", "Ingress": "networking.k8s.io/v1",
	}
	for kind, version := range versions {
		meta := object{"name": "the-" + strings.ToLower(kind)}
		if random.IntN(3) == 0 {
			meta["labels"] = object{"team": "old", "tier": "1"}
		}
		if random.IntN(3) == 0 {
			meta["annotations"] = object{"note": "old"}
		}
		o := object{"apiVersion": version, "kind": kind, "metadata": meta}
		fill(random, o)
		list = append(list, o)
	}
	return list
}

// fill adds what is special about a kind.
func fill(random *rand.Rand, o object) {
	pod := object{"containers": containers(random)}
	if random.IntN(2) == 0 {
		pod["initContainers"] = containers(random)
	}
	template := object{"metadata": object{"labels": object{"app": "x"}}, "spec": pod}
	selector := object{"matchLabels": object{"app": "x"}}
	switch kind := o["kind"].(string); kind {
	case "Pod":
		pod["ephemeralContainers"] = containers(random)
		o["spec"] = pod
	case "Deployment", "ReplicaSet", "DaemonSet", "Rollout":
		o["spec"] = object{"selector": selector, "template": template}
	case "StatefulSet":
		claim := object{"metadata": object{"name": "data"}}
		o["spec"] = object{
			"replicas": 4.0, "selector": selector, "template": template, "volumeClaimTemplates": []any{claim},
		}
	case "Job":
		o["spec"] = object{"template": template}
	case "CronJob":
		o["spec"] = object{"jobTemplate": object{"spec": object{"template": template}}}
	case "Service":
		o["spec"] = object{"selector": object{"app": "x"}}
	case "ConfigMap":
		o["data"] = object{"containers": "image: app"}
	case "RoleBinding", "ClusterRoleBinding":
		o["roleRef"] = object{
			"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "the-clusterrole",
		}
		o["subjects"] = []any{
			object{"kind": "ServiceAccount", "name": "the-serviceaccount"},
			object{"kind": "ServiceAccount", "name": "the-serviceaccount", "namespace": "elsewhere"},
			object{"kind": "ServiceAccount", "name": "foreign"},
			object{"kind": "ServiceAccount", "name": "default", "namespace": "elsewhere"},
			object{"kind": "User", "name": "the-serviceaccount"},
		}
	}
}

var images = []string{"app", "registry:5000/team/app", "app-2", "other/app"}

func containers(random *rand.Rand) (list []any) {
	for i := range 1 + random.IntN(3) {
		image := images[random.IntN(len(images))] +
			[]string{"", ":1", ":v1.2-rc.1", "@sha256:" + digest("a"), ":1@sha256:" + digest("b")}[random.IntN(5)]
		list = append(list, object{"name": fmt.Sprint("c", i), "image": image})
	}
	return list
}

func digest(of string) string { return strings.Repeat(of, 64) }

// shortcuts are short cuts of weft.yml that kustomize can do, too.
type shortcuts struct {
	namespace           string
	labels, annotations object
	images              map[string]object
	replicas            object
}

func randomShortcuts(random *rand.Rand) (c shortcuts) {
	some := func() bool { return random.IntN(3) > 0 }
	if some() {
		c.namespace = "shop"
	}
	if some() {
		c.labels = object{"team": "new", "example.com/part": "1.10"}
	}
	if some() {
		c.annotations = object{"note": "new"}
	}
	c.images = map[string]object{}
	for _, name := range images[:random.IntN(len(images))] {
		x := object{}
		for len(x) == 0 {
			if some() {
				x["name"] = "mirror:443/" + name[strings.LastIndex(name, "/")+1:]
			}
			if some() {
				x["tag"] = "2.10"
			}
			if !some() {
				x["digest"] = "sha256:" + digest("c")
			}
		}
		c.images[name] = x
	}
	if some() {
		c.replicas = object{"the-deployment": 3, "the-statefulset": 0}
	}
	return c
}

// weft returns the short cuts as weft.yml has them. Two environments have them, so that an image that nothing
// has is no error.
func (c shortcuts) weft(t *testing.T) string {
	cuts := object{"images": c.images}
	all := map[string]object{"labels": c.labels, "annotations": c.annotations, "replicas": c.replicas}
	for key, v := range all {
		if v != nil {
			cuts[key] = v
		}
	}
	if c.namespace != "" {
		cuts["namespace"] = c.namespace
	}
	return asJSON(t, object{
		"weft": 2026, "inputs": []string{"all.yml"}, "kubernetes": cuts, "default": "a",
		"environments": object{"a": object{}, "b": object{}},
	})
}

func (c shortcuts) kustomization(t *testing.T) string {
	k := object{"resources": []string{"all.yml"}}
	if c.namespace != "" {
		k["namespace"] = c.namespace
	}
	if c.labels != nil {
		k["labels"] = []any{object{"pairs": c.labels, "includeTemplates": true}}
	}
	if c.annotations != nil {
		k["commonAnnotations"] = c.annotations
	}
	var list []any
	for name, x := range c.images {
		to := object{"name": name}
		for key, as := range map[string]string{"name": "newName", "tag": "newTag", "digest": "digest"} {
			if x[key] != nil {
				to[as] = x[key]
			}
		}
		list = append(list, to)
	}
	k["images"] = list
	var replicas []any
	for name, n := range c.replicas {
		replicas = append(replicas, object{"name": name, "count": n})
	}
	k["replicas"] = replicas
	return asJSON(t, k)
}

func documents(t *testing.T, objects []object) string {
	var parts []string
	for _, o := range objects {
		parts = append(parts, asJSON(t, o))
	}
	return strings.Join(parts, "\n---\n")
}

func byName(objects []object) map[string]object {
	all := map[string]object{}
	for _, o := range objects {
		all[nameOf(o)] = o
	}
	return all
}

func nameOf(o object) string {
	return fmt.Sprint(o["kind"], "/", o["metadata"].(object)["name"])
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
