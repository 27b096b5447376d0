package lsp_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"weft/internal/serve/lsp/protocol"
)

// placesProject is the project whose files are typed in TestPlaces.
var placesProject = map[string]string{
	"weft.yml": "weft: 2026\ninputs: [config]\nenvironments:\n  prod:\n    valueFiles: [prod.yml]\n",
	"prod.yml": "name: shop\n",
	"config/schema.yml": `#@data/values-schema
---
#@schema/desc "name of the app"
name: web
replicas: 2
#@schema/validation one_of=["debug", "info", "warn"]
level: info
enabled: true
db:
  host: localhost
  port: 5432
  #@schema/nullable
  password: ""
ports:
- name: ""
  number: 0
  #@schema/validation one_of=["TCP", "UDP"]
  protocol: TCP
hosts:
- ""
resources:
  limits:
    cpu: ""
    memory: ""
#@schema/type any=True
extra: {}
`,
	"config/app.yml": "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"helpers.star\", \"address\")\n---\n" +
		"name: #@ data.values.name\naddress: #@ address(data.values.db)\n",
	"config/helpers.star": `load("@ytt:struct", "struct")

# labels returns the labels of an app.
def labels(name, tier="web", extra=None):
  return {"app": name, "tier": tier}
end

def address(db):
  return db.host + ":" + str(db.port)
end

settings = struct.make(color="red", width=3)
table = {"small": 1, "large": 2}
regions = ["a", "b"]
prefix = "x-"
`,
	"config/funcs.lib.yml":           "#@ def container(image, command=None):\nimage: #@ image\n#@ end\n",
	"config/_ytt_lib/app/schema.yml": "#@data/values-schema\n---\nweb:\n  port: 80\ndebug: false\n",
	"config/files/notes.txt":         "notes\n",
	"config/_ytt_lib/app/app.yml":    "port: 1\n",
	"config/_ytt_lib/app/lib.star":   "def shout(x):\n  return x.upper()\nend\n",
	"config/deployment.yml": `---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
      - name: main
        image: nginx
`,
}

// typed is a file with a cursor at ¦, and what should be among the first five items there.
type typed struct {
	name, path, text, want string
}

const (
	loadData = "#@ load(\"@ytt:data\", \"data\")\n"
	loadBoth = loadData + "#@ load(\"@ytt:overlay\", \"overlay\")\n"
	loadHelp = loadData +
		"#@ load(\"helpers.star\", \"labels\", \"settings\", \"table\", \"regions\", \"prefix\")\n"
	loadLib = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n"
)

// places are typical places where people complete.
var places = slices.Concat(dataPlaces, methodPlaces, callPlaces, namePlaces, loadPlaces,
	annotationPlaces, yamlPlaces, brokenPlaces, morePlaces, latePlaces)

