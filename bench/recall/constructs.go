package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"weft"
)

// project is a random project.
type project struct {
	values    *dataValues
	files     map[string]string // besides those of the data values
	overrides []string
	left      []string // files that can be left out
	cache     weft.Cache
}

const loads = `#@ load("@ytt:data", "data")
#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:library", "library")
#@ load("@ytt:template", "template")
#@ load("@ytt:struct", "struct")
#@ load("@ytt:json", "json")
#@ load("@ytt:yaml", "yaml")
#@ load("@ytt:toml", "toml")
#@ load("@ytt:base64", "base64")
#@ load("@ytt:md5", "md5")
#@ load("@ytt:sha256", "sha256")
#@ load("@ytt:assert", "assert")
#@ load("@ytt:regexp", "regexp")
#@ load("@ytt:url", "url")
#@ load("@ytt:math", "math")
#@ load("helpers.star", "pick", "shout", "sum_of", "made_of", "prefix", "settings")
#@ load("parts.lib.yml", "part", "labels_of")
`

const helpers = `load("@ytt:data", "data")
prefix = "p-" + data.values.env
settings = {"host": data.values.db.host, "on": data.values.public}
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
def sum_of(list):
  n = 0
  for x in list:
    n += x
  end
  return n
end
def made_of(a, b):
  out = {"first": a}
  out["second"] = [b, data.values.title]
  return out
end
`

const parts = `#@ load("@ytt:data", "data")
#@ def part(a, b="none"):
first: #@ a
second: #@ b + data.values.mode
#@ if data.values.debug:
debug: yes
#@ end
fixed: 1
#@ end
#@ def labels_of(extra):
team: #@ data.values.labels.team
extra: #@ extra
#@ end
`

const libSchema = "#@data/values-schema\n---\nhost: h\nsize: 1\nflag: false\n#@schema/nullable\n" +
	"note: \"\"\n"

const libTemplate = `#@ load("@ytt:data", "data")
#@ load("@ytt:json", "json")
---
id: Lib
name: #@ data.values.host
url: #@ data.values.host + "/x"
size: #@ data.values.size
#@ if/end data.values.flag:
flag: yes-it-is
json: #@ json.encode({"a": [data.values.host]})
note: #@ data.values.note
`

const libModule = `load("@ytt:data", "data")
def tagged(s):
  return s + "@" + data.values.host
end
`

// draw draws the project of a seed.
func draw(seed uint64) *project {
	r := rand.New(rand.NewPCG(seed, 11))
	g := &generator{r: r}
	p := &project{values: drawValues(r), files: map[string]string{
		"helpers.star": helpers, "parts.lib.yml": parts,
		"_ytt_lib/lib/schema.yml": libSchema, "_ytt_lib/lib/app.yml": libTemplate,
		"_ytt_lib/lib/names.star": libModule,
		"files/web.txt":           "web page\n", "files/other.txt": "other page\n",
	}}
	var main strings.Builder
	main.WriteString(loads)
	for i := range 2 {
		var before, body strings.Builder
		for range 4 {
			c := constructs[r.IntN(len(constructs))]
			pre, items := c.draw(g, g.name(c.kind))
			before.WriteString(pre)
			body.WriteString(indented("  ", items))
		}
		fmt.Fprintf(&main, "%s---\nid: D%d\nspec:\n%s  end: 1\n", before.String(), i, body.String())
	}
	main.WriteString(g.libraries())
	p.files["app.yml"] = main.String()
	p.files["notes.txt"] = g.textFile()
	p.files["targets.yml"] = loads + g.targets()
	for range 3 {
		name := g.name("over") + ".yml"
		p.files[name] = loads + g.overlay()
		p.left = append(p.left, name)
	}
	if r.IntN(3) == 0 {
		p.overrides = []string{fmt.Sprintf("spec:\n  end: %d\n", r.IntN(9)+2)}
	}
	return p
}

// construct generates items of a map.
type construct struct {
	kind string
	draw func(g *generator, key string) (before, items string)
}

// inline returns a construct that is one expression.
func inline(kind string, expr func(g *generator) string) construct {
	return construct{kind, func(g *generator, key string) (string, string) {
		return "", fmt.Sprintf("%s: #@ %s\n", key, expr(g))
	}}
}

