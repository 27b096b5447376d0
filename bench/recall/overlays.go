package main

import "fmt"

// targets draws the documents that overlays change.
func (g *generator) targets() string {
	out := ""
	for i := range 3 {
		out += fmt.Sprintf(`---
id: T%d
meta:
  name: #@ %s
  tier: %s
  labels: {app: x, %s: v}
over:
  scalar: #@ %s
  plain: 1
  list:
  - name: web
    v: 1
  - name: prod
    v: #@ %s
  - name: #@ %s
    v: 3
  words: [shop, web, prod]
`, i, g.leafStr(), g.word(), g.word(), g.str(1), g.num(1), g.leafStr())
	}
	return out
}

// overlay draws an overlay with one or two documents.
func (g *generator) overlay() string {
	out := g.overlayDocument()
	if g.r.IntN(2) == 0 {
		out += g.overlayDocument()
	}
	return out
}

func (g *generator) overlayDocument() string {
	s := func() string { return g.str(1) }
	c := func() string { return g.cond(1) }
	target := func() string { return fmt.Sprintf("T%d", g.r.IntN(3)) }
	key := func() string { return g.name("over") }
	head := g.one(
		form("#@overlay/match by=overlay.subset({\"id\": \"%s\"})\n---\n", target),
		form("#@overlay/match by=overlay.subset({\"id\": \"%s\"})\n---\n", target),
		form("#@overlay/match by=overlay.subset({\"meta\": {\"tier\": %s}}), expects=\"0+\"\n---\n",
			g.leafStr),
		form("#@overlay/match by=lambda i, l, r: l[\"id\"] == \"%s\" and %s, expects=\"0+\"\n---\n",
			target, c),
		form("#@overlay/match by=lambda i, l, r: \"meta\" in l and l[\"meta\"][\"tier\"] == %s, "+
			"expects=\"0+\"\n---\n", g.leafStr),
		form("#@overlay/match by=overlay.and_op(overlay.subset({\"over\": {\"plain\": 1}}), "+
			"overlay.not_op(overlay.subset({\"meta\": {\"tier\": %s}}))), expects=\"0+\"\n---\n",
			g.leafStr),
		form("#@overlay/match by=overlay.or_op(overlay.subset({\"id\": \"%s\"}), "+
			"overlay.subset({\"meta\": {\"tier\": %s}})), expects=\"0+\"\n---\n", target, g.leafStr),
		form("#@ if/end %s:\n#@overlay/match by=overlay.subset({\"id\": \"%s\"})\n---\n", c, target),
		form("#@overlay/match by=overlay.subset({\"id\": \"%s\"}), when=%s\n---\n", target, text("1")),
		form("#@overlay/match by=overlay.subset({\"over\": {\"plain\": 1}, \"id\": \"T1\" if %s else "+
			"\"T2\"}), expects=\"0+\"\n---\n", c),
	)
	if g.r.IntN(8) == 0 {
		return fmt.Sprintf("#@overlay/match by=overlay.subset({\"id\": \"%s\"})\n"+
			"#@overlay/match-child-defaults missing_ok=True\n"+
			"--- #@ {%q: %s, \"meta\": {%q: [%s]}}\n", target(), key(), s(), key(), g.leafNum())
	}
	return head + g.one(
		form("over:\n  scalar: #@ %s\n", s),
		form("over:\n  plain: 2\n  #@overlay/match missing_ok=True\n  %s: #@ %s\n", key, s),
		form("#@overlay/match-child-defaults missing_ok=True\nmeta:\n"+
			"  labels: #@ {\"app\": %s, \"component\": \"new\"}\n", s),
		form("meta:\n  #@overlay/match-child-defaults missing_ok=True\n  labels: #@ data.values.labels\n"),
		form("meta:\n  #@overlay/replace\n  labels: #@ data.values.db\n"),
		form("meta:\n  #@overlay/match missing_ok=True\n  %s: #@ struct.encode({\"z\": %s})\n", key, s),
		form("over:\n  list:\n  #@overlay/match by=\"name\", expects=\"0+\"\n  - name: #@ %s\n"+
			"    v: #@ %s\n", g.leafStr, g.leafNum),
		form("over:\n  list:\n  #@overlay/match by=overlay.index(%s %% 2)\n  - v: #@ %s\n", g.leafNum, s),
		form("over:\n  list:\n  #@overlay/match by=overlay.all, expects=\"1+\"\n  -\n"+
			"    #@overlay/match missing_ok=True\n    all: #@ %s\n", s),
		form("over:\n  list:\n  #@overlay/match by=lambda i, l, r: l[\"name\"] == %s, expects=\"0+\"\n"+
			"  #@overlay/remove\n  -\n", g.leafStr),
		form("over:\n  list:\n  #@overlay/append\n  - name: #@ %s\n    v: 9\n", s),
		form("over:\n  list:\n  #@overlay/match by=\"name\"\n  #@overlay/insert before=%s, after=True\n"+
			"  - name: web\n    v: #@ %s\n", c, s),
		form("over:\n  #@overlay/replace via=lambda l, r: \"%%s+%%s\" %% (l, %s)\n  scalar: #@ %s\n", s, s),
		form("over:\n  #@overlay/replace via=lambda l, r: l if %s else r\n  plain: 7\n", c),
		form("over:\n  #@ if/end %s:\n  #@overlay/remove\n  scalar:\n  plain: 3\n", c),
		form("over:\n  #@overlay/replace\n  list: #@ %s\n", func() string { return g.list(1) }),
		form("over:\n  words:\n  #@overlay/match by=lambda i, l, r: l == %s, expects=\"0+\"\n"+
			"  - #@ %s\n", g.leafStr, s),
		form("over:\n  words:\n  #@overlay/match by=overlay.subset(%s), expects=\"0+\"\n"+
			"  #@overlay/remove\n  - \"\"\n", g.leafStr),
		form("meta:\n  labels:\n    #@overlay/match by=lambda k, l, r: k == %s, expects=\"0+\"\n"+
			"    any: #@ %s\n", g.leafStr, s),
		form("over:\n  #@overlay/match-child-defaults expects=\"0+\"\n  list:\n"+
			"  #@overlay/match by=\"name\"\n  - name: #@ %s\n    v: 5\n", g.leafStr),
		form("over:\n  #@overlay/match missing_ok=True\n  %s:\n  #@ for h in data.values.hosts:\n"+
			"  - #@ h\n  #@ end\n", key),
		form("#@overlay/remove\nover:\nmeta:\n  name: #@ %s\n", s),
	)
}
