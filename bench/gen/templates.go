package main

import (
	"fmt"
	"strings"
)

// templates writes N files of three documents each, which share functions and data values, and the same
// objects for helm, jsonnet and cue.
func templates(f *folder, sizes []int) {
	type variable struct{ name, value string }
	var vars []variable
	for k := range 5 {
		vars = append(
			vars,
			variable{
				strings.ToUpper(f.word()) + fmt.Sprintf("_%d", k),
				fmt.Sprintf("%s%d", f.word(), k),
			},
		)
	}
	list := func(format, sep string) string {
		items := make([]string, len(vars))
		for i, v := range vars {
			items[i] = fill(format, "name", v.name, "value", v.value)
		}
		return strings.Join(items, sep)
	}
	values := fill(templateValues, "vars", list("- name: <<name>>\n  value: \"<<value>>\"\n", ""))
	f.write("ytt/values.yml", "#@data/values\n---\n", values)
	f.write("ytt/helpers.lib.yml", templateHelpers)
	f.write("helm/Chart.yaml", "apiVersion: v2\nname: w1\nversion: 0.1.0\n")
	f.write("helm/values.yaml", values)
	f.write("helm/templates/_helpers.tpl", helmHelpers)
	f.write(
		"jsonnet/values.libsonnet",
		fill(jsonnetValues, "vars", list("{ name: '<<name>>', value: '<<value>>' }", ", ")),
	)
	f.write("jsonnet/helpers.libsonnet", jsonnetHelpers)
	f.write(
		"cue/main.cue",
		fill(cueMain, "vars", list(`{name: "<<name>>", value: "<<value>>"}`, ", ")),
	)
	imports := ""
	for i := range sizes[0] {
		app := []any{
			"name",
			f.name(i),
			"team",
			f.word(),
			"size",
			f.between(1, 6),
			"tag",
			fmt.Sprintf("v1.%d", f.IntN(30)),
		}
		f.write(fmt.Sprintf("ytt/app-%05d.yml", i), fill(templateApp, app...))
		f.write(fmt.Sprintf("helm/templates/app-%05d.yaml", i), fill(helmApp, app...))
		f.write(fmt.Sprintf("jsonnet/app-%05d.jsonnet", i), fill(jsonnetApp, app...))
		f.write(fmt.Sprintf("cue/app_%05d.cue", i), fill(cueApp, app...))
		imports += fmt.Sprintf("import 'app-%05d.jsonnet',\n", i)
	}
	f.write("jsonnet/main.jsonnet", "std.flattenArrays([\n", imports, "])\n")
}

const templateValues = `env: prod
registry: registry.example.com
monitoring: true
namespace: team-a
replicas: 3
env_vars:
<<vars>>ports:
- name: http
  port: 80
- name: grpc
  port: 9090
- name: metrics
  port: 9100
`

const templateHelpers = `#@ load("@ytt:data", "data")
#@ def labels(name, extra={}):
app.kubernetes.io/name: #@ name
app.kubernetes.io/instance: #@ name + "-" + data.values.env
app.kubernetes.io/managed-by: ytt
#@ for k in extra:
#@yaml/text-templated-strings
"(@= k @)": #@ extra[k]
#@ end
#@ end

#@ def image(repo, tag):
#@   return "{}/{}:{}".format(data.values.registry, repo, tag)
#@ end

#@ def resources(size):
requests:
  cpu: #@ "{}m".format(100 * size)
  memory: #@ "{}Mi".format(64 * size)
limits:
  memory: #@ "{}Mi".format(128 * size)
#@ end

---
#@ def env_vars(vars):
#@ for/end v in vars:
- name: #@ v.name
  value: #@ v.value
#@ end
`

