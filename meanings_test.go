package weft_test

import (
	"fmt"
	"strings"
	"testing"

	"weft"
)

// ambiguous is a project whose data value code hands on in a loop, and reads.
func ambiguous(template string) weft.Options {
	return weft.Options{
		Edition: weft.Edition2026,
		Files: []weft.File{
			{Path: "values.yml", Data: []byte("#@data/values\n---\nmodes: [0644]\n")},
			{Path: "t.yml", Data: []byte("#@ load(\"@ytt:data\", \"data\")\n" + template)},
		},
	}
}

// Where the run that follows data values ends at a limit, a warning says so.
func TestLimitOfFollowing(t *testing.T) {
	opts := ambiguous("#@ for m in data.values.modes:\nmode: #@ m\n#@ end\n")
	silent, warned := 0, 0
	for opts.MaxSteps = 1; opts.MaxSteps < 1000 && silent == 0; opts.MaxSteps++ {
		res, err := weft.Render(t.Context(), opts)
		switch {
		case err != nil:
		case len(res.Warnings()) > 0:
			warned++
			if got := res.Warnings()[0].Message; !strings.Contains(got, "the run that does fails: ") ||
				!strings.Contains(got, "steps") {
				t.Fatal(got)
			}
		default:
			silent++
			if got := watchedText(t, res); got != "mode: 0644\n" {
				t.Fatalf("with %d steps, and without a warning: %s", opts.MaxSteps, got)
			}
		}
	}
	if silent == 0 || warned == 0 {
		t.Fatalf("%d runs without a warning, %d with one", silent, warned)
	}
}

// What the run that follows finds fails if warnings do.
func TestMeaningsAsErrors(t *testing.T) {
	opts := ambiguous("sum: #@ data.values.modes[0] + 1\n")
	opts.Warnings = weft.WarningsError
	if _, err := weft.Render(t.Context(), opts); err == nil || !strings.Contains(err.Error(), "two meanings") {
		t.Errorf("the error is %v", err)
	}
}

// Of many uses, twenty are shown, and the number of the others.
func TestMostMeanings(t *testing.T) {
	for _, n := range []int{20, 21, 50} {
		var left, right strings.Builder
		right.WriteString("#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n")
		for i := range n {
			fmt.Fprintf(&left, "k%d: on\n", i)
			fmt.Fprintf(&right, "k%d: 1\n", i)
		}
		res, err := weft.Render(t.Context(), weft.Options{Edition: weft.Edition2026, Files: []weft.File{
			{Path: "left.yml", Data: []byte(left.String())}, {Path: "right.yml", Data: []byte(right.String())},
		}})
		if err != nil {
			t.Fatal(err)
		}
		got := res.Warnings()
		if len(got) != min(n, 21) {
			t.Fatalf("%d of %d uses are shown", len(got), n)
		}
		last, more := got[len(got)-1].Message, fmt.Sprintf("%d more scalars", n-20)
		if strings.HasPrefix(last, more) != (n > 20) {
			t.Errorf("of %d uses, the last message is %q", n, last)
		}
	}
}
