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

// Input is the result of a traced evaluation.
type Input struct {
	Docs    []tree.Doc
	Texts   []Text
	Files   *source.Set
	Origins *tree.Origins
	Secrets secret.Rules
}

// Text is the output of a text template.
type Text struct {
	File  string
	Text  string
	Lines []tree.Origin // the origin of each line; 0 for literal text
	At    source.Pos    // the template
}

// Report describes where each line of an output comes from.
type Report struct {
	in    Input
	Docs  []OutputDocument
	Nodes []Node // the nodes of all documents, in output order
	Parts []Part

	leaves map[tree.Leaf]*DataValue

	keyed     map[int32]tree.Condition  // what computed keys were computed from, by node
	libraries []string                  // see libraryNames
	edited    map[int32][]source.Pos    // by node: see editedAt
	opened    map[tree.Value]tree.Value // see open
	find      finder
	removed   []string                      // secret texts that were removed
	instead   map[outcome][]*Absent         // what would be in the output instead of an outcome
	notes     map[templateNote]string       // see cachedNote
	callers   map[tree.Calls][]source.Span  // see caller
	proofs    map[int]*Proof                // by node
	hidden    map[*source.File]map[int]bool // see secretLines
}

// OutputDocument is one document of the output.
type OutputDocument struct {
	Object string // its name, as selector.Names returns it
	At     source.Pos
	value  tree.Value
}

// Part is one text of the output: all YAML documents together, or one file that is not YAML.
type Part struct {
	File  string // its name, if it is not YAML
	Lines []Line
}

// Line is a line of the output, or describes something missing from it.
type Line struct {
	Text   string
	Absent *Absent // what is missing, if the line is not part of the output

	Number  int32       // its number in the output, from 1; 0 if Absent is set
	Node    int32       // the innermost node that begins on or spans this line, or -1
	Origin  tree.Origin // what produced a line of text
	First   bool        // the node begins here
	dropped bool        // part of a secret
}

// New returns a report on the result of an evaluation.
func New(in Input) *Report {
	r := &Report{
		in: in, leaves: map[tree.Leaf]*DataValue{},
		libraries: libraryNames(in.Origins.DataValues()),
		notes:     map[templateNote]string{}, callers: map[tree.Calls][]source.Span{},
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

// Where returns a position for people, as in config/app.yml:8. The path is relative to the working
// directory, so that a terminal or an editor can open it.
func (r *Report) Where(at source.Pos) string {
	f := r.in.Files.File(at)
	if f == nil {
		return ""
	}
	return f.WhereLine(at.Offset())
}
