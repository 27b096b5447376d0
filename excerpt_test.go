package weft_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"weft"
)

const excerptSchema = `#@data/values-schema
---
name: shop
#@schema/secret
password: nightingale
#@schema/secret
pin: 12
hosts:
- ""
empty: {}
`

const excerptTemplate = `#@ load("@ytt:data", "data")
---
kind: Deployment
metadata:
  name: #@ data.values.name
spec:
  containers: #! nightingale
  - name: web
    args:
    - #@ "db://" + data.values.password + "@host"
  - name: side
    args: []
---
kind: Secret
metadata: {name: keys}
data: {a: YWJjZGVmZ2g=}
stringData: {b: x}
`

func excerptOptions() weft.Options {
	return weft.Options{Files: []weft.File{
		{Path: "schema.yml", Data: []byte(excerptSchema)},
		{Path: "app.yml", Data: []byte(excerptTemplate)},
		{Path: "note.txt", Data: []byte("(@ load(\"@ytt:data\", \"data\") @)key (@= data.values.password @)\n")},
	}}
}

// TestExcerpts: parts of a result have names and places, and no secrets.
func TestExcerpts(t *testing.T) {
	t.Parallel()
	res, err := weft.Render(context.Background(), excerptOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, selects, path, want string }{
		{"a path", "shop", "spec.containers[0].name", "Deployment/shop spec.containers[0].name app.yml:8 web\n"},
		{"in all documents", "", "metadata.name", "Deployment/shop metadata.name app.yml:5 shop\n" +
			"Secret/keys metadata.name app.yml:15 keys\n"},
		{
			"a secret in a text", "shop", "spec.containers[name=web].args[0]",
			"Deployment/shop spec.containers[0].args[0] app.yml:10 db://‹secret›@host\n",
		},
		{"a Kubernetes Secret", "Secret", "", "Secret/keys  app.yml:13 kind: Secret\nmetadata:\n  name: keys\n" +
			"data:\n  a: ‹secret›\nstringData:\n  b: ‹secret›\n"},
		{"a text file", "note.txt", "", "note.txt  :0 key ‹secret›\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := shownExcerpts(t, res, weft.ExcerptOptions{Select: test.selects, Path: test.path})
			if got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
	all := shownExcerpts(t, res, weft.ExcerptOptions{})
	if strings.Contains(all, "nightingale") || strings.Contains(all, "YWJj") {
		t.Errorf("secrets in:\n%s", all)
	}
	hidden := shownExcerpts(t, res, weft.ExcerptOptions{
		Path: "metadata.name", Secrets: weft.Secrets{Paths: []string{"metadata.name"}},
	})
	if strings.Count(hidden, "‹secret›\n") != 2 {
		t.Errorf("got:\n%s", hidden)
	}
}

// Values are leaves, each with the place that sets it.
func TestExcerptLeaves(t *testing.T) {
	t.Parallel()
	opts := excerptOptions()
	opts.DataValues.KVYAML = []string{"hosts=[a, b]"}
	res, err := weft.InspectDataValues(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	want := "name schema.yml:3 shop\npassword schema.yml:5 ‹secret›\npin schema.yml:7 ‹secret›\n" +
		"hosts[0] --data-value-yaml hosts=[a, b]:1 a\nhosts[1] --data-value-yaml hosts=[a, b]:1 b\n" +
		"empty schema.yml:10 {}\n"
	got := ""
	list, err := res.Excerpts(weft.ExcerptOptions{Leaves: true})
	for _, x := range list {
		got += fmt.Sprintf("%s %s:%d %s", x.Path, x.Place.File, x.Place.Line, x.Text)
	}
	if err != nil || got != want {
		t.Errorf("got:\n%s%v\nwant:\n%s", got, err, want)
	}
}

func TestExcerptErrors(t *testing.T) {
	t.Parallel()
	res, err := weft.Render(context.Background(), excerptOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ selects, path, want, hint string }{
		{"Deployment/shopp", "", "'Deployment/shopp' matches no document", "did you mean Deployment/shop?"},
		{"", "spec.x", "nothing is at 'spec.x'", "there are containers"},
		{"", "a[", "PATH", ""},
		{"kind=\"a", "", "SELECT", ""},
	} {
		_, err := res.Excerpts(weft.ExcerptOptions{Select: test.selects, Path: test.path})
		if err == nil || !strings.Contains(err.Error(), test.want) ||
			test.hint != "" && weft.ErrorOf(err).Diagnostics()[0].Hint != test.hint {
			t.Errorf("%s %s: got %v", test.selects, test.path, err)
		}
	}
	if list, err := new(weft.Result).Excerpts(weft.ExcerptOptions{}); len(list) > 0 || err != nil {
		t.Errorf("the zero result has %v, %v", list, err)
	}
}

func shownExcerpts(t *testing.T, res *weft.Result, opts weft.ExcerptOptions) (text string) {
	t.Helper()
	list, err := res.Excerpts(opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		text += fmt.Sprintf("%s %s %s:%d %s", x.Document, x.Path, x.Place.File, x.Place.Line, x.Text)
	}
	return text
}
