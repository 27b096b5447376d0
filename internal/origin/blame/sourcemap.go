package blame

import (
	"encoding/json"
	"io"
	"strings"

	"weft/internal/lang/source"
)

// sourceMap is a source map (ECMA-426). It maps each line of the output to the place that set it last.
type sourceMap struct {
	Version        int      `json:"version"`
	File           string   `json:"file"`
	Sources        []string `json:"sources"`
	SourcesContent []string `json:"sourcesContent"`
	Names          []string `json:"names"`
	Mappings       string   `json:"mappings"`
}

// WriteMap writes a source map of the documents.
func (r *Report) WriteMap(w io.Writer) error {
	return r.written(w, func(w io.Writer) error { return r.putMap(w) })
}

func (r *Report) putMap(w io.Writer) error {
	m := mapper{
		Report: r, known: map[*source.File]int{}, sources: []string{}, contents: []string{},
	}
	for _, part := range r.Parts[:min(1, len(r.Parts))] { // the documents, if any were rendered
		for _, line := range part.Lines {
			if line.Absent == nil {
				m.line(&line)
			}
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(sourceMap{
		Version: 3, File: "output.yml", Sources: m.sources, SourcesContent: m.contents,
		Names: []string{}, Mappings: m.out.String(),
	})
}

// mapper writes the mappings. Each number is relative to the previous one.
type mapper struct {
	*Report
	out      strings.Builder
	known    map[*source.File]int
	sources  []string
	contents []string

	number                int // lines written so far
	source, line0, column int
}

func (m *mapper) line(line *Line) {
	for ; m.number < int(line.Number)-1; m.number++ {
		m.out.WriteByte(';')
	}
	if line.Node < 0 || !line.First {
		return
	}
	n := &m.Nodes[line.Node]
	history := shownEvents(m.History(n))
	at := history[len(history)-1].At
	f := m.in.Files.File(at)
	if f == nil {
		return
	}
	id, ok := m.known[f]
	if !ok {
		id = len(m.sources)
		m.known[f] = id
		m.sources = append(m.sources, f.Shown())
		m.contents = append(m.contents, m.sourceText(f))
	}
	number, column := f.Line(at.Offset())-1, f.Column(at.Offset(), source.UTF16)-1
	indent := len(line.Text) - len(strings.TrimLeft(line.Text, " "))
	for _, v := range []int{indent, id - m.source, number - m.line0, column - m.column} {
		appendVLQ(&m.out, v)
	}
	m.source, m.line0, m.column = id, number, column
}

// appendVLQ appends a base64 VLQ: five bits per digit, least significant first, the sign in the lowest
// bit.
func appendVLQ(out *strings.Builder, v int) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	u := uint(v) << 1
	if v < 0 {
		u = uint(-v)<<1 | 1
	}
	for {
		d := u & 31
		if u >>= 5; u > 0 {
			d |= 32
		}
		out.WriteByte(digits[d])
		if u == 0 {
			return
		}
	}
}