var dataPlaces = []typed{
	{"a value", "t.yml", loadData + "a: #@ data.values.¦\n", "name"},
	{"a value with a beginning", "t.yml", loadData + "a: #@ data.values.rep¦\n", "replicas"},
	{"a nested value", "t.yml", loadData + "a: #@ data.values.db.¦\n", "host"},
	{"a value by its key", "t.yml", loadData + "a: #@ data.values[\"d¦\n", "db"},
	{"a nested value by its key", "t.yml", loadData + "a: #@ data.values[\"db\"][\"¦\"]\n", "port"},
	{"in an addition", "t.yml", loadData + "a: #@ \"x\" + data.values.db.¦\n", "host"},
	{"in a condition", "t.yml", loadData + "#@ if data.values.ena¦\na: 1\n#@ end\n", "enabled"},
	{"in a condition with a colon", "t.yml", loadData + "#@ if data.values.¦:\na: 1\n#@ end\n", "enabled"},
	{"in a condition at an item", "t.yml", loadData + "#@ if/end data.values.¦\na: 1\n", "enabled"},
	{"what a loop runs over", "t.yml", loadData + "#@ for p in data.values.po¦\n", "ports"},
	{
		"a loop variable", "t.yml",
		loadData + "#@ for p in data.values.ports:\n- a: #@ p.¦\n#@ end\n",
		"number",
	},
	{
		"a loop variable with an index", "t.yml",
		loadData + "#@ for i, p in enumerate(data.values.ports):\n- a: #@ p.¦\n#@ end\n",
		"name",
	},
	{
		"a loop variable without an end", "t.yml",
		loadData + "#@ for p in data.values.ports:\n- a: #@ p.¦\n",
		"number",
	},
	{"in a comprehension", "t.yml", loadData + "a: #@ [p.¦ for p in data.values.ports]\n", "name"},
	{
		"a condition of a comprehension", "t.yml",
		loadData + "a: #@ [p.name for p in data.values.ports if p.¦]\n",
		"number",
	},
	{"a list item", "t.yml", loadData + "a: #@ data.values.ports[0].¦\n", "name"},
	{"a variable", "t.yml", loadData + "#@ db = data.values.db\na: #@ db.¦\n", "host"},
	{
		"a variable of a variable", "t.yml",
		loadData + "#@ v = data.values\n#@ d = v.db\na: #@ d.po¦\n",
		"port",
	},
	{
		"a variable in a function", "t.yml",
		loadData + "#@ def f():\n#@ d = data.values.db\n#@ return d.¦\n#@ end\n",
		"host",
	},
	{
		"a parameter that gets data values", "t.yml",
		loadData + "#@ def f(d):\na: #@ d.¦\n#@ end\nb: #@ f(data.values.db)\n",
		"host",
	},
	{
		"the result of a function", "t.yml",
		loadData + "#@ def f():\n#@ return data.values.db\n#@ end\nb: #@ f().¦\n",
		"host",
	},
	{"an argument", "t.yml", loadData + "a: #@ str(data.values.¦\n", "name"},
	{"an argument with a parenthesis", "t.yml", loadData + "a: #@ str(data.values.¦)\n", "name"},
	{
		"a second argument", "t.yml",
		loadData + "a: #@ \"{}{}\".format(data.values.name, data.values.¦)\n",
		"name",
	},
	{"with a default", "t.yml", loadData + "a: #@ data.values.db.¦ or 1\n", "port"},
	{"hasattr", "t.yml", loadData + "#@ if hasattr(data.values, \"n¦\n", "name"},
	{"getattr", "t.yml", loadData + "a: #@ getattr(data.values.db, \"¦\")\n", "host"},
	{"a membership", "t.yml", loadData + "a: #@ \"ho¦\" in data.values.db\n", "host"},
	{"a value of a dict", "t.yml", loadData + "a: #@ {\"x\": data.values.¦}\n", "name"},
	{"a lambda", "t.yml", loadData + "a: #@ (lambda: data.values.¦)()\n", "name"},
	{"a conditional", "t.yml", loadData + "a: #@ 1 if data.values.¦ else 2\n", "enabled"},
	{"a script", "t.star", "load(\"@ytt:data\", \"data\")\ndef f():\n  return data.values.¦\nend\n", "name"},
	{
		"a script without an end", "t.star",
		"load(\"@ytt:data\", \"data\")\ndef f():\n  x = data.values.db.¦\n",
		"host",
	},
	{"a text template", "t.txt", "(@ load(\"@ytt:data\", \"data\") @)\nname=(@= data.values.¦ @)\n", "name"},
	{
		"a text template without an end", "t.txt",
		"(@ load(\"@ytt:data\", \"data\") @)\nname=(@= data.values.db.¦",
		"host",
	},
	{
		"a text template in YAML", "t.yml",
		loadData + "#@yaml/text-templated-strings\na: \"x-(@= data.values.¦ @)\"\n",
		"name",
	},
	{"a key", "t.yml", loadData + "#@yaml/text-templated-strings\n(@= data.values.¦ @): 1\n", "name"},
	{"a parenthesis before", "t.yml", loadData + "a: #@ (data.values.db).¦\n", "host"},
	{
		"a parameter of another file", "helpers.star",
		"def address(db):\n  return db.¦\nend\n",
		"host",
	},
}

var methodPlaces = []typed{
	{"a method of a literal", "t.yml", "a: #@ \"x\".up¦\n", "upper"},
	{"methods of a literal", "t.yml", "a: #@ \"x {}\".¦\n", "format"},
	{"a method of a data value", "t.yml", loadData + "a: #@ data.values.name.¦\n", "upper"},
	{"a method with a beginning", "t.yml", loadData + "a: #@ data.values.name.sta¦\n", "startswith"},
	{"a method of a list", "t.yml", "#@ x = []\n#@ x.¦\n", "append"},
	{"a method of a list literal", "t.yml", "a: #@ [1, 2].ind¦\n", "index"},
	{"a method of a dict", "t.yml", "#@ x = {\"a\": 1}\n#@ for k, v in x.¦\n", "items"},
	{"a method of a dict function", "t.yml", "#@ x = dict(a=1)\na: #@ x.g¦\n", "get"},
	{"a method of the result of a method", "t.yml", "a: #@ \"x\".upper().¦\n", "lower"},
	{"a method of the result of str", "t.yml", "a: #@ str(1).repl¦\n", "replace"},
	{"a method of a list of a split", "t.yml", "#@ parts = \"a b\".split(\" \")\n#@ parts.¦\n", "append"},
	{"a method of an element of a split", "t.yml", "a: #@ \"a b\".split(\" \")[0].str¦\n", "strip"},
	{
		"a method of a loop variable of strings", "t.yml",
		loadData + "#@ for h in data.values.hosts:\n- #@ h.up¦\n#@ end\n",
		"upper",
	},
	{
		"a method of a string of a module", "t.yml",
		"#@ load(\"@ytt:json\", \"json\")\na: #@ json.encode({}).¦\n",
		"replace",
	},
	{
		"a field of a struct", "t.yml",
		"#@ load(\"@ytt:struct\", \"struct\")\n#@ s = struct.make(color=1, size=2)\na: #@ s.¦\n",
		"color",
	},
	{"a field of a loaded struct", "t.yml", loadHelp + "a: #@ settings.¦\n", "width"},
	{"a method of a loaded dict", "t.yml", loadHelp + "a: #@ table.¦\n", "get"},
	{"a key of a loaded dict", "t.yml", loadHelp + "a: #@ table[\"¦\n", "large"},
	{"a key of a dict", "t.yml", "#@ x = {\"alpha\": 1, \"beta\": 2}\na: #@ x[\"¦\"]\n", "beta"},
	{"a method of a loaded list", "t.yml", loadHelp + "a: #@ regions.ind¦\n", "index"},
	{"a method of a loaded string", "t.yml", loadHelp + "a: #@ prefix.¦\n", "replace"},
	{"the result of a loaded function", "t.yml", loadHelp + "a: #@ labels(\"x\").¦\n", "get"},
	{"a library", "t.yml", loadLib + "#@ app = library.get(\"app\")\n#@ app.¦\n", "with_data_values"},
	{
		"the result of a library", "t.yml",
		loadLib + "--- #@ template.replace(library.get(\"app\").¦)\n",
		"eval",
	},
	{
		"a library with data values", "t.yml",
		loadLib + "#@ x = library.get(\"app\").with_data_values({}).ev¦\n",
		"eval",
	},
	{"data values of a library", "t.yml", loadLib + "#@ x = library.get(\"app\").data_values().¦\n", "web"},
}

