package format

import (
	"bytes"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// checkSame verifies that the result means the same as the file: a formatter that changes a configuration
// is worse than none.
func checkSame(a *compile.Analysis, out []byte, opt Options) error {
	var set source.Set
	f, err := set.Add(a.File.Name(), out)
	if err != nil {
		return err
	}
	same := bytes.Equal(words(a.File.Data()), words(out))
	if same && a.Tree != nil {
		t, err := yaml.Parse(f, opt.YAML)
		same = err == nil && sameTree(a.Tree, t) && sameComments(a, t)
	} else if same {
		same = sameScript(a.File, f)
	}
	if !same {
		return diag.List{diag.Failf(CodeUnsafe, "%s is left as it is: weft cannot lay it out without changing "+
			"what it means", a.File.Shown()).
			WithHint("put `#! weft-fmt: off` above the part that is written in an unusual way")}
	}
	return nil
}

// words returns a text without its white space.
func words(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, c := range bytes.TrimPrefix(text, []byte("\ufeff")) {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			out = append(out, c)
		}
	}
	return out
}

func sameTree(a, b *yaml.Tree) bool {
	if a.Len() != b.Len() {
		return false
	}
	for n := a.First(); a.More(n); n++ {
		if a.Kind(n) != b.Kind(n) || a.Style(n) != b.Style(n) || a.Next(n) != b.Next(n) ||
			a.Explicit(n) != b.Explicit(n) || a.HasTag(n) != b.HasTag(n) || a.Tag(n) != b.Tag(n) ||
			!bytes.Equal(a.Anchor(n), b.Anchor(n)) || a.Target(n) != b.Target(n) {
			return false
		}
		if a.Kind(n) == yaml.Scalar && !bytes.Equal(a.Text(n), b.Text(n)) {
			return false
		}
	}
	return true
}

// sameComments reports whether comments have the same text and belong to the same nodes.
func sameComments(a *compile.Analysis, t *yaml.Tree) bool {
	before, after := a.Tree.Comments(), t.Comments()
	if len(before) != len(after) {
		return false
	}
	c := readCode(a)
	for i := range before {
		x, y := a.Tree.CommentText(before[i]), t.CommentText(after[i])
		if before[i].Owner() != after[i].Owner() || before[i].Trailing() != after[i].Trailing() {
			return false
		}
		if c.comments[i].row.State == script.InString && !bytes.Equal(x, y) {
			return false
		}
		if bytes.HasPrefix(x, []byte("@ ")) != bytes.HasPrefix(y, []byte("@ ")) && len(words(x)) > 1 {
			return false
		}
	}
	return true
}

// sameScript reports whether two scripts have the same words in the same statements and blocks.
func sameScript(a, b *source.File) bool {
	x, y := shape(a), shape(b)
	return bytes.Equal(x, y)
}

// shape returns the words of a script, and the depth of its statements if indentation matters.
func shape(f *source.File) []byte {
	var out []byte
	script.Tokens(f.Data(), func(token []byte) {
		if token == nil {
			if len(out) > 0 && out[len(out)-1] != '\n' {
				out = append(out, '\n')
			}
			return
		}
		token = bytes.TrimRight(token, " \t") // that of a string which nothing ends
		out = append(append(out, bytes.ReplaceAll(token, []byte("\r\n"), []byte("\n"))...), 0)
	})
	out = bytes.TrimRight(out, "\n")
	file, err := script.Parse(f)
	if err != nil {
		return append(out, err.Error()...)
	}
	return appendDepths(out, file)
}

// appendDepths appends the nesting depth of each statement, in the order of the text.
func appendDepths(out []byte, file *syntax.File) []byte {
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n.(type) {
		case nil:
			out = append(out, ')')
			return true
		case syntax.Stmt:
			out = append(out, '(')
		}
		return true
	})
	return out
}
