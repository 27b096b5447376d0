package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator draws code. names are variables that expressions may use besides data values.
type generator struct {
	r    *rand.Rand
	n    int
	strs []string
	nums []string
}

// one calls one of the choices.
func (g *generator) one(choices ...func() string) string {
	return choices[g.r.IntN(len(choices))]()
}

// text returns a choice with a fixed result.
func text(format string, args ...any) func() string {
	return func() string { return fmt.Sprintf(format, args...) }
}

// form returns a choice that draws its arguments when it is chosen.
func form(format string, args ...func() string) func() string {
	return func() string {
		drawn := make([]any, len(args))
		for i, a := range args {
			drawn[i] = a()
		}
		return fmt.Sprintf(format, drawn...)
	}
}

// name returns a unique name.
func (g *generator) name(prefix string) string {
	g.n++
	return fmt.Sprintf("%s%d", prefix, g.n)
}

func (g *generator) word() string { return words[g.r.IntN(len(words))] }

// limit returns a number to compare data values with: some are larger, some smaller.
func (g *generator) limit() string { return []string{"3", "10", "40"}[g.r.IntN(3)] }

// leafStr draws a string that is a data value, a name or a constant.
func (g *generator) leafStr() string {
	choices := []func() string{
		text("data.values.name"), text("data.values.env"), text("data.values.mode"),
		text("data.values.title"), text("data.values.db.host"), text("data.values.images.web.repo"),
		text("data.values.hosts[0]"), text("data.values.hosts[-1]"), text("data.values.ports[0].name"),
		text(`data.values.users[1]["name"]`), text(`data.values["env"]`),
	}
	for _, v := range g.strs {
		choices = append(choices, text("%s", v), text("%s", v), text("%s", v))
	}
	return g.one(choices...)
}

// leafNum draws a number in the same way.
func (g *generator) leafNum() string {
	choices := []func() string{
		text("data.values.count"), text("data.values.limit"), text("data.values.db.port"),
		text("data.values.db.pool.size"), text("data.values.nums[0]"), text("data.values.ports[0].port"),
		text("data.values.images.job.tag"), text("len(data.values.hosts)"),
	}
	for _, v := range g.nums {
		choices = append(choices, text("%s", v), text("%s", v), text("%s", v))
	}
	return g.one(choices...)
}

// str, num, cond, list and dict draw expressions of their types, nested at most as deep as deep.
func (g *generator) str(deep int) string {
	if deep <= 0 {
		return g.leafStr()
	}
	s := func() string { return g.str(deep - 1) }
	n := func() string { return g.num(deep - 1) }
	c := func() string { return g.cond(deep - 1) }
	return g.one(
		g.leafStr, g.leafStr, g.leafStr,
		form(`%s + "-" + %s`, s, s),
		form(`"%%s/%%d" %% (%s, %s)`, s, n),
		form(`"{}:{}".format(%s, %s)`, s, n),
		form(`"{a}={b}".format(a=%s, b=%s)`, s, s),
		form("str(%s)", n),
		form("(%s).%s()", s, g.method),
		form(`(%s).replace("o", %s)`, s, s),
		form(`(%s).split("-")[0]`, s),
		form(`(%s + "---")[1:4]`, s),
		form("(%s if %s else %s)", s, c, s),
		form("pick(%s, %s, %s)", c, s, s),
		form("shout(%s, times=%s)", s, text("%d", 1+g.r.IntN(2))),
		form("(lambda s, t=%s: s + t)(%s)", s, s),
		form("(lambda *a: a[%s])(%s, %s)", text("%d", g.r.IntN(2)), s, s),
		form(`",".join(%s)`, func() string { return g.list(deep - 1) }),
		form(`(%s)["%s"]`, func() string { return g.dict(deep - 1) }, text("a")),
		form(`(%s or %s)`, s, s),
		form(`(%s and %s or %s)`, c, s, s),
		form(`(data.values.opt or %s)`, s),
		form(`[%s, %s][%s]`, s, s, text("%d", g.r.IntN(2))),
	)
}

func (g *generator) method() string {
	return []string{"upper", "title", "strip", "capitalize", "lower"}[g.r.IntN(5)]
}

func (g *generator) num(deep int) string {
	if deep <= 0 {
		return g.leafNum()
	}
	s := func() string { return g.str(deep - 1) }
	n := func() string { return g.num(deep - 1) }
	c := func() string { return g.cond(deep - 1) }
	return g.one(
		g.leafNum, g.leafNum, g.leafNum,
		form("(%s + %s)", n, n), form("(%s * 2 - 1)", n), form("-%s", g.leafNum), form("%s // 3", n),
		form("min(%s, %s)", n, n), form("max([%s, %s])", n, n), text("max(data.values.nums)"),
		form("len(%s)", s), form("len(%s)", func() string { return g.list(deep - 1) }),
		form("(%s if %s else %s)", n, c, n), form("int(str(%s))", n),
		form("len([1 for q in data.values.nums if q > %s])", n),
		text("sum_of(data.values.nums)"),
		form("pick(%s, %s, %s)", c, n, n),
	)
}

