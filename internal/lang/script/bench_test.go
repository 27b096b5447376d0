package script

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/syntax"
)

// benchScript is about n lines of script like those that people write.
func benchScript(n int) string {
	var b strings.Builder
	for i := 0; i < n; i += 10 {
		fmt.Fprintf(&b, `def name_%d(a, b=1, *rest):
  # a note
  if a == "x\d" and b > %d:
    return {"a": a, "b": [1, 2, b], "c": "some text"}
  elif b:
    for x in rest:
      print(x.y.z, "%%s-%%s" %% (a, b))
    end
  end
end
`, i, i)
	}
	return b.String()
}

func BenchmarkParse1000Lines(b *testing.B) {
	f := sourceFile(b, "f.star", benchScript(1000))
	b.SetBytes(int64(len(f.Data())))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(f); err != nil {
			b.Fatal(err)
		}
	}
}

// The lexer alone, to see what it adds to the parser's cost.
func BenchmarkLex1000Lines(b *testing.B) {
	src := []byte(benchScript(1000))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		lx := lexer{src: src}
		for l := lx.line(); l.start < l.end; l = lx.line() {
		}
	}
}

func benchFragments(b *testing.B, n int) {
	src := strings.Repeat("#@ for x in range(3):\n#@ y = x + 1\nnode\n#@ end\n", n/3)
	f := sourceFile(b, "f.yml", src)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := build(f).Finish(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/fragment")
}

// The cost of a fragment must not depend on how many there are.
func BenchmarkFragments1000(b *testing.B)  { benchFragments(b, 1000) }
func BenchmarkFragments10000(b *testing.B) { benchFragments(b, 10_000) }

// All code on one line, as text templates may have it.
func benchOneLine(b *testing.B, n int) {
	const block = "(@ if x: @)y(@ end @)"
	f := sourceFile(b, "f.txt", strings.Repeat(block, n/2))
	for b.Loop() {
		builder := NewBuilder(f)
		for i := 0; i < len(f.Data()); i += len(block) {
			builder.Code(Piece(f, i+2, i+len("(@ if x: ")))
			at := builder.Position(i + len("(@ if x: @)"))
			builder.Stmt(&syntax.ExprStmt{X: &syntax.Ident{NamePos: at, Name: "y"}})
			builder.Code(Piece(f, i+len("(@ if x: @)y(@"), i+len("(@ if x: @)y(@ end ")))
		}
		if _, err := builder.Finish(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/fragment")
}

func BenchmarkOneLine1000(b *testing.B)  { benchOneLine(b, 1000) }
func BenchmarkOneLine20000(b *testing.B) { benchOneLine(b, 20_000) }

// One statement in as many fragments as it has lines, with a string to mend in each.
func BenchmarkLongStatement(b *testing.B) {
	f := sourceFile(b, "f.yml", "#@ x = [\n"+strings.Repeat("#@   '\\d', y,\n", 1000)+"#@ ]\n")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := build(f).Finish(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExpr(b *testing.B) {
	f := sourceFile(b, "f.yml", "key: #@ data.values.name + \"-\" + str(x)\n")
	fr := Piece(f, len("key: #@ "), len(f.Data()))
	builder := NewBuilder(f)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := builder.Expr(fr); err != nil {
			b.Fatal(err)
		}
	}
}
