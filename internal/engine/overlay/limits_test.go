package overlay_test

import (
	"strings"
	"testing"
)

// TestLimits has overlays that double a document time after time, which ends with an error and not
// with the memory.
func TestLimits(t *testing.T) {
	for name, each := range map[string]string{
		"insert":   "#@overlay/match by=overlay.all\n---\na:\n#@overlay/match by=overlay.all, expects=\"1+\"\n#@overlay/insert after=True\n- 1\n",
		"via":      "#@overlay/match by=overlay.all\n---\n#@overlay/replace via=lambda left, right: [left, left]\na:\n",
		"document": "#@overlay/match by=overlay.all, expects=\"1+\"\n#@overlay/insert after=True\n---\na: 1\n",
	} {
		for _, docs := range []int{1, 100} {
			in := evaluate(
				t,
				file{"left.yml", strings.Repeat("---\na: [1]\n", docs)},
				file{
					"over.yml",
					header + strings.Repeat(
						strings.Replace(
							each,
							"by=overlay.all\n---",
							"by=overlay.all, expects=\"1+\"\n---",
							1,
						),
						60,
					),
				},
			)
			in.opt.MaxNodes = 2000
			_, err := in.apply()
			if err == nil {
				t.Fatalf("%s of %d documents: no error", name, docs)
			}
			if got := in.text(err); !strings.Contains(got, "more than 2000 nodes") &&
				!strings.Contains(got, "more than 10000000 nodes") {
				t.Errorf("%s of %d documents: got:\n%s", name, docs, got)
			}
		}
	}
}

// TestLimitIsNotCaught has overlay.apply pass a limit inside assert.try_to, which may not hide
// it.
func TestLimitIsNotCaught(t *testing.T) {
	_, err := tryEvaluate(file{"config.yml", header + `#@ load("@ytt:assert", "assert")
#@ def left():
a: 1
#@ end
#@ def right():
#@overlay/replace via=lambda left, right: [left, left]
a:
#@ end
#@ def grow():
#@   v = left()
#@   for i in range(60):
#@     v = overlay.apply(v, right())
#@   end
#@   return v
#@ end
#@ x = assert.try_to(grow)
ok: #@ x[1]
`})
	if err == nil || !strings.Contains(err.Error(), "more than 1000000 nodes") {
		t.Errorf("got error %v", err)
	}
}

// TestLongTexts compares texts that are not names: to look for a misspelling in them would take
// hours.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("word ", 100_000)
	in := evaluate(
		t,
		file{"left.yml", "text: " + long + "\n" + long[:90_000] + "x: 1\n"},
		file{
			"over.yml",
			header + "#@overlay/match by=overlay.subset({\"text\": \"" + long + "x\"})\n---\na: 1\n",
		},
	)
	if _, err := in.apply(); err == nil {
		t.Error("no error")
	} else if n := len(in.text(err)); n > 5000 {
		t.Errorf("the message has %d bytes", n)
	}
}
