// Package explain describes what overlays do and what is wrong with them. It implements the
// Explainer, Remarks and Recorder interfaces of package overlay.
//
// For a correct overlay, only the warnings run, which look at each node once. Near misses are
// searched only for errors: each candidate, up to overlay.MaxCandidates, is compared part by part
// with what was wanted, and the nearest are shown.
//
//	explain.go, failed.go   errors, and the nodes around them
//	miss.go, compare.go     near misses, and how they differ from what was wanted
//	reach.go                what overlay.path matches, and how far its patterns lead
//	advice.go               hints: what to write instead
//	remarks.go, lint.go     likely mistakes, and annotations that do nothing
//	steps.go, write.go      what each overlay did, as text and as JSON
//	named.go                the names of documents in the steps
//	hide.go                 hides secrets in the steps
//	text.go                 formatting of values, keys and paths
package explain

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// New returns an explainer and remarks for the given options. They call functions again through
// ask.
func New(opt *overlay.Options, ask *overlay.Caller) (overlay.Explainer, overlay.Remarks) {
	return &explainer{opt: opt, ask: ask}, &remarks{opt: opt, ask: ask}
}

// explainer explains errors.
type explainer struct {
	opt    *overlay.Options
	ask    *overlay.Caller // calls functions again, to explain why nothing matched
	around []*overlay.Plan // the nodes around the failed one, innermost first
	missed []*overlay.Plan // the missing key, and the nodes around it
}

// Failed implements overlay.Explainer.
func (e *explainer) Failed(p *overlay.Plan, err error) error {
	if _, ok := errors.AsType[*tree.LimitError](err); ok && e.ask.Borrowed {
		return err // the caller of overlay.apply must see that this is not an ordinary error
	}
	d := e.diagnose(err)
	d.At = p.At
	d.Path = segment(p)
	return d
}

// failedOn is like Failed, and adds candidate i if it exists.
func (e *explainer) failedOn(d overlay.View, i int32, p *overlay.Plan, err error) error {
	x, ok := e.Failed(p, err).(*diag.Diagnostic)
	if !ok {
		return err
	}
	if i == overlay.None {
		return x
	}
	x.Path = segmentOf(d, i)
	return relateEntry(x, d, i, "for this %s", d.Kind())
}

// diagnose converts err to a diagnostic.
func (e *explainer) diagnose(err error) *diag.Diagnostic {
	if d, ok := err.(*diag.Diagnostic); ok {
		c := *d
		c.Related = append([]diag.Related(nil), d.Related...)
		return &c
	}
	if _, isLimit := err.(*tree.LimitError); e.opt.Diagnose != nil && !isLimit {
		if list := e.opt.Diagnose(err); len(list) > 0 {
			d := diag.Errorf(source.Span{}, overlay.CodeFunction, "%s", list[0].Message)
			if list[0].At.IsValid() {
				d.WithRelated(list[0].At, "the function fails here")
			}
			d.Related = append(d.Related, list[0].Related...)
			d.Hint = list[0].Hint
			return d
		}
	}
	if limit, ok := errors.AsType[*tree.LimitError](err); ok {
		return diag.Errorf(source.Span{}, overlay.CodeLimit, "%s", limit.Message)
	}
	if inner, ok := errors.AsType[*diag.Diagnostic](err); ok {
		d := diag.Errorf(source.Span{}, overlay.CodeFunction, "%s", inner.Message)
		if inner.At.IsValid() {
			d.WithRelated(inner.At, "the overlay that the function applies")
		}
		d.Related = append(d.Related, inner.Related...)
		d.Hint = inner.Hint
		return d
	}
	if ev, ok := errors.AsType[*starlark.EvalError](err); ok {
		return diag.Errorf(source.Span{}, overlay.CodeFunction, "%s", ev.Msg)
	}
	return diag.Errorf(source.Span{}, overlay.CodeFunction, "%s", err)
}

// Clash implements overlay.Explainer.
func (e *explainer) Clash(d overlay.View, i int32, p *overlay.Plan) error {
	want, was := p.Right.TypeName(), d.Cell(i).TypeName()
	x := diag.Errorf(p.At, overlay.CodeType, "expected %s to merge with, but was %s", diag.Article(want),
		diag.Article(was))
	x.Path = segmentOf(d, i)
	relateEntry(x, d, i, "this is %s", diag.Article(was))
	if p.Op == overlay.OpAssert {
		return x
	}
	return x.WithHint("%s", clashHint(d, i, p))
}

// Unequal implements overlay.Explainer.
func (e *explainer) Unequal(d overlay.View, i int32, p *overlay.Plan) error {
	cmp := e.compare(p.Want, d.Cell(i), d.ValueSpan(i))
	x := diag.Errorf(p.At, overlay.CodeAssert, "the assertion failed: expected the two to be equal, but "+
		"they are not: %s", e.differences(cmp, maxDifferences))
	x.Path = segmentOf(d, i)
	at := d.Span(i)
	if len(cmp.differ) > 0 && cmp.differ[0].at.IsValid() {
		at = cmp.differ[0].at
	}
	return relate(x, at, "what there is")
}

