package values

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine/load"
	"weft/internal/engine/overlay"
	"weft/internal/engine/overlay/explain"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

func TestSplitKey(t *testing.T) {
	tests := []struct {
		key  string
		off  int
		want []piece
	}{
		{"a", 0, []piece{{"a", 0}}},
		{"a.b.c", 0, []piece{{"a", 0}, {"b", 2}, {"c", 4}}},
		{"@lib:a.b", 5, []piece{{"a", 5}, {"b", 7}}},
		{`a\.b`, 0, []piece{{"a.b", 0}}},
		{`a\.b.c`, 0, []piece{{"a.b", 0}, {"c", 5}}},
		{`a\\.b`, 0, []piece{{`a\`, 0}, {"b", 4}}},
		{`a\b`, 0, []piece{{`a\b`, 0}}}, // a backslash that escapes nothing is one
		{`a\`, 0, []piece{{`a\`, 0}}},
		{"", 0, []piece{{"", 0}}},
		{"a.", 0, []piece{{"a", 0}, {"", 2}}},
		{"..", 0, []piece{{"", 0}, {"", 1}, {"", 2}}},
		{"é.b", 0, []piece{{"é", 0}, {"b", 3}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(splitKey(tt.key, tt.off), tt.want, cmp.AllowUnexported(piece{})); diff != "" {
			t.Errorf("%q from %d (-got +want):\n%s", tt.key, tt.off, diff)
		}
	}
}

func TestSplitVariable(t *testing.T) {
	tests := []struct {
		name string
		off  int
		want []piece
	}{
		{"P_a", 2, []piece{{"a", 2}}},
		{"P_a__b", 2, []piece{{"a", 2}, {"b", 5}}},
		{"P_a_b__c_d", 2, []piece{{"a_b", 2}, {"c_d", 7}}},
		{"P_a___b", 2, []piece{{"a", 2}, {"_b", 5}}},
		{"P_", 2, []piece{{"", 2}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(splitVariable(tt.name, tt.off), tt.want, cmp.AllowUnexported(piece{})); diff != "" {
			t.Errorf("%q from %d (-got +want):\n%s", tt.name, tt.off, diff)
		}
	}
}

func TestKeyPath(t *testing.T) {
	for _, tt := range []struct {
		keys []string
		want string
	}{
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a.b"},
		{[]string{"a.b", "c"}, `a\.b.c`},
		{[]string{`a\`, "b"}, `a\\.b`},
		{[]string{`a\.b`}, `a\\\.b`},
		{[]string{"", ""}, "."},
	} {
		if got := KeyPath(keys(tt.keys)); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.keys, got, tt.want)
		}
	}
}

func keys(texts []string) []tree.Value {
	out := make([]tree.Value, len(texts))
	for i, s := range texts {
		out[i] = tree.String(s)
	}
	return out
}

// What a flag takes as one path, messages show as the same path.
func FuzzKeyPath(f *testing.F) {
	for _, s := range []string{"a", "a.b", `a\.b`, `\\.`, `a\`, ".", "", `\\\.`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, key string) {
		var texts []string
		for _, p := range splitKey(key, 0) {
			texts = append(texts, p.key)
			if p.off < 0 || p.off > len(key) {
				t.Fatalf("%q: %q begins at %d", key, p.key, p.off)
			}
		}
		var again []string
		for _, p := range splitKey(KeyPath(keys(texts)), 0) {
			again = append(again, p.key)
		}
		if diff := cmp.Diff(again, texts); diff != "" {
			t.Errorf("%q (-again +first):\n%s", key, diff)
		}
	})
}

func TestParseRef(t *testing.T) {
	tests := []struct {
		text string
		want Ref
		err  string
	}{
		{text: "@lib", want: Ref{{Path: "lib"}}},
		{text: "@github.com/x/y", want: Ref{{Path: "github.com/x/y"}}},
		{text: "@~alias", want: Ref{{Alias: "alias"}}},
		{text: "@lib~alias", want: Ref{{"lib", "alias"}}},
		{text: "@lib@child~a@~b", want: Ref{{Path: "lib"}, {"child", "a"}, {Alias: "b"}}},
		{text: "", err: "expected library ref to not be empty"},
		{text: "@", err: "expected library ref to not be empty"},
		{text: "@@", err: "expected library ref to not be empty"},
		{text: "@lib@", err: "expected library ref to not be empty"},
		{text: "lib", err: "expected library ref to start with '@', as in '@lib'"},
		{text: "@lib~", err: "expected library alias to not be empty"},
		{text: "@~", err: "expected library alias to not be empty"},
		{
			text: "@a~b~c",
			err:  "expected library ref to have form: '@path', '@~alias', or '@path~alias', got: '@a~b~c'",
		},
	}
	for _, tt := range tests {
		got, err := ParseRef(tt.text)
		if text := errText(err); text != tt.err {
			t.Errorf("%q: got error %q, want %q", tt.text, text, tt.err)
		}
		if diff := cmp.Diff(got, tt.want); diff != "" {
			t.Errorf("%q (-got +want):\n%s", tt.text, diff)
		}
		if err == nil && got.String() != tt.text {
			t.Errorf("%q is shown as %q", tt.text, got)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestRefMatches(t *testing.T) {
	tests := []struct {
		ref, path, alias string
		want             bool
	}{
		{"@lib", "lib", "", true},
		{"@lib", "lib", "a", true},
		{"@lib", "other", "", false},
		{"@~a", "lib", "a", true},
		{"@~a", "other", "a", true},
		{"@~a", "a", "", false},
		{"@lib~a", "lib", "a", true},
		{"@lib~a", "lib", "b", false},
		{"@lib~a", "other", "a", false},
		{"@lib~a", "lib", "", false},
	}
	for _, tt := range tests {
		ref, err := ParseRef(tt.ref)
		if err != nil {
			t.Fatal(err)
		}
		if got := ref[0].Matches(tt.path, tt.alias); got != tt.want {
			t.Errorf(
				"%s matches path %q and alias %q: got %t, want %t",
				tt.ref,
				tt.path,
				tt.alias,
				got,
				tt.want,
			)
		}
	}
}

// environment is one without files: a path is its content.
func environment(vars ...string) Environment {
	files := &source.Set{}
	return Environment{
		Files: files, Vars: vars,
		Read: func(path string) ([]load.Input, error) {
			return load.Read(
				files,
				load.Options{Memory: []load.Memory{{Path: "file.yml", Data: []byte(path)}}},
			)
		},
		ReadFile: func(path string) (string, error) {
			if path == "missing" {
				return "", errors.New("no such file")
			}
			return "content of " + path, nil
		},
	}
}

// The documents come in the order of their strength, and each says which library it is for.
func TestDocuments(t *testing.T) {
	docs, err := Flags{
		KVFile: []string{"f=path", "@lib:f.g=path"},
		KVYAML: []string{"y={a: 1}", "y=", "y=1\n---\n2"},
		KV:     []string{"k=v", "k=a=b", `k.l\.m=v`, "@lib@~x:k="},
		EnvYAML: []string{
			"E",
		},
		Env:   []string{"E", "@lib:E"},
		Files: []string{"a: {b: 1, c: [2], d: {}}", "null\n---\nz: 1\n---\n", "@lib:a: 1"},
	}.Documents(environment("E_b=1", "E_a__c=[2]", "EE_x=1", "E=1", "e_a=1"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range docs {
		got = append(got, strings.TrimSpace(d.Ref.String()+" "+show(d.Value)))
	}
	want := []string{
		`{"a": {"b": 1, "c": [2], "d": {}}}`, `{"z": 1}`, `@lib {"a": 1}`,
		`{"a": {"c": "[2]"}}`, `{"b": "1"}`, `@lib {"a": {"c": "[2]"}}`, `@lib {"b": "1"}`,
		`{"a": {"c": [2]}}`, `{"b": 1}`,
		`{"k": "v"}`, `{"k": "a=b"}`, `{"k": {"l.m": "v"}}`, `@lib@~x {"k": ""}`,
		`{"y": {"a": 1}}`, `{"y": None}`, `{"y": 1}`,
		`{"f": "content of path"}`, `@lib {"f": {"g": "content of path"}}`,
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// show is a value as Starlark writes it.
func show(v tree.Value) string {
	x, err := tree.ToStarlark(v)
	if err != nil {
		return err.Error()
	}
	return x.String()
}

// All flags that are wrong are reported at once, each with its text.
func TestDocumentErrors(t *testing.T) {
	env := environment("E_a={")
	_, err := Flags{
		Files:   []string{"@lib", "@:x", "a: {", "#@ x\na: 1"},
		Env:     []string{"@lib", "@~:E"},
		EnvYAML: []string{"E"},
		KV:      []string{"novalue", "a:b=1", "@:a=1", "@lib", "@a~b~c:d=1"},
		KVYAML:  []string{"a={", "b"},
		KVFile:  []string{"a=missing", "b"},
	}.Documents(env)
	var got []string
	for _, d := range diag.Of(err) {
		name := ""
		if f := env.Files.File(d.At.Pos); f != nil {
			name = f.Where(d.At.Offset()) + ": "
		}
		got = append(got, name+d.Message)
	}
	want := []string{
		"--data-values-file @lib: expected a path after the library, as in @lib:PATH",
		"--data-values-file @:x: expected library ref to not be empty",
		"file.yml:1:4: this `{` is never closed",
		"file.yml:1:1: checking data values file 'file.yml': expected to be plain YAML, having no annotations",
		"--data-values-env @lib: expected the prefix of the variables after the library, as in @lib:PREFIX",
		"--data-values-env @~:E: expected library alias to not be empty",
		"$E_a: this `{` is never closed",
		"--data-value novalue: expected format key=value",
		"--data-value a:b=1: expected at most one library-key separator ':' in 'a:b'",
		"--data-value @:a=1: expected library ref to not be empty",
		"--data-value @lib: expected format key=value",
		"--data-value @a~b~c:d=1: expected library ref to have form: '@path', '@~alias', or '@path~alias', got: '@a~b~c'",
		"--data-value-yaml a={: this `{` is never closed",
		"--data-value-yaml b: expected format key=value",
		"--data-value-file a=missing: no such file",
		"--data-value-file b: expected format key=value",
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// TestArgumentNames has arguments that look alike, are long, empty or of several lines.
func TestArgumentNames(t *testing.T) {
	long := strings.Repeat("é", 40)
	env := environment()
	_, err := Flags{
		KV:     []string{"a", "a", "", long, long, "x\ny", "x\r\nz"},
		KVYAML: []string{"a", "k=a: 1\nb: ["},
	}.Documents(
		env,
	)
	var got []string
	for _, d := range diag.Of(err) {
		got = append(got, env.Files.File(d.At.Pos).Where(d.At.Offset()))
	}
	want := []string{
		"--data-value a", "--data-value a #2", "--data-value ''",
		"--data-value " + strings.Repeat(
			"é",
			30,
		) + "...", "--data-value " + strings.Repeat("é", 30) + "... #2",
		"--data-value x...:1:1", "--data-value x... #2:1:1",
		"--data-value-yaml a", "--data-value-yaml k=a: 1...:2:4",
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// given is documents with what gives them.
func given(docs []FlagDocument) []Given {
	list := make([]Given, len(docs))
	for i, d := range docs {
		list[i] = Given{d.Doc, d.By}
	}
	return list
}

// lay lays flags over each other.
func lay(t testing.TB, env Environment, f Flags) (Stack, error) {
	t.Helper()
	docs, err := f.Documents(env)
	if err != nil {
		return Stack{}, err
	}
	return New(schema.Any(), false).Apply(given(docs), overlay.Options{Explain: explain.New})
}

func TestLay(t *testing.T) {
	tests := []struct {
		name      string
		flags     Flags
		want, err string
	}{
		{"nothing", Flags{}, `{}`, ""},
		{
			"maps of files are merged",
			Flags{Files: []string{"a: {b: 1, c: 2}", "a: {c: 3, d: 4}"}},
			`{"a": {"b": 1, "c": 3, "d": 4}}`,
			"",
		},
		{
			"arrays of files are replaced",
			Flags{Files: []string{"a: [1, 2]", "a: [3]"}},
			`{"a": [3]}`,
			"",
		},
		{
			"an empty map of a file replaces",
			Flags{Files: []string{"a: {b: 1}", "a: {}"}},
			`{"a": {}}`,
			"",
		},
		{"a file that is an array", Flags{Files: []string{"[1, 2]", "[3]"}}, `[3]`, ""},
		{"a map instead of an array", Flags{Files: []string{"[1, 2]", "5"}}, `5`, ""},
		{
			"a map of a flag replaces",
			Flags{Files: []string{"a: {b: 1}"}, KVYAML: []string{"a={c: 2}"}},
			`{"a": {"c": 2}}`,
			"",
		},
		{
			"a flag goes into a map",
			Flags{Files: []string{"a: {b: 1}"}, KV: []string{"a.c=2"}},
			`{"a": {"b": 1, "c": "2"}}`,
			"",
		},
		{
			"a flag goes into null",
			Flags{Files: []string{"a: null"}, KV: []string{"a.c=2"}},
			`{"a": {"c": "2"}}`,
			"",
		},
		{
			"a flag goes into a string",
			Flags{Files: []string{"a: x"}, KV: []string{"a.c=2"}},
			"",
			"cannot set a key inside data value a: expected a map, but found a string",
		},
		{
			"a flag goes into an array",
			Flags{Files: []string{"a: {b: [1]}"}, KV: []string{"a.b.c=2"}},
			"",
			"cannot set a key inside data value a.b: expected a map, but found an array",
		},
		{
			"a file goes into an integer",
			Flags{Files: []string{"a.b: {c: 1}", "a.b: {c: {d: 2}}"}},
			"",
			`cannot set a key inside data value a\.b.c: expected a map, but found an integer`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := lay(t, environment(), tt.flags)
			if text := errText(err); text != tt.err {
				t.Fatalf("got error %q, want %q", text, tt.err)
			}
			if err == nil && show(got.Value) != tt.want {
				t.Errorf("got %s, want %s", show(got.Value), tt.want)
			}
		})
	}
}

// A stack is not changed by what is merged into it: many evaluations share one.
func TestStackIsShared(t *testing.T) {
	base, err := lay(t, environment(), Flags{Files: []string{"a: 1\nb: {c: 2}"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"b.c=3", "b.d=4"} {
		docs, err := Flags{KVYAML: []string{flag}}.Documents(environment())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := base.Apply(given(docs[:1]), overlay.Options{Explain: explain.New}); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := show(base.Value), `{"a": 1, "b": {"c": 2}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
