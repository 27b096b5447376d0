package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/lang/tree"
)

const sliceSchema = `#@data/values-schema
---
name: shop
env: dev
replicas: 2
limit: 20
public: true
hosts:
- a.example
ports:
- name: http
  port: 80
db:
  host: localhost
  port: 5432
labels:
  team: red
  tier: web
`

const sliceValues = `#@data/values
---
hosts: [a.example, b.example]
ports:
- {name: http, port: 80}
- {name: https, port: 443}
`

const withStruct = "#@ load(\"@ytt:struct\", \"struct\")\n"

const withData = "#@ load(\"@ytt:data\", \"data\")\n"

// TestSlices says of each construct which data values a node was made of: = copied, ~ computed, and
// after ? what decided that it is there.
func TestSlices(t *testing.T) {
	for _, c := range []struct{ name, template, want string }{
		{"copied", "a: #@ data.values.name\n", "a = name\n"},
		{"variable", "#@ x = data.values.name\n---\na: #@ x\nb: 1\n", "a = name\n"},
		{
			"concatenation", "a: #@ data.values.name + \"-\" + data.values.env\n",
			"a ~ name env\n",
		},
		{"format", "a: #@ \"%s:%d\" % (data.values.name, data.values.replicas)\n", "a ~ name replicas\n"},
		{"min", "a: #@ min(9, data.values.replicas)\n", "a ~ replicas\n"},
		{
			"list of scalars",
			"#@ for h in data.values.hosts:\n- #@ h\n#@ end\n",
			"[0] = hosts[0] ? hosts#\n[1] = hosts[1] ? hosts#\n",
		},
		{
			"list of maps",
			"#@ for p in data.values.ports:\n- id: #@ p.name\n  p: #@ p.port + 1\n#@ end\n",
			"[0] ~ ? ports#\n[0].id = ports[0].name ? ports#\n[0].p ~ ports[0].port ? ports#\n" +
				"[1] ~ ? ports#\n[1].id = ports[1].name ? ports#\n[1].p ~ ports[1].port ? ports#\n",
		},
		{
			"function", "#@ def f(a, b):\nx: #@ a\nw: #@ b\nz: 1\n#@ end\n---\n" +
				"m: #@ f(data.values.name, data.values.env)\n",
			"m ~\nm.x = name\nm.w = env\nm.z ~\n",
		},
		{
			"function that returns",
			"#@ def f(a, b=3):\n#@   return a * b\n#@ end\n---\nm: #@ f(data.values.replicas)\no: #@ f(b=data.values.limit, a=2)\n",
			"m ~ replicas\no ~ limit\n",
		},
		{
			"closure",
			"#@ def f(a):\n#@   return lambda b: a + b\n#@ end\n---\nm: #@ f(data.values.name)(data.values.env)\n",
			"m ~ name env\n",
		},
		{
			"curried lambda",
			"#@ f = lambda a: lambda b: a + b\n---\nm: #@ f(data.values.name)(\"x\")\n",
			"m ~ name\n",
		},
		{
			"condition",
			"#@ if data.values.replicas > data.values.limit:\na: 1\n#@ else:\nb: #@ data.values.name\n#@ end\n",
			"b = name ? replicas limit\n- a: replicas limit\n",
		},
		{
			"variable under a condition",
			"#@ x = \"a\"\n#@ if data.values.env == \"prod\":\n#@   x = \"b\"\n#@ end\n---\na: #@ x\n",
			"a ~ env\n",
		},
		{
			"early return",
			"#@ def f():\n#@   if data.values.public:\n#@     return 1\n#@   end\n#@   return 2\n#@ end\n---\na: #@ f()\n",
			"a ~ public\n",
		},
		{"or", "a: #@ data.values.name or data.values.env\n", "a = name\n"},
		{
			"conditional expression",
			"a: #@ data.values.name if data.values.public else data.values.env\n",
			"a ~ public name\n",
		},
		{
			"field of a struct",
			withStruct + "---\na: #@ struct.encode({\"x\": data.values.name, \"y\": {\"z\": data.values.env}}).y.z\n" +
				"b: #@ struct.make(x=data.values.name, y=[data.values.env]).y[0]\n",
			"a = env\nb = env\n",
		},
		{
			"fields of a struct",
			withStruct + "---\na: #@ struct.encode({\"x\": data.values.name, \"y\": [data.values.db, 1]})\n" +
				"b: #@ struct.decode(struct.encode({\"x\": data.values.name}))\n" +
				"c: #@ dict(x=data.values.name, y={\"z\": data.values.env})\n",
			"a ~\na.x = name\na.y[0].host = db.host\na.y[0].port = db.port\nb ~\nb.x = name\nc ~\n" +
				"c.x = name\nc.y.z = env\n",
		},
		{"length", "a: #@ len(data.values.hosts)\n", "a ~ hosts#\n"},
		{"index", "a: #@ data.values.hosts[1]\nb: #@ data.values.ports[0].port\n", "a = hosts[1]\nb = ports[0].port\n"},
		{"join", "a: #@ \",\".join(data.values.hosts)\n", "a ~ hosts*\n"},
		{
			"comprehension", "a: #@ [h.upper() for h in data.values.hosts]\n",
			"a ~ hosts#\na[0] ~ hosts[0]\na[1] ~ hosts[1]\n",
		},
		{
			"append",
			"#@ l = []\n#@ for p in data.values.ports:\n#@   l.append(p.port)\n#@ end\n---\na: #@ l\n",
			"a ~ ports#\na[0] ~ ports# ports[0].port\na[1] ~ ports# ports[1].port\n",
		},
		{
			"append through an alias",
			"#@ l = []\n#@ m = l\n#@ m.append(data.values.name)\n---\na: #@ l\n",
			"a ~\na[0] = name\n",
		},
		{
			"dict", "#@ d = {}\n#@ d[data.values.name] = data.values.env\n---\na: #@ d\n",
			"a ~\na.shop ~ env name\n",
		},
		{
			"whole map", "a: #@ data.values.db\nb: #@ data.values.hosts\n",
			"a = db*\na.host = db.host\na.port = db.port\nb = hosts*\nb[0] = hosts[0]\nb[1] = hosts[1]\n",
		},
		{
			"encoded",
			"#@ load(\"@ytt:json\", \"json\")\n---\na: #@ json.encode(data.values.db)\n",
			"a ~ db.host db.port\n",
		},
		{
			"hasattr",
			"a: #@ hasattr(data.values, \"nope\")\nb: #@ getattr(data.values, \"nix\", 3)\nc: #@ \"no\" in data.values\n",
			"a ~ !nope\nb ~ !nix\nc ~ !no\n",
		},
		{
			"augmented",
			"#@ x = \"\"\n#@ x += data.values.name\n#@ x += \"!\"\n---\na: #@ x\n",
			"a ~ name\n",
		},
		{
			"fragment read by code",
			"#@ def f():\nx: #@ data.values.name\ny: #@ data.values.env\n#@ end\n---\na: #@ f()[\"x\"]\n",
			"a = name\n",
		},
		{
			"sorted", "a: #@ sorted(data.values.hosts, key=lambda h: h[0])\n",
			"a ~ hosts*\n",
		},
		{
			"several variables at once",
			"#@ a, b = data.values.name, data.values.env\n#@ a, b = b, a\n---\nx: #@ a\nw: #@ b\n",
			"x = env\nw = name\n",
		},
		{
			"sum of lists",
			"#@ l = data.values.hosts + [data.values.name]\n---\na: #@ l\nb: #@ ([data.values.env] + [1])[0]\n",
			"a ~ hosts#\na[0] = hosts[0]\na[1] = hosts[1]\na[2] = name\nb = env\n",
		},
		{
			"tuple", "#@ t = (data.values.name, data.values.env)\n---\na: #@ t[1]\nb: #@ len(t)\nc: #@ t\n",
			"a = env\nb ~\nc ~\nc[0] = name\nc[1] = env\n",
		},
		{
			"tuple that grows", "#@ t = (data.values.name,)\n#@ t += (data.values.env,)\n---\na: #@ t[0]\n",
			"a ~ name env\n",
		},
		{
			"any number of arguments",
			"#@ f = lambda *a, **b: [a[1], b[\"c\"]]\n---\n" +
				"a: #@ f(data.values.name, data.values.env, c=data.values.limit, d=data.values.replicas)\n",
			"a ~\na[0] = env\na[1] = limit\n",
		},
		{
			"arguments of a dict",
			"#@ def f(a, b=data.values.limit):\n#@   return [a, b]\n#@ end\n---\n" +
				"a: #@ f(**{\"a\": data.values.name})\n",
			"a ~\na[0] = name\na[1] = limit\n",
		},
		{
			"dict of pairs",
			"a: #@ dict([(\"x\", data.values.name), (\"z\", data.values.env)])\n" +
				"b: #@ {k: v for k, v in [(\"x\", data.values.name), (\"z\", data.values.env)]}\n",
			"a ~\na.x = name\na.z = env\nb ~\nb.x = name\nb.z = env\n",
		},
		{
			"keys", "a: #@ {\"x\": data.values.name, data.values.env: 1}.keys()\n",
			"a ~ env\na[1] = env\n",
		},
		{
			"reversed list", "a: #@ reversed([data.values.name] + [data.values.env])\n",
			"a ~\na[0] = env\na[1] = name\n",
		},
		{
			"list that is extended",
			"#@ l = [data.values.name]\n#@ l.extend(data.values.hosts)\n#@ l.insert(0, data.values.env)\n---\n" +
				"a: #@ l\nb: #@ len(l)\n",
			"a ~ hosts#\na[0] = env\na[1] = name\na[2] = hosts[0]\na[3] = hosts[1]\nb ~ hosts#\n",
		},
		{
			"list that is extended by a text in parts",
			"#@ l = []\n#@ l.extend(data.values.name.split(\"-\"))\n---\na: #@ l\n",
			"a ~ name\na[0] = name\n",
		},
		{
			"element taken out of a dict",
			"#@ d = {\"x\": data.values.name, \"z\": data.values.env}\n#@ d.pop(\"x\")\n---\na: #@ d\n",
			"a ~\na.z = env\n",
		},
		{
			"list that grows",
			"#@ l = [data.values.name]\n#@ l += [data.values.env]\n---\na: #@ l\n",
			"a ~\na[0] = name\na[1] = env\n",
		},
		{
			"item that is set",
			"#@ l = [1, data.values.name]\n#@ l[0] = data.values.env\n#@ d = {\"p\": data.values.name, \"q\": 1}\n#@ d[\"q\"] = data.values.env\n---\na: #@ l\nb: #@ d\n",
			"a ~\na[0] = env\na[1] = name\nb ~\nb.p = name\nb.q = env\n",
		},
		{
			"zip",
			"#@ for h, n in zip(data.values.hosts, [data.values.name, \"q\"]):\n- #@ h\n- #@ n\n#@ end\n",
			"[0] = hosts[0] ? hosts#\n[1] = name ? hosts#\n[2] = hosts[1] ? hosts#\n[3] ~ ? hosts#\n",
		},
		{
			"text in a string",
			"#@yaml/text-templated-strings\na: x-(@= data.values.name @)\n#@yaml/text-templated-strings\nb: \"(@ if data.values.public: @)y(@ end @)\"\n",
			"a ~ name\nb ~ public\n",
		},
		{
			"computed key",
			"#@yaml/text-templated-strings\nk-(@= data.values.name @): 1\n",
			"k-shop ~ name\n",
		},
		{
			"replaced node",
			"#@ load(\"@ytt:template\", \"template\")\n---\n_: #@ template.replace({\"x\": data.values.name})\n",
			"x = name\n",
		},
		{
			"enumerate",
			"#@ for i, h in enumerate(data.values.hosts):\n- #@ h\n- #@ i\n#@ end\n",
			"[0] = hosts[0] ? hosts#\n[1] ~ ? hosts#\n[2] = hosts[1] ? hosts#\n[3] ~ ? hosts#\n",
		},
		{
			"items of a dict",
			"#@ d = {\"p\": data.values.name, \"q\": data.values.env}\n#@ for k, v in d.items():\n- #@ k\n- #@ v\n#@ end\n",
			"[0] ~ ?\n[1] = name ?\n[2] ~ ?\n[3] = env ?\n",
		},
		{
			"decoded map",
			"#@ load(\"@ytt:struct\", \"struct\")\n---\n#@ for k, v in struct.decode(data.values.labels).items():\n- #@ k + \"=\" + v\n#@ end\n",
			"[0] ~ labels.team ? labels#\n[1] ~ labels.tier ? labels#\n",
		},
		{
			"dict in a dict",
			"#@ d = {\"a\": {\"b\": [data.values.name, 1]}, \"c\": data.values.db}\n---\nx: #@ d\nw: #@ d[\"a\"][\"b\"][0]\n",
			"x ~\nx.a.b[0] = name\nx.c = db*\nx.c.host = db.host\nx.c.port = db.port\nw = name\n",
		},
		{
			"keys",
			"#@ for k in data.values.labels:\n- #@ data.values.labels[k]\n#@ end\n",
			"[0] ~ labels# labels.team ? labels#\n[1] ~ labels# labels.tier ? labels#\n",
		},
		{
			"while",
			"#@ i = 0\n#@ while i < data.values.replicas:\n#@   i += 1\n#@ end\n---\na: #@ i\n",
			"a ~ replicas\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := slicesOf(t, c.template)
			if diff := cmp.Diff(got, c.want); diff != "" {
				t.Errorf("(-got +want):\n%s", diff)
			}
		})
	}
}

