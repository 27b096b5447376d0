package yaml

import (
	"strings"
	"testing"

	"weft/internal/lang/diag"
)

// TestParts reads a large file in parts and as a whole: the documents, their places and the owners
// of comments are the same, and so are errors.
func TestParts(t *testing.T) {
	defer func(size int) { partSize = size }(partSize)
	partSize = 10_000
	src := string(kubernetes(40)) // some more than two parts
	middle := strings.Index(src[len(src)/2:], "\n---\n") + len(src)/2 + 1
	for name, src := range map[string]string{
		"many documents":         src,
		"CRLF":                   strings.ReplaceAll(src, "\n", "\r\n"),
		"with a directive":       "%YAML 1.2\n" + src,
		"one document":           "a: |\n" + strings.Repeat("  text\n", 1500),
		"text that looks so":     "a: |\n" + strings.Repeat("  ---\n", 1500) + src,
		"markers at the end":     src + "---\n---",
		"an open quote":          src[:middle] + "---\na: \"\n" + src[middle:],
		"an error at the end":    src + "---\na: b: c\n",
		"an error in the middle": src[:middle] + "---\n\ta: 1\n" + src[middle:],
		"a lone return":          src[:middle] + "---\na: 1\rb: 2\n" + src[middle:],
		"other scripts":          src[:middle] + "---\na: \"名前\" # Größe\n" + src[middle:],
		"broken UTF-8":           src[:middle] + "---\na: \xff\n" + src[middle:],
		"a control character":    src[:middle] + "---\na: \x01\n" + src[middle:],
		"a directive inside":     src[:middle] + "...\n%YAML 1.2\n" + src[middle:],
		"UTF-16":                 "\xff\xfea\x00:\x00" + src,
	} {
		t.Run(name, func(t *testing.T) {
			f := file(t, []byte(src))
			whole, wholeErr := Parse(f, Options{})
			parts, err := ParseParts(f, Options{})
			if wholeErr != nil || err != nil {
				a, b := diag.Of(wholeErr), diag.Of(err)
				if len(a) != 1 || len(b) != 1 || a[0].Message != b[0].Message ||
					a[0].At != b[0].At {
					t.Errorf("as a whole: %v, in parts: %v", wholeErr, err)
				}
				return
			}
			if name == "many documents" && len(parts) < 2 {
				t.Errorf("%d bytes were read in %d part", len(src), len(parts))
			}
			var got strings.Builder
			comments := 0
			for _, p := range parts {
				got.WriteString(places(p))
				comments += len(p.Comments())
			}
			if got.String() != places(whole) || comments != len(whole.Comments()) {
				t.Error("the parts have other documents than the whole")
			}
		})
	}
}

// places writes the nodes of a tree, and which comments belong to them, with their offsets.
func places(t *Tree) string {
	var b strings.Builder
	c := 0
	for n := range NodeID(t.Len()) {
		b.WriteString(t.Kind(n).String())
		b.WriteByte(' ')
		for ; c < len(t.comments) && t.comments[c].owner == n; c++ {
			b.Write(t.CommentText(t.comments[c]))
		}
		writeOffset(&b, t.nodes[n].start)
		writeOffset(&b, t.nodes[n].off)
		writeOffset(&b, t.nodes[n].end)
		b.WriteByte('\n')
	}
	return b.String()
}

func writeOffset(b *strings.Builder, off uint32) {
	b.WriteByte(' ')
	for i := range 4 {
		b.WriteByte(byte(off >> (8 * i)))
	}
}
