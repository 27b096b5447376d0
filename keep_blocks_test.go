package weft_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"weft"
)

// FuzzKeepBlocks holds comments in and around blocks of code to their law: none is lost if what it
// is next to is made, none of a branch that makes nothing is printed, and values stay the same.
func FuzzKeepBlocks(f *testing.F) {
	for i := range uint64(100) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := blockGenerator{Rand: rand.New(rand.NewPCG(5, seed))}
		text := g.file()
		if g.IntN(4) == 0 {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		}
		plain, ok := kept(t, text, true, "", 0)
		if !ok {
			t.Fatalf("it does not render:\n%s", text)
		}
		for _, what := range []weft.Keep{weft.KeepComments, weft.KeepComments | weft.KeepLiterals, weft.KeepAll} {
			out, ok := kept(t, text, true, "", what)
			if !ok {
				t.Fatalf("fails with --keep:\n%s", text)
			}
			for _, c := range g.must {
				if !bytes.Contains(out, []byte(c)) {
					t.Fatalf("keep %b: `%s` is lost\n%s\nas\n%s", what, c, text, out)
				}
			}
			for _, c := range g.never {
				if bytes.Contains(out, []byte(c)) {
					t.Fatalf("keep %b: `%s` is printed\n%s\nas\n%s", what, c, text, out)
				}
			}
			if got, ok := kept(t, out, false, "", 0); !ok || !bytes.Equal(got, plain) {
				t.Fatalf("keep %b: the values differ\n%s\nas\n%s\nwant\n%s", what, text, out, plain)
			}
		}
	})
}

// blockGenerator writes templates with blocks of code, and comments everywhere between.
type blockGenerator struct {
	*rand.Rand
	bytes.Buffer
	n           int
	must, never []string // the comments that are printed, and those that are not

	above  string // the comment on the line above, and its column
	column int
}

func (g *blockGenerator) file() []byte {
	if g.IntN(3) == 0 {
		g.block(0, 1, "for _ in range(2):", true, func(made bool) {
			g.line(0, "---")
			g.body(0, 2, false, made)
		})
	}
	for range 1 + g.IntN(2) {
		g.line(0, "---")
		g.body(0, 0, false, true)
	}
	return g.Bytes()
}

// body writes entries in column col, with blocks of code and comments between them.
func (g *blockGenerator) body(col, depth int, list, made bool) {
	for i := range 1 + g.IntN(3) {
		g.comments(col, made, true)
		if kind := g.IntN(6); i == 0 || depth > 1 || kind > 3 {
			g.entry(col, depth, list, made)
			continue
		}
		inside := func(made bool) { g.body(col, depth+1, list, made) }
		switch g.IntN(5) {
		case 0:
			g.block(col, 1, "if True:", made, inside)
		case 1:
			g.block(col, 2, "if True:", made, inside)
		case 2:
			g.block(col, 2, "if False:", made, inside)
		case 3:
			times := 1 // maps have a key once
			if list {
				times += g.IntN(2)
			}
			g.block(col, 1, fmt.Sprintf("for _ in range(%d):", times), made, inside)
		case 4:
			g.entry(col, 9, list, made)
			name := fmt.Sprintf("f%d", g.n)
			g.block(col, 1, "def "+name+"():", made, inside)
			if list {
				g.line(col, "- #@ "+name+"()")
			} else {
				g.line(col, fmt.Sprintf("k%d: #@ %s()", g.n, name))
			}
		}
	}
	g.comments(col, made, false)
}

// block writes a block of code. Of two branches, one is made.
func (g *blockGenerator) block(col, branches int, header string, made bool, body func(made bool)) {
	if strings.HasPrefix(header, "def") {
		g.above = "" // it is about the function
	} else if g.above != "" && made {
		g.must = append(g.must, g.above)
	}
	g.line(col, "#@ "+header)
	first := !strings.HasSuffix(header, "False:")
	body(made && first)
	if branches > 1 {
		if g.above != "" && g.column == col && made {
			g.must = append(g.must, g.above)
		}
		g.line(col, "#@ else:")
		body(made && !first)
	}
	g.line(col, "#@ end")
}

func (g *blockGenerator) line(col int, text string) {
	fmt.Fprintf(g, "%*s%s\n", col, "", text)
	g.above = ""
}

// comments writes comments and blank lines. Before says that an entry or a block follows.
func (g *blockGenerator) comments(col int, made, before bool) {
	for range g.IntN(3) {
		if g.IntN(4) == 0 {
			g.line(0, "")
			continue
		}
		g.n++
		c := fmt.Sprintf("# c%d.", g.n)
		at := col
		if !before && g.IntN(4) == 0 {
			at += 2
		}
		if made && !before {
			g.must = append(g.must, c)
		}
		g.line(at, c)
		g.above, g.column = c, at
	}
}

// entry writes an entry in column col.
func (g *blockGenerator) entry(col, depth int, list, made bool) {
	if g.above != "" {
		if made {
			g.must = append(g.must, g.above)
		} else {
			g.never = append(g.never, g.above)
		}
	}
	g.n++
	key := fmt.Sprintf("k%d:", g.n)
	if list {
		key = "-"
	}
	switch kind := g.IntN(4); {
	case depth > 1 || kind < 2:
		g.line(col, key+" 1")
	case list:
		g.line(col, fmt.Sprintf("- k%d: 1", g.n))
		g.body(col+2, depth+1, false, made)
	case kind == 2:
		g.line(col, key)
		g.body(col+2, depth+1, false, made)
	default:
		g.line(col, key)
		g.body(col+2*g.IntN(2), depth+1, true, made)
	}
}