var callPlaces = []typed{
	{
		"a keyword of a function", "t.yml",
		"#@ def f(name, size=1):\na: 1\n#@ end\nb: #@ f(\"x\", ¦\n",
		"size=",
	},
	{
		"a keyword with a beginning", "t.yml",
		"#@ def f(name, size=1):\na: 1\n#@ end\nb: #@ f(\"x\", si¦)\n",
		"size=",
	},
	{"a keyword of a loaded function", "t.yml", loadHelp + "a: #@ labels(\"x\", t¦\n", "tier="},
	{
		"a keyword of a YAML function", "t.yml",
		"#@ load(\"funcs.lib.yml\", \"container\")\na: #@ container(\"x\", comm¦\n",
		"command=",
	},
	{"another keyword", "t.yml", loadHelp + "a: #@ labels(\"x\", tier=\"y\", ¦)\n", "extra="},
	{
		"a keyword of a module", "t.yml",
		"#@ load(\"@ytt:json\", \"json\")\na: #@ json.encode({}, ind¦\n",
		"indent=",
	},
	{
		"keywords of a module", "t.yml",
		"#@ load(\"@ytt:base64\", \"base64\")\na: #@ base64.encode(\"x\", ¦)\n",
		"url=",
	},
	{"a keyword of sorted", "t.yml", "a: #@ sorted([], re¦\n", "reverse="},
	{"keywords of sorted", "t.yml", "a: #@ sorted([], ¦)\n", "key="},
	{"a keyword of library.get", "t.yml", loadLib + "#@ x = library.get(\"app\", al¦\n", "alias="},
	{"a function of a module", "t.yml", "#@ load(\"@ytt:json\", \"json\")\na: #@ json.¦\n", "encode"},
	{"a function of an unloaded module", "t.yml", "a: #@ base64.¦\n", "encode"},
	{
		"a function of a module with a beginning", "t.yml",
		"#@ load(\"@ytt:regexp\", \"regexp\")\na: #@ regexp.m¦\n",
		"match",
	},
	{"a function of assert", "t.yml", "#@ load(\"@ytt:assert\", \"assert\")\n#@ assert.¦\n", "fail"},
	{"a function of struct", "t.yml", "#@ load(\"@ytt:struct\", \"struct\")\n#@ x = struct.¦\n", "make"},
	{"a function of overlay", "t.yml", loadBoth + "#@ x = overlay.¦\n", "subset"},
	{"a function of data", "t.yml", loadData + "#@ x = data.¦\n", "values"},
	{
		"a keyword of a module with another name", "t.yml",
		"#@ load(\"@ytt:json\", j=\"json\")\na: #@ j.encode({}, ind¦)\n",
		"indent=",
	},
}