var constructs = []construct{
	inline("str", func(g *generator) string { return g.str(3) }),
	inline("str", func(g *generator) string { return g.str(2) }),
	inline("num", func(g *generator) string { return g.num(3) }),
	inline("cond", func(g *generator) string { return g.cond(3) }),
	inline("list", func(g *generator) string { return g.list(2) }),
	inline("dict", func(g *generator) string { return g.dict(2) }),
	inline("nested", func(g *generator) string { return g.nested(2) }),
	inline("whole", func(g *generator) string {
		return "data.values." + []string{
			"db", "hosts", "ports", "labels", "users", "optmap",
			"extra",
		}[g.r.IntN(7)]
	}),
	inline("encode", encoded),
	inline("encode", encoded),
	inline("encode", encoded),
	inline("struct", func(g *generator) string {
		x := func() string { return g.nested(1) }
		s := func() string { return g.str(1) }
		return g.one(
			form(`struct.encode({"a": %s, "b": {"c": %s}}).b.c`, x, x),
			form(`struct.encode({"a": %s, "b": %s})`, s, x),
			form("struct.make(a=%s, b=%s).a", s, s),
			form("struct.make(a=%s, b=%s)", s, x),
			form("struct.make_and_bind(struct.make(z=%s), f=lambda self, y: self.z + y).f(%s)", s, s),
			text("struct.decode(data.values.images)"),
			form(`struct.decode(data.values.db)["host"] + %s`, s),
			form(`getattr(struct.make(a=%s, b=%s), "b")`, s, s),
		)
	}),
	inline("has", func(g *generator) string {
		s := func() string { return g.str(1) }
		return g.one(
			text(`hasattr(data.values.labels, "team")`), text(`hasattr(data.values.labels, "nope")`),
			text(`"nope" in data.values.labels`), text(`"tier" in data.values.labels`),
			form(`hasattr(data.values.labels, %s)`, g.leafStr),
			form(`getattr(data.values.labels, "nope", %s)`, s),
			form(`getattr(data.values.labels, "team", %s)`, s),
			form(`getattr(data.values, "env") + %s`, s),
			text(`hasattr(data.values.extra.deep, "a")`),
			text(`data.values.labels.nope if hasattr(data.values.labels, "nope") else "no"`),
			text("sorted(dir(data.values.labels))"), text("[k for k in data.values.labels]"),
			text("len(data.values.labels)"), text("list(data.values.labels)"),
			form(`struct.decode(data.values.labels).get("nope", %s)`, s),
			form(`struct.decode(data.values.labels).get("team", %s)`, s),
			text(`"nope" in struct.decode(data.values.labels)`),
			form(`%s in data.values.hosts`, g.leafStr),
			form(`data.values.hosts.index(data.values.hosts[-1])`),
		)
	}),
	inline("compr", func(g *generator) string {
		s := func() string { return g.str(1) }
		c := func() string { return g.cond(0) }
		return g.one(
			form("{k: %s for k in data.values.hosts}", s),
			form("{p.name: p.port for p in data.values.ports if p.tls or %s}", c),
			text("{u.name: [x + u.name for x in u.roles] for u in data.values.users}"),
			text("[x for u in data.values.users for x in u.roles]"),
			form("[n for n in data.values.nums if n > %s]", g.leafNum),
			form("[{\"n\": h, \"v\": %s} for h in data.values.hosts]", s),
			form("{\"k-\" + h: h for h in data.values.hosts if h != %s}", s),
			form("[h for i, h in enumerate(data.values.hosts) if i < %s]", g.leafNum),
			form(`{k: v for k, v in struct.decode(data.values.labels).items() if v != "%s"}`, g.word),
			form("[%s for i in range(len(data.values.nums))]", s),
			form("[x if x > %s else 0 for x in data.values.nums]", g.limit),
			form("[a for a in [%s, %s] if a]", s, s),
			text("{name: img.repo for name, img in struct.decode(data.values.images).items()} and [1]"),
			form("{%s: %s}", s, s),
		)
	}),
	inline("sorted", func(g *generator) string {
		l := func() string { return g.list(1) }
		return g.one(
			form("sorted(%s)", l), form("sorted(%s, key=lambda h: h[-1:])", l),
			form("sorted(%s, reverse=%s)", l, func() string { return g.cond(0) }),
			form("[x for x in reversed(%s)]", l), form("list(enumerate(%s))[0]", l),
			form("list(zip(%s, data.values.nums))", l), form("max(%s)", l), form("min(%s)", l),
			text("[p.name for p in sorted(data.values.ports, key=lambda p: p.port)]"),
			text("sorted([p.port for p in data.values.ports])[0]"), form("%s[1:]", l), form("%s[-1]", l),
			form("all([len(h) > %s for h in %s])", g.limit, l), form("%s * 2", l),
			form("[%s, %s].index(%s)", text(`"web"`), text(`"prod"`),
				text(`"prod" if data.values.public else "web"`)),
		)
	}),
	inline("strings", func(g *generator) string {
		s := func() string { return g.str(1) }
		l := func() string { return g.list(1) }
		return g.one(
			form(`%s.join(%s)`, text(`"+"`), l), form(`(%s).join(%s)`, s, l),
			form(`(%s).partition("-")`, s), form(`(%s).split("-", 1)`, s), form(`(%s).find(%s)`, s, s),
			form(`(%s).count("o")`, s), form(`(%s).endswith(%s)`, s, s), form(`"%%r" %% [%s]`, s),
			form(`"%%s and %%s" %% (%s, %s)`, s, l), form(`"{0}-{1}".format(%s, %s)`, s, s),
			form(`"{}".format(%s)`, l), form(`str(%s)`, func() string { return g.nested(1) }),
			form(`repr(%s)`, l), form(`(%s) * 2`, s), form(`(%s)[0:%s]`, s, g.leafNum),
			form(`regexp.replace("o+", %s, %s)`, s, s), form(`regexp.match("^w", %s)`, s),
			form(`url.path_segment_encode(%s)`, s), form(`[c for c in (%s).elems()][:2]`, s),
			form(`(%s).removesuffix(%s)`, s, s), form(`"%%d" %% %s`, func() string { return g.num(1) }),
			form(`math.mod(float(%s), 7.0) > 3.0`, func() string { return g.num(1) }),
		)
	}),
	inline("module", func(g *generator) string {
		s := func() string { return g.str(1) }
		return g.one(
			form("prefix + %s", s), text(`settings["host"]`), text("settings"), form("part(%s)", s),
			form("part(%s, b=%s)", s, s), form("labels_of(%s)", s), form("labels_of(%s)[\"extra\"]", s),
			form("part(%s)[\"second\"]", s), text("json.encode(labels_of(1))"),
			form("yaml.encode(part(%s))", s), form("made_of(%s, %s)", s, s),
			form(`made_of(%s, %s)["second"][0]`, s, s), form("shout(times=2, s=%s)", s),
		)
	}),
	inline("assert", func(g *generator) string {
		s := func() string { return g.str(1) }
		return g.one(
			form("assert.try_to(lambda: %s)[0]", s), form("assert.not_null(%s)", s),
			form(`assert.try_to(lambda: assert.fail(%s))[1]`, s),
			form(`assert.try_to(lambda: assert.one_of("web", "prod").check(%s))[0] or "none"`, s),
			form("assert.try_to(lambda: {\"shop\": 1}[%s])[0]", s),
		)
	}),
	inline("read", func(g *generator) string {
		return g.one(
			form(`data.read("files/%%s.txt" %% ("web" if %s else "other"))`,
				func() string { return g.cond(1) }),
			form(`data.read("files/web.txt") + %s`, func() string { return g.str(1) }),
			form(`data.list("files")[1 if %s else 0]`, func() string { return g.cond(1) }),
		)
	}),
	inline("logic", func(g *generator) string {
		s := func() string { return g.str(1) }
		c := func() string { return g.cond(1) }
		return g.one(
			form("%s and %s", c, s), form("%s or %s", c, s), form("data.values.opt or %s", s),
			form("data.values.optmap.host if data.values.optmap else %s", s), form("not (%s and %s)", c, c),
			form("(%s if %s else %s) if %s else %s", s, c, s, c, s),
			form("{True: %s, False: %s}[%s]", s, s, form("bool(%s)", c)),
			form("[%s, %s][1 if %s else 0]", s, s, c), form("%s == %s", s, s),
			text("data.values.opt"),
		)
	}),
	{"branch", branch},
	{"branch", branch},
	{"loop", loop},
	{"loop", loop},
	{"text", textKeys},
	{"text", textKeys},
	{"func", function},
	{"closure", closure},
	{"vars", variables},
	{"vars", variables},
	{"fragment", fragments},
	{"apply", apply},
	{"replace", replace},
}