const templateApp = `#@ load("@ytt:data", "data")
#@ load("helpers.lib.yml", "labels", "image", "resources", "env_vars")
#@ name = "<<name>>"
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: #@ name
  namespace: #@ data.values.namespace
  labels: #@ labels(name, {"team": "<<team>>"})
spec:
  replicas: #@ data.values.replicas
  selector:
    matchLabels: #@ labels(name)
  template:
    metadata:
      labels: #@ labels(name)
    spec:
      serviceAccountName: #@ name
      containers:
      - name: app
        image: #@ image("<<team>>/app", "<<tag>>")
        imagePullPolicy: IfNotPresent
        ports:
        #@ for p in data.values.ports:
        - name: #@ p.name
          containerPort: #@ p.port + 8000
          protocol: TCP
        #@ end
        env: #@ env_vars(data.values.env_vars)
        resources: #@ resources(<<size>>)
        livenessProbe:
          httpGet:
            path: /healthz
            port: 8080
          initialDelaySeconds: 5
      #@ if data.values.monitoring:
      - name: metrics
        image: #@ image("obs/exporter", "v2")
        args: ["--target", "localhost:8080"]
      #@ end
      #@ if/end <<size>> > 3:
      nodeSelector:
        pool: large
---
apiVersion: v1
kind: Service
metadata:
  name: #@ name
  namespace: #@ data.values.namespace
  labels: #@ labels(name)
spec:
  type: ClusterIP
  selector: #@ labels(name)
  ports:
  #@ for/end p in data.values.ports:
  - name: #@ p.name
    port: #@ p.port
    targetPort: #@ p.port + 8000
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: #@ name
  namespace: #@ data.values.namespace
  labels: #@ labels(name)
data:
  config.json: |
    {"name": "<<name>>", "team": "<<team>>", "level": "info"}
  #@ for i in range(10):
  #@yaml/text-templated-strings
  key-(@= str(i) @): #@ "{}-{}".format(name, i * <<size>>)
  #@ end
`

const helmHelpers = `{{- define "w.labels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .name }}-{{ .env }}
app.kubernetes.io/managed-by: helm
{{- end }}
{{- define "w.resources" -}}
requests:
  cpu: {{ mul 100 .size }}m
  memory: {{ mul 64 .size }}Mi
limits:
  memory: {{ mul 128 .size }}Mi
{{- end }}
`

const helmApp = `{{- $name := "<<name>>" }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  namespace: {{ .Values.namespace }}
  labels:
    {{- include "w.labels" (dict "name" $name "env" .Values.env) | nindent 4 }}
    team: <<team>>
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      {{- include "w.labels" (dict "name" $name "env" .Values.env) | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "w.labels" (dict "name" $name "env" .Values.env) | nindent 8 }}
    spec:
      serviceAccountName: {{ $name }}
      containers:
      - name: app
        image: "{{ .Values.registry }}/<<team>>/app:<<tag>>"
        imagePullPolicy: IfNotPresent
        ports:
        {{- range .Values.ports }}
        - name: {{ .name }}
          containerPort: {{ add .port 8000 }}
          protocol: TCP
        {{- end }}
        env:
        {{- range .Values.env_vars }}
        - name: {{ .name }}
          value: {{ .value | quote }}
        {{- end }}
        resources:
          {{- include "w.resources" (dict "size" <<size>>) | nindent 10 }}
        livenessProbe:
          httpGet:
            path: /healthz
            port: 8080
          initialDelaySeconds: 5
      {{- if .Values.monitoring }}
      - name: metrics
        image: "{{ .Values.registry }}/obs/exporter:v2"
        args: ["--target", "localhost:8080"]
      {{- end }}
      {{- if gt <<size>> 3 }}
      nodeSelector:
        pool: large
      {{- end }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  namespace: {{ .Values.namespace }}
  labels:
    {{- include "w.labels" (dict "name" $name "env" .Values.env) | nindent 4 }}
spec:
  type: ClusterIP
  selector:
    {{- include "w.labels" (dict "name" $name "env" .Values.env) | nindent 4 }}
  ports:
  {{- range .Values.ports }}
  - name: {{ .name }}
    port: {{ .port }}
    targetPort: {{ add .port 8000 }}
  {{- end }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $name }}
  namespace: {{ .Values.namespace }}
  labels:
    {{- include "w.labels" (dict "name" $name "env" .Values.env) | nindent 4 }}
data:
  config.json: |
    {"name": "<<name>>", "team": "<<team>>", "level": "info"}
  {{- range $i := until 10 }}
  key-{{ $i }}: {{ printf "%s-%d" $name (mul $i <<size>>) | quote }}
  {{- end }}
`

const jsonnetValues = `{
  env: 'prod', registry: 'registry.example.com', monitoring: true, namespace: 'team-a', replicas: 3,
  env_vars: [<<vars>>],
  ports: [{ name: 'http', port: 80 }, { name: 'grpc', port: 9090 }, { name: 'metrics', port: 9100 }],
}
`

const jsonnetHelpers = `local v = import 'values.libsonnet';
{
  labels(name):: {
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/instance': name + '-' + v.env,
    'app.kubernetes.io/managed-by': 'jsonnet',
  },
  image(repo, tag):: '%s/%s:%s' % [v.registry, repo, tag],
  resources(size):: {
    requests: { cpu: '%dm' % (100 * size), memory: '%dMi' % (64 * size) },
    limits: { memory: '%dMi' % (128 * size) },
  },
}
`