var namePlaces = []typed{
	{"a builtin", "t.yml", "a: #@ le¦\n", "len"},
	{"a builtin in a call", "t.yml", "a: #@ str(en¦\n", "enumerate"},
	{"a variable", "t.yml", "#@ color = 1\na: #@ co¦\n", "color"},
	{"an own function", "t.yml", "#@ def size():\n#@ return 1\n#@ end\na: #@ si¦\n", "size"},
	{"a parameter", "t.yml", "#@ def f(image):\na: #@ im¦\n#@ end\n", "image"},
	{"a loop variable", "t.yml", "#@ for item in [1]:\n- #@ it¦\n#@ end\n", "item"},
	{"a variable of a comprehension", "t.yml", "a: #@ [nam¦ for name in [1]]\n", "name"},
	{"a parameter of a lambda", "t.yml", "a: #@ lambda left, right: le¦\n", "left"},
	{"a loaded name", "t.yml", loadHelp + "a: #@ lab¦\n", "labels"},
	{"a name of another file", "t.yml", "a: #@ contai¦\n", "container"},
	{"a module", "t.yml", "a: #@ jso¦\n", "json"},
	{"data", "t.yml", "a: #@ da¦\n", "data"},
	{"any value", "t.yml", loadData + "a: #@ ¦\n", "data"},
	{"any value of a function", "t.yml", "#@ def f(image):\na: #@ ¦\n#@ end\n", "image"},
	{"the end of a loop", "t.yml", "#@ for x in [1]:\n- 1\n#@ e¦\n", "end"},
	{"the end of a condition", "t.yml", "#@ if True:\na: 1\n#@ ¦\n", "end"},
	{"a loop", "t.yml", "a:\n#@ fo¦\n", "for"},
	{"a condition", "t.yml", "#@ i¦\na: 1\n", "if"},
	{"a function", "t.yml", "#@ de¦\na: 1\n", "def"},
	{"a load", "t.yml", "#@ lo¦\n", "load"},
	{"elif", "t.yml", "#@ if True:\na: 1\n#@ el¦\n#@ end\n", "else:"},
	{"return", "t.yml", "#@ def f():\n#@ ret¦\n#@ end\n", "return"},
	{"not", "t.yml", "#@ if no¦\n", "not"},
	{"True", "t.yml", "a: #@ Tr¦\n", "True"},
	{"lambda", "t.yml", "a: #@ sorted([], key=lam¦\n", "lambda"},
}

var loadPlaces = []typed{
	{"a module", "t.yml", "#@ load(\"@ytt:da¦\n", "@ytt:data"},
	{"any module", "t.yml", "#@ load(\"¦\")\n", "@ytt:data"},
	{"a file", "t.yml", "#@ load(\"hel¦\")\n", "helpers.star"},
	{"a file of a library", "t.yml", "#@ load(\"@app¦\n", "@app:lib.star"},
	{"the name of a module", "t.yml", "#@ load(\"@ytt:overlay\", \"¦\")\n", "overlay"},
	{"a name of a file", "t.yml", "#@ load(\"helpers.star\", \"¦\")\n", "labels"},
	{"a second name of a file", "t.yml", "#@ load(\"helpers.star\", \"labels\", \"¦\")\n", "address"},
	{"a name with another name", "t.yml", "#@ load(\"helpers.star\", l=\"lab¦\n", "labels"},
	{"a name of a file of YAML", "t.yml", "#@ load(\"funcs.lib.yml\", \"¦\")\n", "container"},
	{"a library", "t.yml", loadLib + "#@ x = library.get(\"¦\")\n", "app"},
	{
		"a value of a library", "t.yml",
		loadLib + "#@ x = library.get(\"app\").with_data_values({\"¦\n",
		"debug",
	},
	{"a file to read", "t.yml", loadData + "a: #@ data.read(\"dep¦\n", "deployment.yml"},
}

