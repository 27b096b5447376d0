package shell

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
		err  *Unfinished
	}{
		{"", nil, nil},
		{" -v x=1\t-f a.yml\r\n", []string{"-v", "x=1", "-f", "a.yml"}, nil},
		{`-v 'a b'"c d"e`, []string{"-v", "a bc de"}, nil},
		{`"" ''`, []string{"", ""}, nil},
		{`a\ b \'c\"`, []string{"a b", `'c"`}, nil},
		{`"\"\$\\\n" '\n'`, []string{`"$\\n`, `\n`}, nil},
		{"$HOME `x` \"$y\" a|b>c;d", []string{"$HOME", "`x`", "$y", "a|b>c;d"}, nil},
		{"a \\\n b", []string{"a", "b"}, nil},
		{`-v 'x`, []string{"-v", "x"}, &Unfinished{'\'', 4}},
		{`-v "x 'y'`, []string{"-v", "x 'y'"}, &Unfinished{'"', 4}},
		{`a b\`, []string{"a", `b\`}, &Unfinished{'\\', 4}},
	} {
		words, err := Words(tt.text)
		var got []string
		for _, w := range words {
			got = append(got, w.Text)
		}
		if diff := cmp.Diff(tt.want, got) + cmp.Diff(tt.err, err); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}
