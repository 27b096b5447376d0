package weft

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTimings(t *testing.T) {
	var tm Timings
	began := time.Now()
	_, err := Render(t.Context(), Options{
		Observe: Observe{Timings: &tm},
		Files: []File{
			{
				Path: "a.yml",
				Data: []byte(
					"#@ load(\"m.star\", \"busy\")\n#@ load(\"@ytt:library\", \"library\")\n---\na: #@ busy()\nb: #@ library.get(\"l\").eval()[0]\n",
				),
			},
			{
				Path: "m.star",
				Data: []byte(
					"def busy():\n  n = 0\n  for i in range(200000):\n    n += i\n  end\n  return n\nend\n",
				),
			},
			{Path: "plain.yml", Data: []byte("a: 1\n")},
			{Path: "_ytt_lib/l/x.yml", Data: []byte("x: 1\n")},
		},
	})
	took := time.Since(began)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var sum time.Duration
	for _, s := range tm.Stages() {
		names = append(names, s.Name)
		sum += s.Took
	}
	if diff := cmp.Diff([]string{"load", "compile", "schema", "values", "templates", "overlays"}, names); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
	if sum > took {
		t.Errorf("the stages took %s, and all of it %s", sum, took)
	}
	slowest := tm.Slowest(3)
	if len(slowest) != 3 || slowest[0].Path != "a.yml" || slowest[0].Evaluate <= 0 ||
		slowest[0].Compile <= 0 {
		t.Errorf("slowest: %+v, want three files, first a.yml", slowest)
	}
	if all := tm.Slowest(100); len(all) != 4 {
		t.Errorf("files: %+v, want four", all)
	}
	if tm.Ended().Before(began) {
		t.Errorf("ended at %s, before it began", tm.Ended())
	}
	if stage, files := tm.Now(); stage != "" || files != 4 {
		t.Errorf("now: %q, %d files, want nothing, 4 files", stage, files)
	}
}

// A run that fails has the timings of what it came to.
func TestTimingsOfAFailure(t *testing.T) {
	var tm Timings
	opts := Options{Observe: Observe{Timings: &tm}, Inputs: []string{"no such file"}}
	if _, err := Render(t.Context(), opts); err == nil {
		t.Fatal("no error")
	}
	if s := tm.Stages(); len(s) != 1 || s[0].Name != "load" || tm.Ended().IsZero() {
		t.Errorf("stages %v, ended %s", s, tm.Ended())
	}
}