var annotationPlaces = []typed{
	{"a group", "t.yml", "#@ov¦\na: 1\n", "overlay/"},
	{"an overlay", "t.yml", "#@overlay/¦\na: 1\n", "match"},
	{"a schema", "schema2.yml", "#@data/values-schema\n---\n#@schema/¦\na: 1\n", "desc"},
	{"a rule of a schema", "schema2.yml", "#@data/values-schema\n---\n#@schema/val¦\na: 1\n", "validation"},
	{"data values", "t.yml", "#@data/¦\n---\na: 1\n", "values"},
	{"keywords of a match", "t.yml", loadBoth + "#@overlay/match ¦\n---\na: 1\n", "by="},
	{"a second keyword", "t.yml", loadBoth + "#@overlay/match by=overlay.all, ¦\n---\na: 1\n", "expects="},
	{"what to match by", "t.yml", loadBoth + "#@overlay/match by=¦\n---\na: 1\n", "overlay.subset("},
	{"a function to match by", "t.yml", loadBoth + "#@overlay/match by=overlay.¦\n---\na: 1\n", "subset"},
	{
		"a function with a beginning", "t.yml",
		loadBoth + "#@overlay/match by=overlay.map¦\n---\na: 1\n",
		"map_key",
	},
	{"expects", "t.yml", loadBoth + "#@overlay/match by=overlay.all, expects=¦\n---\na: 1\n", "\"1+\""},
	{"a bool", "t.yml", loadBoth + "#@overlay/match missing_ok=¦\na: 1\n", "True"},
	{"a lambda", "t.yml", loadBoth + "#@overlay/replace via=¦\na: 1\n", "lambda left, right: "},
	{
		"a parameter of a lambda", "t.yml",
		loadBoth + "#@overlay/replace via=lambda left, right: le¦\na: 1\n",
		"left",
	},
	{
		"data values", "t.yml",
		loadBoth + "#@overlay/replace via=lambda left, right: data.values.¦\na: 1\n",
		"name",
	},
	{
		"a match with data values", "t.yml",
		loadBoth + "#@overlay/match by=overlay.subset({\"a\": data.values.¦})\n---\na: 1\n",
		"name",
	},
	{
		"keywords of a validation", "schema2.yml",
		"#@data/values-schema\n---\n#@schema/validation ¦\na: 1\n",
		"min=",
	},
	{
		"a second keyword of a validation", "schema2.yml",
		"#@data/values-schema\n---\n#@schema/validation min=1, ma¦\na: 1\n",
		"max=",
	},
	{"a type", "schema2.yml", "#@data/values-schema\n---\n#@schema/type ¦\na: 1\n", "any="},
	{
		"a method in a validation", "schema2.yml",
		"#@data/values-schema\n---\n#@schema/validation (\"x\", lambda v: v.st¦)\na: \"\"\n",
		"startswith",
	},
	{
		"a parameter in a validation", "schema2.yml",
		"#@data/values-schema\n---\n#@schema/validation (\"x\", lambda value: va¦)\na: \"\"\n",
		"value",
	},
	{
		"a key in a validation of a map", "schema2.yml",
		"#@data/values-schema\n---\n#@schema/validation (\"x\", lambda v: v.¦)\na:\n  low: 1\n  high: 2\n",
		"low",
	},
	{
		"a function as an argument", "t.yml",
		loadBoth + "#@ def mine(i, l, r):\n#@ return True\n#@ end\n#@overlay/match by=mi¦\n---\na: 1\n",
		"mine",
	},
}

var yamlPlaces = []typed{
	{"a key of a values file", "prod.yml", "¦\n", "name"},
	{"a key with a beginning", "prod.yml", "name: x\nrep¦\n", "replicas"},
	{"a nested key", "prod.yml", "db:\n  ¦\n", "host"},
	{"a second nested key", "prod.yml", "db:\n  host: x\n  p¦\n", "port"},
	{"a key of a list item", "prod.yml", "ports:\n- ¦\n", "name"},
	{"a key of an indented list item", "prod.yml", "ports:\n  - n¦\n", "number"},
	{"a second key of a list item", "prod.yml", "ports:\n- name: x\n  ¦\n", "number"},
	{"an item after another", "prod.yml", "ports:\n- name: x\n  number: 1\n- ¦\n", "name"},
	{"an enum", "prod.yml", "level: ¦\n", "debug"},
	{"an enum with a beginning", "prod.yml", "level: wa¦\n", "warn"},
	{"a bool", "prod.yml", "enabled: ¦\n", "false"},
	{"an enum of a list item", "prod.yml", "ports:\n- name: x\n  protocol: ¦\n", "UDP"},
	{"a key of data values", "values2.yml", "#@data/values\n---\n¦\n", "name"},
	{"a nested key of data values", "values2.yml", "#@data/values\n---\ndb:\n  ¦\n", "host"},
	{"a list item of data values", "values2.yml", "#@data/values\n---\nports:\n- ¦\n", "name"},
	{"an enum of data values", "values2.yml", "#@data/values\n---\nlevel: ¦\n", "info"},
	{"a deep key", "prod.yml", "resources:\n  limits:\n    ¦\n", "memory"},
	{"a key in braces", "prod.yml", "db: {ho¦}\n", "host"},
	{"a key between others", "prod.yml", "name: x\n¦\nreplicas: 1\n", "level"},
}

var brokenPlaces = []typed{
	{"a wrong line above", "t.yml", loadData + "#@ x = = 1\na: #@ data.values.¦\n", "name"},
	{"a wrong line below", "t.yml", loadData + "a: #@ data.values.db.¦\n#@ y = (\nb: 1\n", "host"},
	{"wrong YAML below", "t.yml", loadData + "a: #@ data.values.db.¦\nb: [1\nc: }\n", "host"},
	{"wrong YAML above", "t.yml", loadData + "b: \"x\n---\na: #@ data.values.db.¦\n", "host"},
	{"a missing end", "t.yml", loadData + "#@ if True:\na: #@ data.values.db.¦\n", "host"},
	{
		"a missing end in a script", "t.star",
		"load(\"@ytt:data\", \"data\")\ndef f(image):\n  x = im¦\n",
		"image",
	},
	{"an open bracket", "t.star", "load(\"@ytt:data\", \"data\")\nx = [\n  1,\n  data.values.¦\n", "name"},
	{"a loop above that is wrong", "t.yml", loadData + "#@ for x in\n#@ end\na: #@ data.values.¦\n", "name"},
	{
		"a loop variable with an error below", "t.yml",
		loadData + "#@ for p in data.values.ports:\n- a: #@ p.¦\n  b: #@ p.\n#@ end\n",
		"number",
	},
	{"without a load", "t.yml", "a: #@ data.values.¦\n", "name"},
	{"CRLF", "t.yml", "#@ load(\"@ytt:data\", \"data\")\r\na: #@ data.values.¦\r\nb: 1\r\n", "name"},
	{"after characters of several bytes", "t.yml", loadData + "a: #@ \"ü😀\" + data.values.¦\n", "name"},
}

