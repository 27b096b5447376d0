package weft

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine/cover"
)

// FuzzCoverage holds coverage of random templates to its laws: that of two tests together is the
// union of theirs; the lines of nodes that a test covers are those that blame names for its output;
// and all forms of a report have the same figures.
func FuzzCoverage(f *testing.F) {
	for seed := range uint64(24) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := coverageProject{rnd: rand.New(rand.NewPCG(seed, 1))}
		dir := t.TempDir()
		values := g.write(t, dir)
		both := g.test(t, dir, "")
		a, b := g.test(t, dir, "^a$"), g.test(t, dir, "^b$")
		if diff := cmp.Diff(union(reached(a), reached(b)), reached(both)); diff != "" {
			t.Errorf("seed %d: the union of two tests (-) and both together (+):\n%s", seed, diff)
		}
		for i, c := range []*CoverageReport{a, b} {
			if diff := cmp.Diff(blamedLines(t, dir, values[i]), nodeLines(c)); diff != "" {
				t.Errorf("seed %d, %s: lines of blame (-) and of coverage (+):\n%s\n%s", seed,
					values[i], diff, g.text)
			}
		}
		sameFigures(t, both)
	})
}

// coverageProject is a random project with two tests, a and b.
type coverageProject struct {
	rnd  *rand.Rand
	text string // of its template
	key  int
}

// write writes the project, and gives the data values of the tests.
func (g *coverageProject) write(t *testing.T, dir string) (values [2]string) {
	var b strings.Builder
	b.WriteString("#@ load(\"@ytt:data\", \"data\")\n#@ load(\"f.star\", \"pick\")\n")
	g.function(&b)
	for range 1 + g.rnd.IntN(3) {
		b.WriteString("---\n")
		g.items(&b, "", 0)
	}
	g.text = b.String()
	for i := range values {
		values[i] = fmt.Sprintf("{x: %t, z: %t, m: %d}", g.rnd.IntN(2) == 0, g.rnd.IntN(2) == 0,
			g.rnd.IntN(3))
	}
	for name, text := range map[string]string{
		"config/a.yml": g.text,
		"config/f.star": "def pick(x):\n  if x:\n    return 1\n  end\n  return 2\nend\n\n" +
			"def never():\n  return 0\nend\n",
		"config/s.yml": "#@data/values-schema\n---\nx: true\nz: true\nm: 1\n",
		"t.test.yml": fmt.Sprintf("tests:\n- {name: a, values: %s, expect: [{count: 1+}]}\n"+
			"- {name: b, values: %s, expect: [{count: 1+}]}\n", values[0], values[1]),
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return values
}

// function writes a function that makes nodes, which nodes of the template may call.
func (g *coverageProject) function(b *strings.Builder) {
	b.WriteString("#@ def made(x):\n")
	g.items(b, "", 2)
	b.WriteString("#@ end\n")
}

// items writes the items of a map, under conditions or not. The first always is there, since the
// keys around them would be null otherwise.
func (g *coverageProject) items(b *strings.Builder, indent string, depth int) {
	g.item(b, indent, depth)
	for range g.rnd.IntN(4) {
		switch g.rnd.IntN(5) {
		case 0:
			fmt.Fprintf(b, "%s#@ if %s:\n", indent, g.condition())
			g.item(b, indent, depth+1)
			if g.rnd.IntN(2) == 0 {
				fmt.Fprintf(b, "%s#@ elif %s:\n", indent, g.condition())
				g.item(b, indent, depth+1)
			}
			if g.rnd.IntN(2) == 0 {
				fmt.Fprintf(b, "%s#@ else:\n", indent)
				g.item(b, indent, depth+1)
			}
			fmt.Fprintf(b, "%s#@ end\n", indent)
		case 1:
			g.key++
			fmt.Fprintf(b, "%sk%d:\n%s- first\n", indent, g.key, indent)
			fmt.Fprintf(b, "%s#@ for i in range(data.values.m):\n%s- a: #@ i\n%s  b: 2\n%s#@ end\n",
				indent, indent, indent, indent)
		default:
			g.item(b, indent, depth)
		}
	}
}

func (g *coverageProject) item(b *strings.Builder, indent string, depth int) {
	g.key++
	fmt.Fprintf(b, "%sk%d:", indent, g.key)
	choice := g.rnd.IntN(5)
	if depth > 2 {
		choice = min(choice, 2)
	}
	switch choice {
	case 0:
		b.WriteString(" constant\n")
	case 1:
		fmt.Fprintf(b, " #@ 1 if %s else 2\n", g.condition())
	case 2:
		b.WriteString(" #@ pick(data.values.x)\n")
	case 3:
		if depth < 2 && g.rnd.IntN(2) == 0 {
			b.WriteString(" #@ made(1)\n")
			return
		}
		b.WriteString(" {a: 1, b: [1, 2]}\n")
	case 4:
		b.WriteString("\n")
		g.items(b, indent+"  ", depth+1)
	}
}

func (g *coverageProject) condition() string {
	return []string{"data.values.x", "not data.values.z", "data.values.m > 1"}[g.rnd.IntN(3)]
}

// test runs tests of the project.
func (g *coverageProject) test(t *testing.T, dir, run string) *CoverageReport {
	opts := TestOptions{
		Options: Options{Inputs: []string{filepath.Join(dir, "config")}},
		Files:   []string{filepath.Join(dir, "t.test.yml")}, Coverage: true,
	}
	if run != "" {
		opts.Run = regexp.MustCompile(run)
	}
	made, err := Test(context.Background(), opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, g.text)
	}
	if made.Failed() > 0 {
		var b bytes.Buffer
		_ = made.Write(&b, ReportOptions{})
		t.Fatalf("%s\n%s", b.String(), g.text)
	}
	return made.Coverage()
}