func encoded(g *generator) string {
	x := func() string { return g.nested(2) }
	s := func() string { return g.str(1) }
	return g.one(
		form("json.encode(%s)", x), form("json.encode(%s, indent=2)", x), form("yaml.encode(%s)", x),
		form(`toml.encode({"t": {"a": %s}})`, s), form("base64.encode(%s)", s),
		form("base64.encode(json.encode(%s))", x), form("md5.sum(%s)", s), form("sha256.sum(%s)", s),
		form("md5.sum(yaml.encode(%s))", x), form("str(%s)", x), form("repr([%s])", x),
		form(`json.decode(json.encode({"q": %s}))["q"]`, s), form(`yaml.decode(yaml.encode({"q": %s}))`, s),
		form(`"%%s" %% (%s,)`, x), form(`json.encode({"s": struct.encode({"a": %s})})`, x),
		form(`sha256.sum(str(%s))`, x), text("json.encode(data.values)"),
		text("yaml.encode(data.values.ports)"),
		form(`toml.encode({"a": [%s, %s]})`, s, s),
	)
}

func branch(g *generator, key string) (string, string) {
	c := func() string { return g.cond(2) }
	s := func() string { return g.str(1) }
	other := text("%s", key+"z")
	k := text("%s", key)
	return "", g.one(
		form("#@ if %s:\n%s: #@ %s\n#@ end\n", c, k, s),
		form("#@ if/end %s:\n%s: const\n", c, k),
		form("#@ if/end %s:\n%s:\n  a: #@ %s\n  b: [1, 2]\n", c, k, s),
		form("#@ if %s:\n%s: #@ %s\n#@ elif %s:\n%s: #@ %s\n#@ else:\n%s: const\n#@ end\n",
			c, k, s, c, k, s, other),
		form("%s:\n  x: 1\n  #@ if %s:\n  y: #@ %s\n  #@ if %s:\n  z: 3\n  #@ end\n  #@ end\n  w: #@ %s\n",
			k, c, s, c, s),
		form("%s:\n- a\n#@ if/end %s:\n- #@ %s\n- c\n", k, c, s),
		form("%s:\n#@ if %s:\n- #@ %s\n- c\n#@ else:\n- d\n#@ end\n", k, c, s),
	)
}

