package explain

import (
	"fmt"
	"strings"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file explains overlay.path: what it matches, and how far its patterns lead.

// WrongReach implements overlay.Explainer.
func (e *explainer) WrongReach(p *overlay.Plan, r *overlay.Reach) error {
	x := diag.Errorf(p.At, overlay.CodeCount, "expected %s for %s, but found %d", p.Expect.String(),
		subject(p), r.N)
	if p.Uncounted {
		x.Message = fmt.Sprintf("a path with `**` needs a count, and %s matches %s", subject(p),
			diag.Count(r.N, "node"))
	}
	x.Path = segment(p)
	switch {
	case r.N == 0:
		e.missPath(x, p, r)
		return x
	case p.Uncounted:
		x.Hint = fmt.Sprintf("if these are the nodes you mean, write `expects=%d`, or `expects=%q` if there "+
			"may be more", r.N, fmt.Sprintf("%d+", r.N))
	case p.Expect.AllowsMore(r.N):
		x.Hint = fmt.Sprintf("matches are counted in all documents of the overlay: if fewer are fine, write "+
			"`expects=%d`", r.N)
	default:
		x.Hint = fmt.Sprintf("matches are counted in all documents of the overlay: to change all of them "+
			"write `expects=%d`, or match fewer", r.N)
	}
	e.showHits(x, r)
	return x
}

// showHits adds the first matches with their lines, and the others as a list.
func (e *explainer) showHits(x *diag.Diagnostic, r *overlay.Reach) {
	const maxListed = 20
	var rest []string
	for k, h := range r.Hits {
		if k < maxShown || e.opt.Files == nil {
			relate(x, h.At, "match %d: %s", k+1, h.Path)
		} else if w := where(e.opt, h.At.Pos); w != "" && len(rest) < maxListed {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 || len(x.Related) == 0 {
		return
	}
	more := "; more at " + strings.Join(rest, ", ")
	if hidden := r.N - maxShown - len(rest); hidden > 0 {
		more += fmt.Sprintf(" and %d more", hidden)
	}
	x.Related[len(x.Related)-1].Message += more
}

// missPath explains how far the patterns of p lead: the longest part that matches, and the nearest
// key there.
func (e *explainer) missPath(x *diag.Diagnostic, p *overlay.Plan, r *overlay.Reach) {
	best, at, text := path.Near{}, source.Span{}, ""
	for _, written := range p.By.Texts {
		pattern, err := path.Parse("", written)
		if err != nil {
			continue // it was parsed before
		}
		for _, in := range r.In {
			if n := pattern.Near(in.Value); text == "" || n.Better(&best) {
				best, at, text = n, in.At, written
				if k := len(n.Way); k > 0 {
					at = e.opt.ItemSpan(n.Way[k-1].Item)
				}
			}
		}
	}
	switch {
	case best.Next == nil:
		x.Hint = reachHint(p)
		return
	case best.Nearest != "":
		relate(x, at, "%s", e.nearText(&best))
		x.Hint = fmt.Sprintf("did you mean %s?", strings.Replace(text, best.Next.String(),
			nearestStep(&best), 1))
		return
	}
	relate(x, at, "%s", e.nearText(&best))
	x.Hint = reachHint(p)
}

// nearText says how far a pattern leads.
func (e *explainer) nearText(n *path.Near) string {
	text := fmt.Sprintf("%s leads here, but not to %s", n.Taken, n.Next)
	if len(n.Taken) == 0 || n.Taken.String() == "**" {
		text = fmt.Sprintf("nothing is at %s", n.Next)
	}
	if n.Nearest != "" {
		return text + "; the nearest is " + nearestStep(n)
	}
	switch kind := n.Value.Kind(); {
	case kind == tree.ScalarKind:
		return text + fmt.Sprintf(": this is %s", diag.Article(n.Value.TypeName()))
	case len(n.Names) == 0:
		return text
	case kind == tree.MapKind:
		return text + ": the map has " + listed(n.Names, "key")
	}
	return text + ": the items are " + strings.TrimPrefix(strings.TrimPrefix(listed(n.Names, ""), "s"), " ")
}

// nearestStep returns the step that was probably meant, as a pattern has it.
func nearestStep(n *path.Near) string {
	return strings.Replace(n.Next.String(), n.Next.Sought(), n.Nearest, 1)
}

// reachHint returns a hint for allowing that a path matches nothing.
func reachHint(p *overlay.Plan) string {
	if p.Uncounted || p.Expect.Counts != nil {
		return "if there may be none, write `expects=\"0+\"`"
	}
	return "if there may be none, write `missing_ok=True`"
}

// Contained implements overlay.Explainer.
func (e *explainer) Contained(p *overlay.Plan, outer, inner source.Span) error {
	x := diag.Errorf(p.At, overlay.CodeMatcher, "%s matches a node and another one inside it", subject(p))
	x.Path = segment(p)
	relate(x, outer, "this matches")
	relate(x, inner, "and so does this, inside it")
	return x.WithHint("write a longer path that matches only one of the two, or write two overlays " +
		"with one path each")
}

// Below implements overlay.Explainer.
func (e *explainer) Below(err error, d overlay.View, i int32) error {
	if x, ok := err.(*diag.Diagnostic); ok {
		x.Path = joinPath(segmentOf(d, i), x.Path)
	}
	return err
}

// Reached implements overlay.Recorder.
func (t *trace) Reached(d overlay.View, i int32, p *overlay.Plan) {
	t.step.Acted[p.At.Pos] = true
	t.change(Effect{Kind: Found, At: p.At, Was: d.ValueSpan(i)}, d, i)
}

// Unreached implements overlay.Recorder.
func (t *trace) Unreached(d overlay.View, p *overlay.Plan, r *overlay.Reach) {
	s := Skip{At: p.At, Expects: p.Expect.String(), Path: segment(p)}
	s.Target, _ = t.here(d, overlay.None)
	var x diag.Diagnostic
	t.explain.missPath(&x, p, r)
	s.Near = x.Related
	if strings.HasSuffix(x.Hint, "?") {
		s.Hint = x.Hint
	}
	t.step.Skipped = append(t.step.Skipped, s)
}
