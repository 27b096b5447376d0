package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"weft/internal/engine/load"
)

// generated is a random project, whose data values may be changed one by one.
type generated struct {
	leaves []dataLeaf
	files  []load.Memory // without data values
}

// dataLeaf is a scalar among the data values: its path as slices name it, and what it may be.
type dataLeaf struct {
	path  string
	value any
	other []any
}

// generate makes the project of a seed.
func generate(seed uint64) *generated {
	g := &generator{r: rand.New(rand.NewPCG(seed, 7))}
	p := &generated{leaves: g.values()}
	main := g.document(1) + g.document(2) + g.library()
	p.files = []load.Memory{
		{Path: "app.yml", Data: []byte(generatedLoads + g.functions() + main)},
		{Path: "over.yml", Data: []byte(generatedLoads + g.overlays())},
		{Path: "notes.txt", Data: []byte(g.text())},
		{Path: "_ytt_lib/lib/schema.yml", Data: []byte(generatedSchema)},
		{Path: "_ytt_lib/lib/app.yml", Data: []byte(generatedLibrary)},
		{Path: "helpers.star", Data: []byte(generatedModule)},
	}
	return p
}

const generatedLoads = `#@ load("@ytt:data", "data")
#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:library", "library")
#@ load("@ytt:template", "template")
#@ load("@ytt:struct", "struct")
#@ load("@ytt:json", "json")
#@ load("helpers.star", "pick", "shout", "prefix")
`

const generatedModule = `load("@ytt:data", "data")
prefix = "p-" + data.values.env
def pick(flag, a, b):
  if flag:
    return a
  end
  return b
end
def shout(s, times=1):
  out = ""
  for i in range(times):
    out += s.upper()
  end
  return out + "!"
end
`

const generatedSchema = "#@data/values-schema\n---\nhost: h\nsize: 1\nflag: false\nlist: [\"\"]\n"

const generatedLibrary = `#@ load("@ytt:data", "data")
---
kind: Lib
name: #@ data.values.host
url: #@ data.values.host + "/x"
size: #@ data.values.size
#@ if/end data.values.flag:
flag: yes-it-is
list:
#@ for/end x in data.values.list:
- #@ x
`

// values draws the data values.
func (g *generator) values() []dataLeaf {
	text := func(path string, words ...string) dataLeaf {
		i := g.r.IntN(len(words))
		l := dataLeaf{path: path, value: words[i]}
		for j, w := range words {
			if j != i {
				l.other = append(l.other, w)
			}
		}
		l.other = append(l.other, words[i]+"z")
		return l
	}
	number := func(path string) dataLeaf {
		n := 1 + g.r.IntN(9)
		return dataLeaf{path, n, []any{n + 1, 0, 50}}
	}
	flag := func(path string) dataLeaf {
		b := g.r.IntN(2) == 0
		return dataLeaf{path, b, []any{!b}}
	}
	return []dataLeaf{
		text("name", "shop", "web", "api"), text("env", "dev", "prod"),
		number("count"), number("limit"), flag("public"), flag("debug"),
		text("hosts[0]", "alpha", "beta"), text("hosts[1]", "beta", "gamma"),
		number("nums[0]"), number("nums[1]"), number("nums[2]"),
		text("ports[0].name", "http", "grpc"), number("ports[0].port"),
		text("ports[1].name", "https", "admin"), number("ports[1].port"),
		text("db.host", "localhost", "db1"), number("db.port"),
		text("labels.team", "red", "blue"), text("labels.tier", "front", "back"),
	}
}

// valuesFile is the data values of leaves.
func valuesFile(leaves []dataLeaf) load.Memory {
	v := map[string]any{}
	for _, l := range leaves {
		v[l.path] = l.value
	}
	text := fmt.Sprintf(`#@data/values
---
name: %q
env: %q
count: %v
limit: %v
public: %v
debug: %v
hosts: [%q, %q]
nums: [%v, %v, %v]
ports:
- {name: %q, port: %v}
- {name: %q, port: %v}
db: {host: %q, port: %v}
labels: {team: %q, tier: %q}
`, v["name"], v["env"], v["count"], v["limit"], v["public"], v["debug"],
		v["hosts[0]"], v["hosts[1]"], v["nums[0]"], v["nums[1]"], v["nums[2]"],
		v["ports[0].name"], v["ports[0].port"], v["ports[1].name"], v["ports[1].port"],
		v["db.host"], v["db.port"], v["labels.team"], v["labels.tier"])
	return load.Memory{Path: "values.yml", Data: []byte(text)}
}

// generator draws code.
type generator struct {
	r    *rand.Rand
	strs []string // variables that are strings, and integers
	ints []string
	n    int
}

