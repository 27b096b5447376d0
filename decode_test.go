package weft_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft"
)

type decoded struct {
	Kind  string `json:"kind"`
	Ports []struct {
		Port int `json:"port"`
	} `json:"ports"`
}

func rendered(t *testing.T, text string) *weft.Result {
	t.Helper()
	res, err := weft.Render(t.Context(), weft.Options{
		Files: []weft.File{{Path: "a.yml", Data: []byte(text)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestDecode decodes one document, several, and what does not fit.
func TestDecode(t *testing.T) {
	var one decoded
	if err := rendered(t, "kind: A\nports:\n- port: 80\n  name: x\n").Decode(&one); err != nil {
		t.Fatal(err)
	}
	if one.Kind != "A" || len(one.Ports) != 1 || one.Ports[0].Port != 80 {
		t.Errorf("got %+v", one)
	}
	var all []decoded
	if err := rendered(t, "kind: A\n---\n---\nkind: B\n").Decode(&all); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]decoded{{Kind: "A"}, {Kind: "B"}}, all); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var text map[string]string
	for _, tt := range []struct {
		name, yaml, want string
		into             any
	}{
		{"scalar", "kind: A\nports:\n- port: 1\n- port: x\n", "a.yml:4:9: expected a value for int, but found a string", &one},
		{"map", "kind:\n  a: 1\n", "a.yml:2:3: expected a value for string, but found an object", &one},
		{"list", "a: b\nc: [1, 2]\n", "a.yml:2:4: expected a value for string, but found an array", &text},
		{"two", "kind: A\n---\nkind: B\n", "a.yml:2:1: expected one document to decode, but found 2", &one},
		{"none", "---\n", "expected one document to decode, but found 0", &one},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := rendered(t, tt.yaml).Decode(tt.into)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	if err := rendered(t, "kind: A\n").Decode(one); err == nil {
		t.Error("decodes into a value that is not a pointer")
	}
}