func loop(g *generator, key string) (string, string) {
	c := func() string { return g.cond(1) }
	s := func() string { return g.str(1) }
	k := text("%s", key)
	return "", g.one(
		form("%s:\n#@ for h in %s:\n- #@ h + %s\n#@ end\n", k, func() string { return g.list(1) }, s),
		form("%s:\n#@ for p in data.values.ports:\n- id: #@ p.name\n  at: #@ p.port\n  #@ if/end p.tls:\n"+
			"  tls: #@ %s\n#@ end\n", k, s),
		form("%s:\n#@ for i, h in enumerate(data.values.hosts):\n- #@ \"%%d %%s\" %% (i, h)\n#@ end\n", k),
		form("%s:\n#@ for i in range(%s %% 4):\n- #@ %s\n#@ end\n", k, g.leafNum, s),
		form("%s:\n#@ for h in data.values.hosts:\n#@ if h == %s:\n#@ continue\n#@ end\n- #@ h\n"+
			"#@ end\n", k, s),
		form("%s:\n#@ for n in data.values.nums:\n#@ if n > %s:\n#@ break\n#@ end\n- #@ n\n#@ end\n",
			k, g.limit),
		form("%s:\n  fixed: 1\n  #@ for k, v in struct.decode(data.values.labels).items():\n"+
			"  #@yaml/text-templated-strings\n  (@= k @): #@ v + %s\n  #@ end\n", k, s),
		form("%s:\n#@ for u in data.values.users:\n- name: #@ u.name\n  roles:\n  #@ for r in u.roles:\n"+
			"  - #@ r + %s\n  #@ end\n#@ end\n", k, s),
		form("%s:\n#@ for a, b in zip(data.values.hosts, data.values.nums):\n- a: #@ a\n  b: #@ b\n"+
			"#@ end\n", k),
		form("#@ for h in data.values.hosts:\n#@yaml/text-templated-strings\n%s-(@= h @): #@ %s\n"+
			"#@ end\n", k, s),
		form("%s:\n#@ for x in [%s, %s]:\n#@ if/end %s:\n- #@ x\n- end\n#@ end\n", k, s, s, c),
	)
}

