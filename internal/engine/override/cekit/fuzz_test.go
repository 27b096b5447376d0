package cekit

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// FuzzCEKit: no descriptor and no override makes the profile panic, and the text says what was
// merged.
func FuzzCEKit(f *testing.F) {
	f.Add(
		"name: a\nversion: 1\nartifacts: [{path: x}, {url: y}]\n",
		"artifacts: [{name: x, md5: 1}]",
	)
	f.Add(
		"- {name: a, version: 1, packages: {install: [a, 1, true]}}\n- {name: b, version: 2}\n",
		"packages: {install: [1.0], repositories: [{name: r, id: x}]}",
	)
	f.Add(
		"name: n\nversion: 1\nports: [{value: 1}, {value: 1}]\nosbs: {configuration: {container: {a: ~}}}\n",
		"ports: [{value: 1, $remove: true}]",
	)
	f.Add("name: 'a'\nurl: b\n", "{name: c, md5: 0123}")
	f.Add(
		"name: n\nversion: 1:30\nrun: {cmd: [a, ~], user: 017}\nlabels: {}\nhelp: {add: yes}\n",
		"{run: {cmd: []}, help: {add: no}, labels: ~}",
	)
	f.Fuzz(func(t *testing.T, base, over string) {
		files := &source.Set{}
		t1, err := parse(files, base)
		if err != nil {
			t.Skip()
		}
		r := override.Reader{Files: files}
		Adapt(&r)
		list, err := r.Text("--overrides #1", []byte(over), true)
		if err != nil {
			t.Skip()
		}
		out, err := Apply(
			context.Background(),
			[][]tree.Doc{override.DocumentsOf(t1)},
			list,
			Options{Files: files},
		)
		if err != nil {
			if len(diag.Of(err)) == 0 {
				t.Fatalf("an error that says nothing: %v", err)
			}
			return
		}
		values := make([]tree.Value, len(out[0]))
		for i, d := range out[0] {
			values[i] = d.Value
		}
		texts, err := edit.Text([]*yaml.Tree{t1}, values, yaml.Options{})
		if err != nil {
			t.Fatalf("it cannot be written: %v", err)
		}
		text := string(bytes.Join(texts, nil))
		t2, err := parse(files, text)
		if err != nil {
			t.Fatalf("the result cannot be read: %v\n%s", err, text)
		}
		for i, d := range override.DocumentsOf(t2) {
			if got, want := fmt.Sprintf("%#v", d.Value.Go()), fmt.Sprintf("%#v", values[i].Go()); got != want {
				t.Fatalf("printed wrongly:\n got %s\nwant %s\n%s", got, want, text)
			}
		}
	})
}

func parse(files *source.Set, text string) (*yaml.Tree, error) {
	f, err := files.Add("image.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	t, err := yaml.Parse(f, yaml.Options{})
	if err != nil {
		return nil, err
	}
	if list := t.Check(false); list != nil {
		return nil, list
	}
	return t, nil
}
