package main

import (
	"fmt"
	"strings"
)

// schema writes a schema of N keys, some with validations, data values for most of them, and a template
// that prints them.
func schema(f *folder, sizes []int) {
	const perGroup = 20
	var types, values strings.Builder
	types.WriteString("#@data/values-schema\n---\n")
	values.WriteString("#@data/values\n---\n")
	for i, group := 0, 0; i < sizes[0]; group++ {
		fmt.Fprintf(&types, "group%05d:\n  #@schema/desc \"nested section\"\n  nested:\n", group)
		var set strings.Builder
		for k := 0; k < perGroup && i < sizes[0]; k, i = k+1, i+1 {
			key := fmt.Sprintf("    key%02d_%s:", k, f.word())
			switch i % 5 {
			case 0:
				fmt.Fprintf(
					&types,
					"    #@schema/validation min_len=1, max_len=100\n%s %q\n",
					key,
					f.word(),
				)
				fmt.Fprintf(&set, "%s \"%s-x\"\n", key, f.word())
			case 1:
				fmt.Fprintf(
					&types,
					"    #@schema/validation min=0, max=100000\n%s %d\n",
					key,
					f.IntN(1000),
				)
				fmt.Fprintf(&set, "%s %d\n", key, f.IntN(1000))
			case 2:
				fmt.Fprintf(&types, "    #@schema/nullable\n%s \"\"\n", key)
			case 3:
				fmt.Fprintf(&types, "%s %t\n", key, f.IntN(2) == 0)
				fmt.Fprintf(&set, "%s true\n", key)
			default:
				fmt.Fprintf(&types, "%s\n    - \"\"\n", key)
				fmt.Fprintf(
					&set,
					"%s\n    - %s\n    - %s\n    - %s\n",
					key,
					f.word(),
					f.word(),
					f.word(),
				)
			}
		}
		if set.Len() > 0 && group%3 != 2 {
			fmt.Fprintf(&values, "group%05d:\n  nested:\n%s", group, set.String())
		}
	}
	f.write("schema.yml", types.String())
	f.write("values.yml", values.String())
	f.write(
		"tpl.yml",
		"#@ load(\"@ytt:data\", \"data\")\n---\nfirst: #@ data.values.group00000.nested\nall: #@ data.values\n",
	)
}

// libraries writes a private library that is evaluated N times, each time with other data values.
func libraries(f *folder, sizes []int) {
	const lib = "config/_ytt_lib/app/"
	f.write(lib+"schema.yml", `#@data/values-schema
---
name: ""
replicas: 1
image: nginx
ports:
- 80
labels:
  #@schema/nullable
  team: ""
  tier: back
`)
	f.write(lib+"deploy.yml", `#@ load("@ytt:data", "data")
#@ load("util.lib.yml", "labels")
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: #@ data.values.name
  labels: #@ labels()
spec:
  replicas: #@ data.values.replicas
  selector:
    matchLabels: #@ labels()
  template:
    metadata:
      labels: #@ labels()
    spec:
      containers:
      - name: app
        image: #@ data.values.image
        ports:
        #@ for/end p in data.values.ports:
        - containerPort: #@ p
---
apiVersion: v1
kind: Service
metadata:
  name: #@ data.values.name
spec:
  selector: #@ labels()
  ports:
  #@ for/end p in data.values.ports:
  - port: #@ p
`)
	f.write(lib+"util.lib.yml", `#@ load("@ytt:data", "data")
#@ def labels():
app: #@ data.values.name
tier: #@ data.values.labels.tier
#@ end
`)
	f.write(lib+"ov.yml", `#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.subset({"kind": "Deployment"})
---
metadata:
  #@overlay/match missing_ok=True
  annotations:
    #@overlay/match missing_ok=True
    lib: app
`)
	f.write("config/main.yml", fill(`#@ load("@ytt:library", "library")
#@ load("@ytt:template", "template")
#@ def vals(i):
name: #@ "app-{}".format(i)
replicas: #@ i % 5 + 1
ports:
- 80
- #@ 8000 + i % 100
#@ end
#@ app = library.get("app")
#@ for i in range(<<n>>):
--- #@ template.replace(app.with_data_values(vals(i)).eval())
#@ end
`, "n", sizes[0]))
}

