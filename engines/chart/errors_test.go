package chart_test

import (
	"slices"
	"strings"
	"testing"

	"weft/internal/project/engines/wire"
	"weft/internal/testing/charttest"
)

// TestErrors compares errors: what they say, where they are, and the value that would help.
func TestErrors(t *testing.T) {
	const chart = "apiVersion: v2\nname: shop\nversion: 1.2.3\n"
	const file, sub = "chart/templates/it.yaml", "chart/charts/db/templates/it.yaml"
	for name, test := range map[string]struct {
		files map[string]string
		want  wire.Error
	}{
		"default": {
			map[string]string{
				file:                "a: b\nc: {{ .Values.db.password | default (randAlphaNum 8) }}\n",
				"chart/values.yaml": "db: {}\n",
			},
			wire.Error{
				Message: "randAlphaNum has", Code: wire.CodeRandom, File: file, Line: 2,
				Values: []string{"db", "password"},
			},
		},
		"condition": {
			map[string]string{
				file: "{{ if .Values.id }}\na: {{ .Values.id }}\n{{ else }}\na: {{ uuidv4 | quote }}\n{{ end }}",
			},
			wire.Error{Message: "uuidv4 has", Code: wire.CodeRandom, File: file, Line: 4, Values: []string{"id"}},
		},
		"two values": {
			map[string]string{file: "a: {{ default (now | date .Values.format) .Values.day }}\n"},
			wire.Error{Message: "now has", Code: wire.CodeRandom, File: file, Line: 1},
		},
		"no value": {
			map[string]string{file: "{{ $ca := genCA \"a\" 10 }}\n"},
			wire.Error{Message: "genCA has", Code: wire.CodeRandom, File: file, Line: 1},
		},
		"helper of a dependency": {
			map[string]string{
				"chart/charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.2.3\n",
				"chart/charts/db/templates/_h.tpl": "{{ define \"key\" }}\n" +
					"{{ $.Values.key | default (genPrivateKey \"rsa\") }}{{ end }}",
				"chart/charts/db/templates/it.yaml":  "a: {{ include \"key\" . }}\n",
				"chart/charts/db/templates/not.yaml": "",
			},
			wire.Error{
				Message: "genPrivateKey has", Code: wire.CodeRandom, File: "chart/charts/db/templates/_h.tpl", Line: 2,
				Values: []string{"db", "key"},
			},
		},
		"endless": {
			map[string]string{file: "{{ define \"r\" }}\n{{ include \"r\" . }}{{ end }}\na: {{ include \"r\" . }}\n"},
			wire.Error{Message: "at <include \"r\" .>: error calling include: rendering template has", File: file, Line: 2},
		},
		"syntax": {
			map[string]string{file: "a: b\nc: {{ if }}\n"},
			wire.Error{Message: "missing value for if", File: file, Line: 2},
		},
		"nil": {
			map[string]string{
				"chart/charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.2.3\n",
				sub:                          "\n\na: {{ .Values.a.b.c }}\n",
			},
			wire.Error{Message: "nil pointer", File: sub, Line: 3},
		},
		"result": {
			map[string]string{file: "a: b: c\n"},
			wire.Error{Message: "YAML parse error"},
		},
		"values": {
			map[string]string{file: "a: b", "values.yml": "a: [\n"},
			wire.Error{Message: "yaml", Code: wire.CodeValues, File: "values.yml"},
		},
		"schema": {
			map[string]string{
				"chart/charts/db/Chart.yaml":         "apiVersion: v2\nname: db\nversion: 1.2.3\n",
				"chart/charts/db/values.schema.json": `{"properties": {"size": {"type": "integer"}}}`,
				"values.yml":                         "db: {size: large}\n",
			},
			wire.Error{Message: "want integer", Code: wire.CodeSchema, Values: []string{"db", "size"}},
		},
		"library": {
			map[string]string{"chart/Chart.yaml": chart + "type: library\n"},
			wire.Error{Message: "not installable", Code: wire.CodeLibrary},
		},
		"dependency": {
			map[string]string{"chart/Chart.yaml": chart + "dependencies: [{name: gone, version: 1.2.3}]\n"},
			wire.Error{Message: "gone", Code: wire.CodeDependency},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &charttest.Case{Files: map[string]string{"chart/Chart.yaml": chart}}
			for name, text := range test.files {
				c.Files[name] = text
			}
			got := ask(t, &wire.Request{Chart: c.Chart()}, c.Reader()).Error
			if got == nil || !strings.Contains(got.Message, test.want.Message) || got.Code != test.want.Code ||
				got.File != test.want.File || got.Line != test.want.Line ||
				!slices.Equal(got.Values, test.want.Values) {
				t.Errorf("%+v, expected %+v", got, test.want)
			}
		})
	}
}

