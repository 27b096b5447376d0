package argocd

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"weft"
)

const schema = `#@data/values-schema
---
replicas: 1
a.b: {c: ""}
zones: [""]
ports: [80]
#@schema/nullable
host: ""
empty: {}
hosts:
- {name: ""}
#@schema/secret
token: hidden
`

func options() weft.Options {
	return weft.Options{Files: []weft.File{{Path: "schema.yml", Data: []byte(schema)}}}
}

// TestAnnounce checks the name and the type of each kind of data value.
func TestAnnounce(t *testing.T) {
	got, err := Announce(t.Context(), options())
	if err != nil {
		t.Fatal(err)
	}
	want := []Announcement{
		{Name: "replicas", ItemType: "number", CollectionType: "string", String: "1"},
		{Name: `a\.b.c`, ItemType: "string", CollectionType: "string"},
		{Name: "zones", ItemType: "string", CollectionType: "array"},
		{Name: "ports", ItemType: "number", CollectionType: "array"},
		{Name: "host", ItemType: "string", CollectionType: "string"},
		{Name: "empty", CollectionType: "string", String: "{}"},
		{Name: "hosts", CollectionType: "string", String: "[]"},
		{Name: "token", ItemType: "string", CollectionType: "string"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the announcements differ (-want +got):\n%s", diff)
	}
}

// TestAnnounceHidesSecretsOfJSONSchemas checks that a value is left out that only a JSON Schema marks.
func TestAnnounceHidesSecretsOfJSONSchemas(t *testing.T) {
	opts := options()
	opts.DataValues.JSONSchemas = []string{"s.json"}
	opts.DataValues.KV = []string{"a.b.c=hunter22"}
	opts.Files = []weft.File{{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\na: {b: {c: x}}\nd: seen\n")}}
	opts.FS = fstest.MapFS{"s.json": {
		Data: []byte(`{"properties": {"a": {"properties": {"b": {"properties": {"c": {"writeOnly": true}}}}}}}`),
	}}
	got, err := Announce(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].String != "" || got[1].String != "seen" {
		t.Errorf("got %+v, want a.b.c without a value, and d", got)
	}
}

// TestSet checks which text is taken as it is, and which as YAML.
func TestSet(t *testing.T) {
	opts := options()
	opts.DataValues.KV = make([]string, 0, 8) // which must not be written to
	got, err := Set(t.Context(), opts, `[{"name": "replicas", "string": "2"}, {"name": "a\\.b.c", "string": "1.0"},
		{"name": "zones", "array": ["1"]}, {"name": "ports", "array": ["1"]}, {"name": "host", "string": "x"},
		{"name": "a\\.b", "map": {"d": "3", "c": "4"}}]`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`a\.b.c=1.0`, "host=x", `a\.b.c=4`}, got.DataValues.KV); diff != "" {
		t.Errorf("the texts differ (-want +got):\n%s", diff)
	}
	values := []string{"replicas=2", `zones=["1"]`, "ports=[1]", `a\.b.d=3`}
	if diff := cmp.Diff(values, got.DataValues.KVYAML); diff != "" {
		t.Errorf("the values differ (-want +got):\n%s", diff)
	}
	if used := opts.DataValues.KV[:1]; used[0] != "" {
		t.Errorf("the options of the caller have %q", used)
	}
	for _, passed := range []string{"", "null"} {
		if same, err := Set(t.Context(), options(), passed); err != nil || same.DataValues.KV != nil {
			t.Errorf("%q sets %q (%v), want nothing", passed, same.DataValues.KV, err)
		}
	}
	for _, passed := range []string{"{", `[{"string": "x"}]`, `[{"name": "x"}]`} {
		if _, err := Set(t.Context(), options(), passed); err == nil {
			t.Errorf("%q is no error", passed)
		}
	}
}

// TestKeys checks that a path has the keys that it was joined from.
func TestKeys(t *testing.T) {
	for _, want := range [][]string{{"a"}, {"a", "b"}, {"a.b", ".c", "d."}, {`a\b`, ""}} {
		path := ""
		for i, key := range want {
			if path = join(path, key); i == 0 && path == "" {
				t.Fatalf("the path of %q is empty", key)
			}
		}
		if got := keys(path); !slices.Equal(got, want) {
			t.Errorf("the keys of %q are %q, want %q", path, got, want)
		}
	}
}
