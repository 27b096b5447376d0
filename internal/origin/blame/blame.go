// Package blame finds where each line of an output comes from: the line that produced it, the data values
// that it was computed from and where they were set, the overlays and overrides that changed it, and what
// was left out.
//
// It takes the result of a traced evaluation (see tree.Origins) and prints reports. It evaluates nothing
// itself; only Prove needs more evaluations, through a function that it is passed.
package blame

import (
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Input is what a traced evaluation made.
type Input struct {
	Docs    []tree.Doc
	Texts   []Text
	Files   *source.Set
	Origins *tree.Origins
	Secrets secret.Rules
}

// Text is what a text template made.
type Text struct {
	File  string
	Text  string
	Lines []tree.Origin // what made each line; 0 for one that is taken as it is
	At    source.Pos    // the template
}

// Report is where an output comes from.
type Report struct {
	in    Input
	Docs  []OutputDocument
	Nodes []Node // those of all documents, in the order of the output
	Parts []Part

	leaves map[tree.Leaf]*DataValue

	keyed     map[int32]tree.Condition  // nodes whose keys were computed, and of what
	libraries []string                  // see libraryNames
	opened    map[tree.Value]tree.Value // see open
	find      finder
	removed   []string                      // texts of secrets that were removed
	instead   map[outcome][]*Absent         // what is not there because something else is
	notes     map[madeOf]string             // see madeOnce
	callers   map[tree.Calls][]source.Span  // see caller
	proofs    map[int]*Proof                // by node
	hidden    map[*source.File]map[int]bool // see secretLines
}

// OutputDocument is one document of the output.
type OutputDocument struct {
	Object string // what it calls itself, as Deployment/web, or ""
	At     source.Pos
	value  tree.Value
}

// Part is a text of the output: all documents together, or one file that is not YAML.
type Part struct {
	File  string // of a file that is not YAML
	Lines []Line
}

// Line is one line of the output, or of what is not there.
type Line struct {
	Text   string
	Absent *Absent // if the line says what is not there: it is not part of the output

	Number  int32       // in the output, from 1; 0 of what is not there
	Node    int32       // the innermost node that begins here or that the line is part of, or -1
	Origin  tree.Origin // what made a line of text
	First   bool        // the node begins here
	dropped bool        // it is part of a secret
}

// New makes a report.
func New(in Input) *Report {
	r := &Report{
		in: in, leaves: map[tree.Leaf]*DataValue{},
		libraries: libraryNames(in.Origins.DataValues()),
		notes:     map[madeOf]string{}, callers: map[tree.Calls][]source.Span{},
		instead: map[outcome][]*Absent{}, opened: map[tree.Value]tree.Value{}, find: finder{},
	}
	r.documents(in.Docs)
	for _, t := range in.Texts {
		r.text(t)
	}
	r.keepSecret()
	r.conditional()
	r.absent()
	return r
}

// Where returns a place for people: config/app.yml:8. The path leads to the file from the working
// directory, so that a terminal or an editor can open it.
func (r *Report) Where(at source.Pos) string {
	f := r.in.Files.File(at)
	if f == nil {
		return ""
	}
	return f.WhereLine(at.Offset())
}