// TestLookup fails if users do not hear that a chart wanted to ask a cluster.
func TestLookup(t *testing.T) {
	c := charttest.Read(t, "testdata/lookup.txtar")
	a := ask(t, &wire.Request{Chart: c.Chart()}, c.Reader())
	if len(a.Warnings) != 1 || a.Warnings[0].Code != wire.CodeLookup ||
		!strings.Contains(a.Warnings[0].Message, "v1/Secret") ||
		a.Warnings[0].File != "chart/templates/it.yaml" || a.Warnings[0].Line != 6 {
		t.Errorf("%+v", a.Warnings)
	}
}

// TestSeededPlaces fails if a seeded result depends on calls in other lines of templates, or if calls in the
// same line have the same result.
func TestSeededPlaces(t *testing.T) {
	c := &charttest.Case{Files: map[string]string{
		"chart/Chart.yaml":  "apiVersion: v2\nname: shop\nversion: 1.2.3\n",
		"chart/values.yaml": "more: false\n",
		"chart/templates/a.yaml": "{{- define \"key\" }}{{ randAlphaNum 9 }}{{ end }}\n" +
			"more: {{ if .Values.more }}{{ randAlphaNum 9 }}{{ include \"key\" . }}{{ end }}\n" +
			"a: {{ randAlphaNum 9 }}\nb: {{ 9 | randAlphaNum }}\n" +
			"{{- range list 1 2 }}\nc{{ . }}: {{ randAlphaNum 9 }}\n{{- end }}\n" +
			"d: {{ tpl \"{{ randAlphaNum 9 }}\" $ }}\n",
	}}
	render := func(values string) []string {
		r := c.Chart()
		r.Random = wire.RandomSeeded
		if values != "" {
			r.Values = []wire.ValuesFile{{Name: "values.yml", Text: values}}
		}
		a := ask(t, &wire.Request{Chart: r, Origins: true}, c.Reader())
		if a.Error != nil {
			t.Fatal(a.Error)
		}
		return strings.Split(a.Docs[0].Text, "\n")[1:]
	}
	lines := render("")
	if more := render("more: true\n"); !slices.Equal(lines, more) {
		t.Errorf("%q and then %q", lines, more)
	}
	seen := map[string]bool{}
	for _, line := range lines {
		if _, value, ok := strings.Cut(line, ": "); ok {
			if len(value) != 9 || seen[value] {
				t.Errorf("%q in %q", value, lines)
			}
			seen[value] = true
		}
	}
	if len(seen) != 5 {
		t.Errorf("%q", lines)
	}
}

// TestSeeded fails if a chart renders another text the second time, or for another release.
func TestSeeded(t *testing.T) {
	text := "a: {{ randAlphaNum 20 }}\nb: {{ randAlphaNum 20 }}\nc: {{ uuidv4 }}\nd: {{ now }}\n" +
		"{{ $ca := genCA \"ca\" 30 }}{{ $cert := genSignedCert \"web\" nil (list \"web\") 30 $ca }}\n" +
		"e: {{ $cert.Cert | b64enc }}\nf: {{ genPrivateKey \"ed25519\" | b64enc }}\n"
	c := &charttest.Case{Files: map[string]string{
		"chart/Chart.yaml":        "apiVersion: v2\nname: shop\nversion: 1.2.3\n",
		"chart/templates/it.yaml": text,
	}}
	render := func(release string) string {
		r := c.Chart()
		r.Random, r.Release = wire.RandomSeeded, release
		a := ask(t, &wire.Request{Chart: r, Origins: true}, c.Reader())
		if a.Error != nil {
			t.Fatal(a.Error)
		}
		for n := range wire.Lines(a.Docs[0].Text) {
			line := strings.Split(a.Docs[0].Text, "\n")[n]
			if line != "" && a.Origin(&a.Docs[0], n) == nil {
				t.Errorf("%q has no origin", line)
			}
		}
		return a.Docs[0].Text
	}
	one := render("one")
	if two := render("one"); two != one {
		t.Errorf("%s\nand then\n%s", one, two)
	}
	if render("two") == one {
		t.Error("two releases have the same passwords")
	}
	lines := strings.Split(one, "\n")
	if lines[0][3:] == lines[1][3:] {
		t.Error("two passwords are the same")
	}
}
