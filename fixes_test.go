package weft_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft"
)

// TestFixes applies the fix of each mistake and renders again: nothing is left to say, and the
// result is what was meant.
func TestFixes(t *testing.T) {
	const overlayAll = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n"
	tests := []struct {
		name, code, text, want string
		title                  string
	}{
		{
			"unknown annotation", "overlay/unknown",
			"a:\n  #@overlay/delete\n  b: 1\n#@overlay/match by=\"x\"\n---\n", "",
			"write #@overlay/remove",
		},
		{
			"misspelt group", "template/unknown-annotation",
			"#@shema/nullable\na: 1\n", "a: 1\n",
			"write #@schema/nullable",
		},
		{
			"group left out", "template/unknown-annotation",
			"#@map-key-override\na: 1\n", "a: 1\n",
			"write #@yaml/map-key-override",
		},
		{
			"missing space", "template/missing-space",
			"#@ x = 1\na: #@x\n", "a: 1\n",
			"add a space after #@",
		},
		{
			"unknown comment", "template/unknown-comment",
			"#@ x = 1\n# a note\na: #@ x\n", "a: 1\n",
			"write #!",
		},
		{
			"undefined name", "script/undefined",
			"#@ replicas = 3\na: #@ replcias\n", "a: 3\n",
			"write replicas",
		},
		{
			"undefined function", "script/undefined",
			"a: #@ lenn([1])\n", "a: 1\n",
			"write len",
		},
		{
			"true of JSON", "script/undefined",
			"a: #@ true\n", "a: true\n",
			"write True",
		},
		{
			"missing field", "eval/error",
			"#@ load(\"@ytt:struct\", \"struct\")\n#@ s = struct.make(name=1)\na: #@ s.nmae\n", "a: 1\n",
			"write name",
		},
		{
			"missing method", "eval/error",
			"a: #@ \"x\".uper()\n", "a: X\n",
			"write upper",
		},
		{
			"unknown module", "eval/load",
			"#@ load(\"@ytt:jsn\", \"json\")\na: #@ json.encode(1)\n", "a: \"1\"\n",
			"write @ytt:json",
		},
		{
			"name that a module lacks", "eval/load",
			"#@ load(\"@ytt:json\", \"jsn\")\na: 1\n", "a: 1\n",
			"write json",
		},
		{
			"unknown anchor", "yaml/anchor",
			"a: &labels 1\nb: *label\n", "a: 1\nb: 1\n",
			"write *labels",
		},
		{
			"no space behind a dash", "yaml/missing-space",
			"a:\n- 1\n-2\n", "a:\n- 1\n- 2\n",
			"write - ",
		},
		{
			"no space behind a colon", "yaml/missing-space",
			"a: 1\nb:2\n", "a: 1\nb: 2\n",
			"write : ",
		},
		{
			"keyword of a match", "overlay/annotation",
			"a: 1\n#@overlay/match by=lambda i, l, r: True, expcts=1\n---\na: 2\n", "a: 2\n",
			"write expects",
		},
		{
			"keyword of a validation", "schema/annotation",
			"#@data/values-schema\n---\n#@schema/validation min_ln=1\na: xx\n", "",
			"write min_len",
		},
		{
			"undeclared key", "schema/unknown-key",
			"#@data/values-schema\n---\nreplicas: 1\n-- b.yml --\n#@data/values\n---\nreplcias: 2\n", "",
			"write replicas",
		},
		{
			"end of an if of another language", "script/undefined",
			"#@ if True:\na: 1\n#@ endif\n", "a: 1\n",
			"write end",
		},
		{
			"end of a loop of another language", "script/undefined",
			"#@ for x in [1]:\na: 1\n#@ endfor\n", "a: 1\n",
			"write end",
		},
		{
			"else if", "script/syntax",
			"#@ if False:\na: 1\n#@ else if True:\na: 2\n#@ end\n", "a: 2\n",
			"write elif",
		},
		{
			"assignment as a condition", "script/syntax",
			"#@ x = \"b\"\n#@ if x = \"b\":\na: 1\n#@ end\n", "a: 1\n",
			"write ==",
		},
		{
			"value of an overlay's item", "overlay/match-count",
			"a:\n- name: web\n  image: x\n" + overlayAll +
				"a:\n#@overlay/match by=\"name\"\n- name: wbe\n  image: b\n", "a:\n- name: web\n  image: b\n",
			"write web",
		},
		{
			"quoted value of an overlay's item", "overlay/match-count",
			"a:\n- name: web\n  image: x\n" + overlayAll +
				"a:\n#@overlay/match by=\"name\"\n- image: b\n  name: \"wbe\"\n", "a:\n- name: web\n  image: b\n",
			"write web",
		},
		{
			"key of an overlay", "overlay/match-count",
			"list:\n- name: web\n  image: x\n" + overlayAll +
				"lsit:\n#@overlay/match by=\"name\"\n- name: web\n  image: b\n", "list:\n- name: web\n  image: b\n",
			"write list",
		},
		{
			"key that a match compares", "overlay/map-key",
			"a:\n- name: web\n  image: x\n" + overlayAll +
				"a:\n#@overlay/match by=\"nmae\"\n- name: web\n  image: b\n", "a:\n- name: web\n  image: b\n",
			"write name",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, list := renderText(t, tt.text)
			i := slices.IndexFunc(list, func(d weft.Diagnostic) bool { return d.Code == tt.code })
			if i < 0 || list[i].Fix == nil {
				t.Fatalf("no fix for %s in %+v", tt.code, list)
			}
			if list[i].Fix.Title != tt.title {
				t.Errorf("got %q, want %q", list[i].Fix.Title, tt.title)
			}
			fixed := applied(tt.text, list[i].Fix)
			got, list := renderText(t, fixed)
			for _, d := range list {
				if d.Code == tt.code {
					t.Errorf("of the fixed text: %s: %s\n%s", d.Code, d.Message, fixed)
				}
			}
			if tt.want != "" && got != tt.want {
				t.Errorf("-got +want:\n%s", cmp.Diff(got, tt.want))
			}
		})
	}
}

// renderText renders a template, and gives what there is to say about it. Other files may follow
// it, as in an archive.
func renderText(t *testing.T, text string) (string, []weft.Diagnostic) {
	t.Helper()
	var opts weft.Options
	for _, f := range txtar.Parse([]byte("-- a.yml --\n" + text)).Files {
		opts.Files = append(opts.Files, weft.File{Path: f.Name, Data: f.Data})
	}
	res, err := weft.Render(t.Context(), opts)
	if err != nil {
		return "", weft.ErrorOf(err).Diagnostics()
	}
	var b strings.Builder
	if _, err := res.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String(), res.Warnings().Diagnostics()
}

// applied is the text with the edits of a fix.
func applied(text string, fix *weft.Fix) string {
	a := txtar.Parse([]byte("-- a.yml --\n" + text))
	for _, e := range slices.Backward(fix.Edits) {
		for i, f := range a.Files {
			if f.Name == e.File {
				a.Files[i].Data = slices.Concat(
					f.Data[:offset(f.Data, e.Line, e.Column)],
					[]byte(e.Text),
					f.Data[offset(f.Data, e.EndLine, e.EndColumn):],
				)
			}
		}
	}
	return strings.TrimPrefix(string(txtar.Format(a)), "-- a.yml --\n")
}

// offset is where a line and a column are, which count from 1, columns in characters.
func offset(data []byte, line, column int) int {
	off := 0
	for ; line > 1; line-- {
		off += bytes.IndexByte(data[off:], '\n') + 1
	}
	return off + len(string([]rune(string(data[off:]))[:column-1]))
}
