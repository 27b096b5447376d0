package weft_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"weft"
	"weft/internal/lang/tree"
)

// This file holds the table of annotations to what weft does with them.

// annotated are files in which an annotation, an annotation in one place, or one of a group may be on a
// document, on a map item and on an array item, at these words.
var annotated = map[string]string{
	"assert": "-- a.yml --\n#@data/values\n(document)---\n(map item)m: 5\nl:\n(array item)- 5\n",
	"data":   "-- a.yml --\n(document)---\n(map item)m: 5\nl:\n(array item)- 5\n",
	"library": "-- a.yml --\n#@ load(\"@ytt:library\", \"library\")\n---\n" +
		"of: #@ library.get(\"lib\").eval()[0]\n" +
		"-- _ytt_lib/lib/s.yml --\n#@data/values-schema\n---\nm: 0\nl: [0]\n-- _ytt_lib/lib/x.yml --\nx: 1\n" +
		"-- v.yml --\n#@data/values\n(document)---\n(map item)m: 5\nl:\n(array item)- 5\n",
	"output": "-- a.yml --\n(document)---\n(map item)m: 5\nl:\n(array item)- 5\n",
	"overlay": "-- a.yml --\nm: 5\nl:\n- 5\n" +
		"-- o.yml --\n#@ load(\"@ytt:overlay\", \"overlay\")\n" +
		"#@overlay/match by=overlay.all\n(document)---\n" +
		"(map item)m: 5\nl:\n#@overlay/match by=overlay.all\n(array item)- 5\n",
	"overlay/inside map item": "-- a.yml --\nm: 'a: 5'\n" +
		"-- o.yml --\n#@ load(\"@ytt:overlay\", \"overlay\")\n" +
		"#@overlay/match by=overlay.all\n---\n(map item)m:\n  a: 5\n",
	"overlay/inside array item": "-- a.yml --\n- 'a: 5'\n" +
		"-- o.yml --\n#@ load(\"@ytt:overlay\", \"overlay\")\n" +
		"#@overlay/match by=overlay.all\n---\n#@overlay/match by=overlay.all\n(array item)- a: 5\n",
	"schema": "-- a.yml --\n#@data/values-schema\n(document)---\n(map item)m: 5\nl:\n(array item)- 5\n",
	"schema/one-of": "-- a.yml --\n#@data/values-schema\n(document)---\n(map item)m: {t: a}\nl:\n" +
		"(array item)- {t: a}\n",
	"schema/map": "-- a.yml --\n#@data/values-schema\n(document)---\n_: 5\n(map item)m:\n  _: 5\nl:\n" +
		"(array item)- _: 5\n",
	"schema/required": "-- a.yml --\n#@data/values-schema\n(document)---\n(map item)m: 5\nl:\n(array item)- 5\n" +
		"-- v.yml --\n#@data/values\n---\nm: 6\n",
	"template": "-- a.yml --\n(document)---\n(map item)m: 5\nl:\n(array item)- 5\n",
	"yaml":     "-- a.yml --\n(document)---\n(map item)m: 5\nl:\n(array item)- 5\n",
}

// arguments are those that an annotation needs, in a place or everywhere.
var arguments = map[string]string{
	"assert/validate":              "(\"any\", lambda v: True)",
	"library/ref":                  "\"@lib\"",
	"output/file":                  "\"x.yml\"",
	"overlay/assert":               "via=lambda l, r: True",
	"overlay/insert":               "before=True",
	"overlay/inside":               "\"yaml\"",
	"overlay/match":                "missing_ok=True",
	"overlay/match-child-defaults": "missing_ok=True",
	"schema/any-of":                "7, \"x\"",
	"schema/computed":              "lambda v: 7",
	"schema/default":               "7",
	"schema/default document":      "{\"m\": 7, \"l\": [7]}",
	"schema/deprecated":            "\"old\"",
	"schema/desc":                  "\"text\"",
	"schema/examples":              "(\"text\", 7)",
	"schema/examples document":     "(\"text\", {\"m\": 7, \"l\": [7]})",
	"schema/one-of":                "by=\"t\", a={\"x\": 1}, b={}",
	"schema/title":                 "\"text\"",
	"schema/type":                  "any=True",
	"schema/validation":            "(\"any\", lambda v: True)",
	"template/code":                "x = 1",
}

// TestAnnotationPlaces puts each annotation on each kind of node. Where the table does not allow
// it, it is refused or changes nothing; elsewhere it is fine.
func TestAnnotationPlaces(t *testing.T) {
	places := []string{"document", "map item", "array item"}
	for _, m := range tree.Meanings() {
		group, _, _ := strings.Cut(m.Name, "/")
		if m.Name == "template/value" {
			continue // it is written as code: each node of a template is a test of it
		}
		for _, place := range places {
			args := arguments[m.Name+" "+place]
			if args == "" {
				args = arguments[m.Name]
			}
			with := cmp.Or(annotated[m.Name+" "+place], annotated[m.Name], annotated[group])
			without := with
			for _, p := range places {
				note := ""
				if p == place {
					note = strings.TrimSpace("#@"+m.Name+" "+args) + "\n"
				}
				if m.Name == "overlay/match" && p == place && place != "map item" {
					// It is there already.
					with = strings.Replace(
						with, "by=overlay.all\n("+p+")", "by=overlay.all, "+args+"\n", 1)
				}
				with = strings.Replace(with, "("+p+")", note, 1)
				without = strings.Replace(without, "("+p+")", "", 1)
			}
			allowed := slices.Contains(strings.Split(m.On, ", "), place)
			got, err := allResults(t, with)
			if allowed && err != nil {
				t.Errorf("the table allows @%s on a %s: %v", m.Name, place, err)
			}
			if allowed || err != nil && strings.Contains(err.Error(), "@"+m.Name) {
				continue
			}
			if plain, _ := allResults(t, without); got != plain || err != nil {
				t.Errorf("the table does not have @%s on a %s, but it has an effect: %v\n%s\nnot\n%s",
					m.Name, place, err, got, plain)
			}
		}
	}
}

