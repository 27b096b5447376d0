package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"weft/internal/project/engines/wire"
	"weft/internal/testing/charttest"
)

// TestMain is weft-engines with low limits if WEFT_ENGINES_TEST is set.
func TestMain(m *testing.M) {
	if os.Getenv("WEFT_ENGINES_TEST") == "" {
		os.Exit(m.Run())
	}
	low := standard
	low.memory, low.output = 300<<20, 10<<20
	if err := serve(wire.NewConn(os.Stdin, seclude()), low); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start starts weft-engines.
func start(t *testing.T) *wire.Conn {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WEFT_ENGINES_TEST=1", "HELM_PLUGINS=/nonexistent", "SECRET=hidden")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	c := wire.NewConn(out, in)
	var hello wire.Hello
	if err := c.Receive(&hello); err != nil {
		t.Fatal(err)
	}
	return c
}

// project returns a chart with a template and values.
func project(template, values string) *charttest.Case {
	return &charttest.Case{Files: map[string]string{
		"chart/Chart.yaml":        "apiVersion: v2\nname: shop\nversion: 1.2.3\n",
		"chart/templates/it.yaml": template,
		"chart/values.yaml":       values,
	}}
}

// TestLimits fails if a chart can use up the machine. The answer is an error, and weft-engines ends without
// one itself.
func TestLimits(t *testing.T) {
	loop := `{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}`
	twice := `{{ define "a" }}{{ include "a" . }}{{ include "a" . }}{{ end }}{{ include "a" . }}`
	double := `{{ $s := "0123456789" }}{{ range until 40 }}{{ $s = print $s $s }}{{ end }}{{ $s }}`
	lists := `{{ $l := list }}{{ range until 1000 }}{{ $l = append $l (until 9000000) }}{{ end }}{{ len $l }}`
	for name, test := range map[string]struct {
		template, values string
		seconds          int
		want             string // part of the message
	}{
		"loop":     {loop, "", 1, "longer than 1 s"},
		"include":  {twice, "", 1, ""},
		"tpl":      {`{{ tpl .Values.a . }}`, "a: '{{ tpl .Values.a . }}'\n", 1, ""},
		"template": {`{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}`, "", 1, ""},
		"double":   {double, "", 60, "300 MB of memory"},
		"until":    {`{{ until 1000000000000 }}`, "", 60, "more than 10000000 items"},
		"down":     {`{{ until -2000000000 }}`, "", 60, "more than 10000000 items"},
		"step":     {`{{ untilStep 0 2000000000 1 }}`, "", 60, "more than 10000000 items"},
		"seq":      {`{{ seq 1 1 2000000000 }}`, "", 60, "more than 10000000 items"},
		"lists":    {lists, "", 60, "300 MB of memory"},
		"regexp":   {`{{ $s := repeat 9000000 "x" }}{{ regexReplaceAll "x" $s $s }}`, "", 60, "300 MB of memory"},
		"random":   {`{{ randAlphaNum 2000000000 }}`, "", 60, "another result"},
		"repeat":   {`{{ repeat 1000000000000 "x" }}`, "", 60, "longer than 64 MB"},
		"indent":   {`{{ indent 1000000000000 "x" }}`, "", 60, "longer than 64 MB"},
		"output":   {`{{ range until 300 }}{{ repeat 40000 "#" }}{{ "\n" }}{{ end }}a: b`, "", 60, "11 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := project(test.template, test.values)
			a, err := start(t).Converse(&wire.Request{Chart: c.Chart(), Seconds: test.seconds}, c.Reader())
			if err != nil {
				t.Fatal(err)
			}
			if a.Error == nil || !strings.Contains(a.Error.Message, test.want) {
				t.Errorf("%+v, expected an error with %q", a.Error, test.want)
			}
			if a.Error != nil && strings.Contains(test.want, "more than 1") && a.Error.Line != 1 {
				t.Errorf("%+v, expected a line of the template", a.Error)
			}
		})
	}
}

// TestLimitsOfKustomizations fails if a kustomization can use up the machine: replacements that double a text
// forty times, and a generator that repeats a large file.
func TestLimitsOfKustomizations(t *testing.T) {
	data, replacements := "  k0: '0123456789'\n", ""
	for i := 1; i <= 40; i++ {
		delimiter := string(rune('\u4e00' + i))
		data += fmt.Sprintf("  k%d: 'p%sp'\n", i, delimiter)
		for at := range 2 {
			replacements += fmt.Sprintf("- source: {kind: ConfigMap, fieldPath: data.k%d}\n  targets:\n"+
				"  - select: {kind: ConfigMap}\n    fieldPaths: [data.k%d]\n"+
				"    options: {delimiter: '%s', index: %d}\n", i-1, i, delimiter, at)
		}
	}
	keys := ""
	for i := range 100 {
		keys += fmt.Sprintf("  - k%d=large.txt\n", i)
	}
	for name, files := range map[string]map[string]string{
		"replacements": {
			"app/kustomization.yaml": "resources: [cm.yaml]\nreplacements:\n" + replacements,
			"app/cm.yaml":            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + data,
		},
		"generator": {
			"app/kustomization.yaml": "configMapGenerator:\n- name: a\n  files:\n" + keys,
			"app/large.txt":          strings.Repeat("0123456789\n", 1<<20),
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &charttest.Case{Files: files}
			r := &wire.Request{Kustomization: &wire.Kustomization{Path: "app"}, Seconds: 60}
			a, err := start(t).Converse(r, c.Reader())
			if err != nil {
				t.Fatal(err)
			}
			if a.Error == nil || a.Error.Code != wire.CodeLimit {
				t.Errorf("%+v, expected a limit", a.Error)
			}
		})
	}
}