// morePlaces were written down after the others held, to see how many hold by themselves: 65 of 81 did.
var morePlaces = []typed{
	{"struct items", "t.yml", loadData + "#@ x = struct.decode(data.values.db).¦\n", "items"},
	{"key of items is string", "t.yml", "#@ for k, v in {\"a\": 1}.items():\n- #@ k.up¦\n#@ end\n", "upper"},
	{
		"value in nested for", "t.yml",
		loadData + "#@ for p in data.values.ports:\n#@ if p.¦\n- 1\n#@ end\n#@ end\n",
		"name",
	},
	{
		"for in def", "t.yml",
		loadData + "#@ def f():\n#@ for p in data.values.ports:\n- n: #@ p.nu¦\n#@ end\n#@ end\n",
		"number",
	},
	{"return dict field", "t.star", "def f():\n  return {\"alpha\": 1}\nend\nx = f()[\"¦\n", "alpha"},
	{"dict get key", "t.star", "d = {\"alpha\": 1}\nx = d.get(\"¦\n", "alpha"},
	{"in dict", "t.star", "d = {\"alpha\": 1}\nx = \"a¦\" in d\n", "alpha"},
	{"dict value type", "t.star", "d = {\"alpha\": \"x\"}\nx = d[\"alpha\"].up¦\n", "upper"},
	{
		"struct encode", "t.yml",
		"#@ load(\"@ytt:struct\", \"struct\")\n#@ s = struct.encode({\"color\": 1})\na: #@ s.¦\n",
		"color",
	},
	{
		"nested struct", "t.yml",
		"#@ load(\"@ytt:struct\", \"struct\")\n#@ s = struct.make(a=struct.make(b=1))\na: #@ s.a.¦\n",
		"b",
	},
	{
		"enumerate sort", "t.yml",
		loadData + "#@ for i, h in enumerate(sorted(data.values.hosts)):\n- #@ h.rep¦\n#@ end\n",
		"replace",
	},
	{"join arg", "t.yml", loadData + "a: #@ \",\".join(data.values.ho¦)\n", "hosts"},
	{"format arg", "t.yml", loadData + "a: #@ \"{}\".format(data.values.db.p¦\n", "port"},
	{"percent", "t.yml", loadData + "a: #@ \"%s\" % data.values.¦\n", "name"},
	{"% tuple", "t.yml", loadData + "a: #@ \"%s %s\" % (data.values.name, data.values.db.¦)\n", "host"},
	{"not", "t.yml", loadData + "#@ if not data.values.en¦:\na: 1\n#@ end\n", "enabled"},
	{"and", "t.yml", loadData + "#@ if data.values.enabled and data.values.rep¦\na: 1\n", "replicas"},
	{
		"elif", "t.yml",
		loadData + "#@ if data.values.enabled:\na: 1\n#@ elif data.values.lev¦\nb: 1\n#@ end\n",
		"level",
	},
	{"compare", "t.yml", loadData + "#@ if data.values.level == \"¦\"\na: 1\n#@ end\n", "debug"},
	{"keyword value", "t.yml", loadHelp + "a: #@ labels(name=data.values.¦)\n", "name"},
	{"positional keyword", "t.yml", loadHelp + "a: #@ labels(¦)\n", "name="},
	{"yaml fn call", "t.yml", "#@ load(\"funcs.lib.yml\", \"container\")\n- #@ container(¦)\n", "image="},
	{"overlay apply", "t.yml", loadBoth + "#@ x = overlay.ap¦\n", "apply"},
	{
		"overlay subset arg", "t.yml",
		loadBoth + "#@overlay/match by=overlay.subset({\"kind\":\"Deployment\"}), ¦\n---\n",
		"expects=",
	},
	{
		"overlay annotations on item", "t.yml",
		loadBoth + "#@overlay/match by=overlay.all\n---\nspec:\n  #@overlay/¦\n  replicas: 1\n",
		"match",
	},
	{
		"overlay append", "t.yml",
		loadBoth + "#@overlay/match by=overlay.all\n---\nspec:\n  x:\n  #@overlay/ap¦\n  - 1\n",
		"append",
	},
	{
		"validation when", "schema2.yml",
		"#@data/values-schema\n---\n#@schema/validation min=1, when=lambda v: v.¦\na: \"\"\n",
		"format",
	},
	{"nullable", "schema2.yml", "#@data/values-schema\n---\n#@schema/nu¦\na: \"\"\n", "nullable"},
	{"one_of", "schema2.yml", "#@data/values-schema\n---\n#@schema/validation one_¦\na: \"\"\n", "one_of="},
	{"type any", "schema2.yml", "#@data/values-schema\n---\n#@schema/type any=¦\na: \"\"\n", "True"},
	{"default", "schema2.yml", "#@data/values-schema\n---\n#@schema/def¦\na:\n- \"\"\n", "default"},
	{"missing_ok", "t.yml", "#@data/values\n---\n#@overlay/match mis¦\nname: 1\n", "missing_ok="},
	{"load data", "t.yml", "#@ load(\"@¦\n", "@ytt:data"},
	{"load overlay", "t.yml", "#@ load(\"@ytt:o¦\n", "@ytt:overlay"},
	{"load in star", "t.star", "load(\"@ytt:s¦\n", "@ytt:struct"},
	{"load in text", "t.txt", "(@ load(\"@ytt:¦\n", "@ytt:data"},
	{"load name alias 2", "t.yml", "#@ load(\"@ytt:data\", d=\"¦\")\n", "data"},
	{"star local", "t.star", "def f():\n  total = 1\n  return to¦\nend\n", "total"},
	{"star param dict", "t.star", "def f(x={}):\n  return x.it¦\nend\n", "items"},
	{"star param str", "t.star", "def f(x=\"\"):\n  return x.¦\nend\n", "replace"},
	{"param unknown", "t.star", "def f(x):\n  return x.spl¦\nend\n", "split"},
	{"lambda in sorted", "t.yml", loadData + "a: #@ sorted(data.values.ports, key=lambda p: p.¦)\n", "name"},
	{
		"lambda in map", "t.yml",
		loadData + "a: #@ [f.upper() for f in data.values.hosts if f.starts¦]\n",
		"startswith",
	},
	{"dict comp", "t.yml", loadData + "a: #@ {p.name: p.¦ for p in data.values.ports}\n", "number"},
	{"nested comp", "t.yml", loadData + "a: #@ [q.¦ for q in [p for p in data.values.ports]]\n", "name"},
	{
		"text for", "t.txt",
		"(@ load(\"@ytt:data\", \"data\") @)\n(@ for p in data.values.ports: @)\n(@= p.¦ @)\n(@ end @)\n",
		"name",
	},
	{
		"text if", "t.txt",
		"(@ load(\"@ytt:data\", \"data\") @)\n(@ if data.values.¦ @)\nx\n(@ end @)\n",
		"enabled",
	},
	{"multi-line code", "t.yml", loadData + "#@ x = [\n#@   data.values.¦,\n#@ ]\na: 1\n", "name"},
	{"multi-line dict", "t.yml", loadData + "#@ x = {\n#@   \"a\": data.values.db.¦\n#@ }\na: 1\n", "host"},
	{"multi-line call", "t.star", "load(\"@ytt:data\", \"data\")\nx = str(\n  data.values.¦\n)\n", "name"},
	{
		"assert", "t.yml",
		"#@ load(\"@ytt:assert\", \"assert\")\n#@ if True:\n#@   assert.f¦\n#@ end\n",
		"fail",
	},
	{"template replace", "t.yml", loadLib + "--- #@ template.¦\n", "replace"},
	{
		"library chain", "t.yml",
		loadLib + "--- #@ template.replace(library.get(\"app\")" +
			".with_data_values({\"web\": {\"¦\": 1}}).eval())\n",
		"port",
	},
	{"values by env", "prod.yml", "resources:\n  limits:\n    cpu: 1\n    ¦\n", "memory"},
	{"comment after", "prod.yml", "ports:\n- name: x # y\n  nu¦\n", "number"},
	{"bool typed", "prod.yml", "enabled: tr¦\n", "true"},
	{"after eq", "t.yml", loadData + "#@ x =¦\n", "data"},
	{"after paren", "t.yml", loadData + "#@ x = (¦\n", "data"},
	{"in list", "t.yml", loadData + "#@ x = [¦\n", "data"},
	{"None", "t.yml", "a: #@ No¦\n", "None"},
	{"end after code", "t.yml", "#@ def f():\n#@   return 1\n#@ en¦\n", "end"},
	{"break", "t.yml", "#@ for x in [1]:\n#@ bre¦\n#@ end\n", "break"},
	{"continue", "t.yml", "#@ for x in [1]:\n#@ cont¦\n#@ end\n", "continue"},
	{"in keyword", "t.yml", "#@ for x i¦\n", "in"},
	{"else cond", "t.yml", "a: #@ 1 if True el¦\n", "else"},
	{"url parse", "t.yml", "#@ load(\"@ytt:url\", \"url\")\na: #@ url.p¦\n", "parse"},
	{"regexp replace kw", "t.yml", "#@ load(\"@ytt:regexp\", \"regexp\")\na: #@ regexp.rep¦\n", "replace"},
	{"yaml encode", "t.yml", "#@ load(\"@ytt:yaml\", \"yaml\")\na: #@ yaml.¦\n", "encode"},
	{"values root var method", "t.yml", loadData + "#@ v = data.values\na: #@ v.db.host.¦\n", "upper"},
	{"int value", "t.yml", loadData + "a: #@ str(data.values.re¦\n", "replicas"},
	{"any value", "t.yml", loadData + "a: #@ data.values.ex¦\n", "extra"},
	{"annotation code", "t.yml", "#@ya¦\n---\n", "yaml/"},
	{"output", "t.yml", "#@output/¦\n---\na: 1\n", "file"},
}

