package cover

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
)

// WriteLCOV writes the report in the lcov format, which many tools read. Its lines are those with
// nodes or control flow. Kinds that lcov lacks, such as overlays, are left out.
func (r *Report) WriteLCOV(w io.Writer) error {
	var b bytes.Buffer
	for i := range r.Files {
		r.Files[i].lcov(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (f *File) lcov(b *bytes.Buffer) {
	lines, figures := f.Lines(), f.Figures()
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "TN:\nSF:%s\n", filepath.ToSlash(f.Path))
	f.lcovFunctions(b)
	fmt.Fprintf(b, "FNF:%d\nFNH:%d\n", figures[Functions].Total, figures[Functions].Covered)
	f.lcovBranches(b)
	fmt.Fprintf(b, "BRF:%d\nBRH:%d\n", figures[Branches].Total, figures[Branches].Covered)
	hit := 0
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(b, "DA:%d,%d\n", line, count(lines[line]))
		hit += count(lines[line])
	}
	fmt.Fprintf(b, "LF:%d\nLH:%d\nend_of_record\n", len(lines), hit)
}

// lcovFunctions writes the functions. lcov identifies functions by name, so the second of two with
// the same name gets its line appended.
func (f *File) lcovFunctions(b *bytes.Buffer) {
	seen := map[string]bool{}
	var called bytes.Buffer
	for i := range f.Points {
		x := &f.Points[i]
		if x.Kind != Functions {
			continue
		}
		name := x.Name
		if seen[name] {
			name = fmt.Sprintf("%s@%d", name, x.Line)
		}
		seen[name] = true
		fmt.Fprintf(b, "FN:%d,%s\n", x.Line, name)
		fmt.Fprintf(&called, "FNDA:%d,%s\n", count(x.Reached), name)
	}
	b.Write(called.Bytes())
}

// lcovBranches writes the branches, each on the line of its keyword.
func (f *File) lcovBranches(b *bytes.Buffer) {
	for i := range f.Points {
		x := &f.Points[i]
		if x.Kind != Branches {
			continue
		}
		taken := "-" // the condition was never evaluated
		if x.Evaluated {
			taken = fmt.Sprint(count(x.Reached))
		}
		fmt.Fprintf(b, "BRDA:%d,%d,%d,%s\n", x.Line, x.Site, x.Case, taken)
	}
}

func count(reached bool) int {
	if reached {
		return 1
	}
	return 0
}