// compute writes a program that creates, indexes and sums N items, and equivalents in jsonnet and cue.
// The one for cue does less, without an index and a modulus.
func compute(f *folder, sizes []int) {
	n := sizes[0]
	f.write("ytt/compute.star", `def build(n):
  items = []
  for i in range(n):
    items.append({"id": i, "name": "item-{}".format(i), "tags": ["t%d" % (i % 7), "u%d" % (i % 11)]})
  end
  return items
end

def index(items):
  by = {}
  for it in items:
    for t in it["tags"]:
      if t not in by:
        by[t] = []
      end
      by[t].append(it["id"])
    end
  end
  return by
end

def checksum(items):
  h = 0
  for it in items:
    s = it["name"].upper().replace("-", "_")
    h = (h * 31 + len(s) + it["id"]) % 1000000007
  end
  return h
end

def summary(n):
  items = build(n)
  by = index(items)
  return {"count": len(items), "sum": checksum(items), "tags": {k: len(by[k]) for k in by}, "joined": len(",".join([it["name"] for it in items]))}
end
`)
	f.write(
		"ytt/out.yml",
		fill("#@ load(\"compute.star\", \"summary\")\n---\nresult: #@ summary(<<n>>)\n", "n", n),
	)
	f.write("jsonnet/main.jsonnet", fill(`local n = <<n>>;
local items = [{ id: i, name: 'item-%d' % i, tags: ['t%d' % (i % 7), 'u%d' % (i % 11)] } for i in std.range(0, n - 1)];
local counts = { ['t%d' % k]: std.count([it.tags[0] for it in items], 't%d' % k) for k in std.range(0, 6) };
local sum = std.foldl(function(h, it) (h * 31 + std.length(std.strReplace(std.asciiUpper(it.name), '-', '_')) + it.id) % 1000000007, items, 0);
{ count: std.length(items), sum: sum, tags: std.length(std.objectFields(counts)), joined: std.length(std.join(',', [it.name for it in items])) }
`, "n", n))
	f.write("cue/main.cue", fill(`package main

import ("list", "strings")

_items: [for i in list.Range(0, <<n>>, 1) {id: i, name: "item-\(i)", tags: ["t\(mod(i, 7))", "u\(mod(i, 11))"]}]
count:  len(_items)
sum: list.Sum([for it in _items {len(strings.Replace(strings.ToUpper(it.name), "-", "_", -1)) + it.id}])
joined: len(strings.Join([for it in _items {it.name}], ","))
`, "n", n))
}

// plain writes N megabytes of custom resource definitions to one file.
func plain(f *folder, sizes []int) { f.write("crds.yml", definitions(f, sizes[0]*1_000_000)) }

// definitions returns at least size bytes of custom resource definitions.
func definitions(f *folder, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		kind := title(f.word()) + title(f.word())
		b.WriteString(fill(`---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.14.0
  name: <<plural>>.example.com
spec:
  group: example.com
  names:
    kind: <<kind>>
    plural: <<plural>>
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
`, "kind", kind, "plural", fmt.Sprintf("%s%ds", strings.ToLower(kind), i)))
		properties(f, &b, 6, "          ")
		b.WriteString("    subresources:\n      status: {}\n")
	}
	return b.String()
}