// TestPlaces completes at places that people complete at, in files that were just opened: what they
// want is among the first five items.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, placesProject)
	c := dial(t, dir, nil)
	c.open("config/app.yml", placesProject["config/app.yml"])
	c.settle()
	missed := 0
	for _, p := range places {
		var got []string
		for _, item := range c.completeTyped(p) {
			got = append(got, item.Label)
		}
		if !slices.Contains(got[:min(5, len(got))], p.want) {
			missed++
			t.Errorf("%s: %s is not among the first five items: %q\n%s", p.name, p.want,
				got[:min(8, len(got))], p.text)
		}
	}
	t.Logf("%d of %d places", len(places)-missed, len(places))
}

// TestMatchKeys completes the key that items are matched by. The keys come from the output, so the project
// must have been rendered before the overlay is typed.
func TestMatchKeys(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, placesProject)
	c := dial(t, dir, nil)
	c.open("config/app.yml", placesProject["config/app.yml"])
	c.settle()
	items := c.completeTyped(typed{path: "t.yml", text: loadBoth + "#@overlay/match by=overlay.all\n---\n" +
		"spec:\n  template:\n    spec:\n      containers:\n      #@overlay/match by=\"¦\"\n      - name: x\n"})
	if len(items) == 0 || items[0].Label != "name" {
		t.Errorf("%v, expected name first", items)
	}
}

