package highlight

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHighlight has colors where people expect them, and every text stays text.
func TestHighlight(t *testing.T) {
	tests := map[string]struct{ language, code, want string }{
		"a key and a number": {
			"yaml", "a: 1 # one",
			`<span class="w-key">a</span>: <span class="w-number">1</span><span class="w-comment"> # one</span>`,
		},
		"code": {
			"yaml", "a: #@ f(1)",
			`<span class="w-key">a</span>: <span class="w-code"><span class="w-sign">#@</span> ` +
				`<span class="w-call">f</span>(<span class="w-number">1</span>)</span>`,
		},
		"an annotation": {
			"yaml", "#@overlay/match missing_ok=True",
			`<span class="w-code"><span class="w-sign">#@</span><span class="w-note">overlay/match</span> ` +
				`missing_ok=<span class="w-word">True</span></span>`,
		},
		"a block of text": {
			"yaml", "a: |\n  b: 1\nc: x",
			`<span class="w-key">a</span>: |` + "\n" + `<span class="w-string">  b: 1</span>` + "\n" +
				`<span class="w-key">c</span>: x`,
		},
		"numbers": {
			"yaml", "- [1,2.5, true, 10Gi, it's]",
			`- [<span class="w-number">1</span>,<span class="w-number">2.5</span>, ` +
				`<span class="w-number">true</span>, 10Gi, it&#39;s]`,
		},
		"JSON": {
			"yaml", `{"a":"b","c":1}`,
			`{<span class="w-string">&#34;a&#34;</span>:<span class="w-string">&#34;b&#34;</span>,` +
				`<span class="w-string">&#34;c&#34;</span>:<span class="w-number">1</span>}`,
		},
		"HTML": {
			"yaml", "<b>: '<i>'",
			`<span class="w-key">&lt;b&gt;</span>: <span class="w-string">&#39;&lt;i&gt;&#39;</span>`,
		},
		"an error": {
			"text", "a.yml:1:2: error: no",
			`a.yml:1:2: <span class="w-error">error</span>: no`,
		},
		"an error with a code": {
			"text", "a.yml:1:2: error: no <x> [yaml/anchor]",
			`a.yml:1:2: <span class="w-error">error</span>: no &lt;x&gt; [<a href="code:yaml/anchor.html">yaml/anchor</a>]`,
		},
		"an error with something else": {
			"text", "error: no [yaml/none]", `<span class="w-error">error</span>: no [yaml/none]`,
		},
		"another language": {"go", "if a < b {}", "if a &lt; b {}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, HTML(tt.language, tt.code)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestColorsAreThoseOfTheEditor compares colors with those that the script of the playground finds, in all examples
// and in random lines.
func TestColorsAreThoseOfTheEditor(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	type text struct{ Kind, Code string }
	texts := []text{{"yaml", randomLines()}, {"star", randomLines()}}
	err := filepath.WalkDir(filepath.Join("..", "..", "examples"), func(path string, d fs.DirEntry, err error) error {
		kind := map[string]string{".yml": "yaml", ".yaml": "yaml", ".star": "star"}[filepath.Ext(path)]
		if err != nil || kind == "" {
			return err
		}
		data, err := os.ReadFile(path)
		texts = append(texts, text{kind, string(data)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "--input-type=module", "-e", painted)
	cmd.Dir, cmd.Stdin = filepath.Join("..", "..", "web", "playground", "src"), bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, err.(*exec.ExitError).Stderr)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(texts) || len(got) < 20 {
		t.Fatalf("%d answers for %d texts: %v", len(got), len(texts), err)
	}
	for i, want := range texts {
		if diff := cmp.Diff(HTML(want.Kind, want.Code), got[i]); diff != "" {
			t.Fatalf("%s (-site +editor):\n%s", want.Kind, diff)
		}
	}
}

// painted is a script that prints texts as HTML, with the colors that paint.js finds.
const painted = `import {blockAfter, isText, paint} from "./paint.js"
import {readFileSync} from "node:fs"
const escapes = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;"}
const html = (kind, code) => {
  let block = -1
  return code.split("\n").map(line => {
    const opens = Array.from({length: line.length + 1}, () => ""), closes = [...opens]
    const add = (what, from, to) => {
      if (from === to) return
      opens[from] += '<span class="w-' + what + '">'
      closes[to] += "</span>"
    }
    if (kind === "yaml" && isText(block, line)) add("string", 0, line.length)
    else paint(kind, line, add)
    if (kind === "yaml") block = blockAfter(block, line)
    return opens.map((open, i) => closes[i] + open + (line[i] ?? "").replace(/[&<>'"]/, c => escapes[c])).join("")
  }).join("\n")
}
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(t => html(t.Kind, t.Code))))
`

// randomLines returns lines of pieces that mean something.
func randomLines() string {
	pieces := []string{
		" ", "  ", "\t", "- ", "a", "b-c", ":", ": ", "#", " #", "#@ ", "#@", "#! ", "overlay/match", "data/values-schema",
		"1", "2.5", "-3", "0x1f", "1e3", "true", "~", "10Gi", "'", "\"", "''", "\\", "[", "]", "{", "}", ",", "|", ">-", "---",
		"def ", "end", "f(", ")", "for x in y", "%", "&x", "*x", "!t", "(@= x @)", "é", "<b>",
	}
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range 20_000 {
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
