package diff

import (
	"weft/internal/lang/diag"
)

// Summary counts documents.
type Summary struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Changed int `json:"changed"`
	Same    int `json:"same"`
}

// Summary counts the documents of the difference.
func (d *Difference) Summary() Summary {
	s := Summary{Same: d.Same}
	for _, o := range d.Objects() {
		switch {
		case o.A < 0:
			s.Added++
		case o.B < 0:
			s.Removed++
		default:
			s.Changed++
		}
	}
	return s
}

// tally counts the changes in one document.
type tally struct {
	object *Object
	count  int
}

func (d *Difference) tallies() []tally {
	var list []tally
	for i := range d.Changes {
		o := d.Changes[i].Object
		if n := len(list); n > 0 && list[n-1].object == o {
			list[n-1].count++
			continue
		}
		list = append(list, tally{o, 1})
	}
	return list
}

// summary writes a line for each document that changed.
func (p *textPrinter) summary(d *Difference) {
	for _, t := range d.tallies() {
		o := t.object
		switch {
		case o.A < 0:
			p.line(styleAdded, "+ "+o.Name.String())
		case o.B < 0:
			p.line(styleRemoved, "- "+o.Name.String())
		case o.renamed:
			p.line(styleChanged, "~ "+o.Was.String()+" → "+o.Name.String()+"  "+
				diag.Count(t.count, "change"))
		default:
			p.line(styleChanged, "~ "+o.Name.String()+"  "+diag.Count(t.count, "change"))
		}
	}
}
