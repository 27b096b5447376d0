package mcp

import (
	"strings"
	"testing"
)

// What is wrong with one environment or with the tests does not hide what is wrong elsewhere.
func TestCheckGoesOn(t *testing.T) {
	files := shop()
	files["weft.yml"] += "  far: {inputs: [\"http://127.0.0.1:1/x.yml\"]}\n"
	files["tests/a.test.yml"] = "tests:\n- nam: three\n"
	files["config/app.yml"] += "unread: #@ nothing\n"
	inDir(t, files)
	r := start(t, Options{}).call("check", nil)
	for _, want := range []string{"project/outside", "tests/a.test.yml:2", "script/undefined"} {
		if !r.IsError || !strings.Contains(r.StructuredContent.Data, want) {
			t.Errorf("%s is missing in %v", want, r)
		}
	}
}
