package cover

import (
	_ "embed"
	"io"
	"strings"

	"weft/internal/lang/page"
	"weft/internal/lang/secret"
)

//go:embed page.html
var pageText string

// The data of the page.
type (
	pageData struct {
		Summary string     `json:"summary"`
		Files   []pageFile `json:"files"`
	}
	pageFile struct {
		Path    string     `json:"path"`
		Percent int        `json:"percent"`
		Summary string     `json:"summary"`
		Lines   []string   `json:"lines"`
		Covered []int      `json:"covered"`
		Missed  []int      `json:"missed"`
		Misses  []jsonMiss `json:"misses"`
	}
)

// WriteHTML writes the report as a self-contained page. hide hides the secrets in a text.
func (r *Report) WriteHTML(w io.Writer, hide func(string) string) error {
	d := pageData{Summary: r.Summary(), Files: []pageFile{}}
	for i := range r.Files {
		d.Files = append(d.Files, r.Files[i].page(hide))
	}
	return page.Write(w, pageText, d)
}

func (f *File) page(hide func(string) string) pageFile {
	j, figures := f.json(hide), f.Figures()
	out := pageFile{
		Path: f.Path, Percent: figures.Score().Percent(), Misses: j.Misses,
		Summary: (&Report{Files: []File{*f}}).Summary(),
		Covered: j.Lines.Covered, Missed: j.Lines.Missed, Lines: f.lines(hide),
	}
	return out
}

// lines returns the lines of the file without secrets. Secrets are hidden line by line, so that
// each line keeps its number.
func (f *File) lines(hide func(string) string) []string {
	text := strings.TrimPrefix(f.withoutSecrets(), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.TrimSuffix(text, "\n")
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = hide(lines[i])
	}
	return lines
}

// withoutSecrets returns the text of the file without the literal data of Secrets. Each line of it
// is hidden separately, so that the number of lines stays the same.
func (f *File) withoutSecrets() string {
	text := string(f.source.Data())
	var b strings.Builder
	from := 0
	for _, part := range f.secrets {
		b.WriteString(text[from:part.Start])
		for line := range strings.Lines(text[part.Start:part.End]) {
			shown := strings.TrimSpace(line)
			if shown == "" {
				b.WriteString(line)
				continue
			}
			before, after, _ := strings.Cut(line, shown)
			b.WriteString(before + secret.Hidden + after)
		}
		from = int(part.End)
	}
	return b.String() + text[from:]
}
