package emit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/source"
)

func TestParseBulk(t *testing.T) {
	got, err := ParseBulk(
		[]byte(`{"files":[{"name":"b.yml","data":"b: 1\n"},{"name":"a.txt","data":""}],"more":1} `),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := []File{{Path: "b.yml", Data: []byte("b: 1\n")}, {Path: "a.txt", Data: []byte{}}}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b source.Span) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseBulkErrors(t *testing.T) {
	for in, want := range map[string]string{
		``:                              "reading bulk input: the JSON ends too early",
		`{"files":`:                     "reading bulk input: the JSON ends too early",
		`{} {}`:                         "reading bulk input: more text follows the end of the value",
		`[]`:                            "reading bulk input: the value is of the wrong type: found array",
		`{"files":[{"name":1}]}`:        "reading bulk input: 'files.name' is of the wrong type: found number",
		`{"files":[{"data":"a: 1\n"}]}`: "reading bulk input: file 1 has no name",
		`{files: []}`:                   "reading bulk input: invalid character 'f' looking for beginning of object key string",
	} {
		if _, err := ParseBulk([]byte(in)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
}

func TestBulk(t *testing.T) {
	for _, tt := range []struct {
		files  []File
		errors string
		want   string
	}{
		{nil, "", `{}`},
		{[]File{{Path: "a.yml", Data: []byte("a: 1\n")}, {Path: "b", Data: nil}}, "", `{"files":[{"name":"a.yml","data":"a: 1\n"},{"name":"b","data":""}]}`},
		{nil, "bad <thing>", `{"errors":"bad \u003cthing\u003e"}`},
	} {
		var b strings.Builder
		if _, err := Bulk(&b, tt.files, tt.errors); err != nil || b.String() != tt.want {
			t.Errorf("got %s, %v, want %s", b.String(), err, tt.want)
		}
	}
}