// allResults is what weft makes of files: its output, the schema and the data values.
func allResults(t *testing.T, files string) (string, error) {
	t.Helper()
	opts := filesOf(files)
	res, err := weft.Render(t.Context(), opts)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if _, err := res.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	inspected, err := weft.InspectSchema(t.Context(), opts, weft.OpenAPI)
	if err != nil {
		return "", err
	}
	if _, err := inspected.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String(), nil
}

func filesOf(text string) (opts weft.Options) {
	for _, f := range txtar.Parse([]byte(text)).Files {
		opts.Files = append(opts.Files, weft.File{Path: f.Name, Data: f.Data})
	}
	return opts
}

// TestAnnotationKeywords gives each keyword a value of each type: those that the table does not
// have are refused, and no others.
func TestAnnotationKeywords(t *testing.T) {
	values := map[string][]string{
		"bool":         {"True"},
		"int":          {"1"},
		"number":       {"1", "1.5"},
		"string":       {`"1+"`},
		"list":         {"[1]"},
		"list of keys": {`["a", "b"]`},
		"function":     {"lambda *args: True"},
		"matcher":      {"overlay.all"},
		"none of them": {"None", "overlay", "json"},
	}
	for _, m := range tree.Meanings() {
		group, _, _ := strings.Cut(m.Name, "/")
		for _, k := range m.Keywords {
			types := regexp.MustCompile(`, | or `).Split(k.Type, -1)
			var fine []string
			for _, typ := range types {
				if values[typ] == nil {
					t.Fatalf("@%s: keyword %s has the type %s, which is unknown", m.Name, k.Name, typ)
				}
				fine = append(fine, values[typ]...)
			}
			for typ, list := range values {
				similar := typ == "matcher" && slices.Contains(types, "function") ||
					strings.HasPrefix(typ, "list") && strings.Contains(k.Type, "list")
				// What can be compared is known only once there is a value.
				if similar || k.Name == "min" || k.Name == "max" {
					continue
				}
				for _, v := range list {
					err := keywordError(t, group, m.Name, k.Name, v)
					if allowed := slices.Contains(fine, v); allowed != (err == "") {
						t.Errorf("@%s %s=%s: the table says %s, but weft: %q",
							m.Name, k.Name, v, k.Type, err)
					}
				}
			}
		}
		if m.Name == "schema/one-of" {
			continue // it takes any: the names of alternatives
		}
		if len(m.Keywords) > 0 && keywordError(t, group, m.Name, "nonsense", "1") == "" {
			t.Errorf("@%s takes keywords that the table does not have", m.Name)
		}
	}
}

// keywordError is what weft says of a keyword of an annotation, or "".
func keywordError(t *testing.T, group, name, keyword, value string) string {
	t.Helper()
	const head = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:json\", \"json\")\n"
	args := keyword + "=" + value
	if name == "overlay/insert" && keyword == "via" {
		args += ", before=True"
	}
	if keyword == "when" && group != "overlay" {
		args += ", min=0" // there must be a rule
	}
	if name == "overlay/inside" {
		args = "\"yaml\", " + args
	}
	note := "#@" + name + " " + args + "\n"
	var files string
	switch {
	case name == "overlay/match":
		files = "-- o.yml --\n" + head + "#@overlay/match by=overlay.all\n---\nl:\n" + note + "- 1+: 1\n"
		if keyword != "by" {
			files = strings.Replace(files, note, "#@overlay/match by=overlay.all, "+args+"\n", 1)
		}
	case name == "overlay/inside":
		files = "-- o.yml --\n" + head + "#@overlay/match by=overlay.all\n---\n" + note + "s:\n  a: 1\n"
	case group == "overlay":
		files = "-- o.yml --\n" + head + "#@overlay/match by=overlay.all\n---\nl:\n" +
			"#@overlay/match by=overlay.all\n" + note + "- 1+: 1\n"
	case group == "data":
		files = "-- v.yml --\n" + head + "#@library/ref \"@lib\"\n" + note + "---\na: 1\n"
	case group == "assert":
		files = "-- v.yml --\n" + head + "#@data/values\n---\n" + note + "a: 5\n"
	case name == "schema/map":
		files = "-- v.yml --\n" + head + "#@data/values-schema\n---\n" + note + "a:\n  _: 5\n"
	default:
		files = "-- v.yml --\n" + head + "#@data/values-schema\n---\n" + note + "a: 5\n"
	}
	_, err := weft.Render(t.Context(), filesOf("-- a.yml --\ns: 'a: 1'\nl:\n- 1+: 1\n"+files))
	if err == nil {
		return ""
	}
	refused := regexp.MustCompile(fmt.Sprintf(
		`\b(argument|kwarg|keyword|to have)\b.*\b%s\b|\b%[1]s: expected `, keyword))
	for _, d := range weft.ErrorOf(err).Diagnostics() {
		if refused.MatchString(d.Message) {
			return d.Message
		}
	}
	return "" // something else, such as a rule that a value does not follow
}
