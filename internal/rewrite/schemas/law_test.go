package schemas

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// typeOfSchema evaluates a schema.
func typeOfSchema(t *testing.T, text string) *schema.Type {
	t.Helper()
	typ, err := evaluated(text)
	if err != nil {
		t.Fatalf("weft does not read the schema: %v\n%s", err, text)
	}
	return typ
}

func evaluated(text string) (*schema.Type, error) {
	var config engine.Config
	config.Load.Memory = []load.Memory{{Path: "schema.yml", Data: []byte(text)}}
	s, err := engine.Open(context.Background(), config)
	if err != nil {
		return nil, err
	}
	res, err := s.Evaluate(context.Background(), engine.Request{Goal: engine.SchemaJSON})
	if err != nil {
		return nil, explained(err)
	}
	if len(res.Warnings) > 0 {
		return nil, explained(&diag.Failure{Files: res.Files, List: res.Warnings})
	}
	return res.Schema, nil
}

func explained(err error) error {
	if f, ok := err.(*diag.Failure); ok {
		return fmt.Errorf("%s", diag.Lines(f.Files, f.List))
	}
	return err
}

// jsonOf prints a value as JSON.
func jsonOf(v tree.Value) string {
	if isAbsent(v) {
		return "null"
	}
	var w yaml.JSONWriter
	var p tree.Printer
	p.Write(&w, v)
	return string(w.Bytes())
}

// decoded returns a value as Go values.
func decoded(t *testing.T, v tree.Value) (x any) {
	t.Helper()
	if err := json.Unmarshal([]byte(jsonOf(v)), &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// indented is jsonOf in lines, for differences.
func indented(s string) []string { return strings.SplitAfter(s, ",") }

// FuzzImport holds import(export(S)) ≡ S: a schema that is exported as JSON Schema and imported again is
// exported as the same JSON Schema, and has the same defaults. Nothing is lost on the way.
func FuzzImport(f *testing.F) {
	for i := range 40 {
		f.Add([]byte(strings.Repeat(string(rune('A'+i))+"z\x03"+string(rune(i*7)), 30)))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		g := &generator{choices: choices}
		text := g.schema()
		typ := typeOfSchema(t, text)
		exported := jsonOf(typ.JSONSchema())
		res, err := Import(Options{File: File{"s.json", []byte(exported)}})
		if err != nil {
			t.Fatalf("%v\n%s", err, exported)
		}
		if len(res.Losses) > 0 {
			t.Errorf("lost: %s\nof\n%s\nexported as\n%s", res.Losses[0].In(res.Files), text, exported)
		}
		again := typeOfSchema(t, res.Text)
		if a, b := typ.Requires(), again.Requires(); a != b {
			t.Errorf("%s\nimported as\n%s\nrequires values: %t, %t", text, res.Text, a, b)
		}
		if diff := cmp.Diff(indented(exported), indented(jsonOf(again.JSONSchema()))); diff != "" {
			t.Errorf("%s\nimported as\n%s\nis exported differently (-first +second):\n%s", text, res.Text, diff)
		}
		if typ.Requires() {
			return // the defaults alone are never used
		}
		if a, b := jsonOf(typ.DefaultValue()), jsonOf(again.DefaultValue()); a != b {
			t.Errorf("%s\nimported as\n%s\nhas other defaults\n%s\n%s", text, res.Text, a, b)
		}
	})
}

// FuzzSkeleton holds that the values of a schema to fill in, used as they are, change nothing.
func FuzzSkeleton(f *testing.F) {
	for i := range 40 {
		f.Add([]byte(strings.Repeat(string(rune('B'+i))+"y\x05"+string(rune(i*5)), 30)))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		g := &generator{choices: choices}
		text := g.schema()
		typ := typeOfSchema(t, text)
		skeleton := Skeleton(typ)
		values := parsedValues(t, skeleton)
		got, list := typ.Assign(tree.Doc{Value: values}, tree.Doc{})
		if len(list) > 0 {
			t.Fatalf("%s\nhas the skeleton\n%s\nwhich is refused: %s", text, skeleton, list[0].Message)
		}
		// What is left out is added at the end: the order does not matter.
		if diff := cmp.Diff(decoded(t, typ.DefaultValue()), decoded(t, got.Value)); diff != "" {
			t.Errorf("%s\nhas the skeleton\n%s\nwhich changes values:\n%s", text, skeleton, diff)
		}
	})
}

