package integrationtest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"weft/tools/integrationtest"
)

// mutants is how many objects are tried. Most of them have one or two mistakes.
const mutants = 600

// TestKubeconform changes objects at random and holds them to schemas, with kubeconform and with
// weft lint: they have to agree about each.
func TestKubeconform(t *testing.T) {
	kubeconform := integrationtest.Tool(t, integrationtest.Kubeconform)
	s := integrationtest.NewSandbox(t, "..", "tools", "integrationtest", "testdata", "kubeconform")
	random := rand.New(rand.NewPCG(1, 2))
	objects := decoded(t, s.Read("objects.yml"))
	for i := range mutants {
		object := mutant(t, random, objects[i%len(objects)], i/len(objects))
		object["metadata"] = map[string]any{"name": fmt.Sprint("mutant-", i)} // no two are the same object
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		s.Write(fmt.Sprintf("mutants/%03d.yml", i), string(text))
	}
	refused, found := refusedBy(t, s, kubeconform), foundBy(t, s)
	for i := range mutants {
		name := fmt.Sprintf("%03d.yml", i)
		if (refused[name] == "") != (found[name] == "") {
			t.Errorf("%s\nkubeconform: %s\nweft: %s", s.Read("mutants/"+name), refused[name], found[name])
		}
	}
	if n := len(refused); n < mutants/4 || n > mutants*3/4 {
		t.Errorf("%d of %d objects are wrong: that says little", n, mutants)
	}
}

// decoded are the documents of a text.
func decoded(t *testing.T, text string) (objects []map[string]any) {
	t.Helper()
	for part := range strings.SplitSeq(text, "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(part), &object); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object)
	}
	return objects
}

// mutant is a copy of an object with some changes below spec. The first copies have none.
func mutant(t *testing.T, random *rand.Rand, object map[string]any, n int) map[string]any {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var copied map[string]any
	if err := json.Unmarshal(text, &copied); err != nil {
		t.Fatal(err)
	}
	for range min(n, random.IntN(3)) {
		all := spots(copied, nil)
		if len(all) > 0 {
			all[random.IntN(len(all))](random)
		}
	}
	return copied
}

// values are what is put in place of others.
var values = []any{
	nil, true, 0.0, 1.0, -1.0, 2.5, 0.25, 7e9, "", "x", "small", "black", "1", "Recreate",
	[]any{},
	[]any{"a", "a"},
	map[string]any{},
	map[string]any{"file": "a"},
	map[string]any{"file": "a", "url": "b"},
}

// spots are the changes that can be made in a value: one for each field and item of it, except what
// says what an object is.
func spots(v any, list []func(*rand.Rand)) []func(*rand.Rand) {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if name == "apiVersion" || name == "kind" || name == "metadata" {
				continue
			}
			list = append(list, func(random *rand.Rand) { changeField(random, v, name) })
			list = spots(v[name], list)
		}
	case []any:
		for i := range v {
			list = append(list, func(random *rand.Rand) { v[i] = values[random.IntN(len(values))] })
			list = spots(v[i], list)
		}
	}
	return list
}

// changeField gives a field another value or another name, or removes it.
func changeField(random *rand.Rand, v map[string]any, name string) {
	switch random.IntN(6) {
	case 0:
		delete(v, name)
	case 1:
		v[name+"s"] = v[name]
		delete(v, name)
	case 2:
		v["more"] = values[random.IntN(len(values))]
	default:
		v[name] = values[random.IntN(len(values))]
	}
}

// refusedBy is what kubeconform has against files, by their names.
func refusedBy(t *testing.T, s *integrationtest.Sandbox, kubeconform string) map[string]string {
	t.Helper()
	ended := s.Try(kubeconform, "-strict", "-output", "json", "-kubernetes-version", "1.31.0",
		"-schema-location", "schemas/{{ .NormalizedKubernetesVersion }}-standalone{{ .StrictSuffix }}/"+
			"{{ .ResourceKind }}{{ .KindSuffix }}.json",
		"-schema-location", "schemas/{{ .Group }}/{{ .ResourceKind }}_{{ .ResourceAPIVersion }}.json", "mutants")
	var report struct {
		Resources []struct{ Filename, Status, Msg string }
	}
	if err := json.Unmarshal([]byte(ended.Stdout), &report); err != nil {
		t.Fatalf("%v\n%s%s", err, ended.Stdout, ended.Stderr)
	}
	refused := map[string]string{}
	for _, r := range report.Resources {
		if r.Status != "statusInvalid" {
			t.Fatalf("kubeconform could not tell: %+v", r)
		}
		refused[path.Base(r.Filename)] = r.Msg
	}
	return refused
}

// foundBy is what weft has against the same files.
func foundBy(t *testing.T, s *integrationtest.Sandbox) map[string]string {
	t.Helper()
	ended := s.Try(integrationtest.Weft(t), "lint", "-f", "mutants", "--kubernetes", "1.31",
		"--kubernetes-schemas", "schemas", "-o", "jsonl")
	found := map[string]string{}
	for line := range strings.Lines(ended.Stdout) {
		var finding struct{ Code, File, Message string }
		if err := json.Unmarshal([]byte(line), &finding); err != nil {
			t.Fatalf("%v\n%s", err, line)
		}
		if strings.HasPrefix(finding.Code, "kubernetes/") {
			found[path.Base(finding.File)] += finding.Message + "; "
		}
	}
	return found
}
