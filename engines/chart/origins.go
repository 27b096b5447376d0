package chart

import (
	"context"
	"maps"
	"strings"

	v2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/engine"

	"weft/engines/chart/trace"
	"weft/internal/project/engines/wire"
)

// origins finds where the lines of documents come from. The chart is rendered once more with marks in its
// templates. Lines that this changes have no origins, and if it fails, no line of a template has.
func origins(r *wire.Chart, s *source, texts map[string]string, docs []document) *table {
	t := &table{numbers: map[string]int{}}
	marked := renderMarked(r, s)
	for i := range docs {
		d := &docs[i]
		n := wire.Lines(d.Text)
		d.Origins = make([]int, n)
		if d.file != nil {
			name := s.pathOf(d.file)
			for k := range d.Origins {
				d.Origins[k] = t.number([]wire.Place{{File: name, Line: k + 1}})
			}
			continue
		}
		chains := align(texts[d.Source], marked[d.Source])
		for k := range d.Origins {
			if at := d.line + k; d.line >= 0 && at < len(chains) {
				d.Origins[k] = t.number(chains[at])
			}
		}
	}
	return t
}

// traced is a text of the render with marks: its lines, and where they come from.
type traced struct {
	lines  []string
	chains [][]wire.Place
}

// renderMarked renders a chart with marks in its templates. It returns nothing if that fails: Helm's engine
// has rendered the chart without marks already, so what fails is of no interest.
func renderMarked(r *wire.Chart, s *source) map[string]traced {
	if s.hasMarks() {
		return nil
	}
	p, err := prepare(r, s)
	if err != nil {
		return nil
	}
	c, top := p.chart, p.top
	all, err := top.Table("Values")
	if err != nil {
		return nil
	}
	where := newDefaults(c, s, p.given)
	t := trace.New(trace.NewValues(all, where.place), s.texts(c))
	if err := rewrite(c, s, t); err != nil {
		return nil
	}
	funcs := newFunctions(r, s).all
	maps.Copy(funcs, t.Funcs())
	e := engine.Engine{CustomTemplateFuncs: funcs}
	texts, err := e.RenderWithContext(context.Background(), c, top)
	if err != nil {
		return nil
	}
	out := map[string]traced{}
	for name, text := range texts {
		lines, chains := t.Lines(text)
		out[name] = traced{lines, chains}
	}
	return out
}

// rewrite puts marks into the templates of a chart and of its dependencies. Dependencies with several aliases
// share templates.
func rewrite(c *v2.Chart, s *source, t *trace.Tracer) error {
	done := map[*byte]bool{}
	var walk func(c *v2.Chart) error
	walk = func(c *v2.Chart) error {
		for _, f := range c.Templates {
			if len(f.Data) == 0 || done[&f.Data[0]] {
				continue
			}
			text, err := t.Rewrite(s.pathOf(f), f.Name, string(f.Data))
			if err != nil {
				return err
			}
			f.Data = append([]byte(text), '\n')[:len(text)]
			if len(text) > 0 {
				done[&f.Data[0]] = true
			}
		}
		for _, d := range c.Dependencies() {
			if err := walk(d); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(c)
}

// align returns the chains of the lines of a text that are the same in the text with marks. If lines are
// missing there or were added, the lines before and after them count.
func align(text string, with traced) [][]wire.Place {
	if with.lines == nil {
		return nil
	}
	lines := strings.Split(text, "\n")
	out := make([][]wire.Place, len(lines))
	if len(lines) == len(with.lines) {
		for i, line := range lines {
			if line == with.lines[i] {
				out[i] = with.chains[i]
			}
		}
		return out
	}
	n := min(len(lines), len(with.lines))
	i := 0
	for ; i < n && lines[i] == with.lines[i]; i++ {
		out[i] = with.chains[i]
	}
	for k := 1; k <= n-i; k++ {
		a, b := len(lines)-k, len(with.lines)-k
		if lines[a] != with.lines[b] {
			break
		}
		out[a] = with.chains[b]
	}
	return out
}

// table numbers chains of places.
type table struct {
	chains  [][]wire.Place
	numbers map[string]int
}

// number returns the number of a chain, from 1. It is 0 for a chain without places.
func (t *table) number(chain []wire.Place) int {
	if len(chain) == 0 {
		return 0
	}
	k := keyOf(chain)
	n, ok := t.numbers[k]
	if !ok {
		t.chains = append(t.chains, chain)
		n = len(t.chains)
		t.numbers[k] = n
	}
	return n
}