// generator makes schemas without code from a stream of choices.
type generator struct{ choices []byte }

// pick returns a number below n.
func (g *generator) pick(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := int(g.choices[0])
	g.choices = g.choices[1:]
	return c % n
}

func (g *generator) maybe(n int) bool { return g.pick(n) == n-1 }

func (g *generator) schema() string {
	var b strings.Builder
	b.WriteString("#@data/values-schema\n")
	for _, line := range g.about(false) {
		b.WriteString(line + "\n")
	}
	b.WriteString("---\n" + strings.TrimPrefix(g.fields(0, 3), "\n") + "\n")
	return b.String()
}

// words are texts that are easily misread.
var words = []string{
	"web", "", "on", "1.0", "null", "~", "a: b", "# x", "- x", "é\u2028", "a\nb", "\ttab ", "'", `"`, `\`, "0644",
	"{}", "[x", "yes", "2026-01-01", "=", "<<", "%d", "@x", "`", "1e3", "\x01", "#@ x", "a\n", "  b\n c",
}

func (g *generator) word() string { return words[g.pick(len(words))] }

// about returns annotations that describe a value.
func (g *generator) about(item bool) (lines []string) {
	if g.maybe(6) {
		lines = append(lines, "#@schema/title "+quoted(g.word()))
	}
	if g.maybe(4) {
		lines = append(lines, "#@schema/desc "+quoted(g.word()))
	}
	if item && g.maybe(12) {
		lines = append(lines, "#@schema/deprecated "+quoted(g.word()))
	}
	return lines
}

// fields returns the keys of a map.
func (g *generator) fields(indent, depth int) string {
	n := 1 + g.pick(4)
	var b strings.Builder
	for i := range n {
		key := fmt.Sprintf("k%d", i)
		if g.maybe(5) {
			key += g.word()
		}
		b.WriteString(g.value(keyInYAML(key)+":", indent, indent, depth))
	}
	return b.String()
}

// value returns a value behind a key or a dash, with its annotations.
func (g *generator) value(head string, indent, dash, depth int) string {
	margin := "\n" + strings.Repeat(" ", indent)
	notes := g.about(head != "-")
	kinds := 8
	if depth > 0 {
		kinds = 11
	}
	var text string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf("#@schema/"+format, args...)) }
	nullable := g.maybe(4)
	switch g.pick(kinds) {
	case 0, 1:
		text = " " + stringInYAML(g.word(), indent)
		g.rulesOfText(note)
	case 2, 3:
		text = fmt.Sprint(" ", g.pick(50)-10)
		g.rulesOfNumber(note)
	case 4:
		text = " " + floatText(float64(g.pick(50))/4)
		g.rulesOfNumber(note)
	case 5:
		text = [...]string{" true", " false"}[g.pick(2)]
	case 6:
		text = g.anyOf(note)
	case 7:
		text = g.oneOf(note)
	case 8:
		text, nullable = g.open(note, indent, depth, head != "-" && head != "_:"), false
	case 9:
		text = g.fields(indent+2, depth-1)
	case 10:
		text = g.value("-", dash, dash+2, depth-1)
		if strings.HasPrefix(head, "-") {
			text = g.value("-", indent+2, indent+4, depth-1)
		}
		if g.maybe(4) {
			note("validation min_len=0, max_len=%d", 3+g.pick(3))
		}
	}
	if nullable {
		note("nullable")
	}
	if strings.HasSuffix(head, ":") && head != "_:" && !hasDefault(notes) && g.maybe(6) {
		note("required")
	}
	return margin + strings.Join(append(notes, head), margin) + text
}

