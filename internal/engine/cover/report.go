package cover

import (
	"cmp"
	"slices"
	"strings"

	"weft/internal/lang/source"
)

// Report is what was reached in all files. It never changes.
type Report struct {
	Files []File // in the order of their paths
}

// File is what was reached in a file.
type File struct {
	Path   string // the path that messages show
	Points []Result

	source  *source.File
	secrets []Part
}

// Result is a point, and whether it was reached.
type Result struct {
	Point
	Reached   bool
	Line      int
	LastLine  int
	Evaluated bool // for Branches: the condition was evaluated, with either result
}

// Report returns what was reached so far. Files with the same path are one file: environments with
// different inputs may each have read it.
func (r *Recorder) Report() *Report {
	g := gatherer{}
	for p, counts := range r.programs.Range {
		g.program(p.(*Program), counts.(Counts))
	}
	for e, p := range r.declared.Range {
		e := e.(event)
		g.at(e.file).point(p.(Point))
	}
	for e := range r.events.Range {
		e := e.(event)
		if x := g.at(e.file).points[e.key]; x != nil { // otherwise it belongs to another file
			x.Reached = true
		}
	}
	return g.report()
}

// gatherer merges what is known about files, by path.
type gatherer map[string]*gathered

type gathered struct {
	file    *source.File
	points  map[Key]*Result
	secrets []Part
}

func (g gatherer) at(f *source.File) *gathered {
	x := g[f.Shown()]
	if x == nil {
		x = &gathered{file: f, points: map[Key]*Result{}}
		g[f.Shown()] = x
	}
	return x
}

func (f *gathered) point(p Point) *Result {
	x := f.points[p.Key]
	if x == nil {
		x = &Result{Point: p}
		f.points[p.Key] = x
	}
	return x
}

func (g gatherer) program(p *Program, counts Counts) {
	f := g.at(p.File)
	if f.file == p.File {
		f.secrets = p.Secrets
	}
	results := make([]*Result, len(p.Points))
	for i, point := range p.Points {
		results[i] = f.point(point)
	}
	for i := range counts {
		if counts[i].Load() {
			covered := p.Counters[i]
			for _, x := range results[covered.First : covered.First+covered.N] {
				x.Reached = true
			}
		}
	}
}

func (g gatherer) report() *Report {
	r := &Report{}
	for path, f := range g {
		if len(f.points) > 0 {
			r.Files = append(r.Files, f.report(path))
		}
	}
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return r
}

func (f *gathered) report(path string) File {
	out := File{Path: path, source: f.file, secrets: f.secrets}
	for _, x := range f.points {
		x.Line = f.file.Line(int(x.Start))
		x.LastLine = f.file.Line(int(max(x.Start, x.End-1)))
		out.Points = append(out.Points, *x)
	}
	slices.SortFunc(out.Points, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Case, b.Case))
	})
	out.evaluate()
	return out
}

// evaluate finds the conditions and loops that were evaluated: those with a branch that was taken,
// and those before an elif that was evaluated.
func (f *File) evaluate() {
	evaluated := map[int32]bool{}
	for i := range slices.Backward(f.Points) { // backward, because an elif comes after its conditions
		x := &f.Points[i]
		if x.Kind == Branches && x.Reached {
			evaluated[x.Site] = true
		}
		if x.Kind == Branches && evaluated[x.Site] && x.Elif > 0 {
			evaluated[x.Elif] = true
		}
	}
	for i := range f.Points {
		x := &f.Points[i]
		x.Evaluated = x.Kind == Branches && evaluated[x.Site]
	}
}

// Figure is the number of points of a kind, and how many of them were reached.
type Figure struct {
	Covered int `json:"covered"`
	Total   int `json:"total"`
}

// Percent returns the percentage that was reached, rounded down; 100 if there is nothing to reach.
func (f Figure) Percent() int {
	if f.Total == 0 {
		return 100
	}
	return 100 * f.Covered / f.Total
}

func (f Figure) plus(g Figure) Figure { return Figure{f.Covered + g.Covered, f.Total + g.Total} }

// Figures are the figures of all kinds.
type Figures [kinds]Figure

// Figures returns the figures of all files.
func (r *Report) Figures() (all Figures) {
	for i := range r.Files {
		for k, f := range r.Files[i].Figures() {
			all[k] = all[k].plus(f)
		}
	}
	return all
}

// Figures returns the figures of the file.
func (f *File) Figures() (all Figures) {
	for i := range f.Points {
		x := &f.Points[i]
		all[x.Kind].Total++
		if x.Reached {
			all[x.Kind].Covered++
		}
	}
	return all
}

// Score returns the nodes and branches, to which the minimum coverage applies.
func (f Figures) Score() Figure { return f[Nodes].plus(f[Branches]) }

// Miss is a group of unreached points that are reported together: consecutive nodes, or one point of
// another kind.
type Miss struct {
	Kind     Kind
	Path     string
	Line     int
	LastLine int
	Why      string
	Nodes    int // the number of nodes
}

// Misses returns what was not reached, in the order of files and lines.
func (r *Report) Misses() (list []Miss) {
	for i := range r.Files {
		list = append(list, r.Files[i].Misses()...)
	}
	return list
}

// Misses returns what was not reached in the file.
func (f *File) Misses() (list []Miss) {
	open := -1 // the miss that the following nodes belong to
	for i := range f.Points {
		x := &f.Points[i]
		if open >= 0 && x.Kind == Branches && x.Line > list[open].LastLine {
			open = -1 // a line with control flow separates nodes
		}
		switch {
		case x.Kind != Nodes && !x.Reached:
			list = append(list, Miss{
				Kind: x.Kind, Path: f.Path, Line: x.Line, LastLine: x.LastLine, Why: x.Miss,
			})
		case x.Kind != Nodes:
		case x.Reached:
			open = -1
		case open >= 0:
			list[open].Nodes++
			list[open].LastLine = x.LastLine
		default:
			open = len(list)
			list = append(list, Miss{
				Kind: Nodes, Path: f.Path, Line: x.Line, LastLine: x.LastLine, Why: x.Miss, Nodes: 1,
			})
		}
	}
	return list
}

// Largest returns the largest misses that count for the minimum coverage, at most limit.
func (r *Report) Largest(limit int) []Miss {
	list := slices.DeleteFunc(r.Misses(), func(m Miss) bool {
		return m.Kind != Nodes && m.Kind != Branches
	})
	slices.SortStableFunc(list, func(a, b Miss) int { return cmp.Compare(b.Nodes, a.Nodes) })
	return list[:min(limit, len(list))]
}

// Lines reports for each line with nodes or control flow, by number, whether it was reached.
func (f *File) Lines() map[int]bool {
	lines := map[int]bool{}
	for i := range f.Points {
		x := &f.Points[i]
		if x.Kind > Functions {
			continue
		}
		for line := x.Line; line <= x.LastLine; line++ {
			lines[line] = lines[line] || x.Reached || x.Evaluated && x.Case == Taken
		}
	}
	return lines
}
