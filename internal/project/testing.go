package project

import (
	"strings"

	"weft/internal/lang/source"
)

// Testing is the test settings of a project.
type Testing struct {
	Files []Item // patterns of test files, as seen from the current directory
	Min   int    // the minimum coverage in percent, or -1
	MinAt source.Span
}

// Testing returns the test settings of the project. Lists of extended files are joined.
func (p *Description) Testing() Testing {
	t := Testing{Min: -1}
	for _, f := range p.layers {
		n := f.root.Get(keyTest)
		for _, x := range n.Get("files").texts() {
			t.Files = append(t.Files, Item{p.places.from(f, x.Text), x.At})
		}
		if x := n.Get("min"); x != nil {
			t.Min, t.MinAt = int(x.Scalar.Int()), x.At
		}
	}
	if t.Files == nil {
		t.Files = []Item{{Text: p.places.from(p.own, "tests/**/*.test.yml")}}
	}
	return t
}

// TestPatterns are patterns of test files, which are never inputs of a project.
var TestPatterns = []string{"**/*.test.yml", "**/*.test.yaml"}

// IsTest reports whether a file is a test file, by its name.
func IsTest(name string) bool {
	return strings.HasSuffix(name, ".test.yml") || strings.HasSuffix(name, ".test.yaml")
}
