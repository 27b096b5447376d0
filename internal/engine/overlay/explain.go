package overlay

import (
	"errors"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// explainer says what is wrong, and why. It reads plans and views of drafts, and changes neither.
//
// A nil explainer says errStop alone: documents are first edited in parallel, without a word, and
// if that fails they are edited again, in order, to say what is wrong.
type explainer struct {
	opt    *Options
	ask    *caller // functions that are asked again to say why nothing matched
	around []*plan // the nodes around the one that has failed, innermost first
	missed []*plan // the key that was not found, and the nodes around it
}

// failed says that p could not be applied because of err: a diagnostic without a place, or the
// error of a function.
func (e *explainer) failed(p *plan, err error) error {
	if e == nil {
		return errStop
	}
	if _, ok := errors.AsType[*tree.LimitError](err); ok && e.ask.borrowed {
		return err // whoever called overlay.apply has to see that it is no ordinary error
	}
	d := e.diagnose(err)
	d.At = p.at
	d.Path = p.segment()
	return d
}

// failedOn is failed for the candidate i.
func (e *explainer) failedOn(d view, i int32, p *plan, err error) error {
	if e == nil {
		return errStop
	}
	x, ok := e.failed(p, err).(*diag.Diagnostic)
	if !ok {
		return err
	}
	x.Path = d.segment(i)
	return d.relate(x, i, "for this %s", d.kind())
}

// diagnose is err as a diagnostic of its own.
func (e *explainer) diagnose(err error) *diag.Diagnostic {
	if d, ok := err.(*diag.Diagnostic); ok {
		c := *d
		c.Related = append([]diag.Related(nil), d.Related...)
		return &c
	}
	if _, isLimit := err.(*tree.LimitError); e.opt.Diagnose != nil && !isLimit {
		if list := e.opt.Diagnose(err); len(list) > 0 {
			d := diag.Errorf(source.Span{}, CodeFunction, "%s", list[0].Message)
			if list[0].At.IsValid() {
				d.WithRelated(list[0].At, "the function fails here")
			}
			d.Related = append(d.Related, list[0].Related...)
			d.Hint = list[0].Hint
			return d
		}
	}
	if limit, ok := errors.AsType[*tree.LimitError](err); ok {
		return diag.Errorf(source.Span{}, CodeLimit, "%s", limit.Message)
	}
	if inner, ok := errors.AsType[*diag.Diagnostic](err); ok {
		d := diag.Errorf(source.Span{}, CodeFunction, "%s", inner.Message)
		if inner.At.IsValid() {
			d.WithRelated(inner.At, "the overlay that the function applies")
		}
		d.Related = append(d.Related, inner.Related...)
		d.Hint = inner.Hint
		return d
	}
	if ev, ok := errors.AsType[*starlark.EvalError](err); ok {
		return diag.Errorf(source.Span{}, CodeFunction, "%s", ev.Msg)
	}
	return diag.Errorf(source.Span{}, CodeFunction, "%s", err)
}

// clash says that the value of entry i is of another kind than what is merged into it.
func (e *explainer) clash(d view, i int32, p *plan) error {
	if e == nil {
		return errStop
	}
	want, was := p.right.TypeName(), d.cell(i).typeName()
	x := diag.Errorf(p.at, CodeType, "expected %s to merge with, but was %s", diag.Article(want),
		diag.Article(was))
	x.Path = d.segment(i)
	d.relate(x, i, "this is %s", diag.Article(was))
	if p.op == opAssert {
		return x
	}
	return x.WithHint("%s", clashHint(d, i, p))
}

// unequal says that entry i is not what an assert wants it to be.
func (e *explainer) unequal(d view, i int32, p *plan) error {
	if e == nil {
		return errStop
	}
	cmp := e.compare(p.want, d.cell(i), d.valueSpan(i))
	x := diag.Errorf(p.at, CodeAssert, "the assertion failed: expected the two to be equal, but "+
		"they are not: %s", e.differences(cmp, maxDifferences))
	x.Path = d.segment(i)
	at := d.span(i)
	if len(cmp.differ) > 0 && cmp.differ[0].at.IsValid() {
		at = cmp.differ[0].at
	}
	return relate(x, at, "what there is")
}

// repeatedKey says that two items have come to have the same key.
func (e *explainer) repeatedKey(d view, first, second int32) error {
	if e == nil {
		return errStop
	}
	at := second
	if _, ok := d.before(first); ok {
		at = first // the other one may have nothing to do with the overlay
	}
	x := diag.Errorf(d.span(at), CodeKey, "the result would have key %s twice", show(d.key(second)))
	x.Path = d.segment(second)
	for _, i := range []int32{first, second} {
		if old, ok := d.before(i); ok {
			relate(x, e.opt.itemSpan(old), "item %s is replaced, and gets the overlay's key",
				show(old.Key))
		} else {
			d.relate(x, i, "item %s", show(d.key(i)))
		}
	}
	return x.WithHint("where `by` is a function or overlay.subset, the replaced item gets the " +
		"key of the overlay's item; match one item only, or merge, which keeps the keys")
}

// within adds to an error that it happened inside p, below entry i.
func (e *explainer) within(err error, d view, i int32, p *plan) error {
	x, ok := err.(*diag.Diagnostic)
	if !ok || e == nil {
		return err
	}
	if s := d.segment(i); s != "" {
		x.Path = joinPath(s, x.Path)
	}
	if !x.At.IsValid() {
		x.At = p.at // what a dict holds has no place: it is where the dict is a value
	}
	e.around = append(e.around, p)
	if e.missed != nil {
		e.missed = append(e.missed, p)
	}
	if p.kind == tree.DocumentNode {
		if e.missed != nil && x.Path == "metadata.namespace" && p.by != nil &&
			p.by.kind == matchAll {
			x.Hint = namespaceHint
		}
		e.withMatched(x)
		d.relate(x, i, "applied to this document%s", describeDocument(d.cell(i)))
	}
	return x
}

// withMatched adds the nodes around the one that an error is about: the outermost with its line, and the
// others named with their places, since their lines say little.
func (e *explainer) withMatched(err error) error {
	x, ok := err.(*diag.Diagnostic)
	if e == nil {
		return err
	}
	chain := e.around
	e.around = nil
	if !ok || len(chain) == 0 {
		return err
	}
	if e.opt.Files == nil {
		for _, p := range chain {
			relate(x, p.at, "in this %s", p.name())
		}
		return x
	}
	outer := chain[len(chain)-1]
	var inner []string
	for _, p := range slices.Backward(chain[:len(chain)-1]) {
		inner = append(inner, p.segment()+e.placed(p))
	}
	switch {
	case !outer.at.IsValid():
		return x
	case len(inner) == 0:
		return relate(x, outer.at, "in this %s", outer.name())
	}
	return relate(x, outer.at, "in this %s, in %s", outer.name(), strings.Join(inner, ", "))
}

// placed returns where a node of an overlay stands, behind its name; "" for what a dict holds.
func (e *explainer) placed(p *plan) string {
	if !p.at.IsValid() {
		return ""
	}
	return " at " + e.opt.where(p.at.Pos)
}

// name returns what a node of an overlay is called.
func (p *plan) name() string {
	if p.kind == tree.DocumentNode {
		return "overlay document"
	}
	return p.kind.String()
}

func relate(x *diag.Diagnostic, at source.Span, format string, args ...any) *diag.Diagnostic {
	if at.IsValid() {
		x.WithRelated(at, format, args...)
	}
	return x
}

// where returns a place in a message, "base.yml:4", or "" if it is not known.
func (o *Options) where(at source.Pos) string {
	if o.Files == nil {
		return ""
	}
	f := o.Files.File(at)
	if f == nil {
		return ""
	}
	return f.WhereLine(at.Offset())
}

// segment returns the last part of the path to p.
func (p *plan) segment() string {
	switch p.kind {
	case tree.MapItem:
		return pathKey(p.key.value)
	case tree.ArrayItem:
		return "[]"
	}
	return ""
}