func (g *generator) of(choices ...func() string) string { return choices[g.r.IntN(len(choices))]() }

func lit(format string, args ...any) func() string {
	return func() string { return fmt.Sprintf(format, args...) }
}

func (g *generator) name(prefix string) string {
	g.n++
	return fmt.Sprintf("%s%d", prefix, g.n)
}

// str draws an expression that is a string.
func (g *generator) str(deep int) string {
	simple := []func() string{
		lit(`"k%d"`, g.r.IntN(9)), lit("data.values.name"), lit("data.values.env"),
		lit("data.values.hosts[%d]", g.r.IntN(2)), lit("data.values.ports[%d].name", g.r.IntN(2)),
		lit("data.values.db.host"), lit("data.values.labels.team"), lit("prefix"),
		lit(`data.values.labels["tier"]`), lit(`getattr(data.values, "nope", "none")`),
	}
	for _, v := range g.strs {
		simple = append(simple, lit("%s", v), lit("%s", v))
	}
	if deep <= 0 {
		return g.of(simple...)
	}
	d := deep - 1
	return g.of(append(simple,
		func() string { return g.str(d) + ` + "-" + ` + g.str(d) },
		func() string { return fmt.Sprintf(`"%%s/%%s" %% (%s, %s)`, g.str(d), g.num(d)) },
		func() string { return fmt.Sprintf(`"{}:{}".format(%s, %s)`, g.str(d), g.num(d)) },
		func() string { return "str(" + g.num(d) + ")" },
		func() string { return "(" + g.str(d) + ").upper()" },
		func() string { return "(" + g.str(d) + " if " + g.cond(d) + " else " + g.str(d) + ")" },
		func() string { return "pick(" + g.cond(d) + ", " + g.str(d) + ", " + g.str(d) + ")" },
		func() string { return "shout(" + g.str(d) + ", times=" + fmt.Sprint(1+g.r.IntN(2)) + ")" },
		func() string { return "(lambda s: s + data.values.env)(" + g.str(d) + ")" },
		lit(`",".join(data.values.hosts)`),
		lit(`",".join([p.name for p in data.values.ports if p.port > %d])`, g.r.IntN(9)),
		lit(`sorted(data.values.hosts)[0]`),
		func() string {
			key := g.of(lit("a"), lit("b"))
			return fmt.Sprintf(`{"a": %s, "b": %s}["%s"]`, g.str(d), g.str(d), key)
		},
		func() string { return fmt.Sprintf("[%s, %s][%d]", g.str(d), g.str(d), g.r.IntN(2)) },
		func() string {
			return fmt.Sprintf("(data.values.hosts + [%s, %s])[%d]", g.str(d), g.str(d), g.r.IntN(3))
		},
		func() string {
			return fmt.Sprintf(`[h + str(n) for h, n in zip(data.values.hosts, [%s, %s])][%d]`,
				g.num(d), g.num(d), g.r.IntN(2))
		},
		lit("json.encode(data.values.db)"),
		func() string { return "(data.values.debug and " + g.str(d) + " or " + g.str(d) + ")" },
	)...)
}

// num draws an expression that is an integer.
func (g *generator) num(deep int) string {
	simple := []func() string{
		lit("%d", g.r.IntN(9)), lit("data.values.count"), lit("data.values.limit"),
		lit("data.values.nums[%d]", g.r.IntN(3)), lit("data.values.ports[%d].port", g.r.IntN(2)),
		lit("len(data.values.hosts)"), lit("data.values.db.port"),
	}
	for _, v := range g.ints {
		simple = append(simple, lit("%s", v), lit("%s", v))
	}
	if deep <= 0 {
		return g.of(simple...)
	}
	d := deep - 1
	return g.of(append(simple,
		func() string { return "(" + g.num(d) + " + " + g.num(d) + ")" },
		func() string { return "(" + g.num(d) + " * 2)" },
		func() string { return "min(" + g.num(d) + ", " + g.num(d) + ")" },
		func() string { return "max(data.values.nums)" },
		func() string { return "len(" + g.str(d) + ")" },
		func() string { return "(" + g.num(d) + " if " + g.cond(d) + " else " + g.num(d) + ")" },
		func() string { return "len([1 for n in data.values.nums if n > " + g.num(d) + "])" },
		lit("sorted(data.values.nums, key=lambda n: -n)[1]"),
	)...)
}