func textKeys(g *generator, key string) (string, string) {
	s := func() string { return g.str(1) }
	k := text("%s", key)
	return "", g.one(
		form("#@yaml/text-templated-strings\n'%s-(@= %s @)': x\n%sy: 1\n", k, g.leafStr, k),
		form("#@yaml/text-templated-strings\n'%s-(@= %s @)': #@ %s\n%sy: 1\n", k, s, s, k),
		form("#@yaml/text-templated-strings\n%s: 'a-(@= %s @)-(@= str(%s) @)'\n", k, s, g.leafNum),
		form("#@yaml/text-templated-strings\n%s:\n  'k-(@= %s @)': 'v-(@= %s @)'\n  other: const\n", k,
			s, s),
		form("#@yaml/text-templated-strings\n'%s-(@= %s @)':\n  inner: const\n  more: #@ %s\n", k, s, s),
		form("#@yaml/text-templated-strings\n%s:\n- 'k-(@= %s @)': x\n  y: 2\n- z\n", k, s),
		form("#@yaml/text-templated-strings\n%s: '(@ if %s: @)on(@ else: @)off(@ end @)'\n", k,
			func() string { return g.cond(1) }),
		form("#@yaml/text-templated-strings\n"+
			"%s: '(@ for h in data.values.hosts: @)[(@= h @)](@ end @)'\n", k),
	)
}

func function(g *generator, key string) (string, string) {
	f := g.name("f")
	s := func() string { return g.str(1) }
	n := func() string { return g.num(1) }
	c := func() string { return g.cond(1) }
	name := text("%s", f)
	before := g.one(
		form("#@ def %s(a, b=3, *rest, **named):\n#@   if %s:\n#@     return a\n#@   end\n"+
			"#@   return a + str(b) + str(rest) + str(named)\n#@ end\n", name, c),
		form("#@ def %s(a, b=%s, *rest, **named):\n#@   out = []\n#@   for x in rest:\n"+
			"#@     out.append(x + a)\n"+
			"#@   end\n#@   return {\"list\": out, \"b\": b, \"n\": named}\n#@ end\n", name, n),
		form("#@ def %s(a, b=1, *rest, **named):\n#@   if b > %s:\n#@     a += \"big\"\n#@   elif b > 1:\n"+
			"#@     a = a + %s\n#@   end\n#@   return a\n#@ end\n", name, g.limit, s),
		form("#@ def %s(a, b=1, *rest, **named):\n#@   total = 0\n#@   for q in data.values.nums:\n"+
			"#@     if q > b:\n#@       continue\n#@     end\n#@     total += q\n#@   end\n"+
			"#@   return \"%%s %%d\" %% (a, total)\n#@ end\n", name),
	)
	call := g.one(
		form("%s(%s)", name, s), form("%s(%s, %s)", name, s, n), form("%s(%s, b=%s)", name, s, n),
		form("%s(%s, %s, %s)", name, s, n, s), form("%s(*[%s, %s])", name, s, n),
		form("%s(**{\"a\": %s})", name, s), form("%s(%s, z=%s)", name, s, s),
	)
	return before, fmt.Sprintf("%s: #@ %s\n", key, call)
}

