package overlay_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"weft/internal/engine/overlay"
)

// configs are texts as ConfigMaps hold them.
var configs = []string{
	"groups:\n  - name: app      # the app\n    interval: 10s\n    rules: [ {alert: A, expr: \"up == 0\"} ]\n\n",
	"{\n    \"a\": 1,\n    \"list\": [1, 2,   3],\n    \"deep\": {\"x\": \"y\"}\n}\n",
	"{\"a\":1,\"b\":[true,null]}",
	"# nothing but comments at first\n\n---\na: &x {b: 1}\nc: *x\n---\nd:\n- |\n  text\n   more\n- >-\n  folded\n  text\n",
	"a: 'it''s'\nb: \"two\\nlines\"\n\"c d\": 0644\ne: 1_000\nf: on\n",
	"a: 1\r\nb:\r\n  c: 2 # windows\r\n",
	"list:\n- a\n-   b\n- - c\n  - d\n",
	"[server]\nport = 80\n",
	"scalar",
	"",
	"a: [\n",
	"key: value without a line break",
	"? complex key\n: value\n",
	"\tindented: by tab\n",
	"a:\n    b:\n        c: deep\n\n\n# the end\n",
}

// FuzzInside checks that an overlay inside a string gives the same bytes if it changes nothing.
func FuzzInside(f *testing.F) {
	for i, text := range configs {
		f.Add(text, uint8(i))
	}
	for seed := range uint64(200) {
		g := generator{rand.New(rand.NewPCG(seed, 4))}
		f.Add(g.config(), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, text string, how uint8) {
		format := []string{"yaml", "json"}[how%2]
		right := []string{
			" {}\n",
			"\n    #@overlay/match by=overlay.all, expects=\"0+\"\n" +
				"    #@overlay/replace via=lambda left, right: left\n    _:\n",
			"\n    #@overlay/match by=overlay.path(\"**.nothing at all\"), expects=\"0+\"\n    _: x\n",
		}[how%3]
		left := "data:\n  x: " + strconv.QuoteToASCII(text) + "\n"
		if strings.Contains(left, `\x`) || strings.Contains(left, `\a`) || strings.Contains(left, `\v`) {
			t.Skip("Go and YAML escape it differently")
		}
		in, err := tryEvaluate(file{"left.yml", left}, file{"over.yml", fmt.Sprintf(
			"%s#@overlay/match by=overlay.all\n---\ndata:\n  #@overlay/inside %q, by=overlay.all, expects=\"0+\"\n  x:%s",
			header, format, right)})
		if err != nil {
			t.Skip("it cannot be quoted")
		}
		docs, err := overlay.Apply(context.Background(), in.left, in.overlays, in.opt)
		if err != nil {
			if text := in.text(err); !strings.Contains(text, "over.yml:") {
				t.Fatalf("the error does not name the overlay:\n%s", text)
			}
			return
		}
		data, _ := docs[0][0].Value.Lookup("data")
		v, _ := data.Lookup("x")
		if v.Text() != text {
			t.Fatalf("got %q\nof  %q", v.Text(), text)
		}
	})
}

// config makes a text with comments, blank lines, brackets and quotes, as people write them.
func (g *generator) config() string {
	var b strings.Builder
	write(&b, g.mapping(3), 0)
	var out []string
	for _, line := range strings.Split(strings.TrimPrefix(b.String(), "\n"), "\n") {
		switch g.r.IntN(8) {
		case 0:
			out = append(out, "# a comment")
		case 1:
			out = append(out, "")
		case 2:
			if strings.TrimSpace(line) != "" && !strings.HasSuffix(line, ":") && !strings.HasSuffix(line, "-") {
				line += "   # why"
			}
		case 3:
			key, value, ok := strings.Cut(line, ": ")
			if ok && strings.HasPrefix(value, "s") {
				line = key + ":   '" + value + "'"
			}
		}
		out = append(out, line)
	}
	sep := "\n"
	if g.r.IntN(6) == 0 {
		sep = "\r\n"
	}
	return strings.Join(out, sep)
}