// cond draws a condition.
func (g *generator) cond(deep int) string {
	d := deep - 1
	choices := []func() string{
		lit("data.values.public"), lit("data.values.debug"),
		lit(`data.values.env == "prod"`), lit(`"beta" in data.values.hosts`),
		func() string { return fmt.Sprintf("data.values.count > %d", 2+g.r.IntN(5)) },
		lit(`hasattr(data.values, "name")`),
	}
	if deep > 0 {
		choices = append(choices,
			func() string { return g.num(d) + " > " + g.num(d) },
			func() string { return "not " + g.cond(d) },
			func() string { return "(" + g.cond(d) + " and " + g.cond(d) + ")" },
			func() string { return "(" + g.cond(d) + " or " + g.cond(d) + ")" },
			func() string { return g.str(d) + " == " + g.str(d) },
		)
	}
	return g.of(choices...)
}

// functions draws functions that make nodes.
func (g *generator) functions() string {
	var b strings.Builder
	for i := range 2 {
		fmt.Fprintf(&b, "#@ def part%d(a, b=3):\n", i)
		g.strs, g.ints = []string{"a"}, []string{"b"}
		b.WriteString(g.items("", 2))
		b.WriteString("fixed: 1\n#@ end\n")
	}
	g.strs, g.ints = nil, nil
	return b.String()
}

// statements draws code that gives variables their values.
func (g *generator) statements() string {
	var b strings.Builder
	for range 1 + g.r.IntN(4) {
		switch g.r.IntN(10) {
		case 0:
			e, v := g.num(2), g.name("n")
			fmt.Fprintf(&b, "#@ %s = %s\n", v, e)
			g.ints = append(g.ints, v)
		case 1:
			e, c, other, v := g.str(1), g.cond(1), g.str(1), g.name("s")
			fmt.Fprintf(&b, "#@ %s = %s\n#@ if %s:\n#@   %s = %s\n#@ end\n", v, e, c, v, other)
			g.strs = append(g.strs, v)
		case 2:
			e, v := g.num(0), g.name("n")
			fmt.Fprintf(&b, "#@ %s = 0\n#@ for q in data.values.nums:\n#@   if q > %s:\n", v, e)
			fmt.Fprintf(&b, "#@     continue\n#@   end\n#@   %s += q\n#@ end\n", v)
			g.ints = append(g.ints, v)
		case 3:
			l, v := g.name("l"), g.name("s")
			fmt.Fprintf(&b, "#@ %s = []\n#@ for p in data.values.ports:\n", l)
			fmt.Fprintf(&b, "#@   %s.append(p.name + %s)\n#@ end\n", l, g.str(0))
			fmt.Fprintf(&b, "#@ %s = \"+\".join(%s)\n", v, l)
			g.strs = append(g.strs, v, l+"[1]")
		case 4:
			m := g.name("m")
			fmt.Fprintf(&b, "#@ %s = {\"x\": %s}\n#@ %s[\"w\"] = %s\n", m, g.str(1), m, g.num(1))
			g.strs = append(g.strs, m+"[\"x\"]")
			g.ints = append(g.ints, m+"[\"w\"]")
		case 5:
			a, c := g.name("s"), g.name("s")
			fmt.Fprintf(&b, "#@ %s, %s = %s, %s\n", a, c, g.str(1), g.str(1))
			g.strs = append(g.strs, a, c)
		case 6:
			l := g.name("l")
			fmt.Fprintf(&b, "#@ %s = [%s, %s]\n#@ %s += [%s]\n", l, g.str(1), g.str(1), l, g.str(1))
			g.strs = append(g.strs, l+"[0]", l+"[2]")
		case 7:
			l, i := g.name("l"), g.r.IntN(2)
			fmt.Fprintf(&b, "#@ %s = [%s, %s]\n#@ if %s:\n", l, g.str(1), g.str(1), g.cond(0))
			fmt.Fprintf(&b, "#@   %s[%d] = %s\n#@ end\n", l, i, g.str(1))
			g.strs = append(g.strs, l+"[0]", l+"[1]")
		case 8:
			l := g.name("l")
			fmt.Fprintf(&b, "#@ %s = [%s, %s]\n", l, g.str(1), g.str(1))
			fmt.Fprintf(&b, "#@ %s[1 if %s else 0] = %s\n", l, g.cond(0), g.str(1))
			fmt.Fprintf(&b, "#@ %s[len(data.values.hosts) - 2] = %s\n", l, g.str(1))
			g.strs = append(g.strs, l+"[0]", l+"[1]")
		default:
			e, v := g.str(2), g.name("s")
			fmt.Fprintf(&b, "#@ %s = %s\n", v, e)
			g.strs = append(g.strs, v)
		}
	}
	return b.String()
}

