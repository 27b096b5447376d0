package kustomization_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"weft/internal/project/engines/wire"
)

// cases returns the kustomizations in testdata. Each is in the folder app; want.yaml is what `kustomize
// build` prints, which a test in tools/integrationtest compares.
func cases(t *testing.T) map[string]fstest.MapFS {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 30 {
		t.Fatalf("%d kustomizations: %v", len(names), err)
	}
	all := map[string]fstest.MapFS{}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{}
		for _, f := range a.Files {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		all[strings.TrimSuffix(filepath.Base(name), ".txtar")] = files
	}
	return all
}

func text(a *wire.Answer) string {
	var docs []string
	for _, d := range a.Docs {
		docs = append(docs, d.Text)
	}
	return strings.Join(docs, "---\n")
}

// TestBuild compares what is built with what `kustomize build` prints, with and without origins.
func TestBuild(t *testing.T) {
	for name, files := range cases(t) {
		t.Run(name, func(t *testing.T) {
			for _, origins := range []bool{false, true} {
				a := build(t, files, "app", origins)
				if a.Error != nil {
					t.Fatalf("%s:%d: %s", a.Error.File, a.Error.Line, a.Error.Message)
				}
				if got, want := text(a), string(files["want.yaml"].Data); got != want {
					t.Errorf("built:\n%swant:\n%s", got, want)
				}
			}
		})
	}
}

// TestNoWrongLine changes each line that an origin names, and builds again. All lines that name it must be
// different then, or the build must fail: it would not if the line was the wrong one.
func TestNoWrongLine(t *testing.T) {
	lines, known := 0, 0
	for name, files := range cases(t) {
		t.Run(name, func(t *testing.T) {
			a := build(t, files, "app", true)
			for i := range a.Docs {
				lines += wire.Lines(a.Docs[i].Text)
				for n := range wire.Lines(a.Docs[i].Text) {
					if from := a.Origin(&a.Docs[i], n); len(from) > 0 && from[0].Line > 0 {
						known++
					}
				}
			}
			for at, list := range namedLines(a) {
				perturb(t, files, at, list, text(a))
			}
		})
	}
	t.Logf("%d of %d lines have a line of a file", known, lines)
	if known*100 < lines*90 {
		t.Errorf("%d of %d lines have a line of a file: fewer than 90 %%", known, lines)
	}
}

// namedLines returns the lines of files that origins name, with the documents, lines and texts that come from
// them.
func namedLines(a *wire.Answer) map[place][]string {
	named := map[place][]string{}
	for i := range a.Docs {
		for n, line := range strings.Split(strings.TrimSuffix(a.Docs[i].Text, "\n"), "\n") {
			for _, p := range a.Origin(&a.Docs[i], n) {
				if p.Line > 0 {
					at := place{p.File, p.Line}
					named[at] = append(named[at], fmt.Sprintf("%d:%d:%s", i, n, line))
				}
			}
		}
	}
	return named
}

// place is a line of a file.
type place struct {
	File string
	Line int
}

// perturb changes each word of a line, builds, and compares the lines of documents that name it.
func perturb(t *testing.T, files fstest.MapFS, at place, list []string, before string) {
	t.Helper()
	source := strings.Split(string(files[at.File].Data), "\n")
	was, same := source[at.Line-1], list
	for _, line := range otherLines(was) {
		source[at.Line-1] = line
		changed := maps.Clone(files)
		changed[at.File] = &fstest.MapFile{Data: []byte(strings.Join(source, "\n"))}
		b := build(t, changed, "app", false)
		if b.Error != nil {
			return
		}
		same = slices.DeleteFunc(slices.Clone(same), func(l string) bool {
			var i, n int
			fmt.Sscanf(l, "%d:%d:", &i, &n)
			_, line, _ := strings.Cut(l, ":")
			_, line, _ = strings.Cut(line, ":")
			after := text(b)
			// What is below a key may come from several files: then the key is there without this line, too.
			if strings.HasSuffix(line, ":") {
				return after != before
			}
			// Documents are in another order if their versions are others.
			return i >= len(b.Docs) || lineAt(b.Docs[i].Text, n) != line || count(after, line) < count(before, line)
		})
	}
	for _, l := range same {
		t.Errorf("%s names %s:%d, but does not change with it: %s", l, at.File, at.Line, was)
	}
}

func count(text, line string) int { return strings.Count("\n"+text, "\n"+line+"\n") }

func lineAt(text string, n int) string {
	if lines := strings.Split(text, "\n"); n < len(lines) {
		return lines[n]
	}
	return ""
}

var word = regexp.MustCompile(`[A-Za-z0-9]+`)

// otherLines returns a line in which each word is another one in turn.
func otherLines(line string) []string {
	list := []string{}
	for _, at := range slices.Backward(word.FindAllStringIndex(line, -1)) {
		old := line[at[0]:at[1]]
		other := old + "x"
		switch {
		case strings.Trim(old, "0123456789") == "":
			other = old + "7"
		case old == "true":
			other = "false"
		case old == "no":
			other = "yes"
		}
		list = append(list, line[:at[0]]+other+line[at[1]:])
	}
	return append(list, line+"x")
}
