package cover

import (
	"io"
	"slices"

	"weft/internal/engine/emit"
)

// jsonReport is a report for programs. Its names are stable; new ones may be added.
type jsonReport struct {
	Summary jsonSummary `json:"summary"`
	Files   []jsonFile  `json:"files"`
}

type jsonSummary struct {
	Percent int `json:"percent"` // for nodes and branches together
	jsonFigures
}

type jsonFigures struct {
	Nodes     Figure `json:"nodes"`
	Branches  Figure `json:"branches"`
	Functions Figure `json:"functions"`
	Overlays  Figure `json:"overlays"`
	Rules     Figure `json:"rules"`
	Values    Figure `json:"values"`
}

type jsonFile struct {
	Path string `json:"path"`
	jsonFigures
	Lines  jsonLines  `json:"lines"`
	Misses []jsonMiss `json:"misses"`
}

type jsonLines struct {
	Covered []int `json:"covered"`
	Missed  []int `json:"missed"`
}

type jsonMiss struct {
	Kind     string `json:"kind"`
	Line     int    `json:"line"`
	LastLine int    `json:"lastLine"`
	Why      string `json:"why"`
}

// WriteJSON writes the report for programs. hide hides the secrets in a text.
func (r *Report) WriteJSON(w io.Writer, hide func(string) string) error {
	all := r.Figures()
	out := jsonReport{
		Summary: jsonSummary{all.Score().Percent(), all.json()}, Files: []jsonFile{},
	}
	for i := range r.Files {
		out.Files = append(out.Files, r.Files[i].json(hide))
	}
	return emit.Report(w, out)
}

func (f Figures) json() jsonFigures {
	return jsonFigures{f[Nodes], f[Branches], f[Functions], f[Overlays], f[Rules], f[Values]}
}

func (f *File) json(hide func(string) string) jsonFile {
	out := jsonFile{
		Path: f.Path, jsonFigures: f.Figures().json(), Misses: []jsonMiss{},
		Lines: jsonLines{Covered: []int{}, Missed: []int{}},
	}
	for line, reached := range f.Lines() {
		if reached {
			out.Lines.Covered = append(out.Lines.Covered, line)
		} else {
			out.Lines.Missed = append(out.Lines.Missed, line)
		}
	}
	slices.Sort(out.Lines.Covered)
	slices.Sort(out.Lines.Missed)
	for _, m := range f.Misses() {
		out.Misses = append(out.Misses, jsonMiss{m.Kind.String(), m.Line, m.LastLine, hide(m.Why)})
	}
	return out
}