func closure(g *generator, key string) (string, string) {
	f := text("%s", g.name("f"))
	s := func() string { return g.str(1) }
	before := g.one(
		form("#@ def %s(a):\n#@   b = %s\n#@   def inner(x):\n#@     return a + b + x\n#@   end\n"+
			"#@   return inner\n#@ end\n", f, s),
		form("#@ %s = lambda a: lambda x: a + x + %s\n", f, s),
		form("#@ def %s(a):\n#@   return lambda x: x if %s else a\n#@ end\n", f,
			func() string { return g.cond(1) }),
		form("#@ def %s(a):\n#@   seen = [a]\n#@   def inner(x):\n#@     seen.append(x)\n"+
			"#@     return \",\".join(seen)\n#@   end\n#@   return inner\n#@ end\n", f),
	)
	return before, fmt.Sprintf("%s: #@ %s\n", key, form("%s(%s)(%s)", f, s, s)())
}

// variables draws code that changes variables, and uses them.
func variables(g *generator, key string) (string, string) {
	v := g.name("v")
	vt := text("%s", v)
	s := func() string { return g.str(1) }
	n := func() string { return g.num(1) }
	c := func() string { return g.cond(1) }
	code := g.one(
		form("#@ %s = %s\n#@ if %s:\n#@   %s = %s\n#@ end\n", vt, s, c, vt, s),
		form("#@ %s = []\n#@ for p in data.values.ports:\n#@   if p.tls:\n"+
			"#@     %s.append(p.name + %s)\n#@   end\n#@ end\n", vt, vt, s),
		form("#@ %s = {\"x\": %s}\n#@ %s[\"y\"] = %s\n#@ %s.update({\"z\": %s})\n", vt, s, vt, n, vt, s),
		form("#@ %s = [%s]\n#@ %s.extend([%s, %s])\n#@ %s.insert(0, %s)\n", vt, s, vt, s, s, vt, s),
		form("#@ %s, unused = %s, %s\n", vt, s, s),
		form("#@ %s = [%s]\n#@ if %s:\n#@   %s += [%s]\n#@ end\n", vt, s, c, vt, s),
		form("#@ %s = {}\n#@ for h in data.values.hosts:\n#@   %s[h] = %s\n#@ end\n", vt, vt, s),
		form("#@ %s = {\"a\": %s, \"b\": %s}\n#@ %s.pop(\"b\")\n#@ %s.setdefault(\"c\", %s)\n", vt, s,
			s, vt, vt, s),
		form("#@ %s = %s\n#@ for q in data.values.nums:\n#@   if q > %s:\n#@     %s += \"+\"\n#@   end\n"+
			"#@ end\n", vt, s, g.limit, vt),
		form("#@ %s = struct.decode(data.values.labels)\n#@ %s[\"added\"] = %s\n", vt, vt, s),
		form("#@ %s = [%s, %s]\n#@ %s[1 if %s else 0] = %s\n", vt, s, s, vt, c, s),
		form("#@ %s = {\"in\": {}}\n#@ %s[\"in\"][\"deep\"] = [%s]\n"+
			"#@ %s[\"in\"][\"deep\"].append(%s)\n", vt, vt, s, vt, s),
		form("#@ (%s, unused), other = [%s, %s], %s\n", vt, s, s, s),
	)
	use := g.one(vt, vt, form("json.encode(%s)", vt), form("str(%s)", vt), form("len(%s)", vt))
	return code, fmt.Sprintf("%s: #@ %s\n", key, use)
}

func fragments(g *generator, key string) (string, string) {
	f := text("%s", g.name("f"))
	s := func() string { return g.str(1) }
	c := func() string { return g.cond(1) }
	before := g.one(
		form("#@ def %s(a):\nx: #@ a\n#@ if/end %s:\ny: #@ %s\nz:\n  w: #@ %s\n#@ end\n", f, c, s, s),
		form("#@ def %s(a):\n- #@ a\n#@ for h in data.values.hosts:\n- name: #@ h\n  v: #@ %s\n#@ end\n"+
			"#@ end\n", f, s),
		form("#@ def %s(a):\n#@   if %s:\n#@     return None\n#@   end\nx: #@ a\ny: #@ %s\n#@ end\n",
			f, c, s),
	)
	call := fmt.Sprintf("%s(%s)", f(), s())
	use := g.one(text("%s", call), text("json.encode(%s)", call), text("yaml.encode(%s)", call),
		text("str(%s)", call), text("md5.sum(yaml.encode(%s))", call))
	return before, fmt.Sprintf("%s: #@ %s\n", key, use)
}

