package overlay_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"weft/internal/engine/overlay"
)

// manifests makes n documents as Kubernetes has them, every third a Deployment, a Service or a
// ConfigMap.
func manifests(n int) string {
	var b strings.Builder
	for i := range n {
		kind := []string{"Deployment", "Service", "ConfigMap"}[i%3]
		fmt.Fprintf(
			&b,
			"---\napiVersion: v1\nkind: %s\nmetadata:\n  name: app-%05d\n  namespace: prod\n  labels:\n    app: app-%05d\n    team: web\n  annotations:\n    owner: web@example.com\n",
			kind,
			i,
			i,
		)
		if kind == "Deployment" {
			b.WriteString(
				"spec:\n  replicas: 4\n  template:\n    metadata:\n      labels:\n        app: x\n    spec:\n      containers:\n",
			)
			for _, c := range []string{"app", "sidecar"} {
				fmt.Fprintf(
					&b,
					"      - name: %s\n        image: registry.example.com/%s:v1\n        imagePullPolicy: IfNotPresent\n        args: [\"--port=8000\"]\n        env:\n        - name: A\n          value: \"1\"\n        - name: B\n          value: \"2\"\n",
					c,
					c,
				)
			}
		} else {
			b.WriteString("spec:\n  ports:\n  - port: 80\n")
		}
	}
	return b.String()
}

// patches makes m overlays of five shapes.
func patches(m int) []file {
	var files []file
	for i := range m {
		var text string
		switch i % 5 {
		case 0:
			text = fmt.Sprintf(
				"#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"0+\"\n---\nmetadata:\n  #@overlay/match missing_ok=True\n  labels:\n    #@overlay/match missing_ok=True\n    label-%d: v\n",
				i,
			)
		case 1:
			text = fmt.Sprintf(
				"#@overlay/match by=overlay.all, expects=\"0+\"\n---\nmetadata:\n  annotations:\n    #@overlay/match missing_ok=True\n    note-%d: v\n",
				i,
			)
		case 2:
			text = fmt.Sprintf(
				"#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"0+\"\n---\nspec:\n  template:\n    spec:\n      containers:\n      #@overlay/match by=\"name\"\n      - name: app\n        env:\n        #@overlay/append\n        - name: E%d\n          value: \"%d\"\n",
				i,
				i,
			)
		case 3:
			text = "#@overlay/match by=overlay.subset({\"kind\": \"Service\"}), expects=\"0+\"\n---\nmetadata:\n  #@overlay/replace via=lambda left, right: left + right\n  name: \"-x\"\n"
		case 4:
			text = "#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"0+\"\n---\nspec:\n  template:\n    spec:\n      containers:\n      #@overlay/match by=overlay.all, expects=\"1+\"\n      - imagePullPolicy: Always\n        #@overlay/match missing_ok=True\n        tty: true\n"
		}
		files = append(files, file{fmt.Sprintf("ov-%03d.yml", i), header + text})
	}
	return files
}

func BenchmarkApply(b *testing.B) {
	for _, size := range []struct{ n, m int }{{1000, 10}, {10_000, 50}} {
		b.Run(fmt.Sprintf("%dx%d", size.n, size.m), func(b *testing.B) {
			in := evaluate(
				b,
				append([]file{{"docs.yml", manifests(size.n)}}, patches(size.m)...)...)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := overlay.Apply(context.Background(), in.left, in.overlays, in.opt); err != nil {
					b.Fatal(in.text(err))
				}
			}
		})
	}
}

// BenchmarkFlatMap is one map of n keys and an overlay with a tenth of them.
func BenchmarkFlatMap(b *testing.B) {
	for _, n := range []int{8_000, 80_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var left, right strings.Builder
			right.WriteString(header + "#@overlay/match by=overlay.all\n---\n")
			for i := range n {
				fmt.Fprintf(&left, "key%06d: %d\n", i, i)
				if i%10 == 0 {
					fmt.Fprintf(&right, "key%06d: %d0\n", i, i)
				}
			}
			in := evaluate(b, file{"t.yml", left.String()}, file{"ov.yml", right.String()})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := overlay.Apply(context.Background(), in.left, in.overlays, in.opt); err != nil {
					b.Fatal(in.text(err))
				}
			}
		})
	}
}

// BenchmarkByName is one array of n maps and an overlay with a tenth of them, matched by name: a
// third merged, a third removed, a third inserted before.
func BenchmarkByName(b *testing.B) {
	for _, n := range []int{8_000, 80_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var left, right strings.Builder
			left.WriteString("items:\n")
			right.WriteString(header + "#@overlay/match by=overlay.all\n---\nitems:\n")
			for i := range n {
				fmt.Fprintf(&left, "- name: item%06d\n  value: %d\n", i, i)
				if i%10 == 0 {
					fmt.Fprintf(
						&right,
						"#@overlay/match by=\"name\"\n%s- name: item%06d\n  value: 0\n",
						[]string{"", "#@overlay/remove\n", "#@overlay/insert before=True\n"}[i/10%3],
						i,
					)
				}
			}
			in := evaluate(b, file{"t.yml", left.String()}, file{"ov.yml", right.String()})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := overlay.Apply(context.Background(), in.left, in.overlays, in.opt); err != nil {
					b.Fatal(in.text(err))
				}
			}
		})
	}
}