// items draws map items.
func (g *generator) items(indent string, deep int) string {
	var b strings.Builder
	strs, ints := g.strs, g.ints
	defer func() { g.strs, g.ints = strs, ints }()
	for range 1 + g.r.IntN(4) {
		key := g.name("k")
		switch g.r.IntN(10) {
		case 0, 1:
			fmt.Fprintf(&b, "%s%s: #@ %s\n", indent, key, g.num(2))
		case 2:
			fmt.Fprintf(&b, "%s#@ if %s:\n%s%s: #@ %s\n%s#@ else:\n%s%sz: %s\n%s#@ end\n",
				indent, g.cond(2), indent, key, g.str(1), indent, indent, key, "constant", indent)
		case 3:
			if deep > 0 {
				fmt.Fprintf(&b, "%s%s:\n%s", indent, key, g.items(indent+"  ", deep-1))
			}
		case 4:
			v := g.name("p")
			fmt.Fprintf(&b, "%s%s:\n%s#@ for %s in data.values.ports:\n", indent, key, indent, v)
			fmt.Fprintf(&b, "%s- id: #@ %s.name\n%s  at: #@ %s.port + %s\n%s#@ end\n",
				indent, v, indent, v, g.num(1), indent)
		case 5:
			v := g.name("h")
			fmt.Fprintf(&b, "%s%s:\n%s#@ for/end %s in data.values.hosts:\n%s- #@ %s + %s\n",
				indent, key, indent, v, indent, v, g.str(1))
		case 6:
			whole := g.of(lit("db"), lit("hosts"), lit("ports"), lit("labels"))
			fmt.Fprintf(&b, "%s%s: #@ data.values.%s\n", indent, key, whole)
		case 7:
			fmt.Fprintf(&b, "%s#@ for key, value in struct.decode(data.values.labels).items():\n",
				indent)
			fmt.Fprintf(&b, "%s#@yaml/text-templated-strings\n%s%s-(@= key @): #@ value + %s\n%s#@ end\n",
				indent, indent, key, g.str(0), indent)
		default:
			fmt.Fprintf(&b, "%s%s: #@ %s\n", indent, key, g.str(3))
		}
	}
	fmt.Fprintf(&b, "%send%d: 1\n", indent, g.r.IntN(1000))
	return b.String()
}

// document draws a document.
func (g *generator) document(n int) string {
	var b strings.Builder
	b.WriteString(g.statements())
	if n == 2 && g.r.IntN(2) == 0 {
		fmt.Fprintf(&b, "#@ if/end %s:\n", g.cond(2))
	}
	fmt.Fprintf(&b, "---\nkind: D%d\nname: #@ %s\nspec:\n%s", n, g.str(1), g.items("  ", 2))
	fmt.Fprintf(&b, "made: #@ part%d(%s, %s)\n", g.r.IntN(2), g.str(1), g.num(1))
	fmt.Fprintf(&b, "more: #@ part%d(%s)\n", g.r.IntN(2), g.str(1))
	fmt.Fprintf(&b, "gone: #@ %s\n", g.str(1))
	return b.String()
}

// library draws the evaluation of a library.
func (g *generator) library() string {
	return fmt.Sprintf(`#@ given = {"host": %s, "size": %s, "flag": bool(%s)}
#@ given["list"] = data.values.hosts
#@ lib = library.get("lib").with_data_values(given)
--- #@ template.replace(lib.eval())
`, g.str(1), g.num(1), g.cond(1))
}

// overlays draws overlays.
func (g *generator) overlays() string {
	g.strs, g.ints = nil, nil
	return fmt.Sprintf(`
#@overlay/match by=overlay.subset({"kind": "D1"})
---
#@overlay/replace via=lambda left, right: "%%s+%%s" %% (left, %s)
gone: ""
#@overlay/match missing_ok=True
added: #@ %s
#@overlay/match by=lambda i, left, right: left["name"] == %s, expects="0+"
---
#@overlay/match missing_ok=True
matched: #@ %s
#@ if/end %s:
#@overlay/match by=overlay.subset({"kind": "D2"}), expects="0+"
---
#@overlay/remove
gone: ""
`, g.str(0), g.str(1), g.str(1), g.num(1), g.cond(1))
}

// text draws a text template.
func (g *generator) text() string {
	g.strs, g.ints = nil, nil
	code := strings.ReplaceAll(generatedLoads, "#@ ", "(@ ")
	code = strings.ReplaceAll(code, ")\n", ") -@)\n")
	return code + fmt.Sprintf(`first (@= %s @)
(@ if %s: -@)
second (@= str(%s) @) and (@= %s @)
(@ end -@)
(@ for h in data.values.hosts: -@)
host (@= h @) (@= %s @)
(@ end -@)
last
`, g.str(2), g.cond(2), g.num(1), g.str(1), g.str(0))
}
