package diff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/path"
	"weft/internal/lang/secret"
)

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		opt        Options
		want       string
	}{
		{name: "same", a: "a: 1\nb: 2\n", b: "b: 2\na: 1\n", want: "= 1 document\n"},
		{
			name: "map", a: "{a: 1, b: {c: 2, d: 3}}", b: "{b: {c: 4, e: 5}, f: {g: [1, 2]}}",
			want: "- document  a: 1\n~ document  b.c: 2 → 4\n- document  b.d: 3\n" +
				"+ document  b.e: 5\n+ document  f: {g: [1, 2]}\n= 0 documents\n",
		},
		{
			name: "types", a: `{a: "1", b: 1, c: null, d: "true"}`, b: `{a: 1, b: 1.0, c: "", d: true}`,
			want: "~ document  a: \"1\" → 1\n~ document  b: 1 → 1.0\n~ document  c: null → \"\"\n" +
				"~ document  d: \"true\" → true\n= 0 documents\n",
		},
		{
			name: "keys that are no strings", a: "{1: a, true: b, [x]: c}", b: "{1: b, true: b, [x]: d}",
			want: "~ document  1: a → b\n~ document  ?: c → d\n= 0 documents\n",
		},
		{
			name: "the type of a key", a: "{1: a, true: b, x: {null: c}}", b: `{"1": a, "true": b, x: {"null": c}}`,
			want: "- document  1: a\n- document  true: b\n- document  x.null: c\n+ document  x.\"null\": c\n" +
				"+ document  \"1\": a\n+ document  \"true\": b\n= 0 documents\n",
		},
		{
			name: "format characters", a: `{"k\u202e": "a\u202eb", l: {x: ["\u200b"]}}`, b: `{"k\u202e": c}`,
			want: `~ document  "k\u202e": "a\u202eb" → c` + "\n" + `- document  l: {x: ["\u200b"]}` + "\n= 0 documents\n",
		},
		{
			name: "format characters in lines", a: `s: "a\nb\u2066\n"`, b: `s: "a\nb\n"`,
			want: "~ document  s\n      a\n    - b\\u2066\n    + b\n= 0 documents\n",
		},
		{
			name: "format characters in a document", a: ``, b: `{"k\u202e": "a\u00ad"}`,
			want: "+ document\n    + k\\u202e: a\\u00ad\n= 0 documents\n",
		},
		{
			name: "keyed list", a: "l: [{name: a, x: 1}, {name: b, x: 1}]",
			b:    "l: [{name: b, x: 2}, {name: a, x: 1}, {name: c}]",
			want: "~ document  l[name=b].x: 1 → 2\n+ document  l[name=c]: {name: c}\n= 0 documents\n",
		},
		{
			name: "order does not count", a: "l: [{name: a}, {name: b}]", b: "l: [{name: b}, {name: a}]",
			want: "= 1 document\n",
		},
		{
			name: "order counts", a: "l: [{name: a}, {name: b}, {name: c}]",
			b: "l: [{name: c}, {name: a}, {name: b}]", opt: Options{Order: true},
			want: "> document  l[name=c]: moved from 2 to 0\n= 0 documents\n",
		},
		{
			name: "scalars move", a: "l: [a, b, c, d]", b: "l: [d, a, b, c]",
			want: "> document  l[0]: moved from 3 to 0\n= 0 documents\n",
		},
		{
			name: "scalars", a: "l: [--port=80, --verbose, one]", b: "l: [--port=8080, --quick, --verbose, two]",
			want: "~ document  l[0]: --port=80 → --port=8080\n+ document  l[1]: --quick\n" +
				"~ document  l[3]: one → two\n= 0 documents\n",
		},
		{
			name: "a key that is not unique", a: "l: [{name: a, x: 1}, {name: a, x: 2}]",
			b:    "l: [{name: a, x: 1}, {name: a, x: 3}]",
			want: "~ document  l[1].x: 2 → 3\n= 0 documents\n",
		},
		{
			name: "items without a key", a: "l: [{port: 80, proto: TCP}, {port: 90, proto: TCP}]",
			b:    "l: [{port: 81, proto: TCP}, {port: 90, proto: TCP}, {port: 91, proto: UDP}]",
			want: "~ document  l[0].port: 80 → 81\n+ document  l[2]: {port: 91, proto: UDP}\n= 0 documents\n",
		},
		{
			name: "another key", a: "l: [{id: 1, x: a}, {id: 2, x: b}]", b: "l: [{id: 2, x: b}, {id: 1, x: c}]",
			opt:  Options{KeyOf: func(path.Path) string { return "id" }},
			want: "~ document  l[id=1].x: a → c\n= 0 documents\n",
		},
		{
			name: "lines", a: "s: |\n  one\n  two\n  three\n  four\n", b: "s: |\n  one\n  two\n  3\n  four\n",
			want: "~ document  s\n      …\n      two\n    - three\n    + 3\n      four\n= 0 documents\n",
		},
		{
			name: "JSON in a string", a: `s: '{"a": {"b": 1}, "c": 2}'`, b: `s: '{"c": 2, "a": {"b": 3}}'`,
			want: "~ document  s › a.b: 1 → 3\n= 0 documents\n",
		},
		{
			name: "YAML in a string", a: "s: |\n  a: 1\n  b: [x]\n", b: "s: |\n  a: 2\n  b: [x]\n",
			want: "~ document  s › a: 1 → 2\n= 0 documents\n",
		},
		{
			name: "layout of JSON in a string", a: `s: '{"a": 1}'`, b: `s: '{"a":1}'`,
			want: "~ document  s: '{\"a\": 1}' → '{\"a\":1}'\n= 0 documents\n",
		},
		{
			name: "another kind of value", a: "a: {b: 1}", b: "a: [1]",
			want: "~ document  a: {b: 1} → [1]\n= 0 documents\n",
		},
		{
			name: "paths are quoted", a: `{"a.b": {"": 1, "x\u001by": 2}}`, b: `{"a.b": {"": 2, "x\u001by": 3}}`,
			want: `~ document  "a.b"."": 1 → 2` + "\n" + `~ document  "a.b"."x\x1by": 2 → 3` + "\n= 0 documents\n",
		},
		{
			name: "nothing", a: "", b: "", want: "= 0 documents\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Compare(side(t, tt.a), side(t, tt.b), tt.opt)
			if diff := cmp.Diff(tt.want, text(t, d)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec: {replicas: 2, image: nginx, port: 80, args: [a, b]}
`

func TestPairing(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		opt        Options
		want       string
	}{
		{
			"documents without names among several with the same name",
			"{k: 1}\n---\n{kind: S, metadata: {name: g}}\n---\n{s: x}\n---\n" +
				"{kind: S, metadata: {name: g}, spec: 1}\n",
			"{kind: S, metadata: {name: g}, spec: 1}\n---\n{s: z}\n---\n{k: 1}\n---\n" +
				"{kind: S, metadata: {name: g}}\n",
			Options{},
			"~ document#2  s: x → z\n= 3 documents\n",
		},
		{
			"an object never becomes a document without a name",
			"{kind: D, metadata: {name: w}}\n---\nextra: 1\n---\n" +
				"{kind: D, metadata: {name: w}}\n---\nextra: 1\n",
			"{kind: D, metadata: {name: w}}\n---\nextra: 1\n",
			Options{},
			"- D/w#2\n    - kind: D\n    - metadata:\n    -   name: w\n" +
				"- document#4\n    - extra: 1\n= 2 documents\n",
		},
		{
			"version of the API", web, strings.Replace(web, "apps/v1", "apps/v2", 1),
			Options{},
			"~ Deployment/web  apiVersion: apps/v1 → apps/v2\n= 0 documents\n",
		},
		{
			"group of the API", web, strings.Replace(web, "apps/v1", "extensions/v1", 1),
			Options{},
			"~ Deployment/web  apiVersion: apps/v1 → extensions/v1\n= 0 documents\n",
		},
		{
			"renamed", web, strings.ReplaceAll(web, "web", "shop"),
			Options{},
			"~ Deployment/web → Deployment/shop\n~ Deployment/shop  metadata.labels.app: web → shop\n= 0 documents\n",
		},
		{
			"another namespace", strings.Replace(web, "name:", "namespace: a, name:", 1),
			strings.Replace(web, "name:", "namespace: b, name:", 1),
			Options{},
			"~ Deployment/a/web → Deployment/b/web\n= 0 documents\n",
		},
		{
			"another kind", web, strings.Replace(web, "Deployment", "StatefulSet", 1),
			Options{},
			"- Deployment/web\n    - apiVersion: apps/v1\n    - kind: Deployment\n    - metadata:\n    -   name: web\n" +
				"    -   labels:\n    -     app: web\n    - spec:\n    -   replicas: 2\n    -   image: nginx\n" +
				"    -   port: 80\n    -   args:\n    -   - a\n    -   - b\n" +
				"+ StatefulSet/web\n    + apiVersion: apps/v1\n    + kind: StatefulSet\n    + metadata:\n    +   name: web\n" +
				"    +   labels:\n    +     app: web\n    + spec:\n    +   replicas: 2\n    +   image: nginx\n" +
				"    +   port: 80\n    +   args:\n    +   - a\n    +   - b\n= 0 documents\n",
		},
		{
			"order does not count", web + "---\nkind: X\nmetadata: {name: x}\n", "kind: X\nmetadata: {name: x}\n---" + web,
			Options{},
			"= 2 documents\n",
		},
		{
			"order counts", web + "---\nkind: X\nmetadata: {name: x}\n", "kind: X\nmetadata: {name: x}\n---" + web,
			Options{Order: true},
			"> X/x  moved from 1 to 0\n= 1 document\n",
		},
		{
			"by position", "a: 1\n---\nb: 1\n", "a: 2\n---\nc: 1\n",
			Options{},
			"~ document#1  a: 1 → 2\n- document#2  b: 1\n+ document#2  c: 1\n= 0 documents\n",
		},
		{
			"the same change of several", web + "---" + strings.ReplaceAll(web, "web", "api") + "---" + strings.ReplaceAll(web, "web", "job"),
			strings.ReplaceAll(web+"---"+strings.ReplaceAll(web, "web", "api")+"---"+strings.ReplaceAll(web, "web", "job"), "replicas: 2", "replicas: 5"),
			Options{},
			"~ Deployment/{web,api,job}  spec.replicas: 2 → 5\n= 0 documents\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Compare(side(t, tt.a), side(t, tt.b), tt.opt)
			if diff := cmp.Diff(tt.want, text(t, d)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// What dyff, which also compares YAML, is known to get wrong.
func TestFailuresOfOthers(t *testing.T) {
	job := "kind: Job\nmetadata: {generateName: backup-}\nspec: {image: a, args: [x, y, z], count: 1}\n"
	for _, tt := range []struct{ name, a, b, want string }{
		{
			"generated names, and other counts of documents (#491)",
			job + "---\n" + strings.Replace(job, "count: 1", "count: 2", 1),
			strings.Replace(job, "count: 1", "count: 3", 1) + "---\n" + job + "---\n" + web,
			"~ Job/backup-*#1  spec.count: 2 → 3\n+ Deployment/web\n",
		},
		{
			"a rename is a rename (#376)",
			web + "---\nkind: X\nmetadata: {name: x}\n",
			"kind: X\nmetadata: {name: x}\n---" + strings.Replace(web, "name: web", "name: web-2", 1),
			"~ Deployment/web → Deployment/web-2\n= 1 document\n",
		},
		{
			"names that are not unique (#38)",
			"l: [{name: a, v: 1}, {name: a, v: 2}, {name: b, v: 3}]",
			"l: [{name: a, v: 1}, {name: a, v: 5}, {name: b, v: 3}]",
			"~ document  l[1].v: 2 → 5\n= 0 documents\n",
		},
		{
			"a file does not differ from itself (#676)",
			"l: [{name: a}, {name: a}, {other: 1}, 1, null]\n---\n{}\n---\nl: [[1, .nan], 1.0, -0.0]\n",
			"l: [{name: a}, {name: a}, {other: 1}, 1, null]\n---\n{}\n---\nl: [[1, .nan], 1.0, -0.0]\n",
			"= 2 documents\n",
		},
		{
			"an edit of an item without a known key is an edit (#126, #243)",
			"rules: [{host: a.example.com, path: /, port: 80}, {host: b.example.com, path: /, port: 80}]",
			"rules: [{host: a.example.com, path: /, port: 81}, {host: b.example.com, path: /, port: 80}]",
			"~ document  rules[0].port: 80 → 81\n= 0 documents\n",
		},
		{
			"documents do not run together (#344)",
			"a: 1\n---\na: 1\nb: 1\n", "a: 2\n---\na: 2\nb: 1\n",
			"~ document#1  a: 1 → 2\n~ document#2  a: 1 → 2\n= 0 documents\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Compare(side(t, tt.a), side(t, tt.b), Options{})
			got := text(t, d)
			for _, line := range strings.SplitAfter(tt.want, "\n") {
				if !strings.Contains(got, line) {
					t.Errorf("no line %q in\n%s", line, got)
				}
			}
			if strings.Count(got, "\n") != strings.Count(tt.want, "\n") && !strings.Contains(tt.want, "+ Deployment") {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestIgnore(t *testing.T) {
	a := "metadata: {annotations: {hash: 1}}\nspec: {c: [{name: a, image: x, m: 1}]}\n"
	b := "metadata: {annotations: {hash: 2, other: 3}, labels: {gone: 1}}\nspec: {c: [{name: a, image: w, m: 1}, {name: b, image: z}]}\n"
	for _, tt := range []struct {
		ignore []string
		want   string
	}{
		{[]string{"metadata"}, "~ document  spec.c[name=a].image: x → w\n+ document  spec.c[name=b]: {name: b, image: z}\n"},
		{[]string{"metadata.annotations.*", "spec.c"}, "+ document  metadata.labels: {gone: 1}\n"},
		{[]string{"metadata.labels.gone", "**.image", "metadata.*.hash"}, "+ document  metadata.annotations.other: 3\n+ document  spec.c[name=b]: {name: b}\n"},
		{[]string{"metadata", "spec.c[name=a].image", "spec.c[1]"}, ""},
		{[]string{"metadata", `"spec".c[*].image`, "spec.*[name=b]"}, ""},
	} {
		opt := Options{}
		for _, s := range tt.ignore {
			opt.Ignore = append(opt.Ignore, pattern(t, s))
		}
		got := text(t, Compare(side(t, a), side(t, b), opt))
		if got = got[:strings.Index(got, "= ")]; got != tt.want {
			t.Errorf("%q: got\n%s\nwant\n%s", tt.ignore, got, tt.want)
		}
	}
}

func TestSecrets(t *testing.T) {
	secretDoc := func(data string) string {
		return "kind: Secret\nmetadata: {name: db, annotations: {kubectl.kubernetes.io/last-applied-configuration: '" + data + "'}}\n" +
			"data: {password: " + data + "}\nstringData: {file: 'a: " + data + "'}\n"
	}
	list := "kind: List\nitems: [{kind: Secret, data: {p: hunter2}}, {kind: ConfigMap, data: {p: shown}}]\n"
	for _, tt := range []struct {
		name, a, b string
		rules      secret.Rules
		want       string
	}{
		{
			"changed", secretDoc("aHVudGVy"), secretDoc("c2VjcmV0"),
			secret.Rules{},
			"~ Secret/db  metadata.annotations.\"kubectl.kubernetes.io/last-applied-configuration\": ‹secret changed›\n" +
				"~ Secret/db  data.password: ‹secret changed›\n~ Secret/db  stringData.file: ‹secret changed›\n",
		},
		{
			"new", "", secretDoc("aHVudGVy"),
			secret.Rules{},
			"+ Secret/db\n    + kind: Secret\n    + metadata:\n    +   name: db\n    +   annotations:\n" +
				"    +     kubectl.kubernetes.io/last-applied-configuration: ‹secret›\n    + data:\n    +   password: ‹secret›\n" +
				"    + stringData:\n    +   file: ‹secret›\n",
		},
		{
			"data that is new", "kind: Secret\nmetadata: {name: db}\n", "kind: Secret\nmetadata: {name: db}\ndata: {p: x}\n",
			secret.Rules{},
			"+ Secret/db  data: {p: ‹secret›}\n",
		},
		{
			"in a list", list, strings.Replace(list, "hunter2", "hunter3", 1),
			secret.Rules{},
			"~ document  items[0].data.p: ‹secret changed›\n",
		},
		{
			"shown", secretDoc("a"), secretDoc("b"),
			secret.Rules{Show: true},
			"~ Secret/db  metadata.annotations.\"kubectl.kubernetes.io/last-applied-configuration\": a → b\n" +
				"~ Secret/db  data.password: a → b\n~ Secret/db  stringData.file: 'a: a' → 'a: b'\n",
		},
		{
			"by path", "a: {token: x, m: 1}\n", "a: {token: w, m: 2}\n",
			secret.Rules{Paths: []path.Pattern{pattern(t, "**.token")}},
			"~ document  a.token: ‹secret changed›\n~ document  a.m: 1 → 2\n",
		},
		{
			"by text", "url: postgres://u:hunter2@db\npw: hunter2\n", "url: postgres://u:hunter3@db2\npw: hunter3\n",
			secret.Rules{Texts: []string{"hunter2", "hunter3"}},
			"~ document  url: postgres://u:‹secret›@db → postgres://u:‹secret›@db2\n~ document  pw: ‹secret changed›\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Compare(side(t, tt.a), side(t, tt.b), Options{Secrets: tt.rules})
			got := text(t, d)
			if got = got[:strings.Index(got, "= ")]; got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			var j, m strings.Builder
			if d.WriteJSON(&j, false) != nil || d.WriteMarkdown(&m, false) != nil {
				t.Fatal("cannot write")
			}
			for _, hidden := range []string{"hunter2", "hunter3", "aHVudGVy", "c2VjcmV0"} {
				if !tt.rules.Show && strings.Contains(j.String()+m.String(), hidden) {
					t.Errorf("%s is shown:\n%s%s", hidden, j.String(), m.String())
				}
			}
		})
	}
}

// Names of documents are hidden in the result itself, not only where it is printed.
func TestSecretNames(t *testing.T) {
	a := "kind: User\nmetadata: {name: hunter2-admin}\nn: 1\n"
	var rules secret.Rules
	rules.Hide([]string{"hunter2"})
	d := Compare(side(t, a), side(t, strings.Replace(a, "n: 1", "n: 2", 1)), Options{Secrets: rules})
	if len(d.Objects()) != 1 {
		t.Fatalf("%d documents differ", len(d.Objects()))
	}
	if o := d.Objects()[0]; o.Name.String() != "User/‹secret›-admin" || o.Was != o.Name {
		t.Errorf("the document is called %s, and was called %s", o.Name, o.Was)
	}
}
