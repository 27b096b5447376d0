package modules

import (
	"fmt"
	"testing"

	"go.starlark.net/starlark"
)

// deployment is a value as templates encode it into config maps and annotations.
const deployment = `{
	"apiVersion": "apps/v1", "kind": "Deployment",
	"metadata": {"name": "web", "labels": {"app": "web", "tier": "front"}},
	"spec": {"replicas": 3, "template": {"spec": {"containers": [
		{"name": "c%d" % i, "image": "example.com/web:1.2.%d" % i, "args": ["--port=80", "--verbose"], "cpu": 0.5} for i in range(20)]}}},
}`

// benchmark calls what expr gives, a function, again and again.
func benchmark(b *testing.B, expr string) {
	env := predeclared(b, &Env{})
	thread := &starlark.Thread{}
	v, err := starlark.EvalOptions(options, thread, "bench", deployment, env)
	if err != nil {
		b.Fatal(err)
	}
	env["v"] = v
	fn, err := starlark.EvalOptions(options, thread, "bench", "lambda: "+expr, env)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := starlark.Call(thread, fn, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJSONEncode(b *testing.B) { benchmark(b, "json.encode(v)") }

func BenchmarkJSONDecode(b *testing.B) { benchmark(b, `json.decode("[1, {\"a\": [true, null]}]")`) }

func BenchmarkYAMLEncode(b *testing.B) { benchmark(b, "yaml.encode(v)") }

func BenchmarkYAMLDecode(b *testing.B) { benchmark(b, `yaml.decode("a: [1, {b: true}]\nc: x\n")`) }

func BenchmarkRegexpReplace(b *testing.B) {
	benchmark(b, `regexp.replace("([a-z]+)-([0-9]+)", "web-1 db-22 cache-333", "$2-$1")`)
}

func BenchmarkRegexpMatch(
	b *testing.B,
) {
	benchmark(b, `regexp.match("^[a-z]+-[0-9]+$", "web-12")`)
}

func BenchmarkStr(b *testing.B) { benchmark(b, "str(v)") }

func BenchmarkStrOfInt(b *testing.B) { benchmark(b, "str(80)") }

func BenchmarkPercent(b *testing.B) { benchmark(b, `percent("%s-%s:%s", ("web", 80, 1.5))`) }

func BenchmarkPercentWithoutFloats(b *testing.B) { benchmark(b, `percent("%s-%s", ("web", 80))`) }

func BenchmarkFormat(b *testing.B) { benchmark(b, `format("{}-{}:{}", "web", 80, 1.5)`) }

// BenchmarkTextDepth shows that the text of nested values costs as much as there is of it, however
// deep it is nested.
func BenchmarkTextDepth(b *testing.B) {
	for _, depth := range []int{1000, 2000, 4000, 8000} {
		v := starlark.NewList(nil)
		for range depth {
			v = starlark.NewList([]starlark.Value{v})
		}
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			for b.Loop() {
				if _, err := Text(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