// completeTyped opens a file, and returns the items at the cursor, as editors show them: those that begin
// with the word before the cursor, sorted.
func (c *client) completeTyped(p typed) (items []protocol.CompletionItem) {
	path := p.path
	if path != "prod.yml" {
		path = "config/" + path
	}
	before, after, _ := strings.Cut(p.text, "¦")
	text := before + after
	c.open(path, text)
	defer c.conn.Notify("textDocument/didClose", protocol.DidCloseParams{DocumentParams: c.document(path)})
	lines := strings.Split(before, "\n")
	at := protocol.PositionParams{DocumentParams: c.document(path), Position: protocol.Position{
		Line: len(lines) - 1, Character: len(utf16.Encode([]rune(lines[len(lines)-1]))),
	}}
	var list protocol.CompletionList
	c.call("textDocument/completion", protocol.CompletionParams{PositionParams: at}, &list)
	slices.SortStableFunc(list.Items, func(a, b protocol.CompletionItem) int {
		return strings.Compare(a.SortText, b.SortText)
	})
	for _, item := range list.Items {
		r := item.TextEdit.Range
		word := lines[len(lines)-1]
		word = word[max(0, len(word)-(r.End.Character-r.Start.Character)):]
		filter := item.FilterText
		if filter == "" {
			filter = item.Label
		}
		if strings.HasPrefix(strings.ToLower(filter), strings.ToLower(word)) {
			items = append(items, item)
		}
	}
	return items
}

// TestSnippets completes blocks with their ends, for clients that can fill them in and before nothing else.
func TestSnippets(t *testing.T) {
	for _, x := range []struct {
		path, text, label, want string
		snippets                bool
	}{
		{"t.yml", "a:\n  #@ fo¦\n", "for", "for ${1:item} in ${2:items}:\n$0\n#@ end", true},
		{"t.yml", "#@ i¦\r\na: 1\r\n", "if", "if ${1:condition}:\r\n$0\r\n#@ end", true},
		{"t.star", "de¦", "def", "def ${1:name}($2):\n  $0\nend", true},
		{"t.yml", "#@ fo¦ x\n", "for", "for", true},
		{"t.yml", "a: #@ [x fo¦\n", "for", "for", true},
		{"t.yml", "#@ fo¦\n", "for", "for", false},
		{"t.txt", "(@ fo¦ @)\n", "for", "for", true},
	} {
		dir := t.TempDir()
		write(t, dir, placesProject)
		c := dial(t, dir, func(p *protocol.InitializeParams) {
			p.Capabilities.TextDocument.Completion.Item.Snippets = x.snippets
		})
		got := ""
		for _, item := range c.completeTyped(typed{path: x.path, text: x.text}) {
			if item.Label == x.label {
				got = item.TextEdit.NewText
			}
		}
		if got != x.want {
			t.Errorf("%q: got %q, want %q", x.text, got, x.want)
		}
	}
}