// reached are the points that are covered, each as text.
func reached(c *CoverageReport) map[string]bool {
	set := map[string]bool{}
	for _, f := range c.report.Report.Files {
		for _, x := range f.Points {
			if x.Reached {
				set[fmt.Sprint(filepath.Base(f.Path), x.Key)] = true
			}
		}
	}
	return set
}

func union(a, b map[string]bool) map[string]bool {
	a = maps.Clone(a)
	maps.Copy(a, b)
	return a
}

// nodeLines are the lines of the template whose nodes are covered.
func nodeLines(c *CoverageReport) []int {
	set := map[int]bool{}
	for _, f := range c.report.Report.Files {
		for _, x := range f.Points {
			if x.Kind == cover.Nodes && x.Reached && filepath.Base(f.Path) == "a.yml" {
				set[x.Line] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// blamedLines are the lines of the template that blame names for the output, and those of the
// documents around them.
func blamedLines(t *testing.T, dir, values string) []int {
	file := filepath.Join(t.TempDir(), "values.yml")
	if err := os.WriteFile(file, []byte(values), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := Blame(context.Background(), Options{
		Inputs: []string{filepath.Join(dir, "config")}, DataValues: DataValues{Files: []string{file}},
	}, BlameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set := map[int]bool{}
	for i := range b.report.Nodes {
		at := b.report.Nodes[i].At
		if f := b.res.Files.File(at); f != nil && f.Name() == "a.yml" {
			set[f.Line(at.Offset())] = true
		}
	}
	for _, d := range b.res.Docs {
		if !d.Value.Empty() { // one that only holds functions is not printed
			set[b.res.Files.File(d.Pos).Line(d.Pos.Offset())] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// sameFigures compares the figures of all forms.
func sameFigures(t *testing.T, c *CoverageReport) {
	t.Helper()
	var text, page, lcov bytes.Buffer
	for _, err := range []error{c.Write(&text, ReportOptions{}), c.Write(&page, ReportOptions{Format: JSON}), c.Write(&lcov, ReportOptions{Format: LCOV})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var j struct {
		Summary map[string]any
		Files   []struct {
			Path   string
			Lines  struct{ Covered, Missed []int }
			Misses []struct{ Kind string }
		}
	}
	if err := json.Unmarshal(page.Bytes(), &j); err != nil {
		t.Fatal(err)
	}
	figure := func(kind string) (covered, total int) {
		m := j.Summary[kind].(map[string]any)
		return int(m["covered"].(float64)), int(m["total"].(float64))
	}
	var words []string
	for _, kind := range []string{"nodes", "branches", "functions", "overlays", "rules", "values"} {
		switch covered, total := figure(kind); {
		case total == 0:
		case kind == "nodes":
			words = append(words, fmt.Sprintf("nodes %d %%", 100*covered/total))
		default:
			words = append(words, fmt.Sprintf("%s %d/%d", kind, covered, total))
		}
	}
	summary, _, _ := strings.Cut(text.String(), "\n")
	if want := strings.Join(words, " "); summary != want {
		t.Errorf("text has %q, JSON %q", summary, want)
	}
	var lines, covered, missed int
	for _, f := range j.Files {
		lines += len(f.Lines.Covered) + len(f.Lines.Missed)
		covered += len(f.Lines.Covered)
		missed += len(f.Misses)
	}
	if got := len(regexp.MustCompile(`:\d+(-\d+)? \(`).FindAll(text.Bytes(), -1)); got != missed {
		t.Errorf("text lists %d misses, JSON %d", got, missed)
	}
	branches, allBranches := figure("branches")
	functions, allFunctions := figure("functions")
	for name, want := range map[string]int{
		"LF": lines, "LH": covered, "BRF": allBranches, "BRH": branches, "FNF": allFunctions,
		"FNH": functions,
	} {
		if got := lcovTotal(lcov.String(), name); got != want {
			t.Errorf("lcov has %s %d, JSON %d", name, got, want)
		}
	}
	for name, record := range map[string]string{
		"LF": `(?m)^DA:\d+,`, "LH": `(?m)^DA:\d+,1$`, "BRF": `(?m)^BRDA:`, "BRH": `(?m)^BRDA:.*,1$`,
		"FNF": `(?m)^FN:`, "FNH": `(?m)^FNDA:1,`,
	} {
		got := len(regexp.MustCompile(record).FindAllString(lcov.String(), -1))
		if want := lcovTotal(lcov.String(), name); got != want {
			t.Errorf("lcov has %s %d, but %d records %s", name, want, got, record)
		}
	}
}

// lcovTotal is the sum of a figure over all files.
func lcovTotal(text, name string) (sum int) {
	for _, m := range regexp.MustCompile(`(?m)^`+name+`:(\d+)$`).FindAllStringSubmatch(text, -1) {
		var n int
		fmt.Sscan(m[1], &n)
		sum += n
	}
	return sum
}

// The page shows neither what data of Secrets a template has, rendered or not, nor what its code
// gives them.
func TestCoveragePageHidesSecrets(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"config/a.yml": "#@ for n in [1]:\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n" +
			"data:\n  short: YWI=\nstringData:\n  plain: hunter2\n  code: #@ \"correct \" + \"horse\"\n" +
			"  text: #@ \"battery staple\"\n  block: |\n    line one\n#@ end\n" +
			"#@ if False:\n---\nkind: Secret\nstringData: {never: rendered at all}\n#@ end\n",
		"t.test.yml": "tests:\n- {name: a, expect: [{count: 1}]}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := (&coverageProject{}).test(t, dir, "").Write(&b, ReportOptions{Format: HTML}); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"YWI=", "hunter2", "battery staple", "line one", "at all"} {
		if strings.Contains(b.String(), secret) {
			t.Errorf("the page shows %q", secret)
		}
	}
	if !strings.Contains(b.String(), "plain: ‹secret›") {
		t.Error("the page does not show the keys")
	}
}