// TestSlicesOfLibraries holds a library to the chain from its data values to those of who uses it.
func TestSlicesOfLibraries(t *testing.T) {
	lib := []load.Memory{
		{Path: "_ytt_lib/lib/values.yml", Data: []byte("#@data/values-schema\n---\nhost: x\nport: 1\nmore: \"\"\n")},
		{
			Path: "_ytt_lib/lib/app.yml",
			Data: []byte(withData + "---\nurl: #@ \"%s:%d\" % (data.values.host, data.values.port)\nmore: #@ data.values.more\n"),
		},
	}
	template := "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n" +
		"#@ def vals():\nmore: #@ data.values.name + \"!\"\n#@ end\n" +
		"#@ lib = library.get(\"lib\").with_data_values({\"host\": data.values.db.host, \"port\": data.values.limit})\n" +
		"#@ if data.values.public:\n--- #@ template.replace(lib.with_data_values(vals()).eval())\n#@ end\n"
	res := evaluateSlices(t, template, lib...)
	want := " ~ ? public\nurl ~ lib:host lib:port ? public\nmore = lib:more ? public\n"
	if diff := cmp.Diff(describeSlices(res), want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
	v, _ := res.Docs[len(res.Docs)-1].Value.Map()
	var chain []string
	for _, it := range v.Entries() {
		s, _ := res.Origins.Of(it.Value.Origin())
		for _, l := range res.Origins.Leaves(s.Reads) {
			_, _, by, _ := res.Origins.Find(l)
			line := leafName(res.Origins, l) + ":"
			for h := range res.Origins.History(by) {
				line += " " + h.By.String()
				if from, ok := res.Origins.Of(h.From); ok {
					line += " from" + leafNames(res.Origins, from.Reads)
				}
			}
			chain = append(chain, line)
		}
	}
	wantChain := []string{
		"lib:host: with_data_values from db.host schema default",
		"lib:port: with_data_values from limit schema default",
		"lib:more: with_data_values from name schema default",
	}
	if diff := cmp.Diff(chain, wantChain); diff != "" {
		t.Errorf("chain (-got +want):\n%s", diff)
	}
}

// TestSlicesOfOverlays holds overlays to what decided that they match, and to telling what they
// remove.
func TestSlicesOfOverlays(t *testing.T) {
	over := load.Memory{Path: "over.yml", Data: []byte(withData + `
#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.subset({"name": data.values.name})
---
#@overlay/replace via=lambda l, r: l + data.values.limit
a: 1
#@overlay/match missing_ok=True
b: #@ data.values.env
#@overlay/remove
c: 0
#@overlay/match by=lambda i, l, r: l["name"] == data.values.db.host, expects="0+"
---
a: 3
`)}
	res := evaluateSlices(t, "---\nname: #@ data.values.name\na: #@ data.values.replicas\nc: 1\n", over)
	var b strings.Builder
	v, _ := res.Docs[0].Value.Map()
	for _, it := range v.Entries() {
		b.WriteString(tree.KeyText(it.Key) + ":")
		for h := range res.Origins.History(it.Value.Origin()) {
			b.WriteString(" " + h.By.String() + leafNames(res.Origins, h.Reads))
			if from, ok := res.Origins.Of(h.From); ok {
				b.WriteString(" from" + leafNames(res.Origins, from.Reads))
			}
			if h.Matched != 0 {
				b.WriteString(" matched" + leafNames(res.Origins, h.Matched))
			}
		}
		b.WriteString("\n")
	}
	for _, a := range res.Origins.Absences() {
		fmt.Fprintf(&b, "%s %v%s\n", a.Kind, a.Path, leafNames(res.Origins, a.Reads))
	}
	want := `name: template name
a: overlay from limit matched name template replicas
b: overlay from env matched name
unmatched [] name
removed [{c -1}] name
unmatched [] name db.host
`
	if diff := cmp.Diff(b.String(), want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// TestSpared holds overlays that do not match to naming the nodes that they would change, and no
// others: the key that an item is matched by stays as it is, what would be inserted comes into the
// list, and what would come into a map is not about what it has.
func TestSpared(t *testing.T) {
	over := load.Memory{Path: "over.yml", Data: []byte(withData + `
#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.subset({"kind": data.values.env}), expects="0+"
---
m:
  #@overlay/match missing_ok=True
  new: 1
#@overlay/match by=overlay.all
---
m:
  #@overlay/replace
  old: 2
l:
#@overlay/match by="name", expects="0+"
- name: #@ data.values.name
  v: 2
#@overlay/match by=lambda i, l, r: l["name"] == data.values.db.host, expects="0+"
#@overlay/insert before=True
- name: more
  v: 3
`)}
	res := evaluateSlices(t, "---\nkind: a\nm:\n  old: 1\nl:\n- name: web\n  v: 1\n", over)
	var b strings.Builder
	var walk func(path string, v tree.Value)
	walk = func(path string, v tree.Value) {
		if s, ok := res.Origins.Of(v.Origin()); ok {
			for _, x := range res.Origins.Spared(s.Spared) {
				fmt.Fprintf(&b, "%s:%s\n", path, leafNames(res.Origins, x.Reads))
			}
		}
		for i, it := range v.Entries() {
			name := fmt.Sprint(i)
			if v.Kind() == tree.MapKind {
				name = tree.KeyText(it.Key)
			}
			walk(path+"/"+name, it.Value)
		}
	}
	walk("", res.Docs[0].Value)
	want := "/m: env\n/l: name db.host\n/l: db.host\n/l/0/v: name\n"
	if diff := cmp.Diff(b.String(), want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// TestSlicesOfText holds each line of a text to what it was made of.
func TestSlicesOfText(t *testing.T) {
	text := load.Memory{Path: "notes.txt", Data: []byte("(@ load(\"@ytt:data\", \"data\") -@)\n" +
		"hello (@= data.values.name @) and (@= data.values.env @)\nconstant\n" +
		"(@ if data.values.public: -@)\npublic\n(@ end -@)\n(@ for h in data.values.hosts: -@)\nhost (@= h @)\n(@ end -@)\nend\n")}
	res := evaluateSlices(t, "---\na: 1\n", text)
	var b strings.Builder
	for _, out := range res.Outputs {
		lines := strings.SplitAfter(out.Text, "\n")
		for i, o := range out.Lines {
			s, _ := res.Origins.Of(o)
			f := res.Files.File(s.At.Pos)
			fmt.Fprintf(&b, "%s | %d%s", strings.TrimSuffix(lines[i], "\n"), f.Line(s.At.Offset()), leafNames(res.Origins, s.Reads))
			for _, c := range res.Origins.When(s.When) {
				b.WriteString(" ?" + leafNames(res.Origins, c.Reads))
			}
			b.WriteString("\n")
		}
	}
	want := `hello shop and dev | 2 name env
constant | 3
public | 5 ? public
host a.example | 8 hosts[0] ? hosts#
host b.example | 8 hosts[1] ? hosts#
end | 10
`
	if diff := cmp.Diff(b.String(), want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

func slicesOf(t *testing.T, template string) string {
	t.Helper()
	return describeSlices(evaluateSlices(t, template))
}

func evaluateSlices(t *testing.T, template string, more ...load.Memory) *engine.Result {
	t.Helper()
	if !strings.Contains(template, "---") {
		template = "---\n" + template
	}
	files := append([]load.Memory{
		{Path: "schema.yml", Data: []byte(sliceSchema)},
		{Path: "values.yml", Data: []byte(sliceValues)},
		{Path: "app.yml", Data: []byte(withData + template)},
	}, more...)
	s, err := engine.Open(context.Background(), engine.Config{
		Load: load.Options{Memory: files}, Origins: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Evaluate(context.Background(), engine.Request{})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// describeSlices lists the nodes that templates have made, and what is absent.
func describeSlices(res *engine.Result) string {
	var b strings.Builder
	var walk func(path string, v tree.Value)
	walk = func(path string, v tree.Value) {
		if s, ok := res.Origins.Of(v.Origin()); ok && s.By == tree.ByTemplate {
			how := "~"
			if s.Copied != 0 && s.Copied == s.Reads {
				how = "="
			}
			fmt.Fprintf(&b, "%s %s%s", strings.TrimPrefix(path, "."), how, leafNames(res.Origins, s.Reads))
			for _, c := range res.Origins.When(s.When) {
				fmt.Fprintf(&b, " ?%s", leafNames(res.Origins, c.Reads))
			}
			b.WriteString("\n")
		}
		switch x := v.Starlark().(type) {
		case *tree.Map:
			for _, it := range x.Entries() {
				walk(path+"."+tree.KeyText(it.Key), it.Value)
			}
		case *tree.Array:
			for i, it := range x.Entries() {
				walk(fmt.Sprintf("%s[%d]", path, i), it.Value)
			}
		}
	}
	for _, d := range res.Docs {
		walk("", d.Value)
	}
	for _, a := range res.Origins.Absences() {
		f := res.Files.File(a.What.Pos)
		first, _, _ := strings.Cut(string(f.Data()[a.What.Offset():a.What.End()]), ":")
		fmt.Fprintf(&b, "- %s:%s\n", first, leafNames(res.Origins, a.Reads))
	}
	return b.String()
}

func leafNames(o *tree.Origins, s tree.Slice) string {
	var b strings.Builder
	for _, l := range o.Leaves(s) {
		b.WriteString(" " + leafName(o, l))
	}
	return b.String()
}

func leafName(o *tree.Origins, l tree.Leaf) string {
	info := o.Leaf(l)
	name := info.String()
	if lib := o.DataValues()[info.Values].Library; lib != "" {
		name = lib + ":" + name
	}
	switch info.Kind {
	case tree.Whole:
		return name + "*"
	case tree.Shape:
		return name + "#"
	case tree.Missing:
		return "!" + name
	}
	return name
}
