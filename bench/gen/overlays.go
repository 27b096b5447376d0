package main

import (
	"fmt"
	"strings"
)

// overlays writes N Kubernetes documents, a hundred per file, and M overlays, with the closest
// equivalents for kustomize and yq.
func overlays(f *folder, sizes []int) {
	n, m := sizes[0], sizes[1]
	const perFile = 100
	var all strings.Builder
	for start := 0; start < n; start += perFile {
		var docs strings.Builder
		for i := start; i < min(n, start+perFile); i++ {
			docs.WriteString("---\n" + object(f, i))
		}
		f.write(fmt.Sprintf("docs/docs-%05d.yml", start/perFile), docs.String())
		all.WriteString(docs.String())
	}
	f.write("all.yml", all.String())
	f.write("kustomize/all.yaml", all.String())
	patches, exprs := "", make([]string, m)
	for i := range m {
		kind := overlayKinds[i%len(overlayKinds)]
		value := []any{"i", i, "odd", i%2 == 1}
		f.write(
			fmt.Sprintf("overlays/ov-%03d.yml", i),
			"#@ load(\"@ytt:overlay\", \"overlay\")\n",
			fill(kind.weft, value...),
		)
		patches += fill(kind.kustomize, value...)
		exprs[i] = fill(kind.yq, value...)
	}
	f.write("kustomize/kustomization.yaml", "resources:\n- all.yaml\npatches:\n", patches)
	f.write("yq.expr", strings.Join(exprs, " | "))
}

// overlayKinds are the kinds of overlays, used in rotation. Those of kustomize do a little less: it has
// no functions, and addresses containers by index.
var overlayKinds = []struct{ weft, kustomize, yq string }{
	{
		weft: `#@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="0+"
---
metadata:
  #@overlay/match missing_ok=True
  labels:
    #@overlay/match missing_ok=True
    bench/label-<<i>>: "v<<i>>"
`,
		kustomize: `- target: {kind: Deployment}
  patch: |-
    - op: add
      path: /metadata/labels/bench~1label-<<i>>
      value: "v<<i>>"
`,
		yq: `(select(.kind == "Deployment") | .metadata.labels."bench/label-<<i>>") = "v<<i>>"`,
	},
	{
		weft: `#@overlay/match by=overlay.all, expects="0+"
---
metadata:
  #@overlay/match missing_ok=True
  annotations:
    #@overlay/match missing_ok=True
    bench/ann-<<i>>: "v<<i>>"
`,
		kustomize: annotate(
			"Deployment",
			"apps/v1",
		) + annotate(
			"Service",
			"v1",
		) + annotate(
			"ConfigMap",
			"v1",
		),
		yq: `.metadata.annotations."bench/ann-<<i>>" = "v<<i>>"`,
	},
	{
		weft: `#@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="0+"
---
spec:
  template:
    spec:
      containers:
      #@overlay/match by=overlay.map_key("name")
      - name: app
        env:
        #@overlay/append
        - name: BENCH_<<i>>
          value: "<<i>>"
`,
		kustomize: `- target: {kind: Deployment}
  patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: any
    spec:
      template:
        spec:
          containers:
          - name: app
            env:
            - name: BENCH_<<i>>
              value: "<<i>>"
`,
		yq: `(select(.kind == "Deployment") | .spec.template.spec.containers[] | select(.name == "app") | .env) += [{"name": "BENCH_<<i>>", "value": "<<i>>"}]`,
	},
	{
		weft: `#@overlay/match by=overlay.subset({"kind": "Service"}), expects="0+"
---
metadata:
  #@overlay/replace via=lambda left, right: left + right
  name: "-<<i>>"
`,
		kustomize: `- target: {kind: Service}
  patch: |-
    - op: replace
      path: /spec/sessionAffinity
      value: "ClientIP-<<i>>"
`,
		yq: `(select(.kind == "Service") | .metadata.name) |= . + "-<<i>>"`,
	},
	{
		weft: `#@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="0+"
---
spec:
  template:
    spec:
      containers:
      #@overlay/match by=overlay.all, expects="1+"
      - imagePullPolicy: Always
        #@overlay/match missing_ok=True
        tty: <<odd>>
`,
		kustomize: `- target: {kind: Deployment}
  patch: |-
    - op: replace
      path: /spec/template/spec/containers/0/imagePullPolicy
      value: Always
`,
		yq: `(select(.kind == "Deployment") | .spec.template.spec.containers[].imagePullPolicy) = "Always"`,
	},
}