// TestAlive fails if weft-engines does not go on after an error of a chart, or if a chart sees its
// environment.
func TestAlive(t *testing.T) {
	conn := start(t)
	for _, test := range []struct{ template, want string }{
		{`{{ fail "on purpose" }}`, "on purpose"},
		{`{{ env "SECRET" }}`, "not defined"},
		{`{{ expandenv "$SECRET" }}`, "not defined"},
		{`{{ .Files.Get "../../etc/passwd" }}{{ fail "read nothing" }}`, "read nothing"},
		{`{{ getHostByName "localhost" }}{{ fail "asked nothing" }}`, "asked nothing"},
		{"a: {{ now | date \"Z07\" }}", "now has another result in each run"},
	} {
		c := project(test.template, "")
		a, err := conn.Converse(&wire.Request{Chart: c.Chart()}, c.Reader())
		if err != nil {
			t.Fatal(err)
		}
		if a.Error == nil || !strings.Contains(a.Error.Message, test.want) {
			t.Errorf("%s: %+v, expected %q", test.template, a.Error, test.want)
		}
	}
}

// TestRemoteSchema fails if a schema makes weft-engines fetch something.
func TestRemoteSchema(t *testing.T) {
	conn := start(t)
	for _, url := range []string{
		"http://127.0.0.1:9/a.json", "https://example.com/a.json", "file:///etc/passwd", "other.json", "urn:a:b",
	} {
		c := project("a: b", "")
		c.Files["chart/values.schema.json"] = `{"$ref": "` + url + `"}`
		a, err := conn.Converse(&wire.Request{Chart: c.Chart()}, c.Reader())
		if err != nil {
			t.Fatal(err)
		}
		if a.Error == nil || a.Error.Code != wire.CodeRemote {
			t.Errorf("%s: %+v", url, a.Error)
		}
	}
}

// TestArchives fails if archives with hostile names or sizes are read.
func TestArchives(t *testing.T) {
	big := strings.Repeat("\x00", 101<<20)
	for name, test := range map[string]struct {
		header tar.Header
		body   string
		want   string
	}{
		"good":     {tar.Header{Name: "shop/templates/a.yaml"}, "a: b\n", ""},
		"absolute": {tar.Header{Name: "/shop/templates/a.yaml"}, "a: b\n", ""},
		"parent":   {tar.Header{Name: "shop/../../a.yaml"}, "a: b\n", "illegally"},
		"link":     {tar.Header{Name: "shop/a", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink}, "", ""},
		"hard":     {tar.Header{Name: "shop/a", Linkname: "/etc/passwd", Typeflag: tar.TypeLink}, "", ""},
		"above":    {tar.Header{Name: "../templates/a.yaml"}, "a: b\n", ""},
		"bomb":     {tar.Header{Name: "shop/files/zero"}, big, "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			w := tar.NewWriter(z)
			meta := "apiVersion: v2\nname: shop\nversion: 1.2.3\n"
			link := "{{ with .Files.Get \"a\" }}{{ fail . }}{{ end }}" // what a link leads to is not read
			test.header.Mode, test.header.Size = 0o644, int64(len(test.body))
			for _, f := range []struct {
				header tar.Header
				body   string
			}{
				{tar.Header{Name: "shop/Chart.yaml", Mode: 0o644, Size: int64(len(meta))}, meta},
				{tar.Header{Name: "shop/templates/b.yaml", Mode: 0o644, Size: int64(len(link))}, link},
				{test.header, test.body},
			} {
				if err := w.WriteHeader(&f.header); err != nil {
					t.Fatal(err)
				}
				if _, err := io.WriteString(w, f.body); err != nil {
					t.Fatal(err)
				}
			}
			w.Close()
			z.Close()
			c := &charttest.Case{Files: map[string]string{"chart": b.String()}}
			a, err := start(t).Converse(&wire.Request{Chart: c.Chart(), Origins: true}, c.Reader())
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case test.want == "" && a.Error != nil:
				t.Error(a.Error)
			case test.want != "" && (a.Error == nil || !strings.Contains(a.Error.Message, test.want)):
				t.Errorf("%+v, expected %q", a.Error, test.want)
			case name == "good" && a.Origin(&a.Docs[0], 0)[0].File != "chart/templates/a.yaml":
				t.Error(a.Origin(&a.Docs[0], 0))
			}
		})
	}
}
