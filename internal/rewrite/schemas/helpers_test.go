package schemas

import (
	"testing"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// parsedValues reads a file of values. One with comments alone has none.
func parsedValues(t *testing.T, text string) tree.Value {
	t.Helper()
	i := &importer{files: &source.Set{}}
	if comments := (&skeleton{}); true {
		if comments.b.WriteString(text); comments.isComment() {
			return emptyMap()
		}
	}
	docs, err := i.parse(File{"values.yml", []byte(text)})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return docs[0].root
}