const jsonnetApp = `local h = import 'helpers.libsonnet';
local v = import 'values.libsonnet';
local name = '<<name>>';
[
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: name, namespace: v.namespace, labels: h.labels(name) + { team: '<<team>>' } },
    spec: {
      replicas: v.replicas,
      selector: { matchLabels: h.labels(name) },
      template: {
        metadata: { labels: h.labels(name) },
        spec: {
          serviceAccountName: name,
          containers: [
            {
              name: 'app',
              image: h.image('<<team>>/app', '<<tag>>'),
              imagePullPolicy: 'IfNotPresent',
              ports: [{ name: p.name, containerPort: p.port + 8000, protocol: 'TCP' } for p in v.ports],
              env: [{ name: e.name, value: e.value } for e in v.env_vars],
              resources: h.resources(<<size>>),
              livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, initialDelaySeconds: 5 },
            },
          ] + (if v.monitoring then [{ name: 'metrics', image: h.image('obs/exporter', 'v2'), args: ['--target', 'localhost:8080'] }] else []),
        } + (if <<size>> > 3 then { nodeSelector: { pool: 'large' } } else {}),
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: name, namespace: v.namespace, labels: h.labels(name) },
    spec: { type: 'ClusterIP', selector: h.labels(name), ports: [{ name: p.name, port: p.port, targetPort: p.port + 8000 } for p in v.ports] },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: name, namespace: v.namespace, labels: h.labels(name) },
    data: { 'config.json': '{"name": "<<name>>", "team": "<<team>>", "level": "info"}\n' }
          + { ['key-%d' % i]: '%s-%d' % [name, i * <<size>>] for i in std.range(0, 9) },
  },
]
`

const cueApp = `package main

apps: "<<name>>": {team: "<<team>>", size: <<size>>, tag: "<<tag>>"}
`

const cueMain = `package main

import "list"

import "encoding/yaml"

_v: {
	env: "prod", registry: "registry.example.com", monitoring: true, namespace: "team-a", replicas: 3
	env_vars: [<<vars>>]
	ports: [{name: "http", port: 80}, {name: "grpc", port: 9090}, {name: "metrics", port: 9100}]
}

#App: {team: string, size: int, tag: string}
apps: [string]: #App

_objs: [for n, a in apps let _labels = {
	"app.kubernetes.io/name":       n
	"app.kubernetes.io/instance":   "\(n)-\(_v.env)"
	"app.kubernetes.io/managed-by": "cue"
} {[
	{
		apiVersion: "apps/v1"
		kind:       "Deployment"
		metadata: {name: n, namespace: _v.namespace, labels: _labels & {team: a.team, ...}}
		spec: {
			replicas: _v.replicas
			selector: matchLabels: _labels
			template: {
				metadata: labels: _labels
				spec: {
					serviceAccountName: n
					containers: [
						{
							name:            "app"
							image:           "\(_v.registry)/\(a.team)/app:\(a.tag)"
							imagePullPolicy: "IfNotPresent"
							ports: [for p in _v.ports {name: p.name, containerPort: p.port + 8000, protocol: "TCP"}]
							env: [for e in _v.env_vars {name: e.name, value: e.value}]
							resources: {
								requests: {cpu: "\(100*a.size)m", memory: "\(64*a.size)Mi"}
								limits: memory: "\(128*a.size)Mi"
							}
							livenessProbe: {httpGet: {path: "/healthz", port: 8080}, initialDelaySeconds: 5}
						},
						if _v.monitoring {name: "metrics", image: "\(_v.registry)/obs/exporter:v2", args: ["--target", "localhost:8080"]},
					]
					if a.size > 3 {nodeSelector: pool: "large"}
				}
			}
		}
	},
	{
		apiVersion: "v1"
		kind:       "Service"
		metadata: {name: n, namespace: _v.namespace, labels: _labels}
		spec: {type: "ClusterIP", selector: _labels, ports: [for p in _v.ports {name: p.name, port: p.port, targetPort: p.port + 8000}]}
	},
	{
		apiVersion: "v1"
		kind:       "ConfigMap"
		metadata: {name: n, namespace: _v.namespace, labels: _labels}
		data: {
			"config.json": "{\"name\": \"\(n)\", \"team\": \"\(a.team)\", \"level\": \"info\"}\n"
			for i in list.Range(0, 10, 1) {"key-\(i)": "\(n)-\(i*a.size)"}
		}
	},
]}]
out: yaml.MarshalStream(list.FlattenN(_objs, 1))
`