// properties writes the properties of an object, which may be objects themselves down to a depth.
func properties(f *folder, b *strings.Builder, depth int, pad string) {
	for i := range f.between(3, 7) {
		fmt.Fprintf(b, "%s%s%s%d:\n", pad, f.word(), title(f.word()), i) // each key once per mapping
		if depth > 0 && f.Float64() < 0.55 {
			fmt.Fprintf(b, "%s  description: |-\n", pad)
			for range f.between(1, 4) {
				fmt.Fprintf(
					b,
					"%s    The %s %s of the %s: must be set when %s is used.\n",
					pad,
					f.word(),
					f.word(),
					f.word(),
					f.word(),
				)
			}
			fmt.Fprintf(b, "%s  type: object\n%s  properties:\n", pad, pad)
			properties(f, b, depth-1, pad+"    ")
			continue
		}
		fmt.Fprintf(
			b,
			"%s  description: %s %s is the %s for %s and %s\n",
			pad,
			title(f.word()),
			f.word(),
			f.word(),
			f.word(),
			f.word(),
		)
		fmt.Fprintf(b, "%s  type: %s\n", pad, pick(f, []string{"string", "integer", "boolean"}))
		if f.Float64() < 0.3 {
			fmt.Fprintf(b, "%s  enum:\n", pad)
			for range 3 {
				fmt.Fprintf(b, "%s  - %s\n", pad, f.word())
			}
		}
		if f.Float64() < 0.3 {
			fmt.Fprintf(b, "%s  default: %q\n", pad, f.word())
		}
	}
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// tiny writes a minimal template in each language, which measures how fast a program starts.
func tiny(f *folder, _ []int) {
	f.write("t.yml", "#@ name = \"world\"\n---\ngreeting: #@ \"hello \" + name\n")
	f.write("t.jsonnet", "local name = 'world';\n{ greeting: 'hello ' + name }\n")
	f.write("t.cue", "name: \"world\"\ngreeting: \"hello \\(name)\"\n")
	f.write("helm/Chart.yaml", "apiVersion: v2\nname: w7\nversion: 0.1.0\n")
	f.write("helm/templates/t.yaml", "{{- $name := \"world\" }}\ngreeting: hello {{ $name }}\n")
	f.write("kustomize/kustomization.yaml", "resources:\n- t.yaml\n")
	f.write(
		"kustomize/t.yaml",
		"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: t\ndata:\n  greeting: hello world\n",
	)
}

// texts writes N text templates that share data values.
func texts(f *folder, sizes []int) {
	f.write(
		"values.yml",
		"#@data/values\n---\nhosts:\n",
		times(
			20,
			func(i int) string { return fmt.Sprintf("- name: h%d\n  port: %d\n", i, 8000+i) },
		),
	)
	for i := range sizes[0] {
		f.write(fmt.Sprintf("conf-%05d.txt", i), fill(`(@ load("@ytt:data", "data") -@)
# generated <<first>> <<i>>
(@ def line(h): -@)
server (@= h.name @):(@= str(h.port) @) weight=(@= str(h.port % 7) @);
(@- end @)
upstream <<second>>_<<i>> {
(@ for h in data.values.hosts: -@)
  (@= line(h) @)
(@ end -@)
}
(@ if <<i>> % 2 == 0: -@)
include even.conf;
(@ else: -@)
include odd.conf;
(@ end -@)
`, "first", f.word(), "second", f.word(), "i", i), times(30, func(k int) string { return fmt.Sprintf("set $var_%d %s;\n", k, f.word()) }))
	}
}

// flatTemplate writes one document of N keys, each with code.
func flatTemplate(f *folder, sizes []int) {
	f.write(
		"t.yml",
		"#@ v = 1\n---\n",
		times(sizes[0], func(i int) string { return fmt.Sprintf("key%06d: #@ v + %d\n", i, i) }),
	)
}

// flatOverlay writes one document of N keys, and an overlay that changes every tenth.
func flatOverlay(f *folder, sizes []int) {
	f.write(
		"t.yml",
		"---\n",
		times(sizes[0], func(i int) string { return fmt.Sprintf("key%06d: %d\n", i, i) }),
	)
	f.write(
		"ov.yml",
		"#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n",
		times(
			(sizes[0]+9)/10,
			func(i int) string { return fmt.Sprintf("key%06d: %d\n", 10*i, 100*i) },
		),
	)
}

// fleet writes a configuration of F files and the data values of N environments: fleet-N-F. Without F, it
// writes a project.
func fleet(f *folder, sizes []int) {
	n, files := sizes[0], sizes[1]
	if files == 0 {
		fleetProject(f, n)
		return
	}
	app := &folder{Rand: f.Rand, path: f.path + "/w1"}
	templates(app, []int{files - 3, 0}) // besides the schema, the values and the functions
	if f.err = app.err; f.err != nil {
		return
	}
	f.move("w1/ytt", "config")
	f.write("config/schema.yml", appSchema)
	for i := range n {
		f.write(
			fmt.Sprintf("envs/%s-%05d.yml", f.word(), i),
			fill(
				"env: env<<i>>\nnamespace: team-<<i>>\nreplicas: <<replicas>>\nmonitoring: <<odd>>\n",
				"i",
				i,
				"replicas",
				i%5+1,
				"odd",
				i%2 == 1,
			),
		)
	}
}

// override writes N megabytes of definitions, and overrides that change each of them.
func override(f *folder, sizes []int) {
	f.write("base.yml", definitions(f, sizes[0]*1_000_000))
	f.write("overrides.yml", `metadata:
  labels:
    team: platform
  annotations:
    controller-gen.kubebuilder.io/version: v0.15.0
spec:
  scope: Cluster
  versions:
  - name: v1
    deprecated: true
`)
}