func (g *generator) cond(deep int) string {
	if deep <= 0 {
		return g.one(
			text("data.values.public"), text("data.values.debug"), text("data.values.db.pool.wait"),
			text("data.values.ports[0].tls"), text("data.values.features.login"),
		)
	}
	s := func() string { return g.str(deep - 1) }
	n := func() string { return g.num(deep - 1) }
	c := func() string { return g.cond(deep - 1) }
	return g.one(
		func() string { return g.cond(0) }, func() string { return g.cond(0) },
		form(`%s == "%s"`, g.leafStr, g.word), form("%s > %s", g.leafNum, g.limit),
		form("%s > %s", n, g.limit), form("not %s", c), form("(%s and %s)", c, c),
		form("(%s or %s)", c, c), form("%s != %s", s, s), form(`"%s" in %s`, g.word, s),
		form(`%s in ["%s", "%s"]`, s, g.word, g.word), form(`(%s).startswith("%s")`, s, text("w")),
		form("bool(%s)", s), text("data.values.opt == None"), text("data.values.optmap != None"),
		form("any([q > %s for q in data.values.nums])", g.limit),
		form(`hasattr(data.values.labels, "%s")`, text("team")),
		form(`"%s" in data.values.labels`, text("nope")),
	)
}

// list draws a non-empty list of strings.
func (g *generator) list(deep int) string {
	s := func() string { return g.str(deep - 1) }
	if deep <= 0 {
		return g.one(text("data.values.hosts"), form("[%s, %s]", s, s),
			text("[p.name for p in data.values.ports]"))
	}
	l := func() string { return g.list(deep - 1) }
	return g.one(
		text("data.values.hosts"),
		form("[%s, %s]", s, s),
		form("%s + %s", l, l),
		form("[h + %s for h in %s]", s, l),
		form("[h.upper() for h in %s if h != %s] + [%s]", l, s, s),
		form("sorted(%s)", l),
		form("list(reversed(%s))", l),
		form("[p.name for p in data.values.ports if p.port > %s] + [\"x\"]", g.limit),
		form("[str(i) + h for i, h in enumerate(%s)]", l),
		form("[a + b for a, b in zip(%s, %s)] + [%s]", l, l, s),
		form("(%s)[:2]", l),
		form("list(%s.keys())", func() string { return g.dict(deep - 1) }),
		form("[k + v for k, v in %s.items()]", func() string { return g.dict(deep - 1) }),
		form(`(%s).split("-")`, s),
		form("(%s if %s else %s)", l, func() string { return g.cond(deep - 1) }, l),
	)
}

// dict draws a dict of strings that has the key "a".
func (g *generator) dict(deep int) string {
	s := func() string { return g.str(deep - 1) }
	return g.one(
		form(`{"a": %s, "b": %s}`, s, s),
		form(`{"a": %s, %s: "c"}`, s, s),
		form(`dict([("a", %s), ("b", %s)])`, s, s),
		form(`dict(a=%s, c=%s)`, s, s),
		form(`dict({"a": %s}, e=%s)`, s, s),
		form(`{k: v + %s for k, v in [("a", %s), ("d", %s)]}`, s, s, s),
	)
}

// nested draws a nested dict or list, as input for encoders.
func (g *generator) nested(deep int) string {
	if deep <= 0 {
		return g.one(
			g.leafStr, g.leafNum, func() string { return g.cond(0) }, text("data.values.db"),
			text("data.values.hosts"), text("data.values.images"),
			text("struct.decode(data.values.labels)"),
		)
	}
	x := func() string { return g.nested(deep - 1) }
	return g.one(
		form(`{"a": %s, "b": {"c": %s}}`, x, x),
		form(`[%s, [%s, "const"]]`, x, x),
		form(`{"list": [%s for x in data.values.nums], "k": %s}`, text("x + 1"), x),
		form(`{k: %s for k in %s}`, x, func() string { return g.list(0) }),
		form(`dict(a=%s, z=(%s, 1))`, x, x),
		form(`made_of(%s, %s)`, x, x),
		form(`struct.decode(struct.encode({"s": %s}))`, x),
	)
}

func indented(indent, code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		b.WriteString(indent + line)
	}
	return b.String()
}
