package diff

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/tree"
)

func TestMarkdownIsShort(t *testing.T) {
	var a, b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&a, "---\nkind: K\nmetadata: {name: n%d}\nspec: {text: \"``` %d\", x: 1}\n", i, i)
		fmt.Fprintf(&b, "---\nkind: K\nmetadata: {name: n%d}\nspec: {text: \"``` äöü %d\", x: %d}\n", i, i, i)
	}
	d := Compare(side(t, a.String()), side(t, b.String()), Options{})
	var out strings.Builder
	if err := d.WriteMarkdown(&out, false); err != nil {
		t.Fatal(err)
	}
	n := utf8.RuneCountInString(out.String())
	if n >= 65_536 || n < 60_000 {
		t.Errorf("%d characters", n)
	}
	if !strings.Contains(out.String(), "lines more\n````\n\n</details>\n") {
		t.Errorf("ends with %q", out.String()[out.Len()-300:])
	}
}

func TestMarkdown(t *testing.T) {
	d := Compare(side(t, web), side(t, strings.Replace(web, "replicas: 2", "replicas: 5", 1)), Options{})
	two, five := tree.String("2"), tree.String("5")
	d.Attribute([]Cause{{Title: "a<b", Before: &two, After: &five}}, nil)
	for summary, want := range map[bool]string{
		true: "**1 changed, 0 added, 0 removed**, 0 unchanged\n\n| | document | changes |\n|---|---|---|\n| ~ | `Deployment/web` | 1 |\n",
		false: "**1 changed, 0 added, 0 removed**, 0 unchanged\n\n| | document | changes |\n|---|---|---|\n| ~ | `Deployment/web` | 1 |\n" +
			"\n<details><summary>a&lt;b &#34;2&#34; → &#34;5&#34;: 1 document</summary>\n\n```diff\n~ Deployment/web  spec.replicas: 2 → 5\n```\n\n</details>\n",
	} {
		var out strings.Builder
		if err := d.WriteMarkdown(&out, summary); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

func TestJSON(t *testing.T) {
	a := "l: [{name: x, \"a/b\": 1}]\ns: '{\"k\": [1]}'\nm: {[q]: 1}\n"
	b := "l: [{name: w}, {name: x, \"a/b\": 2}]\ns: '{\"k\": [2]}'\nf: .inf\n"
	d := Compare(side(t, a), side(t, b), Options{})
	var out strings.Builder
	if err := d.WriteJSON(&out, false); err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	type change struct{ op, path, pointer, inside, before, after, at string }
	var list []change
	for _, m := range got {
		str := func(k string) string {
			if m[k] == nil {
				return ""
			}
			return fmt.Sprint(m[k])
		}
		list = append(list, change{str("op"), str("path"), str("pointer"), str("inside"), str("before"), str("after"), str("at")})
	}
	want := []change{
		{"change", "l[name=x].a/b", "/l/1/a~1b", "", "1", "2", "map[column:26 file:in.yml line:1]"},
		{"add", "l[name=w]", "/l/0", "", "", "map[name:w]", "map[column:5 file:in.yml line:1]"},
		{"change", "s › k[0]", "/s", "[/k/0]", "1", "2", "map[column:1 file:in.yml line:2]"},
		{"remove", "m", "/m", "", `map[["q"]:1]`, "", "map[column:1 file:in.yml line:3]"},
		{"add", "f", "/f", "", "", ".inf", "map[column:1 file:in.yml line:3]"},
	}
	if diff := cmp.Diff(want, list, cmp.AllowUnexported(change{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAttribute(t *testing.T) {
	a := "kind: A\nmetadata: {name: x}\nv: {one: 1, two: 1, both: 1}\n"
	b := "kind: A\nmetadata: {name: x}\nv: {one: 2, two: 2, both: 2}\n"
	one := "kind: A\nmetadata: {name: x}\nv: {one: 2, two: 1, both: 1}\n"
	two := "kind: A\nmetadata: {name: x}\nv: {one: 1, two: 2, both: 1}\n"
	d := Compare(side(t, a), side(t, b), Options{})
	v1, v2 := tree.Of(number(1).Starlark()), tree.Of(number(2).Starlark())
	d.Attribute(
		[]Cause{{Title: "one", Before: &v1, After: &v2, Place: "prod.yml:2"}, {Title: "two.yml", Note: "only in prod"}},
		[]*Difference{Compare(side(t, a), side(t, one), Options{}), Compare(side(t, a), side(t, two), Options{})},
	)
	want := "one 1 → 2  (prod.yml:2)                         1 document\n  ~ A/x  v.one\n" +
		"two.yml (only in prod)                          1 document\n  ~ A/x  v.two: 1 → 2\n" +
		"one and two.yml together                        1 document\n  ~ A/x  v.both: 1 → 2\n= 0 documents\n"
	if diff := cmp.Diff(want, text(t, d)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSummary(t *testing.T) {
	a := web + "---\nkind: B\nmetadata: {name: gone}\n---\nkind: C\nmetadata: {name: same}\n---\nkind: D\nmetadata: {name: p}\nv: [1, 2, 3]\n"
	b := strings.Replace(web, "replicas: 2, image: nginx", "replicas: 3, image: x", 1) +
		"---\nkind: C\nmetadata: {name: same}\n---\nkind: D\nmetadata: {name: q}\nv: [1, 2, 3]\n---\nkind: E\nmetadata: {name: new}\n"
	d := Compare(side(t, a), side(t, b), Options{})
	var out strings.Builder
	if err := d.WriteText(&out, TextOptions{Summary: true, Color: true}); err != nil {
		t.Fatal(err)
	}
	want := "\x1b[33m~ Deployment/web  2 changes\x1b[0m\n\x1b[31m- B/gone\x1b[0m\n\x1b[33m~ D/p → D/q  1 change\x1b[0m\n\x1b[32m+ E/new\x1b[0m\n= 1 document\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