// RepeatedKey implements overlay.Explainer.
func (e *explainer) RepeatedKey(d overlay.View, first, second int32) error {
	at := second
	if _, ok := d.Before(first); ok {
		at = first // the second may have nothing to do with the overlay
	}
	x := diag.Errorf(d.Span(at), overlay.CodeKey, "the result would have key %s twice", show(d.Key(second)))
	x.Path = segmentOf(d, second)
	for _, i := range []int32{first, second} {
		if old, ok := d.Before(i); ok {
			relate(x, e.opt.ItemSpan(old), "item %s is replaced, and gets the overlay's key",
				show(old.Key))
		} else {
			relateEntry(x, d, i, "item %s", show(d.Key(i)))
		}
	}
	return x.WithHint("where `by` is a function or overlay.subset, the replaced item gets the " +
		"key of the overlay's item; match one item only, or merge, which keeps the keys")
}

// Within implements overlay.Explainer.
func (e *explainer) Within(err error, d overlay.View, i int32, p *overlay.Plan) error {
	x, ok := err.(*diag.Diagnostic)
	if !ok || p.IsEmbedded {
		return err
	}
	if s := segmentOf(d, i); s != "" {
		x.Path = joinPath(s, x.Path)
	}
	if !x.At.IsValid() {
		x.At = p.At // values in a dict have no position: use that of the dict
	}
	e.around = append(e.around, p)
	if e.missed != nil {
		e.missed = append(e.missed, p)
	}
	if p.Kind == tree.DocumentNode {
		if e.missed != nil && x.Path == "metadata.namespace" && p.By != nil &&
			p.By.Kind == overlay.MatchAll {
			x.Hint = namespaceHint
		}
		_ = e.Around(x)
		relateEntry(x, d, i, "applied to this document%s", describeDocument(d.Cell(i)))
	}
	return x
}

// Around implements overlay.Explainer. It shows the line of the outermost node, and only names the
// others with their positions, because their lines say little.
func (e *explainer) Around(err error) error {
	x, ok := err.(*diag.Diagnostic)
	chain := e.around
	e.around = nil
	if !ok || len(chain) == 0 {
		return err
	}
	if e.opt.Files == nil {
		for _, p := range chain {
			relate(x, p.At, "in this %s", name(p))
		}
		return x
	}
	outer := chain[len(chain)-1]
	var inner []string
	for _, p := range slices.Backward(chain[:len(chain)-1]) {
		inner = append(inner, segment(p)+e.placed(p))
	}
	switch {
	case !outer.At.IsValid():
		return x
	case len(inner) == 0:
		return relate(x, outer.At, "in this %s", name(outer))
	}
	return relate(x, outer.At, "in this %s, in %s", name(outer), strings.Join(inner, ", "))
}

// placed returns the position of an overlay's node to append to its name; "" for values in a dict.
func (e *explainer) placed(p *overlay.Plan) string {
	if !p.At.IsValid() {
		return ""
	}
	return " at " + where(e.opt, p.At.Pos)
}

// name returns p's name in messages.
func name(p *overlay.Plan) string {
	if p.Kind == tree.DocumentNode {
		return "overlay document"
	}
	return p.Kind.String()
}

func relate(x *diag.Diagnostic, at source.Span, format string, args ...any) *diag.Diagnostic {
	if at.IsValid() {
		x.WithRelated(at, format, args...)
	}
	return x
}

// where returns a position for a message, "base.yml:4", or "" if it is unknown.
func where(o *overlay.Options, at source.Pos) string {
	if o.Files == nil {
		return ""
	}
	f := o.Files.File(at)
	if f == nil {
		return ""
	}
	return f.WhereLine(at.Offset())
}

// segment returns the last segment of the path to p.
func segment(p *overlay.Plan) string {
	switch p.Kind {
	case tree.MapItem:
		return pathKey(p.Key.Value)
	case tree.ArrayItem:
		return "[]"
	}
	return ""
}

// segmentOf returns the last segment of the path to entry i.
func segmentOf(d overlay.View, i int32) string {
	switch d.Kind() {
	case tree.MapItem:
		return pathKey(d.Key(i))
	case tree.ArrayItem:
		return "[" + strconv.Itoa(d.Position(i)) + "]"
	}
	return ""
}

// relateEntry adds the position of entry i to a diagnostic.
func relateEntry(
	x *diag.Diagnostic, d overlay.View, i int32, format string, args ...any,
) *diag.Diagnostic {
	return relate(x, d.ValueSpan(i), format, args...)
}