// annotate returns a patch for all objects of a kind.
func annotate(kind, version string) string {
	return fmt.Sprintf(`- target: {kind: %s}
  patch: |-
    apiVersion: %s
    kind: %s
    metadata:
      name: any
      annotations:
        bench/ann-<<i>>: "v<<i>>"
`, kind, version, kind)
}

// object returns a Kubernetes object. The kind depends on i.
func object(f *folder, i int) string {
	switch i % 3 {
	case 0:
		return deployment(f, i)
	case 1:
		return service(f, i)
	default:
		return configMap(f, i)
	}
}

func deployment(f *folder, i int) string {
	team := f.word()
	containers := times(pick(f, []int{1, 2, 2, 3}), func(c int) string {
		env := times(f.between(2, 5), func(k int) string {
			return fmt.Sprintf(
				"        - name: %s_%d\n          value: \"%s-%d\"\n",
				strings.ToUpper(f.word()),
				k,
				f.word(),
				f.IntN(10000),
			)
		})
		return fill(
			`      - name: <<container>>
        image: registry.example.com/<<team>>/<<container>>:v1.<<minor>>.<<patch>>
        imagePullPolicy: IfNotPresent
        args: ["--port=<<port>>", "--log-level=info"]
        ports:
        - containerPort: <<port>>
          name: http-<<c>>
          protocol: TCP
        env:
<<env>>        resources:
          requests:
            cpu: <<cpu>>m
            memory: <<memory>>Mi
          limits:
            memory: <<limit>>Mi
`,
			"container",
			[]string{"app", "sidecar", "metrics"}[c],
			"team",
			team,
			"minor",
			f.IntN(30),
			"patch",
			f.IntN(20),
			"port",
			8000+c,
			"c",
			c,
			"env",
			env,
			"cpu",
			pick(f, []int{100, 200, 250, 500}),
			"memory",
			pick(f, []int{64, 128, 256, 512}),
			"limit",
			pick(f, []int{512, 1024}),
		)
	})
	return fill(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: <<name>>
  namespace: prod
  labels:
    app.kubernetes.io/name: <<name>>
    app.kubernetes.io/part-of: <<team>>
    team: <<team>>
  annotations:
    example.com/owner: "<<team>>@example.com"
spec:
  replicas: <<replicas>>
  selector:
    matchLabels:
      app.kubernetes.io/name: <<name>>
  template:
    metadata:
      labels:
        app.kubernetes.io/name: <<name>>
        team: <<team>>
    spec:
      serviceAccountName: <<name>>
      containers:
<<containers>>      volumes:
      - name: config
        configMap:
          name: <<name>>
`, "name", f.name(i), "team", team, "replicas", f.between(1, 6), "containers", containers)
}

func service(f *folder, i int) string {
	ports := times(f.between(1, 5), func(k int) string {
		return fmt.Sprintf(
			"  - name: p%d\n    port: %d\n    targetPort: %d\n    protocol: TCP\n",
			k,
			80+k,
			8000+k,
		)
	})
	return fill(`apiVersion: v1
kind: Service
metadata:
  name: <<name>>
  namespace: prod
  labels:
    app.kubernetes.io/name: <<name>>
    tier: <<tier>>
  annotations:
    service.example.com/scheme: internal
    service.example.com/weight: "<<weight>>"
spec:
  type: ClusterIP
  selector:
    app.kubernetes.io/name: <<name>>
  ports:
<<ports>>  sessionAffinity: None
  ipFamilies:
  - IPv4
  internalTrafficPolicy: Cluster
`, "name", f.name(i), "tier", pick(f, []string{"front", "back", "data"}), "weight", f.IntN(100), "ports", ports)
}

func configMap(f *folder, i int) string {
	entries := times(f.between(10, 25), func(k int) string {
		return fmt.Sprintf(
			"  %s.%d: \"%s %s %d\"\n",
			f.word(),
			k,
			f.word(),
			f.word(),
			f.IntN(1_000_000),
		)
	})
	lines := times(
		f.between(8, 20),
		func(int) string { return fmt.Sprintf("    %s.%s=%d\n", f.word(), f.word(), f.IntN(1000)) },
	)
	return fill(`apiVersion: v1
kind: ConfigMap
metadata:
  name: <<name>>
  namespace: prod
  labels:
    app.kubernetes.io/name: <<name>>
data:
<<entries>>  app.properties: |
<<lines>>`, "name", f.name(i), "entries", entries, "lines", lines)
}
