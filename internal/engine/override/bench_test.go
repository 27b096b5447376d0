package override

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// descriptors is a stream of image descriptors of about size bytes.
func descriptors(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(
			&b,
			"---\n# image %d\nschema_version: 1\nname: \"team/image-%d\"\nversion: \"1.%d\"\nfrom: \"registry.example.com/base:%d\" # the base\n\nlabels:\n",
			i,
			i,
			i,
			i,
		)
		for j := range 6 {
			fmt.Fprintf(
				&b,
				"    - name: label-%d\n      value: \"value of %d\"\n      description: what label %d says\n",
				j,
				j,
				j,
			)
		}
		b.WriteString("\nenvs:\n")
		for j := range 8 {
			fmt.Fprintf(&b, "    # about %d\n    - name: ENV_%d\n      value: '%d'\n", j, j, j)
		}
		b.WriteString(
			"\nrun:\n    user: 185\n    cmd:\n        - /bin/sh\n        - \"-c\"\n        - |\n          set -e\n          exec app\n\n",
		)
	}
	return b.Bytes()
}

const benchOverride = `{from: "fedora:41", labels: [{name: label-3, value: new}, {name: added, value: x}], envs: [{name: ENV_2, value: ~}], run: {user: 1001}}`

// BenchmarkPrint reads a stream and prints it as it is.
func BenchmarkPrint(b *testing.B) {
	data := descriptors(10 << 20)
	b.SetBytes(int64(len(data)))
	var out []byte
	for b.Loop() {
		r := Reader{Files: &source.Set{}}
		in, err := r.input(Input{Name: "base.yml"}, data)
		if err != nil {
			b.Fatal(err)
		}
		out = out[:0]
		texts, err := Text(in.Trees, valuesOf(in.Docs), valuesOf(in.Docs), yaml.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for i, text := range texts {
			if i == 0 && &text[0] != &data[0] {
				b.Fatal("it is copied")
			}
			out = append(out, text...)
		}
	}
	if !bytes.Equal(out, data) {
		b.Fatal("it is not printed as it is")
	}
}

// BenchmarkOverride does the same with one key of every document overridden, which may take half as
// long again, and with six things changed in four places of each.
func BenchmarkOverride(b *testing.B) {
	data := descriptors(10 << 20)
	for _, c := range []struct{ name, over string }{{"one", `{from: "fedora:41"}`}, {"six", benchOverride}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			var out [][]byte
			for b.Loop() {
				r := Reader{Files: &source.Set{}}
				list, err := r.Overrides(context.Background(), []Argument{{Text: c.over}})
				if err != nil {
					b.Fatal(err)
				}
				in, err := r.input(Input{Name: "base.yml"}, data)
				if err != nil {
					b.Fatal(err)
				}
				texts, err := Rewrite(
					context.Background(),
					[]Input{in},
					list,
					Options{},
					yaml.Options{},
				)
				if err != nil {
					b.Fatal(err)
				}
				out = texts[0]
			}
			if !bytes.Contains(out[0], []byte("fedora:41")) {
				b.Fatal("nothing is overridden")
			}
		})
	}
}

func valuesOf(docs []tree.Doc) []tree.Value {
	values := make([]tree.Value, len(docs))
	for i, d := range docs {
		values[i] = d.Value
	}
	return values
}
