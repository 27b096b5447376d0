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
	for opts.Limits.Steps = 1; opts.Limits.Steps < 1000 && silent == 0; opts.Limits.Steps++ {
		res, err := weft.Render(t.Context(), opts)
		switch {
		case err != nil:
		case len(res.Warnings().Diagnostics()) > 0:
			warned++
			if got := res.Warnings().Diagnostics()[0].Message; !strings.Contains(got, "the run that does fails: ") ||
				!strings.Contains(got, "steps") {
				t.Fatal(got)
			}
		default:
			silent++
			if got := watchedText(t, res); got != "mode: 0644\n" {
				t.Fatalf("with %d steps, and without a warning: %s", opts.Limits.Steps, got)
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
		got := res.Warnings().Diagnostics()
		if len(got) != min(n, 21) {
			t.Fatalf("%d of %d uses are shown", len(got), n)
		}
		last, more := got[len(got)-1].Message, fmt.Sprintf("%d more scalars", n-20)
		if strings.HasPrefix(last, more) != (n > 20) {
			t.Errorf("of %d uses, the last message is %q", n, last)
		}
	}
}

// modes is a function with text of two meanings in it.
const modes = `#@ load("@ytt:assert", "assert")
#@ load("@ytt:json", "json")
#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:struct", "struct")
#@ load("@ytt:template", "template")
#@ load("@ytt:yaml", "yaml")
#@ def f():
mode: 0644
#@ end
---
#@ def items():
- 0644
#@ end
---
#@ def left():
mode: 1
#@ end
#@ def same(x):
#@   return x
#@ end
#@ x = f()
---
`

// Text of a template that code only hands on is printed as it is written. Where code reads it by its
// value, a warning says so, once for each place.
func TestCodeReadsText(t *testing.T) {
	for name, test := range map[string]struct {
		template, want string
		silent         bool
	}{
		"whole":          {"a: #@ f()\n", "a:\n  mode: 0644\n", true},
		"index":          {"a: #@ f()[\"mode\"]\n", "a: 0644\n", true},
		"variable":       {"a: #@ x[\"mode\"]\n", "a: 0644\n", true},
		"function":       {"a: #@ same(same(x)[\"mode\"])\n", "a: 0644\n", true},
		"list":           {"a: #@ [x[\"mode\"], same([x[\"mode\"]])]\n", "a:\n- 0644\n- - 0644\n", true},
		"dict":           {"a: #@ {\"b\": x[\"mode\"], \"c\": x}\n", "a:\n  b: 0644\n  c:\n    mode: 0644\n", true},
		"dict of it":     {"a: #@ dict(x)\n", "a:\n  mode: 0644\n", true},
		"keywords":       {"a: #@ dict(**x)\n", "a:\n  mode: 0644\n", true},
		"list of it":     {"a: #@ list(items())\n", "a:\n- 0644\n", true},
		"loop":           {"a:\n#@ for m in items():\n- #@ m\n#@ end\n", "a:\n- 0644\n", true},
		"loop over keys": {"a:\n#@ for k in f():\n- #@ f()[k]\n#@ end\n", "a:\n- 0644\n", true},
		"comprehension":  {"a: #@ [m for m in items()]\n", "a:\n- 0644\n", true},
		"of keys":        {"a: #@ {k: x[k] for k in x}\n", "a:\n  mode: 0644\n", true},
		"slice":          {"a: #@ items()[:]\n", "a:\n- 0644\n", true},
		"sum of lists":   {"a: #@ items() + [x[\"mode\"]]\n", "a:\n- 0644\n- 0644\n", true},
		"or":             {"a: #@ x[\"mode\"] or 1\n", "a: 0644\n", true},
		"replace":        {"_: #@ template.replace(f())\n", "mode: 0644\n", true},
		"replace by":     {"_: #@ template.replace({\"a\": f()[\"mode\"]})\n", "a: 0644\n", true},
		"apply":          {"a: #@ overlay.apply(left(), f())\n", "a:\n  mode: 0644\n", true},
		"apply a dict":   {"a: #@ overlay.apply({\"mode\": 1}, dict(x))\n", "a:\n  mode: 0644\n", true},
		"apply to":       {"a: #@ overlay.apply(f(), {\"mode\": 2})\n", "a:\n  mode: 2\n", false},
		"in an overlay": {
			"mode: 1\n#@overlay/match by=overlay.all\n---\nmode: #@ x[\"mode\"]\n", "mode: 0644\n", true,
		},
		"as an overlay": {
			"mode: 1\n#@overlay/match by=overlay.all\n--- #@ f()\n", "mode: 0644\n", true,
		},

		"sum":           {"a: #@ x[\"mode\"] + 0\n", "a: 644\n", false},
		"text":          {"a: #@ str(f()[\"mode\"])\n", "a: \"644\"\n", false},
		"format":        {"a: #@ \"{}-\".format(x[\"mode\"])\n", "a: 644-\n", false},
		"percent":       {"a: #@ \"%d-\" % x[\"mode\"]\n", "a: 644-\n", false},
		"comparison":    {"a: #@ x[\"mode\"] == 420\n", "a: false\n", false},
		"of fragments":  {"a: #@ f() == f()\n", "a: true\n", false},
		"condition":     {"#@ if x[\"mode\"] > 500:\na: 1\n#@ end\n", "a: 1\n", false},
		"else":          {"a: #@ 1 if x[\"mode\"] == 644 else 2\n", "a: 1\n", false},
		"not taken":     {"a: 1\n#@ if x[\"mode\"] == 420:\nb: 1\n#@ end\n", "a: 1\n", false},
		"item":          {"a: #@ 644 in [m for m in items()]\n", "a: true\n", false},
		"sorted":        {"a: #@ sorted(items())\n", "a:\n- 644\n", false},
		"largest":       {"a: #@ max(items())\n", "a: 644\n", false},
		"yaml":          {"a: #@ yaml.encode(f())\n", "a: |\n  mode: 644\n", false},
		"json":          {"a: #@ json.encode(x)\n", "a: '{\"mode\":644}'\n", false},
		"json of dict":  {"a: #@ json.encode({\"x\": [f()]})\n", "a: '{\"x\":[{\"mode\":644}]}'\n", false},
		"assert":        {"#@ assert.equals(f(), {\"mode\": 644})\na: 1\n", "a: 1\n", false},
		"assert scalar": {"#@ assert.equals(x[\"mode\"], 644)\na: 1\n", "a: 1\n", false},
		"print":         {"#@ print(x[\"mode\"])\na: 1\n", "a: 1\n", false},
		"unused":        {"#@ y = x[\"mode\"] + 1\na: 1\n", "a: 1\n", false},
		"templated": {
			"#@yaml/text-templated-strings\na: x(@= str(x[\"mode\"]) @)\n", "a: x644\n", false,
		},
		"matcher": {
			"mode: 0644\n#@overlay/match by=lambda i, l, r: l[\"mode\"] == 644\n---\n" +
				"#@overlay/match missing_ok=True\na: 1\n",
			"mode: 0644\na: 1\n", false,
		},
		"matcher of items": {
			"a:\n- 0644\n#@overlay/match by=overlay.all\n---\na:\n" +
				"#@overlay/match by=lambda i, l, r: l == 644\n#@overlay/insert after=True\n- 1\n",
			"a:\n- 0644\n- 1\n", false,
		},
		"via": {
			"a: 1\n#@overlay/match by=overlay.all\n---\n#@overlay/replace via=lambda l, r: r + l\na: 0644\n",
			"a: 645\n", false,
		},
		"handed on by via": {
			"a: 1\n#@overlay/match by=overlay.all\n---\n#@overlay/replace via=lambda l, r: r\na: 0644\n",
			"a: 0644\n", true,
		},
		"left of via": {
			"a: 0644\n#@overlay/match by=overlay.all\n---\n#@overlay/replace via=lambda l, r: l\na: 1\n",
			"a: 0644\n", false,
		},
		"item of via": {
			"a: 1\n#@overlay/match by=overlay.all\n---\n#@overlay/replace via=lambda l, r: r[\"b\"]\na:\n  b: 0644\n",
			"a: 0644\n", true,
		},
		"assert via": {
			"a: 0644\n#@overlay/match by=overlay.all\n---\n#@overlay/assert via=lambda l, r: l == 644\na: 1\n",
			"a: 0644\n", false,
		},
		"plain": {"a: 0644\n", "a: 0644\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := weft.Render(t.Context(), weft.Options{
				Edition: weft.Edition2026,
				Files:   []weft.File{{Path: "t.yml", Data: []byte(modes + test.template)}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := watchedText(t, res); got != test.want {
				t.Errorf("the output is\n%sbut should be\n%s", got, test.want)
			}
			warnings := map[string]int{}
			for _, w := range res.Warnings().Diagnostics() {
				if w.Code == "yaml/two-meanings" {
					warnings[fmt.Sprint(w.Place)]++
				}
				if !strings.Contains(w.Message, "the number 644 to weft, and the number 420") {
					t.Errorf("%s", w.Message)
				}
			}
			if (len(warnings) == 0) != test.silent {
				t.Errorf("the warnings are %v", warnings)
			}
			for at, n := range warnings {
				if n != 1 {
					t.Errorf("%d warnings at %s", n, at)
				}
			}
		})
	}
}
