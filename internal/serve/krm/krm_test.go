package krm

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"weft"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/project"
)

// lists are lists with items that are hard to cut out of them.
var lists = []string{
	"apiVersion: v1\nkind: List\nitems: []\n",
	"kind: ResourceList\napiVersion: config.kubernetes.io/v1\nitems:\n- a: |+\n    x\n\n\n- b: >-\n    y\n",
	"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n# head\n\n-   # inner\n" +
		"    a: 1 # side\n    # foot\n  # low\n# next\n- b: \"x\n  --- y\"\nresults: []\n",
	"apiVersion: config.kubernetes.io/v1\r\nkind: ResourceList\r\nitems:\r\n  - &a {x: 1,\r\n y: [2]}\r\n" +
		"  - *a\r\n  - !!map\r\n    z: &b {q: 'r'}\r\n  - w: *b\r\n",
	"{\"apiVersion\": \"v1\", \"kind\": \"List\",\n \"items\": [{\"a\": {\"b\": 1.50}}, {\"c\": \"\\u00e9\"}]}",
	"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- <<: &m {kind: A}\n  n: 1\n" +
		"- {<<: *m}\nfunctionConfig: {kind: ConfigMap, data: {}}\n",
	"\ufeffapiVersion: config.kubernetes.io/v1beta1\nkind: ResourceList\nitems: # all\n- ? k\n  : v\n-\n  - 1",
	"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- a: 1\n- a: 2\n...\n",
}

// nothing is allowed outside of the directory of the test.
var nothing = project.NewBounds(".", "the working directory", nil)

// FuzzUnchanged checks that a list comes back with the items that it had if nothing changes them, and
// that the answer to the answer is the same text.
func FuzzUnchanged(f *testing.F) {
	for _, text := range lists {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before, err := read(text, yaml.Options{})
		if err != nil {
			return
		}
		if config, ok := before.root.Lookup("functionConfig"); ok && config.TextAt("kind") != "" {
			return // which may name files
		}
		done, err := Run(t.Context(), text, weft.Options{}, nothing)
		after, unreadable := read(done.Text, yaml.Options{})
		if unreadable != nil {
			t.Fatalf("cannot read the answer: %v\n%s", unreadable, done.Text)
		}
		same(t, before, after)
		if err != nil {
			return
		}
		again, err := Run(t.Context(), done.Text, weft.Options{}, nothing)
		if err != nil || !bytes.Equal(again.Text, done.Text) {
			t.Fatalf("the second answer differs: %v\n--- first\n%s--- second\n%s", err, done.Text, again.Text)
		}
	})
}

func same(t *testing.T, before, after *list) {
	t.Helper()
	if len(before.items) != len(after.items) {
		t.Fatalf("%d items became %d", len(before.items), len(after.items))
	}
	for i, it := range before.items {
		if !edit.Equal(it.value, after.items[i].value) {
			t.Errorf("item %d changed: %v became %v", i, it.value.Go(), after.items[i].value.Go())
		}
		if v, ok := before.parsed(it.text); ok && !edit.Identical(v, it.value) {
			t.Errorf("item %d is cut wrongly:\n%s", i, it.text)
		}
	}
}

// TestTracked checks that annotations of the caller survive an overlay that replaces all of them.
func TestTracked(t *testing.T) {
	const overlay = `#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.all
---
#@overlay/replace
metadata:
  name: new # by the overlay
`
	done, err := Run(t.Context(), []byte(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- kind: A
  metadata:
    name: old
    annotations:
      mine: x
      config.k8s.io/id: '7'
      internal.config.kubernetes.io/path: a.yml
`), weft.Options{Files: []weft.File{{Path: "overlay.yml", Data: []byte(overlay)}}}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	l, err := read(done.Text, yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	meta, _ := l.items[0].value.Lookup("metadata")
	annotations, _ := meta.Lookup("annotations")
	for _, e := range annotations.Entries() {
		got = append(got, tree.KeyText(e.Key)+"="+e.Value.Text())
	}
	want := []string{"config.k8s.io/id=7", "internal.config.kubernetes.io/path=a.yml"}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("the annotations are %q, want %q", got, want)
	}
	if !bytes.Contains(done.Text, []byte("name: new # by the overlay\n")) {
		t.Errorf("the comment is lost:\n%s", done.Text)
	}
}

// Results name the file that an item was read from, and its place there unless it is the first.
func TestFile(t *testing.T) {
	const text = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- metadata: {annotations: {internal.config.kubernetes.io/path: a.yml, internal.config.kubernetes.io/index: '2'}}
- metadata: {annotations: {config.kubernetes.io/path: b.yml, config.kubernetes.io/index: '0'}}
- metadata: {annotations: {config.kubernetes.io/path: c.yml, config.kubernetes.io/index: 'x'}}
- metadata: {annotations: {config.kubernetes.io/index: '2'}}
`
	l, err := read([]byte(text), yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"path: a.yml, index: 2", "path: b.yml", "path: c.yml", ""} {
		var got []string
		for _, f := range l.items[i].file() {
			got = append(got, fmt.Sprintf("%v: %v", f.Key.Go(), f.Value.Go()))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("the file of item %d is {%s}, want {%s}", i, got, want)
		}
	}
}
