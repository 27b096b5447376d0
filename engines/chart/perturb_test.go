package chart_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"weft/internal/project/engines/wire"
	"weft/internal/testing/cases"
	"weft/internal/testing/charttest"
)

// FuzzPerturb changes all letters of one line of a template that has no action. Each line of a document that
// comes from there must change with it, or it names a wrong line.
func FuzzPerturb(f *testing.F) {
	for _, path := range cases.Paths(f, "testdata/*.txtar") {
		c := charttest.Read(f, path)
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			if strings.HasPrefix(name, "chart/templates/") {
				f.Add(c.Files[name], byte(3))
			}
		}
	}
	f.Fuzz(func(t *testing.T, template string, line byte) {
		n := 1 + int(line)%(1+strings.Count(template, "\n"))
		changed, ok := otherLetters(template, n)
		if !ok || len(template) > 5000 || takesLong(template) {
			t.Skip("nothing to change, or may take long")
		}
		c := fuzzedChart(template)
		before := ask(t, &wire.Request{Chart: c.Chart(), Origins: true}, c.Reader())
		c.Files["chart/templates/it.yaml"] = changed
		after := ask(t, &wire.Request{Chart: c.Chart()}, c.Reader())
		if !sameShape(before, after) {
			t.Skip("other lines")
		}
		for i := range before.Docs {
			d := &before.Docs[i]
			old, now := strings.Split(d.Text, "\n"), strings.Split(after.Docs[i].Text, "\n")
			for k := range wire.Lines(d.Text) {
				from := slices.IndexFunc(before.Origin(d, k), func(p wire.Place) bool { return p.Values == nil })
				if from < 0 || old[k] != now[k] {
					continue
				}
				if p := before.Origin(d, k)[from]; p.File == "chart/templates/it.yaml" && p.Line == n {
					t.Errorf("%q comes from line %d, but does not change with it", old[k], n)
				}
			}
		}
	})
}

// otherLetters returns a text with other letters in a line, which must have some, and no action.
func otherLetters(text string, line int) (string, bool) {
	_, pure, ok := perturb(text, line)
	if !ok || !pure {
		return "", false
	}
	lines := strings.Split(text, "\n")
	lines[line-1] = strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return 'a' + (r-'a'+7)%26
		}
		return r
	}, lines[line-1])
	return strings.Join(lines, "\n"), true
}

// takesLong reports whether a template may take long.
func takesLong(template string) bool {
	return strings.Contains(template, "repeat") || strings.Contains(template, "until") ||
		strings.Contains(template, "seq")
}

// fuzzedChart returns a chart with a template.
func fuzzedChart(template string) *charttest.Case {
	return &charttest.Case{Files: map[string]string{
		"chart/Chart.yaml":          "apiVersion: v2\nname: shop\nversion: 1.2.3\n",
		"chart/values.yaml":         "a: alpha\nlist: [x, {b: c}]\nmap: {d: 1, e: {f: g}}\nt: '{{ .Values.a }}'\n",
		"chart/config/a.conf":       "one\ntwo\n",
		"chart/templates/_h.tpl":    "{{- define \"name\" -}}\nn: {{ .Chart.Name }}\n\nm: x\n{{- end }}\n",
		"chart/templates/it.yaml":   template,
		"chart/templates/other.txt": "text",
	}}
}