func apply(g *generator, key string) (string, string) {
	base, over := text("%s", g.name("f")), text("%s", g.name("f"))
	s := func() string { return g.str(1) }
	c := func() string { return g.cond(1) }
	before := form("#@ def %s():\na: #@ %s\nb: 1\nlist:\n- name: web\n  v: #@ %s\n- name: prod\n"+
		"#@ end\n", base, s, s)()
	before += g.one(
		form("#@ def %s():\na: #@ %s\n#@overlay/match missing_ok=True\nc: #@ %s\n#@ end\n", over, s, s),
		form("#@ def %s():\n#@ if/end %s:\n#@overlay/remove\na:\nb: #@ %s\n#@ end\n", over, c, s),
		form("#@ def %s():\nlist:\n#@overlay/match by=\"name\", expects=\"0+\"\n- name: #@ %s\n"+
			"  #@overlay/match missing_ok=True\n  v: #@ %s\n#@ end\n", over, s, s),
		form("#@ def %s():\n#@overlay/replace via=lambda l, r: l + r + %s\na: #@ %s\n#@ end\n", over, s, s),
		form("#@ def %s():\n#@overlay/match missing_ok=True\n"+
			"labels: #@ {\"k\": %s, \"m\": {\"n\": %s}}\n#@ end\n", over, s, s),
	)
	right := g.one(form("%s()", over), form("%s()", over), form(`{"a": %s, "b": %s}`, s, g.leafNum))
	return before, fmt.Sprintf("%s: #@ overlay.apply(%s(), %s)\n", key, base(), right)
}

func replace(g *generator, key string) (string, string) {
	s := func() string { return g.str(1) }
	k := text("%s", key)
	return "", g.one(
		form("%s:\n  x: 1\n  _: #@ template.replace({\"a\": %s, \"b\": %s})\n", k, s, s),
		form("%s:\n  _: #@ template.replace(part(%s))\n  last: 1\n", k, s),
		form("%s:\n- a\n- #@ template.replace(%s)\n", k, func() string { return g.list(1) }),
		form("%s:\n  x: #@ %s\n  #@yaml/map-key-override\n  x: #@ %s\n", k, s, s),
		form("%s:\n  _: #@ template.replace({%s: 1, \"z\": 2})\n", k, s),
	)
}

// libraries draws evaluations of one library with different values.
func (g *generator) libraries() string {
	var b strings.Builder
	s := func() string { return g.str(1) }
	for range 2 + g.r.IntN(2) {
		lib := g.name("lib")
		fmt.Fprintf(&b,
			"#@ %s = library.get(\"lib\"%s).with_data_values({\"host\": %s, \"size\": %s, \"flag\": "+
				"bool(%s)})\n",
			lib, g.one(text(""), text(", alias=\"x%d\"", g.n)), s(), g.num(1), g.cond(1))
		if g.r.IntN(3) == 0 {
			fmt.Fprintf(&b, "#@ %s = %s.with_data_values({\"note\": %s})\n", lib, lib, s())
		}
		fmt.Fprintf(&b, "--- #@ template.replace(%s.eval())\n", lib)
		if g.r.IntN(2) == 0 {
			fmt.Fprintf(&b, "---\nid: Use\nspec:\n  %s: #@ %s.data_values().host\n"+
				"  %s: #@ %s.export(\"tagged\")(%s)\n",
				g.name("libvalues"), lib, g.name("libexport"), lib, s())
		}
	}
	return b.String()
}

// textFile draws a text template.
func (g *generator) textFile() string {
	code := strings.ReplaceAll(loads, "#@ ", "(@ ")
	code = strings.ReplaceAll(code, ")\n", ") -@)\n")
	return code + fmt.Sprintf(`first (@= %s @)
(@ if %s: -@)
second (@= str(%s) @) and (@= %s @)
(@ else: -@)
third
(@ end -@)
(@ for h in data.values.hosts: -@)
host (@= h @) (@= %s @)
(@ end -@)
fourth (@= json.encode(%s) @)
last
`, g.str(2), g.cond(2), g.num(1), g.str(1), g.str(0), g.nested(1))
}