// anyOf returns a value of one of several types. An integer beside a float says nothing, and weft lint
// reports it.
func (g *generator) anyOf(note func(string, ...any)) string {
	examples := [][2]string{ // in code, and in YAML
		{"80", " 80"},
		{quoted("web"), " web"},
		{"True", " true"},
		{`[""]`, " [a, b]"},
		{"[0]", " [1]"},
		{`[[""]]`, " [[a], []]"},
	}
	if g.maybe(3) {
		examples[0] = [2]string{"0.5", " 0.5"}
	}
	first := g.pick(len(examples))
	second := (first + 1 + g.pick(len(examples)-1)) % len(examples)
	list := [][2]string{examples[first], examples[second]}
	if third := g.pick(len(examples)); third != first && third != second {
		list = append(list, examples[third])
	}
	var args []string
	for _, x := range list {
		args = append(args, x[0])
	}
	note("any-of %s", strings.Join(args, ", "))
	return list[g.pick(len(list))][1]
}

// oneOf returns a map that a key tells apart.
func (g *generator) oneOf(note func(string, ...any)) string {
	maps := []string{
		`{"region": "eu"}`, `{"project": "p", "size": 1}`, `{"list": [""], "deep": {"on": True}}`, "{}",
	}
	tag := [...]string{"type", "kind"}[g.pick(2)]
	note("one-of by=%s, s3=%s, gcs=%s", quoted(tag), maps[g.pick(len(maps))], maps[g.pick(len(maps))])
	return fmt.Sprintf(" {%s: %s}", tag, [...]string{"s3", "gcs"}[g.pick(2)])
}

// hasDefault reports whether annotations have one for the default.
func hasDefault(notes []string) bool {
	return slices.ContainsFunc(notes, func(s string) bool { return strings.HasPrefix(s, "#@schema/default") })
}

// open returns a map with arbitrary keys, or a value that may be anything.
func (g *generator) open(note func(string, ...any), indent, depth int, field bool) string {
	if g.maybe(3) {
		note("type any=True")
		return [...]string{" null", " [1, {a: b}]", ` {"x": "1"}`, ` "on"`, " 1.5"}[g.pick(5)]
	}
	kinds := 3
	if field {
		kinds = 4
	}
	switch g.pick(kinds) {
	case 0:
		note("map")
	case 1:
		note(`map keys="^[a-z]+$"`)
	case 2:
		note(`map max_len=%d`, 4+g.pick(9))
	case 3:
		note("map")
		note(`default {"x": {}}`)
		return g.rest("_:\n"+strings.Repeat(" ", indent+4)+"a: 1", indent)
	}
	text := g.value("_:", indent+2, indent+2, depth-1)
	if g.maybe(3) {
		text = g.value("fixed:", indent+2, indent+2, depth-1) + text
	}
	return text
}

func (g *generator) rest(text string, indent int) string {
	return "\n" + strings.Repeat(" ", indent+2) + text
}

// forms are the values of format.
var forms = []string{
	"cidr", "date-time", "dns-label", "duration", "email", "hostname", "ipv4", "ipv6", "port", "quantity", "semver",
	"url",
}

func (g *generator) rulesOfText(note func(string, ...any)) {
	switch g.pick(11) {
	case 8:
		note("validation matches=%s", quoted([]string{"^[a-z]+$", `\d`, "^$"}[g.pick(3)]))
	case 9:
		note("validation format=%s", quoted(forms[g.pick(len(forms))]))
	case 10:
		note("validation matches=\"^[^/]*$\", format=%s", quoted(forms[g.pick(len(forms))]))
	case 5:
		note("validation min_len=%d", g.pick(3))
	case 6:
		note("validation min_len=0, max_len=%d", 60+g.pick(3))
	case 7:
		note("validation one_of=[%s, %s]", quoted(g.word()), quoted("web"))
	}
}

func (g *generator) rulesOfNumber(note func(string, ...any)) {
	switch g.pick(7) {
	case 6:
		note("validation multiple_of=%d", 1+g.pick(9))
	case 4:
		note("validation min=%d", g.pick(9)-100)
	case 5:
		note("validation min=%d, max=%d.5", g.pick(9)-100, 100+g.pick(9))
	}
}
