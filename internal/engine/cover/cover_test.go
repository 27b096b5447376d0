package cover

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/source"
)

// sample is a file with an if of two branches around three nodes, and a function.
const sample = "a: 1\n#@ if x:\nb: 2\nc: 3\n#@ else:\nd: 4\n#@ end\n#@ def f(): pass\n"

// program is the points of sample, and a counter for each run of them.
func program(t testing.TB) *Program {
	f, err := new(source.Set).AddShown("a.yml", "dir/a.yml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) int32 { return int32(strings.Index(sample, text)) }
	node := func(text string) Point {
		return Point{Key: Key{Kind: Nodes, Start: at(text)}, Miss: "never rendered"}
	}
	return &Program{
		File: f,
		Points: []Point{
			node("a: 1"),
			{Key: Key{Branches, at("if x"), Taken}, Site: 1, Miss: "if"},
			node("b: 2"),
			node("c: 3"),
			{Key: Key{Branches, at("else"), NotTaken}, Site: 1, Miss: "else"},
			node("d: 4"),
			{Key: Key{Functions, at("def"), 0}, Name: "f", Miss: "f: never called"},
		},
		Counters: []Range{{0, 1}, {1, 3}, {4, 2}, {6, 1}},
	}
}

// Figures, misses and lines say what the counters say, however many runs reach them at a time.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		name    string
		hits    []int
		summary string
		misses  string
		percent int
	}{
		{
			"nothing", nil, "nodes 0 % branches 0/2 functions 0/1",
			"dir/a.yml:1 (never rendered), dir/a.yml:2 (if), dir/a.yml:3-4 (never rendered), " +
				"dir/a.yml:5 (else), dir/a.yml:6 (never rendered), dir/a.yml:8 (f: never called)", 0,
		},
		{
			"one branch",
			[]int{0, 1},
			"nodes 75 % branches 1/2 functions 0/1",
			"dir/a.yml:5 (else), dir/a.yml:6 (never rendered), dir/a.yml:8 (f: never called)", 66,
		},
		{"all", []int{0, 1, 2, 3}, "nodes 100 % branches 2/2 functions 1/1", "", 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r Recorder
			p := program(t)
			var runs sync.WaitGroup
			for range 4 {
				runs.Go(func() {
					counts := r.Add(p)
					for _, i := range c.hits {
						counts.Hit(i)
					}
				})
			}
			runs.Wait()
			report := r.Report()
			var misses []string
			for _, m := range report.Misses() {
				misses = append(misses, m.String())
			}
			if diff := cmp.Diff(c.misses, strings.Join(misses, ", ")); diff != "" {
				t.Errorf("misses (-want +got):\n%s", diff)
			}
			if got := report.Summary(); got != c.summary {
				t.Errorf("summary %q, want %q", got, c.summary)
			}
			if got := report.Figures().Score().Percent(); got != c.percent {
				t.Errorf("%d %%, want %d %%", got, c.percent)
			}
		})
	}
}

// Points that only runs know of count if they are declared, and files with one path are one file.
func TestDeclared(t *testing.T) {
	var r Recorder
	one, two := program(t), program(t)
	r.Add(one).Hit(0)
	r.Add(two).Hit(2)
	known, other := Key{Kind: Values, Start: 3}, Key{Kind: Values, Start: 4}
	r.Declare(one.File, Point{Key: known, Miss: "x: set by no test"})
	r.Reach(two.File, known)
	r.Reach(two.File, other)
	report := r.Report()
	figures := report.Figures()
	if len(report.Files) != 1 || figures[Values] != (Figure{1, 1}) || figures[Nodes] != (Figure{2, 4}) {
		t.Errorf("%d files, %+v", len(report.Files), figures)
	}
}

// The format of lcov: geninfo(1) describes it.
func TestLCOV(t *testing.T) {
	var r Recorder
	counts := r.Add(program(t))
	counts.Hit(0)
	counts.Hit(1)
	var b bytes.Buffer
	if err := r.Report().WriteLCOV(&b); err != nil {
		t.Fatal(err)
	}
	want := `TN:
SF:dir/a.yml
FN:8,f
FNDA:0,f
FNF:1
FNH:0
BRDA:2,1,0,1
BRDA:5,1,1,0
BRF:2
BRH:1
DA:1,1
DA:2,1
DA:3,1
DA:4,1
DA:5,0
DA:6,0
DA:8,0
LF:7
LH:4
end_of_record
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The page shows as many lines as the file has, and none of the parts that are secret.
func TestPageHidesSecrets(t *testing.T) {
	text := "\ufeffkind: Secret\r\ndata:\r\n  a: hunter2 #! why\r\n  b: |\r\n    one\r\n\r\n    two\r\nlast: 1"
	f, err := new(source.Set).Add("s.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	part := func(from, to string) Part {
		end := strings.Index(text, to) + len(to)
		return Part{int32(strings.Index(text, from)), int32(end)}
	}
	var r Recorder
	r.Add(&Program{
		File:    f,
		Points:  []Point{{Key: Key{Kind: Nodes}}},
		Secrets: []Part{part("hunter2", "hunter2"), part("one", "two\r\n")},
	})
	file := r.Report().Files[0]
	got := file.lines(func(s string) string { return strings.ReplaceAll(s, "why", "‹secret›") })
	want := []string{
		"kind: Secret", "data:", "  a: ‹secret› #! ‹secret›", "  b: |", "    ‹secret›", "", "    ‹secret›",
		"last: 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The page holds the data of the report as JSON that cannot end its script.
func TestPageIsOneScript(t *testing.T) {
	var r Recorder
	p := program(t)
	p.Points[0].Miss = "</script><b>"
	r.Add(p)
	same := func(s string) string { return s }
	var page, data bytes.Buffer
	if err := r.Report().WriteHTML(&page, same); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), "</script><b>") {
		t.Error("the page has the text as HTML")
	}
	if err := r.Report().WriteJSON(&data, same); err != nil || !json.Valid(data.Bytes()) {
		t.Errorf("%s: %v", data.String(), err)
	}
}
